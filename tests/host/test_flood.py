"""A flood of messages in a group of a real host: all on record, and chats are answered."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.ports import WorkState
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench

from ..kit import until
from ..strength import strength
from .chat_client import group, indexed, journal
from .conftest import common

FLOODED, MESSAGES = 8101, strength(200, 1_000)
PATIENCE = 300.0
"""Seconds; the host shares its core with other tests."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared_host(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    async with common(tmp_path_factory.mktemp("flooded")) as flooded:
        yield flooded


async def test_nothing_of_a_flood_is_lost_and_no_chat_waits_for_it(host: Bench) -> None:
    texts = [f"Ship {number} brought cargo {number * 7919 % 10_007}" for number in range(MESSAGES)]
    for number, text in enumerate(texts):
        await host.chat.say(900 + number % 4, text, group=FLOODED)
        if number == MESSAGES // 2:
            assert await host.chat.ask(904, "Is anybody there?", timeout=PATIENCE) == (
                "echo: Is anybody there?"
            )
    answer = await host.chat.ask(
        901, "Which ship was first?", group=FLOODED, mention=True, timeout=PATIENCE
    )
    assert answer == "echo: Which ship was first?"
    async with journal(host) as opened:

        async def kept() -> list[str]:
            turns = await opened.last_turns(group(FLOODED), 2 * MESSAGES)
            return sorted(turn.text for turn in turns)

        whole = sorted([*texts, "Which ship was first?", answer])
        assert await until(lambda: _same(kept, whole), seconds=PATIENCE)
        await indexed(host, seconds=PATIENCE)
        backlog = await opened.backlog()
    assert not any(count for (_, state), count in backlog.items() if state is WorkState.DEAD)


async def _same(kept: Callable[[], Awaitable[list[str]]], whole: list[str]) -> bool:
    found = await kept()
    if len(found) < len(whole):
        await asyncio.sleep(1.0)
        return False
    assert found == whole
    return True
