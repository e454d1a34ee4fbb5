"""Saved settings, reloads, restarts and signals: nothing is lost and nothing is left behind."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import Reply
from astrbot_plugin_tidemark.scripts.hostkit.onebot import OneBot
from astrbot_plugin_tidemark.scripts.hostkit.process import accepts
from astrbot_plugin_tidemark.scripts.hostkit.root import PLUGIN
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from ..strength import LONG, only_long, strength
from .chat_client import PROBE, calm, private, recalled, said, switched, until
from .conftest import PATIENT
from .conftest import PROBE as PROBE_FOLDER

JOBS = 4
"""Tasks of an idle plugin: the worker, the backfill, the daily backup, the traces of the erased."""

STREAMING = {"provider_settings": {"streaming_response": True}}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def restartable(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """A host of this module's own that streams its replies to the messenger; in the long run it is
    started by its command, as it will start itself anew.
    """
    folder = tmp_path_factory.mktemp("lifecycle")
    running = bench(
        folder,
        {},
        respond=calm,
        plugin_config=PATIENT,
        overrides=STREAMING,
        companions=[PROBE_FOLDER],
        launch=lambda _: ("env",) if LONG else (),
    )
    async with running as own:
        yield own


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def owner(restartable: Bench) -> AsyncIterator[Webchat]:
    async with Webchat.login(restartable.root.dashboard_port) as client:
        yield client


@pytest_asyncio.fixture(loop_scope="session")
async def own_host(restartable: Bench) -> Bench:
    """The host of this module with a fresh model."""
    restartable.model.clear()
    return restartable


async def configured(owner: Webchat) -> dict[str, Any]:
    answer = await owner.api("GET", f"/api/v1/plugins/{PLUGIN}/config")
    return answer.json()["data"]["config"]


async def save(owner: Webchat, config: dict[str, Any]) -> None:
    answer = await owner.api("PUT", f"/api/v1/plugins/{PLUGIN}/config", {"config": config})
    assert answer.json()["status"] == "ok", answer.text


async def vitals(owner: Webchat) -> dict[str, Any]:
    return (await owner.api("POST", f"{PROBE}/vitals")).json()


@asynccontextmanager
async def again(host: Bench) -> AsyncIterator[OneBot]:
    """The messenger connected once more, to a host that was restarted."""
    async with OneBot.connected(host.root.onebot_port) as chat:
        yield chat


async def knows(host: Bench, chat: OneBot, user: int, question: str, word: str) -> bool:
    await chat.ask(user, "/new")
    await chat.ask(user, question)
    return any(word in memory for memory in recalled(host.model.asked()[-1]))


async def test_a_reply_streamed_to_the_messenger_is_recorded_once(own_host: Bench) -> None:
    own_host.model.script(Reply("Take the coast path. It is long, but the views are wide."))
    seen = len(own_host.chat.sent)
    await own_host.chat.ask(2101, "How do I get to the lighthouse?")
    await until(lambda: any("wide" in sent.text for sent in own_host.chat.sent[seen:]))
    assert await said(own_host, private(2101)) == [
        (Role.USER, "How do I get to the lighthouse?"),
        (Role.ASSISTANT, "Take the coast path. It is long, but the views are wide."),
    ]


async def test_a_save_leaves_one_engine_no_task_or_thread(own_host: Bench, owner: Webchat) -> None:
    await own_host.chat.ask(2102, "My canary is called Pip")
    config = await configured(owner)
    await save(owner, config)

    async def settled() -> dict[str, Any] | None:
        alive = await vitals(owner)
        return alive if alive["engines"] == 1 and len(alive["tasks"]) == JOBS else None

    before = await until(settled)
    for _ in range(strength(1, 3)):
        await save(owner, config)
        await own_host.chat.ask(2102, "hi")
    after = await until(settled)
    # An instance left behind would keep seven: one a database connection, and then some.
    assert after["threads"] < before["threads"] + 7
    assert await knows(own_host, own_host.chat, 2102, "What is my canary called?", "Pip")


async def test_a_turn_during_a_save_is_recorded_whole(own_host: Bench, owner: Webchat) -> None:
    config = await configured(owner)
    own_host.model.script(Reply("Sure, noted.", delay=2.0))
    turn = asyncio.create_task(own_host.chat.ask(2103, "My bank clerk is Mr Teal"))
    await until(lambda: len(own_host.model.asked()) == 1)
    await save(owner, config)
    await turn
    assert await said(own_host, private(2103)) == [
        (Role.USER, "My bank clerk is Mr Teal"),
        (Role.ASSISTANT, "Sure, noted."),
    ]


async def test_a_switched_off_plugin_runs_nothing_and_knows_everything_when_it_is_back(
    own_host: Bench, owner: Webchat
) -> None:
    await own_host.chat.ask(2105, "My cactus is called Quill")

    async def gone() -> bool:
        alive = await vitals(owner)
        return alive["engines"] == 0 and alive["tasks"] == []

    await switched(owner, on=False)
    try:
        await until(gone)
        knew = await knows(own_host, own_host.chat, 2105, "What is my cactus called?", "Quill")
    finally:
        await switched(owner, on=True)
    assert not knew
    assert await knows(own_host, own_host.chat, 2105, "What is my cactus called?", "Quill")


@only_long
async def test_a_restart_from_the_page_keeps_what_was_said(own_host: Bench, owner: Webchat) -> None:
    await own_host.chat.ask(2107, "My tortoise is called Ada")
    await owner.api("POST", "/api/v1/system/restart")
    port = own_host.root.onebot_port

    async def down() -> bool:
        return not await accepts(port)

    await until(down)
    await own_host.process.ready()
    async with again(own_host) as chat:
        assert await knows(own_host, chat, 2107, "What is my tortoise called?", "Ada")


@pytest.mark.parametrize("how", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=only_long)])
async def test_a_signal_ends_the_host_nothing_is_lost(own_host: Bench, how: signal.Signals) -> None:
    if not own_host.process.running:
        await own_host.process.start()
    text = f"The {how.name} flag is vermilion"
    async with again(own_host) as chat:
        answer = await chat.ask(2108, text)
    code = await own_host.process.stop(how)
    assert code in (0, -how)
    # That a host started over such a folder knows it is told by test_config_changes.py.
    record = await said(own_host, private(2108))
    assert record[-2:] == [(Role.USER, text), (Role.ASSISTANT, answer)]
