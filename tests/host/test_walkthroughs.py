"""Two strangers: a person who never read the documentation, and the one who runs the bot."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.scripts import rehearsal
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench

from .chat_client import ADMIN, blocks, sleep, until
from .conftest import PATIENT
from .walkthrough import Walkthrough

YU, ANNA, GROUP = 1501, 1502, 5150
NAMES = {ADMIN: "船长", YU: "小雨", ANNA: "Anna"}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def own_host(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """A host of their own: these people change its settings and its time."""
    folder: Path = tmp_path_factory.mktemp("walks")
    running = bench(folder, NAMES, respond=rehearsal.respond, plugin_config=PATIENT)
    async with running as own:
        yield own


async def prompt_after(own_host: Bench, walk: Walkthrough, text: str) -> str:
    """What the model was shown of memory when this was said."""
    own_host.model.clear()
    await walk.say(text)
    return "\n".join(block for request in own_host.model.requests for block in blocks(request))


async def test_a_user_who_never_read_the_documentation(own_host: Bench) -> None:
    yu = Walkthrough(own_host, YU, "zh")
    await yu.say("你好，我叫小雨。我对花生过敏，最喜欢的颜色是蓝色。")
    await yu.another_day()
    await yu.hears("我对什么过敏？", "花生")
    await yu.hears("/memory 我的记忆", "/memory help")
    await yu.hears("/memory help", "mine：", "forget-me：", "pause：")
    await yu.hears("/memory why", "花生")
    await yu.hears("/memory remember 我住在上海", "上海")
    await yu.hears("/memory correct", "用法")
    wrong = await yu.id_of("花生")
    await yu.hears(f"/memory correct {wrong} 我对核桃过敏，花生没关系", "核桃")
    await yu.another_day()
    await yu.hears("我对什么过敏？", "核桃")
    home = await yu.id_of("上海")
    await yu.hears(f"/memory show {home}", "上海")
    await yu.hears(f"/memory forget {home}", "上海")
    assert "上海" not in await prompt_after(own_host, yu, "我住在哪个城市？")
    await yu.hears("/memory pause", "/memory resume")
    await yu.say("我下个月要换工作，先别告诉别人。")
    await yu.say("/memory resume")
    assert "换工作" not in await prompt_after(own_host, yu, "我下个月要做什么？")
    asked = await yu.say("/memory forget-me")
    code = asked.split("/memory forget-me ")[1].split()[0]
    await yu.say(f"/memory forget-me {code}")
    await yu.say("/memory mine")
    assert "核桃" not in await prompt_after(own_host, yu, "我对什么过敏？")


async def test_an_english_user_is_answered_in_english(own_host: Bench) -> None:
    anna = Walkthrough(own_host, ANNA, "en")
    await anna.say("Hello, I am Anna and I am allergic to peanuts.")
    await anna.another_day()
    await anna.hears("What am I allergic to?", "peanuts")
    for command in ("mine", "why", "help", "help correct", "search peanuts", "share on"):
        await anna.say(f"/memory {command}")
    for command in ("share off", "pause", "resume", "retention", "audit", "show abcdef"):
        await anna.say(f"/memory {command}")


async def test_the_admin_finds_out_why_and_undoes_what_was_changed(own_host: Bench) -> None:
    captain = Walkthrough(own_host, ADMIN, "zh", names=frozenset({"qq", "Anna"}))
    # As published: what nothing else says would be kept for a year.
    await captain.say("/memory config set forgetting.patience 1")
    await captain.say("我的船叫海鸥号，停在三号码头。")
    await captain.another_day()
    await captain.say("今天午饭吃了一碗牛肉面。")
    await captain.hears("/memory sleep", "整理")
    await captain.another_day()
    await captain.hears("我的船叫什么？", "海鸥号")
    await captain.hears("/memory why", "海鸥号")
    shown = await captain.id_of("海鸥号")
    await captain.say(f"/memory audit {shown}")
    await captain.hears(f"/memory pin {shown}", "海鸥号")
    await captain.hears("/memory decay --preview 60", "牛肉面")
    own_host.clock.advance(60)
    await captain.another_day()

    async def noodles_binned() -> bool:
        # A sleep that was under way before the clock moved is joined, and knows the earlier time.
        await sleep(own_host)
        return "牛肉面" in await captain.say("/memory bin")

    await until(noodles_binned)
    assert "牛肉面" not in await prompt_after(own_host, captain, "我午饭吃了什么？")
    gone = (await captain.say("/memory bin")).splitlines()
    noodles = next(line.split()[0] for line in gone if "牛肉面" in line)
    await captain.say(f"/memory audit {noodles}")
    await captain.hears(f"/memory restore {noodles}", "牛肉面")
    await captain.another_day()
    assert "牛肉面" in await prompt_after(own_host, captain, "我午饭吃了什么？")
    assert "海鸥号" in await prompt_after(own_host, captain, "我的船叫什么？")
    await captain.say("/memory config list")
    await captain.hears("/memory config get backup.keep", "7")
    await captain.hears("/memory config set backup.keep 两条", "backup.keep")
    await captain.hears("/memory config set backup.keep 1", "7", "1")
    await captain.hears("/memory config get backup.keep", "1")
    await captain.hears("/memory config reset backup.keep", "7")
    for command in ("status", "health", "tiers", "list", "scopes", "help admin", "embedder status"):
        await captain.say(f"/memory {command}")
