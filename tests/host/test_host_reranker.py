"""The host's own rerank provider over a server on loopback, in every way it can go wrong."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.endpoints.replies import MOST_FAILURES
from astrbot_plugin_tidemark.core.model.errors import RerankResting, RerankUnavailable
from astrbot_plugin_tidemark.scripts.hostkit.model_server import ModelServer
from astrbot_plugin_tidemark.scripts.hostkit.reranking import (
    PROVIDER_ID,
    RerankFault,
    rerank_provider,
)

from .in_process import Providers

BEES, GOATS, RAIN = "the bees are at the chapel", "goats eat thistles", "rain all week"
ALL = [BEES, GOATS, RAIN]
NONSENSE = [
    fault
    for fault in RerankFault
    if fault not in (RerankFault.NONE, RerankFault.LOGITS, RerankFault.TOO_FEW)
]


pytestmark = pytest.mark.usefixtures("host_code")


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer.running() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def providers(server: ModelServer) -> AsyncIterator[Providers]:
    from astrbot.core.provider.sources.vllm_rerank_source import VLLMRerankProvider

    provider = VLLMRerankProvider(rerank_provider(server.source), {})
    providers = Providers()
    providers.by_id[PROVIDER_ID] = provider
    yield providers
    await provider.terminate()


@pytest.fixture
def reranker(providers: Providers) -> Any:
    from astrbot_plugin_tidemark.core.host.providers import HostReranker

    return HostReranker(providers, PROVIDER_ID)


async def test_scores_come_in_the_order_of_the_documents(reranker: Any) -> None:
    scores = await reranker.rerank("goats and thistles", ALL)
    assert scores[1] == max(scores)
    assert all(0.0 <= score <= 1.0 for score in scores)


async def test_logits_become_scores_and_are_recognised(server: ModelServer, reranker: Any) -> None:
    server.reranking.fault = RerankFault.LOGITS
    scores = await reranker.rerank("goats and thistles", ALL)
    assert scores[1] == max(scores)
    assert all(0.0 < score < 1.0 for score in scores)
    server.reranking.judge = lambda query, document: 0.5
    assert await reranker.rerank("goats", ALL) == [0.5] * 3
    server.reranking.fault = RerankFault.NONE
    assert await reranker.rerank("goats", ALL) == pytest.approx([0.6225] * 3, abs=1e-4)


async def test_after_an_edit_the_scale_is_found_out_anew(
    server: ModelServer, providers: Providers, reranker: Any
) -> None:
    from astrbot.core.provider.sources.vllm_rerank_source import VLLMRerankProvider

    server.reranking.fault = RerankFault.LOGITS
    await reranker.rerank("goats and thistles", ALL)
    edited = VLLMRerankProvider(rerank_provider(server.source), {})
    providers.by_id[PROVIDER_ID] = edited
    server.reranking.fault = RerankFault.NONE
    server.reranking.judge = lambda query, document: 0.5
    assert await reranker.rerank("goats", ALL) == [0.5] * 3
    await edited.terminate()


async def test_documents_left_out_have_no_score(server: ModelServer, reranker: Any) -> None:
    server.reranking.fault = RerankFault.TOO_FEW
    scores = await reranker.rerank("goats and thistles", ALL)
    assert (scores[0], scores[2]) == (None, None)
    assert scores[1] > 0.5


@pytest.mark.parametrize("fault", NONSENSE)
async def test_nonsense_is_a_typed_error_that_names_the_provider(
    server: ModelServer, reranker: Any, fault: RerankFault
) -> None:
    server.reranking.fault = fault
    with pytest.raises(RerankUnavailable, match=PROVIDER_ID):
        await reranker.rerank("goats", ALL)
    server.reranking.fault = RerankFault.NONE
    assert len(await reranker.rerank("goats", ALL)) == 3


async def test_a_server_that_is_gone_is_unavailable(server: ModelServer) -> None:
    from astrbot.core.provider.sources.vllm_rerank_source import VLLMRerankProvider
    from astrbot_plugin_tidemark.core.host.providers import HostReranker

    config = rerank_provider(server.source) | {"rerank_api_base": "http://127.0.0.1:9"}
    provider = VLLMRerankProvider(config, {})
    context: Any = SimpleNamespace(get_provider_by_id=lambda _: provider)
    with pytest.raises(RerankUnavailable, match="Connect"):
        await HostReranker(context, PROVIDER_ID).rerank("goats", ALL)
    await provider.terminate()


@pytest.mark.parametrize("results", [None, 5, [None], [(0, 0.5)], {"index": 0}])
async def test_a_provider_that_returns_something_else_is_unavailable(results: Any) -> None:
    from astrbot.core.provider.provider import RerankProvider
    from astrbot_plugin_tidemark.core.host.providers import HostReranker

    class Odd(RerankProvider):
        async def rerank(self, query: str, documents: list[str], top_n: int | None = None) -> Any:
            return results

    context: Any = SimpleNamespace(get_provider_by_id=lambda _: Odd({"id": "odd"}, {}))
    with pytest.raises(RerankUnavailable, match="odd"):
        await HostReranker(context, "odd").rerank("goats", ALL)


async def test_an_id_of_nothing_is_unavailable(providers: Providers, reranker: Any) -> None:
    for other in (None, object()):
        providers.by_id[PROVIDER_ID] = other
        with pytest.raises(RerankUnavailable, match="no rerank provider"):
            await reranker.rerank("goats", ALL)


async def test_no_documents_are_no_call(server: ModelServer, reranker: Any) -> None:
    assert await reranker.rerank("goats", []) == []
    assert server.reranking.asked == []


async def test_unreadable_texts_are_mended(server: ModelServer, reranker: Any) -> None:
    assert len(await reranker.rerank("\ud800", ["\0", "", "🐝\ud83d"])) == 3
    assert server.reranking.asked == [("?", [" ", " ", "🐝?"])]


async def test_after_failures_in_a_row_it_rests_unasked(server: ModelServer, reranker: Any) -> None:
    server.reranking.fault = RerankFault.DOWN
    for _ in range(MOST_FAILURES):
        with pytest.raises(RerankUnavailable):
            await reranker.rerank("goats", ALL)
    server.reranking.fault = RerankFault.NONE
    with pytest.raises(RerankResting, match="again and again"):
        await reranker.rerank("goats", ALL)
    assert len(server.reranking.asked) == MOST_FAILURES


async def test_being_cut_off_is_a_failure_too(server: ModelServer, reranker: Any) -> None:
    server.reranking.delay = 30.0
    for _ in range(MOST_FAILURES):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reranker.rerank("goats", ALL), 0.05)
    server.reranking.delay = 0.0
    with pytest.raises(RerankResting):
        await reranker.rerank("goats", ALL)
