"""What pictures show, asked of the host's caption provider, on a host of its own."""

import base64
import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import MODEL, ChatRequest, Reply
from PIL import Image

from .chat_client import calm, group, heard, indexed, private, said, turns, until
from .conftest import NAMES, PATIENT

CAT = "一只橘猫趴在窗台上"
SEEING = {"provider_settings": {"default_image_caption_provider_id": f"model/{MODEL}"}}
A_DAY = 4


def picture(colour: str, size: tuple[int, int] = (4, 4)) -> tuple[str, dict[str, Any]]:
    written = io.BytesIO()
    Image.new("1" if size[0] > 100 else "RGB", size, colour).save(written, "PNG")
    return ("image", {"file": "base64://" + base64.b64encode(written.getvalue()).decode()})


def shown(request: ChatRequest) -> int:
    parts = [p for m in request.messages for p in m["content"] if isinstance(p, dict)]
    return sum(part.get("type") == "image_url" for part in parts)


def sees(request: ChatRequest) -> Reply:
    return Reply(CAT) if shown(request) else calm(request)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def seeing(tmp_path_factory: Any) -> AsyncIterator[Bench]:
    folder: Path = tmp_path_factory.mktemp("seeing")
    config = PATIENT | {"media": {"captions_per_day": A_DAY, "keep": True}}
    running = bench(folder, NAMES, respond=sees, plugin_config=config, overrides=SEEING)
    async with running as host:
        yield host


def asked(host: Bench) -> int:
    return sum(shown(request) > 0 for request in host.model.requests)


async def described(host: Bench, session: str, number: int = 1) -> bool:
    return sum(CAT in text for _, text in await said(host, session)) == number


async def test_a_picture_in_a_group_is_found_by_what_it_shows(seeing: Bench) -> None:
    await seeing.chat.say(901, "", group=7101, media=[picture("orange")])
    await until(lambda: described(seeing, group(7101)))
    await seeing.chat.say(901, "面条真好吃", group=7101)
    await heard(seeing, group(7101), count=2)
    await indexed(seeing)
    found = await seeing.chat.ask(902, "/memory search 猫的照片", group=7101)
    assert CAT in found
    assert "Anna" in found


async def test_the_same_picture_is_asked_about_once(seeing: Bench) -> None:
    before = asked(seeing)
    for number in (1, 2):
        await seeing.chat.say(902, "", group=7102, media=[picture("orange")])
        await until(lambda number=number: described(seeing, group(7102), number))
    assert asked(seeing) <= max(before, 1)


async def test_what_the_host_has_described_for_its_answer_is_not_asked_again(seeing: Bench) -> None:
    before = asked(seeing)
    await seeing.chat.ask(903, "看看", media=[picture("white")])
    await until(lambda: described(seeing, private(903)))
    assert asked(seeing) == before + 1
    await seeing.chat.ask(903, "/new")
    await indexed(seeing)
    await seeing.chat.ask(903, "我发过的那张橘猫趴在窗台上的照片呢？")
    assert any(CAT in part for part in seeing.model.asked()[-1].user_parts)


async def test_a_bomb_is_on_record_and_sent_to_no_model(seeing: Bench) -> None:
    before = asked(seeing)
    await seeing.chat.say(901, "", group=7103, media=[picture("black", (9_000, 9_000))])
    await heard(seeing, group(7103), count=1)
    await seeing.chat.say(901, "", group=7103, media=[picture("blue")])
    await until(lambda: described(seeing, group(7103)))
    bomb, blue = await turns(seeing, group(7103))
    assert bomb.text == "[图片]"
    assert bomb.media[0].preview == ""
    with Image.open(io.BytesIO(base64.b64decode(blue.media[0].preview))) as small:
        assert small.format == "JPEG"
    assert asked(seeing) == before + 1


async def test_a_model_that_hangs_or_fails_holds_up_no_chat(seeing: Bench) -> None:
    def broken(request: ChatRequest) -> Reply:
        return Reply(status=500, delay=2.0) if shown(request) else calm(request)

    seeing.model.respond = broken
    await seeing.chat.say(901, "", group=7104, media=[picture("red")])
    answer = await seeing.chat.ask(901, "How are you?", group=7104, mention=True)
    assert answer == "echo: How are you?"
    seeing.model.respond = sees
    assert len(await said(seeing, group(7104))) == 3


async def test_when_the_days_captions_are_used_up_pictures_stay_without(seeing: Bench) -> None:
    orange, place = picture("orange"), group(7105)
    await seeing.chat.say(902, "", group=7105, media=[orange])
    await until(lambda: described(seeing, place))
    greens = [picture("green", (5 + number, 5)) for number in range(A_DAY + 1)]
    for number, green in enumerate(greens, start=2):
        await seeing.chat.say(902, "", group=7105, media=[green])
        await heard(seeing, place, count=number)
    # What is known already is described all the same, after those before it.
    await seeing.chat.say(902, "", group=7105, media=[orange])
    await until(lambda: _last(seeing, place))
    bare = [text for _, text in await said(seeing, place) if text == "[图片]"]
    assert bare


async def _last(host: Bench, session: str) -> bool:
    """Whether the newest picture, which is known already, has its caption."""
    return CAT in (await said(host, session))[-1][1]
