"""A rerank provider of the host: what it likes comes first, and no fault of its stops a turn."""

import re
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.reranking import PROVIDER_ID, RerankFault, overlap

from .chat_client import ADMIN, calm, indexed, recalled

QUESTION = "Where is my boat moored?"
UNDELAYED = 3.0
"""Seconds a turn may take here where its own deadline is .8 and the machine is busy."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def reranking(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    folder = tmp_path_factory.mktemp("reranking")
    config = {"recall": {"rerank_provider": PROVIDER_ID}, "display": {"language": "en"}}
    async with bench(folder, {}, respond=calm, plugin_config=config, reranker=True) as running:
        for place in ("Alder", "Birch"):
            await running.chat.ask(2101, f"My boat is moored at {place} pier")
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def provider(reranking: Bench) -> AsyncIterator[Bench]:
    reranking.model.clear()
    yield reranking
    reranking.model.reranking.fault = RerankFault.NONE
    reranking.model.reranking.delay = 0.0
    reranking.model.reranking.judge = overlap


async def asked(host: Bench) -> list[str]:
    await host.chat.ask(2101, "/new")
    await indexed(host)
    await host.chat.ask(2101, QUESTION)
    return recalled(host.model.asked()[-1])


async def failures(host: Bench) -> int:
    health = await host.chat.ask(ADMIN, "/memory health")
    found = re.search(r"Failure in reranking: (\d+) times", health)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("liked", ["Alder", "Birch"])
async def test_what_the_provider_likes_is_shown_first(provider: Bench, liked: str) -> None:
    provider.model.reranking.judge = lambda query, text: 0.9 if liked in text else 0.1
    memories = await asked(provider)
    assert liked in memories[0]
    assert len(memories) == 2
    assert provider.model.reranking.asked[-1][0] == QUESTION
    why = await provider.chat.ask(2101, "/memory why --numbers")
    assert "judged 2 of 2" in why
    assert "reranker 0.90" in why


@pytest.mark.parametrize("fault", [RerankFault.DOWN])
async def test_a_faulty_provider_is_counted_as_such(provider: Bench, fault: RerankFault) -> None:
    before = await failures(provider)
    provider.model.reranking.fault = fault
    assert len(await asked(provider)) == 2
    assert "Reranker: failed" in await provider.chat.ask(2101, "/memory why --numbers")
    assert await failures(provider) > before


async def test_a_slow_provider_does_not_hold_up_a_turn(provider: Bench) -> None:
    provider.model.reranking.delay = 20.0
    await provider.chat.ask(2101, "/new")
    await indexed(provider)
    began = time.monotonic()
    await provider.chat.ask(2101, QUESTION)
    assert time.monotonic() - began < UNDELAYED
    assert len(recalled(provider.model.asked()[-1])) == 2
    assert "Reranker: too late" in await provider.chat.ask(2101, "/memory why --numbers")


async def test_switched_off_at_run_time_it_is_asked_no_more(provider: Bench) -> None:
    await provider.chat.ask(ADMIN, '/memory config set recall.rerank_provider ""')
    provider.model.reranking.asked.clear()
    assert len(await asked(provider)) == 2
    assert provider.model.reranking.asked == []
    assert "eranker" not in await provider.chat.ask(2101, "/memory why --numbers")
