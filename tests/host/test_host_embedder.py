"""An embedding provider that is edited or removed while the plugin runs."""

from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable

from .in_process import Providers

pytestmark = pytest.mark.usefixtures("host_code")


def provider(dimension: int, *, model: str = "m") -> Any:
    from astrbot.core.provider.provider import EmbeddingProvider

    class Constant(EmbeddingProvider):
        async def get_embedding(self, text: str) -> list[float]:
            return [1.0] * dimension

        async def get_embeddings(self, text: list[str]) -> list[list[float]]:
            return [[1.0] * dimension for _ in text]

        def get_dim(self) -> int:
            return dimension

    return Constant({"id": "e", "embedding_model": model}, {})


providers = pytest.fixture(lambda: Providers())


@pytest.fixture
def embedder(providers: Providers) -> Any:
    from astrbot_plugin_tidemark.core.host.providers import HostEmbedder

    return HostEmbedder(providers, "e", 5.0)


async def test_another_dimension_is_another_space(providers: Providers, embedder: Any) -> None:
    providers.by_id["e"] = provider(4)
    assert (await embedder.identity()).fingerprint == "host@e:m:4"
    assert len(await embedder.embed_query("x")) == 4
    providers.by_id["e"] = provider(8)
    assert (await embedder.identity()).fingerprint == "host@e:m:8"
    assert len(await embedder.embed_query("x")) == 8


async def test_another_unedited_dimension_is_a_fault(providers: Providers, embedder: Any) -> None:
    providers.by_id["e"] = faulty = provider(4)
    await embedder.identity()
    faulty.get_embeddings = provider(8).get_embeddings
    with pytest.raises(EmbeddingUnavailable, match="8 dimensions"):
        await embedder.embed_query("x")


async def test_a_removed_provider_may_come_back(providers: Providers, embedder: Any) -> None:
    with pytest.raises(EmbeddingUnavailable, match="no embedding provider"):
        await embedder.identity()
    providers.by_id["e"] = provider(4, model="n")
    assert (await embedder.identity()).fingerprint == "host@e:n:4"


async def test_a_service_of_ten_texts_a_call_gets_ten(providers: Providers, embedder: Any) -> None:
    """DashScope refuses eleven: the vectors of memories that waited were never made."""
    from astrbot.core.provider.provider import EmbeddingProvider

    calls: list[int] = []

    class Counting(EmbeddingProvider):
        async def get_embedding(self, text: str) -> list[float]:
            return [1.0]

        async def get_embeddings(self, text: list[str]) -> list[list[float]]:
            calls.append(len(text))
            if len(text) > 10:
                raise ValueError("batch size is invalid, it should not be larger than 10")
            return [[1.0] for _ in text]

        def get_dim(self) -> int:
            return 1

    providers.by_id["e"] = Counting({"id": "e", "embedding_model": "m"}, {})
    assert len(await embedder.embed_documents([f"text {n}" for n in range(23)])) == 23
    assert calls == [10, 10, 3]
