"""A reranker in a folder of the owner's: its order, its limits, and nonsense that is refused."""

import asyncio
import threading
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.embedding.folder.embedder import FolderNetwork
from astrbot_plugin_tidemark.core.host.sources import FolderReranker
from astrbot_plugin_tidemark.core.model.errors import RerankResting, RerankUnavailable

from ..core.embedding.folder.tiny_models import judge, write
from ..kit import until


@pytest.mark.parametrize("classes", [1, 2])
async def test_logits_become_scores_in_the_given_order(tmp_path: Path, classes: int) -> None:
    one = FolderReranker(write(tmp_path, judge("z", classes=classes)))
    scores = await one.rerank("abc", ["x" * 200, "a zebra", "y", "zz"])
    likely = [score is not None and score > 0.9 for score in scores]
    assert likely == [False, True, False, True]
    assert await one.rerank("abc", []) == []
    await one.aclose()


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (judge("z", classes=3), "answers with the shape"),
        (judge("z", score=float("inf")), "gave the score inf"),
        (b"nothing", "the network cannot be loaded"),
    ],
)
async def test_nonsense_is_refused_and_left_alone(tmp_path: Path, model: bytes, words: str) -> None:
    one = FolderReranker(write(tmp_path, model))
    for _ in range(5):
        with pytest.raises(RerankUnavailable, match=words):
            await one.rerank("abc", ["z"])
    with pytest.raises(RerankResting):
        await one.rerank("abc", ["z"])
    await one.aclose()
    with pytest.raises(RerankUnavailable):
        await FolderReranker(tmp_path / "nowhere").rerank("abc", ["z"])


async def test_what_nobody_waits_for_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[int] = []
    may_go_on = threading.Event()
    logits = FolderNetwork.logits

    def seen(self: FolderNetwork, pairs: list) -> list[float]:
        judged.append(len(pairs))
        assert may_go_on.wait(20)
        return logits(self, pairs)

    monkeypatch.setattr(FolderNetwork, "logits", seen)
    one = FolderReranker(write(tmp_path, judge("z")))
    asked = asyncio.ensure_future(one.rerank("abc", ["abc " * 60] * 20))
    await until(lambda: judged)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    may_go_on.set()
    await one.aclose()
    assert len(judged) == 1
