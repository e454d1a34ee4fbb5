"""Ids and searches that reach for what is not there or is another's: found is only one's own."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.storage import open_store
from astrbot_plugin_tidemark.tests.host.chat_client import ADMIN, indexed

OWNER, STRANGER, CROWD = 2501, 2502, 5501
SECRET = "sarcophagus"

UNKNOWN = ("", "______", "' OR '1'='1", "f" * 36, "a" * 4_000, "\u202e000000", "\0\0\0\0\0\0")
"""A few as they come through the host; more of them are tried on the command."""

OPERATORS = (
    '""',
    "lighthouse*",
    'lighthouse" OR "sarcophagus',
    "lighthouse NEAR sarcophagus",
    "{terms}: lighthouse",
    "(lighthouse",
    "lighthouse'; DROP TABLE text_index;--",
    "2_sarcophagus",
    "%",
    ":scope",
)
"""The same, of those that are tried on every store."""


async def stored(host: Bench) -> list[Memory]:
    store = await open_store("sqlite", host.root.plugin_data)
    try:
        return [memory async for memory in store.iterate(Filter(status=None))]
    finally:
        await store.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session", autouse=True)
async def secret(shared_host: Bench) -> AsyncIterator[Memory]:
    """A memory of the owner's; the stranger and the crowd have some of their own."""
    chat = shared_host.chat
    await chat.ask(OWNER, f"My cat sleeps in a {SECRET}")
    await chat.ask(STRANGER, "I live in a lighthouse")
    await chat.ask(STRANGER, "We meet at the fountain", group=CROWD, mention=True)
    await indexed(shared_host)
    (memory,) = [memory for memory in await stored(shared_host) if SECRET in memory.text]
    yield memory


def ids_of(secret: Memory) -> list[str]:
    return [secret.id, secret.id[:6], secret.id[:12].upper(), f"{secret.id[:8]}\u200b"]


@pytest.mark.parametrize("command", ["show", "forget", "restore"])
async def test_another_ones_id_is_answered_like_one_that_does_not_exist(
    host: Bench, secret: Memory, command: str
) -> None:
    # In a private chat an admin may restore what is anybody's; in a group only what is the group's.
    who, group = (ADMIN, CROWD) if command == "restore" else (STRANGER, None)
    unknown = await host.chat.ask(who, f"/memory {command} 000000", group=group)
    for written in ids_of(secret):
        assert await host.chat.ask(who, f"/memory {command} {written}", group=group) == unknown
    for place in ({"group": CROWD, "mention": True}, {}):
        answer = await host.chat.ask(STRANGER, f"/memory show {secret.id}", **place)
        assert SECRET not in answer
    assert secret in await stored(host)


async def test_the_owner_finds_it_by_every_way_to_write_its_id(host: Bench, secret: Memory) -> None:
    for written in ids_of(secret):
        assert SECRET in await host.chat.ask(OWNER, f"/memory show {written}")


@pytest.mark.parametrize("command", ["show", "forget"])
async def test_an_id_that_is_none_is_as_an_unknown_one(host: Bench, command: str) -> None:
    before = await stored(host)
    unknown = await host.chat.ask(OWNER, f"/memory {command} 000000")
    for text in UNKNOWN:
        answer = await host.chat.ask(OWNER, f"/memory {command} {text}")
        assert answer == unknown or answer.startswith(f"Usage: /memory {command} ID")
    assert await stored(host) == before


async def test_operators_in_a_search_are_mere_text_and_find_nothing_of_others(host: Bench) -> None:
    before = await stored(host)
    for text in OPERATORS:
        answer = await host.chat.ask(STRANGER, f"/memory search {text}")
        assert SECRET not in answer
        assert ("lighthouse" in answer) is ("lighthouse" in text), text
        here = await host.chat.ask(STRANGER, f"/memory search {text}", group=CROWD, mention=True)
        assert SECRET not in here
        assert "lighthouse" not in here
    assert await stored(host) == before
    assert SECRET in await host.chat.ask(OWNER, "/memory search sarcophagus")
