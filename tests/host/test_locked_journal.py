"""A file that cannot be written for a while holds up no answer, and loses nothing for it."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench

from .chat_client import heard, indexed, private, recalled, said, until
from .conftest import BUSY_SECONDS

UNBOTHERED = 2.8 * BUSY_SECONDS
"""Seconds, less than the three waits of a chat that waited for the lock in each of its hooks."""


@contextmanager
def locked(host: Bench, name: str = "journal.db") -> Iterator[None]:
    """A file held by another program's transaction."""
    other = sqlite3.connect(host.root.plugin_data / name, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.rollback()
        other.close()


async def test_a_locked_journal_holds_up_no_answer_and_recall_goes_on(host: Bench) -> None:
    await host.chat.ask(1601, "My kayak is moored at pier nine")
    await host.chat.ask(1601, "/new")
    await indexed(host)
    with locked(host):
        answer = await host.chat.ask(1601, "Where is my kayak moored?", timeout=UNBOTHERED)
    assert answer == "echo: Where is my kayak moored?"
    assert any("pier nine" in memory for memory in recalled(host.model.asked()[-1]))


async def test_what_was_said_under_a_lock_is_recorded_once_after_it(host: Bench) -> None:
    await host.chat.ask(1602, "hello")
    # Work of the first turn would wait for the lock before the second.
    await indexed(host)
    with locked(host):
        await host.chat.ask(1602, "My sledge is red", timeout=UNBOTHERED)

    await heard(host, private(1602), count=4)
    assert (await said(host, private(1602)))[2:] == [
        (Role.USER, "My sledge is red"),
        (Role.ASSISTANT, "echo: My sledge is red"),
    ]


async def test_locked_memories_are_recalled_and_a_change_is_refused(host: Bench) -> None:
    await host.chat.ask(1603, "My toboggan is blue")
    await host.chat.ask(1603, "/new")
    await indexed(host)
    known = (await host.chat.ask(1603, "/memory mine")).splitlines()[1].split()[0]
    with locked(host, "memories.db"):
        refused = asyncio.create_task(host.chat.ask(1603, f"/memory forget {known}"))
        await host.chat.ask(1604, "hello", timeout=UNBOTHERED)
        assert "memories.db is in use by another program" in await refused
        await host.chat.ask(1603, "Is my toboggan blue?", timeout=UNBOTHERED)
        assert any("toboggan" in memory for memory in recalled(host.model.asked()[-1]))
        await host.chat.ask(1603, "My toboggan has runners", timeout=UNBOTHERED)

    async def recallable() -> bool:
        return "runners" in await host.chat.ask(1603, "/memory search toboggan runners")

    await until(recallable)
    assert "My toboggan is blue" in await host.chat.ask(1603, f"/memory show {known}")
