"""A journal that cannot be written for a while holds up no answer, and loses no turn for it."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from astrbot_plugin_tidemark.core.conversation import Role
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.tests.host.talk import private, recalled, said, until

UNBOTHERED = 10.0
"""Seconds; a chat that waited for the lock in each of its hooks would take fifteen."""


@contextmanager
def locked(host: Bench) -> Iterator[None]:
    """The journal held by another program's transaction."""
    other = sqlite3.connect(host.root.plugin_data / "journal.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.rollback()
        other.close()


async def test_a_locked_journal_holds_up_no_answer_and_recall_goes_on(host: Bench) -> None:
    await host.chat.ask(1601, "My kayak is moored at pier nine")
    await host.chat.ask(1601, "/new")
    await asyncio.sleep(1)
    with locked(host):
        answer = await host.chat.ask(1601, "Where is my kayak moored?", timeout=UNBOTHERED)
    assert answer == "echo: Where is my kayak moored?"
    assert any("pier nine" in memory for memory in recalled(host.model.asked()[-1]))


async def test_what_was_said_while_the_journal_was_locked_is_recorded_once_after_it(
    host: Bench,
) -> None:
    await host.chat.ask(1602, "hello")
    with locked(host):
        await host.chat.ask(1602, "My sledge is red", timeout=UNBOTHERED)

    async def recorded() -> bool:
        return len(await said(host, private(1602))) == 4

    await until(recorded)
    assert (await said(host, private(1602)))[2:] == [
        (Role.USER, "My sledge is red"),
        (Role.ASSISTANT, "echo: My sledge is red"),
    ]
