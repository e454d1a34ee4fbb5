"""Real stores for the legs, and a question that a test turns into its own."""

import pytest
from astrbot_plugin_tidemark.core.ports import MemoryStore
from astrbot_plugin_tidemark.core.recall.block import Style
from astrbot_plugin_tidemark.core.recall.question import Question
from astrbot_plugin_tidemark.core.recall.selection import Context

from ....kit import FakeEmbedder
from ....samples import ANNS
from .asked import NOW, UTC, Shelf

embedder = pytest.fixture(lambda: FakeEmbedder())


@pytest.fixture
def question() -> Question:
    """Ann's, of no text yet, on a Wednesday afternoon."""
    return Question(
        text="",
        scopes=frozenset({ANNS.key}),
        context=Context(),
        deadline=10.0,
        budget=2_000,
        limit=8,
        style=Style("en", lambda at: f"day {at:.0f}"),
        now=NOW,
        where=UTC,
    )


@pytest.fixture
def shelf(store: MemoryStore, embedder: FakeEmbedder, question: Question) -> Shelf:
    return Shelf(store, embedder, question)
