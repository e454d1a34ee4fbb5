"""Messages that are recalled, edited or answered anew on their platform: gone here, too."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.model.conversation import REPLY_TO, Role, Turn
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from ..samples import turn
from .chat_client import (
    group,
    heard,
    indexed,
    lesson,
    memory,
    private,
    said,
    sleep,
    teach,
    until,
    web,
)
from .conftest import newer_host
from .in_process import host_classes

PASSWORD = "Quokkaberg-7291"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared_host(quiet_host: Bench) -> Bench:
    """Where few others have said anything to sleep over."""
    return quiet_host


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def webchat(quiet_host: Bench) -> AsyncIterator[Webchat]:
    """The owner's web chat there."""
    async with Webchat.login(quiet_host.root.dashboard_port) as client:
        yield client


def kept(host: Bench, text: str) -> bool:
    with closing(sqlite3.connect(host.root.plugin_data / "memories.db")) as memories:
        records = memories.execute("SELECT CAST(body AS TEXT) FROM document").fetchall()
    with closing(sqlite3.connect(host.root.plugin_data / "journal.db")) as journal:
        turns = journal.execute("SELECT text FROM turns").fetchall()
    return any(text in str(row[0]) for row in [*records, *turns])


def learnt(host: Bench, text: str) -> bool:
    with closing(sqlite3.connect(host.root.plugin_data / "memories.db")) as memories:
        asked = "SELECT CAST(body AS TEXT) FROM document"
        bodies = [str(body) for (body,) in memories.execute(asked)]
    return any(text in body for body in bodies if '"extractor":"model"' in body)


async def gone(host: Bench, text: str) -> None:
    async def is_gone() -> bool:
        return not kept(host, text)

    await until(is_gone, seconds=60.0)


async def test_a_recalled_message_goes_with_answer_and_what_was_learnt(host: Bench) -> None:
    teach(host.model, PASSWORD, lesson(memory(f"The password is {PASSWORD}")))
    number = await host.chat.say(1751, f"My password is {PASSWORD}, keep it")
    await heard(host, private(1751), count=2)
    await host.chat.ask(1751, "I have a tortoise called Bertha")
    await indexed(host)
    await sleep(host)
    assert kept(host, PASSWORD)
    assert PASSWORD in await host.chat.ask(1751, "/memory mine")
    await host.chat.recall(1751, number)
    await gone(host, PASSWORD)
    assert PASSWORD not in await host.chat.ask(1751, "/memory mine")
    assert [text for role, text in await said(host, private(1751)) if role is Role.USER] == [
        "I have a tortoise called Bertha"
    ]


async def test_a_recalled_message_of_a_group_goes_and_another_s_stays(host: Bench) -> None:
    number = await host.chat.say(901, f"The door code is {PASSWORD}", group=6701)
    await host.chat.say(902, "The rehearsal moves to the boathouse", group=6701)
    await heard(host, group(6701), "boathouse")
    await host.chat.recall(901, number + 50_000, group=6701)
    await host.chat.recall(901, number, group=6701)
    await gone(host, PASSWORD)
    assert "boathouse" in str(await said(host, group(6701)))


@newer_host
async def test_an_answer_given_anew_replaces_the_old_one(host: Bench, webchat: Webchat) -> None:
    await webchat.chat("Which tea do I drink, Assam or Ceylon?", session="anew")
    for _ in range(2):
        shown = await webchat.messages("anew")
        [answer] = [each["id"] for each in shown if each["content"]["type"] == "bot"]
        await webchat.regenerate("anew", answer)

        async def once() -> bool:
            return len(await said(host, web("astrbot", "anew"))) == 2

        await until(once, seconds=60.0)
    await webchat.chat("I cycle to work", session="anew")
    await webchat.chat("I cycle to work", session="anew")
    assert len(await said(host, web("astrbot", "anew"))) == 6, "said twice is no repetition"


@newer_host
async def test_an_edited_message_replaces_the_old_one(host: Bench, webchat: Webchat) -> None:
    teach(host.model, PASSWORD, lesson(memory(f"The safe opens with {PASSWORD}")))
    await webchat.chat("I keep goats", session="edited")
    await webchat.chat(f"My safe opens with {PASSWORD}", session="edited")
    await sleep(host)
    assert learnt(host, PASSWORD)
    shown = await webchat.messages("edited")
    message = [each for each in shown if each["content"]["type"] == "user"][-1]
    content = {"type": "user", "message": [{"type": "plain", "text": "My safe is blue"}]}
    path = f"/api/v1/chat/sessions/edited/messages/{message['id']}"
    answer = await webchat.api("PATCH", path, {"content": content})
    assert answer.json()["data"]["needs_regenerate"]
    await webchat.resend("My safe is blue", "edited")
    await gone(host, PASSWORD)
    texts = [text for role, text in await said(host, web("astrbot", "edited")) if role is Role.USER]
    assert texts == ["I keep goats", "My safe is blue"]


@pytest.mark.parametrize("shape", ["user", "of a later version"])
async def test_a_page_that_cannot_be_read_costs_no_message(shape: str, tmp_path: Path) -> None:
    """The same page twice: as it is after an edit, and in a form that nobody knows yet."""
    with host_classes(tmp_path):
        from astrbot_plugin_tidemark.core.host.turns import replaced_message
    earlier = [
        turn(1, "I live in Bath"),
        turn(2, "Noted", Role.ASSISTANT, message_id=f"{REPLY_TO}1"),
        turn(3, "I live in Wells"),
    ]
    page = [SimpleNamespace(content={"type": shape, "message": [{"text": "I live in Wells"}]})]

    async def last_turns(session: str, most: int) -> list[Turn]:
        return earlier

    async def get(platform: str, chat: str, page_size: int) -> list[SimpleNamespace]:
        return page

    event = SimpleNamespace(
        get_platform_name=lambda: "webchat", unified_msg_origin="webchat:FriendMessage:webchat!a!s"
    )
    found = await replaced_message(
        event,
        SimpleNamespace(contexts=[]),
        3,
        SimpleNamespace(message_history_manager=SimpleNamespace(get=get)),
        SimpleNamespace(last_turns=last_turns),
    )
    assert found == (1 if shape == "user" else None)
