"""An embedding provider that fails in every way it can: turns go on, and it is noticed."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.embeddings import (
    PROVIDER_ID,
    EmbeddingFault,
    embedding_provider,
)
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import ADMIN, calm, indexed, recalled, until
from .conftest import PATIENT


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def embedding(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    folder = tmp_path_factory.mktemp("embedding")
    running = bench(folder, {}, respond=calm, plugin_config=PATIENT, embedder=True)
    async with running as own:
        yield own


@pytest_asyncio.fixture(loop_scope="session")
async def provider(embedding: Bench) -> AsyncIterator[Bench]:
    embedding.model.clear()
    yield embedding
    embedding.model.embeddings.fault = EmbeddingFault.NONE
    embedding.model.embeddings.delay = 0.0


async def embedded(host: Bench) -> tuple[str, int, int]:
    status = await host.chat.ask(ADMIN, "/memory status")
    found = re.search(r"“(host@[^”]+)”.*?(\d+)/(\d+)", status)
    assert found, status
    return found[1], int(found[2]), int(found[3])


async def complete(host: Bench) -> bool:
    _, done, total = await embedded(host)
    return done == total > 0


async def tell_and_ask(host: Bench, user: int, word: str) -> None:
    await host.chat.ask(user, f"My boat is moored at {word} pier")
    await host.chat.ask(user, "/new")
    if host.model.embeddings.fault is EmbeddingFault.NONE:
        await until(lambda: complete(host))
    else:
        await indexed(host)
    await host.chat.ask(user, f"Who is moored at {word} pier?")
    assert any(word in memory for memory in recalled(host.model.asked()[-1]))


async def test_memories_get_vectors_of_the_hosts_provider(provider: Bench) -> None:
    await tell_and_ask(provider, 2001, "Alder")
    await until(lambda: complete(provider))
    name, _, _ = await embedded(provider)
    assert name == f"host@{PROVIDER_ID}:hashed-bigrams:64"
    # The built-in sample that says what this embedder's cosines mean comes first.
    assert any("moored at Alder pier" in text for text in provider.model.embeddings.texts)


@pytest.mark.parametrize(
    "fault", [fault for fault in EmbeddingFault if fault is not EmbeddingFault.NONE]
)
async def test_a_faulty_provider_leaves_text_recall(provider: Bench, fault: EmbeddingFault) -> None:
    provider.model.embeddings.fault = fault
    user, word = 2010 + [*EmbeddingFault].index(fault), f"Birch{[*EmbeddingFault].index(fault)}"
    await tell_and_ask(provider, user, word)
    found = await provider.chat.ask(user, f"/memory search {word} pier")
    assert "moored" in found
    assert "searching by meaning did not answer" in found


async def test_after_a_change_of_provider_memories_are_embedded_anew(provider: Bench) -> None:
    model = embedding_provider(provider.model.source, name="other-bigrams")
    provider.model.embeddings.delay = 1.0
    async with Webchat.login(provider.root.dashboard_port) as webchat:
        answer = await webchat.api("PUT", f"/api/v1/providers/{PROVIDER_ID}", {"config": model})
    assert answer.json()["status"] == "ok", answer.text
    name, done, total = await embedded(provider)
    assert name == f"host@{PROVIDER_ID}:other-bigrams:64"
    assert done < total
    provider.model.embeddings.delay = 0.0
    await until(lambda: complete(provider), seconds=40.0)
    assert "Alder" in await provider.chat.ask(2001, "/memory search Alder pier")
