"""The example of a rival's plugin, driven through a stand-in of the same shape as its engine."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from astrbot_plugin_tidemark.benchmarks.comparing.livingmemory import (
    CHECKOUT,
    HOST_VECTORS,
    LivingMemory,
    Provider,
)
from astrbot_plugin_tidemark.benchmarks.comparing.system import Fact, Question, Turn
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder

ENGINE = '''
from dataclasses import dataclass


@dataclass
class Found:
    doc_id: int
    final_score: float


class MemoryEngine:
    """Finds by the host's vectors alone."""

    def __init__(self, db_path, faiss_db, graph_vector_db=None, llm_provider=None, config=None):
        self.vectors = faiss_db

    async def initialize(self):
        """Nothing."""

    async def add_memory(
        self, content, session_id=None, persona_id=None, importance=0.5, metadata=None,
        atoms=None, preserve_create_time=False,
    ):
        assert preserve_create_time and metadata["create_time"] > 0
        return await self.vectors.insert(content, {"session_id": session_id})

    async def search_memories(self, query, k=5, session_id=None, persona_id=None):
        found = await self.vectors.retrieve(query, k, fetch_k=k)
        return [Found(one.data["id"], one.similarity) for one in found]

    async def close(self):
        """Nothing."""
'''


class FaissVecDB:
    """The host's database of vectors, whose import takes seconds and logs."""

    def __init__(self, documents: str, index: str, provider: Provider) -> None:
        self._provider = provider
        self._kept: list[list[float]] = []

    async def initialize(self) -> None:
        """Nothing."""

    async def insert(self, content: str, metadata: dict[str, object]) -> int:
        self._kept.append(await self._provider.get_embedding(content))
        return len(self._kept)

    async def retrieve(self, query: str, k: int, fetch_k: int) -> list[SimpleNamespace]:
        wanted = np.array(await self._provider.get_embedding(query))
        near = [float(wanted @ np.array(each)) for each in self._kept]
        order = sorted(range(len(near)), key=lambda index: -near[index])
        return [SimpleNamespace(similarity=near[i], data={"id": i + 1}) for i in order[:k]]

    async def close(self) -> None:
        """Nothing."""


@pytest.fixture
def rival(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = tmp_path / "checkout" / "core" / "managers" / "memory_engine.py"
    engine.parent.mkdir(parents=True)
    engine.write_text(ENGINE, "utf-8")
    monkeypatch.setenv(CHECKOUT, str(tmp_path / "checkout"))
    monkeypatch.setitem(sys.modules, HOST_VECTORS, SimpleNamespace(FaissVecDB=FaissVecDB))


async def test_a_checkout_is_told_a_chat_and_asked(rival: None, tmp_path: Path) -> None:
    system = LivingMemory(tmp_path, HashedEmbedder())
    await system.learn(Fact("f", "Ann keeps a green parrot", frozenset({"a", "b"})))
    await system.add(Turn("a", "Ann", "I bought a green parrot today", 1e9, "What a bird"))
    assert [item.learnt for item in await system.memories()] == [False]
    await system.add(Turn("b", "Ann", "The weather is bad", 2e9))
    await system.rest(3e9)
    told = await system.block(Question("green parrot", "Ann"))
    assert "a" in told.ranked[0].ids
    assert len(told.ranked) == len(told.shown) == 3
    assert told.certainty > 0
    assert len((await system.block(Question("green parrot", "Ann"), 9)).shown) < 3
    await system.answered()
    assert await system.close() == 0
