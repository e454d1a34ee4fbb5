"""The page in the real host and a real browser: seen, used by keyboard, and told hostile things."""

import asyncio
import base64
import io
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import ChatRequest, Purpose, Reply
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat
from PIL import Image
from playwright.async_api import Browser, Page, expect

from .. import foreign_files
from ..pages.browser import DESK, PHONE, Visit, dashboard, launched, visit
from ..strength import LONG
from .chat_client import calm, group, heard, indexed, private
from .conftest import NAMES, PATIENT
from .test_smoke import stored

HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\"> {{ 7 * 7 }} \u202egnirts <script>1</script>"
)
VIEWS = ("tide", "memories", "why", "people", "keeping", "forgetting", "settings", "graph")
LOOKS = ((DESK, False, "zh-CN"), (PHONE, True, "en-US"))
MORE_LOOKS = ((DESK, True, "zh-CN"), (PHONE, False, "en-US"))


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots are put for a person to look at: TIDEMARK_PICTURES, or a new folder."""
    named = os.environ.get("TIDEMARK_PICTURES")
    folder = Path(named) if named else tmp_path_factory.mktemp("pictures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Shared by the tests of this module."""
    async with launched() as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def lived_in(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """A host of this module's own, with memories of a person and of a group.

    Bug: over the host that all modules share, a list that was long already hid what is looked for.
    """
    folder = tmp_path_factory.mktemp("page")
    async with bench(folder, NAMES, respond=calm, plugin_config=PATIENT) as running:
        chat = running.chat
        await chat.ask(903, "你好")
        await chat.ask(901, "Good morning")
        await chat.ask(903, f"/memory remember {HOSTILE}")
        await chat.ask(903, "/memory remember 小雨喜欢燕麦拿铁")
        await chat.ask(901, "/memory remember Anna walks her dog at seven")
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def owner(lived_in: Bench) -> AsyncIterator[Webchat]:
    async with Webchat.login(lived_in.root.dashboard_port) as client:
        yield client


@asynccontextmanager
async def asleep(host: Bench) -> AsyncIterator[None]:
    """A sleep that waits for a model which does not answer before the end of the block."""
    answering = asyncio.Event()

    async def late(request: ChatRequest) -> Reply:
        if request.purpose is Purpose.LEARN:
            await answering.wait()
        return calm(request)

    await host.chat.ask(903, "小雨下周五去杭州开会，记得带电脑和门票")
    host.model.respond = late
    try:
        await host.chat.ask(900, "/memory sleep")
        yield
    finally:
        host.model.respond = calm
        answering.set()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def english(browser: Browser, lived_in: Bench, owner: Webchat) -> AsyncIterator[Page]:
    port, token = lived_in.root.dashboard_port, owner.credential
    async with dashboard(browser, port, token, locale="en-US") as page:
        yield page


@pytest_asyncio.fixture(loop_scope="session")
async def page(english: Page) -> AsyncIterator[Visit]:
    async with visit(english) as opened:
        yield opened
        assert opened.problems == []


@pytest.mark.parametrize(("size", "dark", "locale"), LOOKS + MORE_LOOKS * LONG)
async def test_every_view_opens_in_every_look_and_axe_finds_nothing_serious(
    browser: Browser,
    lived_in: Bench,
    owner: Webchat,
    pictures: Path,
    size: tuple[int, int],
    dark: bool,
    locale: str,
) -> None:
    port, token = lived_in.root.dashboard_port, owner.credential
    async with (
        dashboard(browser, port, token, size=size, dark=dark, locale=locale) as page,
        visit(page) as opened,
    ):
        for view in VIEWS:
            await opened.open(view)
            name = f"{view}-{size[0]}-{'dark' if dark else 'light'}-{locale}.png"
            await opened.page.screenshot(path=pictures / name)
            assert await opened.findings() == [], view
            wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert await opened.frame.evaluate(wide) <= 0, f"{view} is wider than the screen"
        assert opened.problems == []


async def test_the_tab_key_reaches_all_and_shows_where_it_is(page: Visit) -> None:
    """Every control but those of a group that the arrows walk; none holds the focus fast."""
    walked = """() => {
        const within = 'a[href], button, input, select, textarea, summary, [tabindex]';
        const seen = (e) => e.checkVisibility() && !e.disabled && e.tabIndex >= 0;
        const every = [...document.querySelectorAll(within)];
        for (const each of every) delete each.dataset.walked;
        return every.filter(seen).length;
    }"""
    here = """() => {
        const e = document.activeElement, look = getComputedStyle(e);
        if (e === document.body || e.dataset.walked) return '';
        e.dataset.walked = 'yes';
        const ring = look.outlineStyle !== 'none' && parseFloat(look.outlineWidth) > 1;
        const drawn = ring || look.boxShadow !== 'none' || e.matches('.node');
        return drawn ? 'shown' : e.outerHTML.slice(0, 80);
    }"""
    for view in VIEWS:
        await page.open(view)
        wanted = await page.frame.evaluate(walked)
        await page.frame.locator(".tab:visible").first.focus()
        found = list[str]()
        while len(found) <= wanted:
            await page.page.keyboard.press("Tab")
            if not (told := await page.frame.evaluate(here)):
                break
            found.append(told)
        assert (view, set(found)) == (view, {"shown"})
        assert (view, len(found)) == (view, wanted - 1), "all but where it began"


async def test_private_ones_are_shown_for_a_reason_and_hostile_text_is_text(page: Visit) -> None:
    frame, keys = page.frame, page.page.keyboard
    await page.open("memories")
    assert await frame.get_by_text("燕麦拿铁").count() == 0
    await frame.get_by_role("button", name="Show private memories").press("Enter")
    await expect(frame.get_by_role("dialog").locator(".field")).to_be_focused()
    await keys.type("to look after them")
    await keys.press("Enter")
    await expect(frame.get_by_text("小雨喜欢燕麦拿铁").first).to_be_visible()
    await expect(frame.get_by_text("{{ 7 * 7 }}").first).to_be_visible()
    await page.open("graph")
    names = frame.locator(".node")
    await names.first.press("ArrowRight")
    await expect(names.nth(1)).to_be_focused()
    await names.nth(1).press("Enter")
    await expect(names.nth(1)).to_have_attribute("aria-pressed", "true")
    await expect(frame.locator(".graph-side .page-lines, .close-rows").first).to_be_visible()
    assert await frame.locator("img").count() == 0
    assert await frame.title() == "Tidemark"


async def test_a_memory_is_forgotten_and_brought_back_by_keyboard(page: Visit) -> None:
    frame, keys = page.frame, page.page.keyboard
    await page.open("memories")
    rows = frame.locator(".memory-row")
    before = await rows.count()
    await rows.first.locator("input").press("Space")
    await frame.get_by_role("button", name="Forget", exact=True).press("Enter")
    await expect(rows).to_have_count(before - 1)
    await frame.get_by_role("button", name="Undo").press("Enter")
    await expect(rows).to_have_count(before)
    await rows.first.locator(".memory-open").press("Enter")
    await expect(frame.get_by_role("dialog", name="Memory")).to_be_visible()
    await keys.press("Escape")
    await expect(frame.get_by_role("dialog")).to_have_count(0)
    focused = "document.activeElement.className"
    assert await frame.evaluate(focused) == "memory-open"


async def test_why_is_a_sentence_first_numbers_behind_a_click(page: Visit, pictures: Path) -> None:
    frame, keys = page.frame, page.page.keyboard
    await page.open("why")
    await frame.get_by_role("combobox", name="Ask as").select_option(label="小雨")
    await frame.get_by_role("textbox", name="Question").fill("小雨喜欢喝什么？")
    await keys.press("Enter")
    # What is typed before the dialog has the focus goes into the question.
    await expect(frame.get_by_role("dialog").locator(".field")).to_be_focused()
    await keys.type("to look after them")
    await keys.press("Enter")
    sentence = frame.locator(".trial .recall-sum")
    await expect(sentence).to_have_text(re.compile(r"^Brought up [12]: [a-z, ]+"))
    fit = frame.locator(".trial").get_by_text(re.compile(r"^\[1\] fit "))
    await expect(fit).to_be_hidden()
    await frame.get_by_text("The numbers").press("Enter")
    await expect(fit).to_be_visible()
    await expect(fit).not_to_contain_text(re.compile(r"\b0 %"))
    assert await page.findings() == []
    await page.page.screenshot(path=pictures / "why-sentence.png")


async def test_the_local_model_is_offered_once_and_not_now_is_kept(
    page: Visit, lived_in: Bench, pictures: Path
) -> None:
    frame = page.frame
    await expect(frame.get_by_text("91 MB to download")).to_be_visible()
    await expect(frame.get_by_role("button", name="Fetch the local model")).to_be_visible()
    await page.page.screenshot(path=pictures / "embedder-offer.png")
    assert "/memory embedder later" in await lived_in.chat.ask(900, "/memory status")
    await frame.get_by_role("button", name="Not now").press("Enter")
    await expect(frame.get_by_text("All is well.")).to_be_visible()
    await page.open("memories")
    await page.open("tide")
    await expect(frame.get_by_text("All is well.")).to_be_visible()
    assert "embedder later" not in await lived_in.chat.ask(900, "/memory status")
    await page.open("settings")
    await frame.locator("summary", has_text="Embeddings").press("Enter")
    await expect(frame.get_by_role("button", name="Fetch the local model")).to_be_visible()


async def test_the_owner_links_a_chat_account_and_reads_and_corrects_their_own(
    page: Visit, lived_in: Bench, pictures: Path
) -> None:
    frame = page.frame
    chat = lived_in.chat
    await chat.ask(902, "/memory remember Ben collects stamps")
    await page.open("people")
    await frame.get_by_role("button", name="My account in another chat").press("Enter")
    said = await frame.locator("code.code").inner_text()
    assert "qq/902" in await chat.ask(902, said)
    card = frame.locator(".card.me")
    await expect(card.get_by_role("button", name="Separate")).to_be_visible()
    await page.page.screenshot(path=pictures / "this-is-me.png")
    try:
        await page.open("memories")
        await frame.get_by_text("Ben collects stamps").click()
        drawer = frame.get_by_role("dialog", name="Memory")
        await drawer.get_by_role("button", name="Correct").press("Enter")
        await frame.locator("dialog textarea").fill("Ben collects coins")
        await page.page.keyboard.press("Tab")
        await page.page.keyboard.press("Tab")
        await page.page.keyboard.press("Enter")
        await expect(drawer.get_by_text("Ben collects coins").first).to_be_visible()
        assert "collects coins" in await chat.ask(902, "/memory mine")
        await page.page.keyboard.press("Escape")
    finally:
        await page.open("people")
        await card.get_by_role("button", name="Separate").press("Enter")
        await expect(card.get_by_role("button", name="Separate")).to_have_count(0)


async def test_a_memory_is_written_tagged_put_right_and_taken_back_on_the_page(
    page: Visit, lived_in: Bench, pictures: Path
) -> None:
    frame, keys = page.frame, page.page.keyboard
    await lived_in.chat.ask(901, "/memory remember The choir meets in the barn", group=7302)
    await page.open("memories")
    await expect(frame.get_by_text("choir meets in the barn")).to_be_visible(timeout=20_000)
    await frame.get_by_role("button", name="Write one down").press("Enter")
    await frame.locator("dialog textarea").fill("The choir sings on Mondays")
    await keys.press("Tab")
    await keys.press("Tab")
    await keys.press("Enter")
    row = frame.locator(".memory-row", has_text="sings on Mondays")
    await row.locator("input").press("Space")
    await frame.get_by_role("button", name="Tag", exact=True).press("Enter")
    await expect(frame.get_by_role("dialog").locator(".field")).to_be_focused()
    await keys.type("music")
    await keys.press("Enter")
    await row.get_by_role("button", name="#music").press("Enter")
    await expect(frame.locator(".memory-row")).to_have_count(1)
    await row.locator(".memory-open").press("Enter")
    drawer = frame.get_by_role("dialog", name="Memory")
    await drawer.get_by_role("button", name="Correct").press("Enter")
    await frame.locator("dialog textarea").fill("The choir sings on Tuesdays")
    await keys.press("Tab")
    await keys.press("Tab")
    await keys.press("Enter")
    await expect(drawer.get_by_text("sings on Tuesdays")).to_be_visible()
    await page.page.screenshot(path=pictures / "corrected.png")
    assert await page.findings() == []
    await drawer.get_by_role("button", name="Go back to this").press("Enter")
    await expect(drawer.locator(".whole-text")).to_have_text("The choir sings on Mondays")
    await keys.press("Escape")


async def test_ctrl_k_goes_to_a_person(page: Visit) -> None:
    await page.frame.locator(".tab").first.press("Control+k")
    await expect(page.frame.locator("dialog input")).to_be_focused()
    await page.page.keyboard.type("小雨")
    await expect(page.frame.locator(".menu-list button").first).to_contain_text("小雨")
    await page.page.keyboard.press("Enter")
    chosen = page.frame.get_by_role("combobox", name="Whose")
    await expect(chosen).to_have_value(Scope(ScopeKind.PRIVATE, "qq", "903").owner)


async def test_a_backup_is_made_fetched_for_a_reason_and_deleted_by_keyboard(page: Visit) -> None:
    frame = page.frame
    await page.open("keeping")
    rows = frame.locator("section", has_text="Backups").locator(".plain-list > li")
    await expect(frame.get_by_role("button", name="Back up now")).to_be_enabled()
    before = await rows.count()
    await frame.get_by_role("button", name="Back up now").press("Enter")
    await expect(rows).to_have_count(before + 1)
    await rows.first.get_by_role("button", name="Download").press("Enter")
    await expect(frame.get_by_role("dialog").locator(".field")).to_be_focused()
    await page.page.keyboard.type("the machine moves")
    async with page.page.expect_download() as coming:
        await page.page.keyboard.press("Enter")
    with ZipFile(await (await coming.value).path()) as packed:
        assert packed.testzip() is None
        assert {name.partition("/")[2] for name in packed.namelist()} >= {
            "backup.json",
            "memories.db",
        }
    await rows.first.get_by_role("button", name="Delete").press("Enter")
    await frame.get_by_role("dialog").get_by_role("button", name="Delete").press("Enter")
    await expect(rows).to_have_count(before)


async def test_a_file_is_dropped_and_taken_in(page: Visit, tmp_path: Path, pictures: Path) -> None:
    """Bug: a look failed in every browser: what the page sent held a proxy, which is not copied."""
    frame, file = page.frame, tmp_path / "from_elsewhere.db"
    foreign_files.livingmemory(file, [("Ben told how he began.", foreign_files.document())])
    await page.open("keeping")
    await frame.locator(".drop input").set_input_files(file)
    looked = frame.get_by_role("region", name="What would come")
    await expect(looked).to_contain_text("livingmemory")
    assert await page.findings() == []
    await page.page.screenshot(path=pictures / "dropped.png")
    await looked.get_by_role("button", name="Bring in 2").press("Enter")
    await expect(frame.get_by_text("2 new memories brought in")).to_be_visible()


async def test_what_the_host_kept_is_offered(page: Visit, lived_in: Bench, pictures: Path) -> None:
    stored(
        lived_in,
        private(904),
        {"role": "user", "content": "My telescope is a Dobsonian called Galileo"},
        {"role": "assistant", "content": "Clear skies!"},
    )
    await page.open("keeping")
    card = page.frame.locator("section", has_text="Learn from earlier chats")
    await expect(card.get_by_text("2 messages of the last 30 days")).to_be_visible(timeout=20_000)
    await page.page.screenshot(path=pictures / "past.png")
    await card.get_by_role("button", name="Learn from them").press("Enter")
    await expect(page.frame.get_by_text("2 messages are on record")).to_be_visible()
    await expect(card).to_have_count(0)


async def test_an_export_is_downloaded_and_long_work_is_told_of(page: Visit) -> None:
    frame = page.frame
    await page.open("keeping")
    await frame.get_by_role("button", name="Export", exact=True).press("Enter")
    await expect(frame.get_by_role("dialog").locator(".field")).to_be_focused()
    await page.page.keyboard.type("to look after them")
    await page.page.keyboard.press("Enter")
    async with page.page.expect_download() as coming:
        await frame.get_by_role("button", name="Download").press("Enter")
    file = await (await coming.value).path()
    assert "燕麦拿铁" in file.read_text("utf-8")
    await frame.get_by_role("button", name="Long work, 0 under way").press("Enter")
    drawer = frame.get_by_role("dialog", name="Long work")
    await expect(drawer.get_by_text("export", exact=True)).to_be_visible()
    assert await page.findings() == []


async def test_a_cancelled_sleep_is_told_as_such_not_as_done(page: Visit, lived_in: Bench) -> None:
    """Bug: work that was no longer listed passed for done, a cancelled sleep or move too."""
    frame = page.frame
    async with asleep(lived_in):
        await frame.get_by_role("button", name="Long work, 0 under way").press("Enter")
        drawer = frame.get_by_role("dialog", name="Long work")
        await drawer.get_by_role("button", name="Cancel").press("Enter")
        await expect(frame.get_by_text("putting memories in order: cancelled")).to_be_visible()
        await expect(drawer.get_by_text("What has been decided stands")).to_be_visible()
        assert await frame.get_by_text("putting memories in order: done").count() == 0


async def test_a_policy_is_compared_a_setting_changed_and_reset_by_keyboard(page: Visit) -> None:
    frame = page.frame
    await page.open("forgetting")
    sides = frame.locator("section:has(.list-bar)")
    await expect(sides).to_have_count(1)
    await frame.get_by_role("combobox", name="Compare with").press("ArrowDown")
    await expect(sides).to_have_count(2)
    slider = frame.get_by_role("slider", name="Within 30 days")
    await slider.press("ArrowRight")
    await expect(frame.get_by_role("slider", name="Within 31 days")).to_be_focused()
    await page.open("settings")
    switch = frame.get_by_role("switch", name="Recall memories")
    await expect(switch).to_be_checked()
    await switch.press("Space")
    await expect(frame.get_by_role("button", name="As in the file: on")).to_be_visible()
    await frame.get_by_role("button", name="Undo").press("Enter")
    await expect(switch).to_be_checked()
    await expect(frame.get_by_role("button", name="As in the file: on")).to_have_count(0)


async def test_a_kept_preview_is_drawn_beside_its_memory(page: Visit, lived_in: Bench) -> None:
    written = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(written, "PNG")
    picture = ("image", {"file": "base64://" + base64.b64encode(written.getvalue()).decode()})
    chat, frame = lived_in.chat, page.frame
    await chat.ask(900, "/memory config set media.keep on")
    try:
        await chat.say(901, "My red bicycle stands here", group=7301, media=[picture])
        await heard(lived_in, group(7301))
        await indexed(lived_in)
    finally:
        await chat.ask(900, "/memory config reset media.keep")
    await page.open("memories")
    chip = frame.get_by_role("button", name="raw message", exact=True)
    await expect(chip).to_have_attribute("aria-pressed", "false")
    await chip.press("Enter")
    await frame.get_by_text("My red bicycle").first.click()
    drawn = frame.get_by_role("dialog").locator(".preview img")
    await expect(drawn).to_be_visible()
    await expect(drawn).to_have_js_property("naturalWidth", 8)


async def test_a_rule_of_whom_not_to_record_is_added_and_removed_by_keyboard(page: Visit) -> None:
    frame = page.frame
    await page.open("settings")
    await frame.get_by_role("searchbox").fill("capture.deny")
    await frame.get_by_role("combobox", name="What the rule is about").select_option("persona")
    await frame.get_by_label("Never record these").fill("pirate")
    await frame.get_by_label("Never record these").press("Enter")
    rule = frame.get_by_role("button", name="Remove: Persona pirate")
    await expect(rule).to_be_visible()
    assert await page.findings() == []
    await rule.press("Enter")
    await expect(rule).to_have_count(0)
    await frame.get_by_role("button", name="As in the file").press("Enter")
    await expect(frame.get_by_role("button", name="As in the file")).to_have_count(0)


async def test_a_prompt_is_changed_and_given_back_by_keyboard(page: Visit, pictures: Path) -> None:
    frame = page.frame
    await page.open("settings")
    card = frame.locator("details.prompts")
    await card.locator("> summary").press("Enter")
    await (
        card.locator(".prompt > summary", has_text="(for English and others)")
        .filter(has_text="tells one matter")
        .press("Enter")
    )
    text = frame.get_by_role("textbox", name="Text: tells one matter as a story (for English")
    save = card.locator("details[open]").get_by_role("button", name="Save")
    await text.fill("Tell a story in sentences")
    await save.press("Enter")
    await expect(frame.get_by_text("it does not name text, cites")).to_be_visible()
    await text.fill("Tell it as sentences, each a text that cites <b>its</b> lines")
    await save.press("Enter")
    back = card.locator("details[open]").get_by_role("button", name="Back to ours")
    await expect(back).to_be_enabled()
    assert await page.findings() == []
    for size in (DESK, PHONE):
        await page.page.set_viewport_size({"width": size[0], "height": size[1]})
        await text.scroll_into_view_if_needed()
        await page.page.screenshot(path=pictures / f"prompts-{size[0]}.png")
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert await frame.evaluate(wide) <= 0
    await back.press("Enter")
    await expect(back).to_be_disabled()
    await expect(text).to_have_value(re.compile("^You keep the long-term memory"))
