"""A message on its day, by the host's scheduler: once, to whom asked for it, where it was told."""

import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.onebot import OneBot, Sent
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from ..kit import until
from .chat_client import ADMIN, calm, indexed

ANN, BEN, CAY = 3201, 3202, 3203
NAMES = {ADMIN: "Admin", ANN: "Anna", BEN: "Ben", CAY: "Cay"}
GROUP = 3300
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC).timestamp()
HOUR = 1 / 24
SETTINGS = {"display": {"timezone": "UTC"}, "recall": {"deadline_ms": 10_000}}
JOBS = "/api/v1/cron/jobs"
NAME = "astrbot_plugin_tidemark: reminders"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def own(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """A host of this module's own: its clock is moved."""
    folder = tmp_path_factory.mktemp("reminders")
    running = bench(folder, NAMES, respond=calm, began=NOON, plugin_config=SETTINGS)
    async with running as host:
        yield host


async def jobs(client: Webchat) -> list[str]:
    answer = await client.api("GET", JOBS)
    return [
        job["job_id"] for job in answer.raise_for_status().json()["data"] if job["name"] == NAME
    ]


def run_before(host: Bench, job: str) -> tuple[str, str]:
    with closing(sqlite3.connect(host.root.path / "data" / "data_v4.db")) as kept:
        asked = "SELECT last_run_at, status FROM cron_jobs WHERE job_id = ?"
        return kept.execute(asked, (job,)).fetchone()


async def fired(host: Bench, client: Webchat) -> None:
    (job,) = await jobs(client)
    before = run_before(host, job)[0]
    (await client.api("POST", f"{JOBS}/{job}/run")).raise_for_status()

    def over() -> bool:
        began, status = run_before(host, job)
        return began != before and status == "completed"

    await until(over)


def about(chat: OneBot, word: str) -> list[Sent]:
    """The reminders the bot has sent that hold the word; its answers repeat what was said."""
    return [sent for sent in chat.sent if word in sent.text and "/memory done" in sent.text]


async def test_who_asked_is_sent_a_message_once_and_nobody_else_is(own: Bench) -> None:
    async with Webchat.login(own.root.dashboard_port) as client:
        assert await jobs(client) == []
        await own.chat.ask(ANN, "/memory remind on")
        assert len(await jobs(client)) == 1
        await own.chat.ask(ANN, "我明天下午三点要去看牙医")
        await own.chat.ask(BEN, "我明天要去看眼科")
        await own.chat.ask(ANN, "我明天要去拔火罐", group=GROUP, mention=True)
        await indexed(own)
        await fired(own, client)
        assert about(own.chat, "牙医") == []
        own.clock.advance(1.0 - 6 * HOUR)
        await fired(own, client)
        assert about(own.chat, "牙医") == []
        own.clock.advance(8.9 * HOUR)
        await fired(own, client)
        assert about(own.chat, "牙医") == []
        own.clock.advance(0.1 * HOUR)
        for _ in range(2):
            await fired(own, client)
        (sent,) = about(own.chat, "牙医")
        assert (sent.user, sent.group) == (ANN, None)
        assert about(own.chat, "眼科") == []
        assert about(own.chat, "拔火罐") == []


async def test_a_killed_host_sends_none_twice_and_leaves_one_job(own: Bench) -> None:
    await own.chat.ask(CAY, "/memory remind on")
    await own.chat.ask(CAY, "我明天要去交电费")
    await own.chat.ask(CAY, "我后天要去领护照")
    await indexed(own)
    own.clock.advance(1.0)
    async with Webchat.login(own.root.dashboard_port) as client:
        await fired(own, client)
        (before,) = await jobs(client)
    assert len(about(own.chat, "电费")) == 1
    await own.process.stop(signal.SIGKILL)
    await own.process.start()
    async with (
        Webchat.login(own.root.dashboard_port) as client,
        OneBot.connected(own.root.onebot_port, NAMES) as chat,
    ):
        await until(lambda: _replaced(client, before))
        await fired(own, client)
        assert about(chat, "电费") == []
        own.clock.advance(1.0)
        await fired(own, client)
        assert len(about(chat, "护照")) == 1
        await chat.ask(ANN, "/memory remind off")
        await chat.ask(CAY, "/memory remind off")
        assert await jobs(client) == []


async def _replaced(client: Webchat, before: str) -> bool:
    """Whether a start has put its own job in the place of the one that was left."""
    found = await jobs(client)
    return len(found) == 1 and found != [before]
