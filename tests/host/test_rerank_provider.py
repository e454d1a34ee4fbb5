"""A rerank provider of the host: what it likes comes first, until it is switched off."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.reranking import PROVIDER_ID, RerankFault, overlap

from .chat_client import ADMIN, calm, indexed, recalled

QUESTION = "Where is my boat moored?"


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


async def test_switched_off_at_run_time_it_is_asked_no_more(provider: Bench) -> None:
    await provider.chat.ask(ADMIN, '/memory config set recall.rerank_provider ""')
    provider.model.reranking.asked.clear()
    assert len(await asked(provider)) == 2
    assert provider.model.reranking.asked == []
    assert "eranker" not in await provider.chat.ask(2101, "/memory why --numbers")
