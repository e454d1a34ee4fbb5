"""An embedder is learnt once; each scope is sampled anew ever more seldom."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.calibrator import PAIRS, READ, SCOPES, TURNS, Calibrator
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from astrbot_plugin_tidemark.core.embedding.local.model import IDENTITY as LOCAL_MODEL
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable
from astrbot_plugin_tidemark.core.ports import (
    Embedded,
    EmbedderIdentity,
    Filter,
    MemoryStore,
    Vector,
)
from astrbot_plugin_tidemark.core.similarity.calibration import Baseline
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

from ...kit import FakeEmbedder
from ...samples import ANNS, memory

IDENTITY = EmbedderIdentity("knowing", "pairs", 64)
HERE = frozenset({ANNS.key})


class Knowing:
    """An embedder to which both texts of a pair mean the same."""

    def __init__(self) -> None:
        self.asked = 0

    async def identity(self) -> EmbedderIdentity:
        return IDENTITY

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        return [await self.embed_query(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        self.asked += 1
        vector = np.full(64, 0.5, np.float32)
        for rows in PAIRS.values():
            for place, row in enumerate(rows):
                if text in row:
                    vector[place] = 4.0
        return vector / np.linalg.norm(vector)


class Slow(Knowing):
    """Lets others run while it embeds."""

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        await asyncio.sleep(0)
        return await super().embed_documents(texts)


class Counting(ReferenceStore):
    """Counts how often it is sampled, raw turns and what was learnt together."""

    reads = 0

    @property
    def sampled(self) -> float:
        return self.reads / 2

    async def vectors(self, ids: Sequence[str]) -> Mapping[str, Embedded]:
        self.reads += 1
        return await super().vectors(ids)


async def learnt(store: MemoryStore) -> Calibrator:
    calibrator = Calibrator(store)
    await calibrator.learn(Knowing())
    return calibrator


def sampled() -> list[str]:
    """Every text of the built-in sample."""
    rows = [row for rows in PAIRS.values() for row in rows]
    return [*(text for row in rows for text in row), *(t for told in TURNS.values() for t in told)]


def test_no_text_of_the_sample_occurs_twice_and_as_many_turns_need_a_memory_as_do_not() -> None:
    assert len(sampled()) == len(set(sampled()))
    assert [*TURNS] == [
        "needing",
        "idle",
        "lasting",
        "passing",
        "unkept",
        "kept",
        "standing",
        "once",
    ]
    assert len(TURNS["needing"]) == len(TURNS["idle"]) > 100


async def test_an_embedder_is_learnt_once_even_by_two_at_once_or_later_if_it_was_down() -> None:
    calibrator, embedder = Calibrator(ReferenceStore()), Knowing()
    await calibrator.learn(embedder)
    once = embedder.asked
    await calibrator.learn(embedder)
    assert embedder.asked == once == len(sampled())
    calibrator, embedder = Calibrator(ReferenceStore()), Slow()
    await asyncio.gather(calibrator.learn(embedder), calibrator.learn(embedder))
    assert not await calibrator.learn_some(embedder)
    calibrator, embedder = Calibrator(ReferenceStore()), FakeEmbedder(down=True)
    with pytest.raises(EmbeddingUnavailable):
        await calibrator.learn(embedder)
    embedder.down = False
    await calibrator.learn(embedder)


async def test_cosines_are_read_before_it_is_known_what_a_turn_itself_says() -> None:
    calibrator, embedder = Calibrator(ReferenceStore()), Knowing()
    while not (frame := await calibrator.frame(IDENTITY, HERE, "en")).centred:
        assert await calibrator.learn_some(embedder)
    assert frame.scales is None
    await calibrator.learn(embedder)
    assert (await calibrator.frame(IDENTITY, HERE, "en")).scales is not None


async def test_turns_are_not_embedded_by_the_model_whose_questions_are_fitted() -> None:
    class Local(Knowing):
        async def identity(self) -> EmbedderIdentity:
            return LOCAL_MODEL

    calibrator, embedder = Calibrator(ReferenceStore()), Local()
    await calibrator.learn(embedder)
    assert embedder.asked == len(sampled()) - sum(map(len, TURNS.values()))
    frame = await calibrator.frame(await embedder.identity(), HERE, "en")
    assert frame.centred
    assert frame.scales is READ[LOCAL_MODEL.fingerprint]


async def test_in_a_language_that_the_embedder_cannot_read_its_vectors_say_nothing() -> None:
    class English(Knowing):
        async def embed_query(self, text: str) -> Vector:
            read = await super().embed_query(text)
            return read if text.isascii() else np.full(64, 0.125, np.float32)

    calibrator, embedder = Calibrator(ReferenceStore()), English()
    await calibrator.learn(embedder)
    told = calibrator.scales(IDENTITY.fingerprint, "en")
    assert told is not None
    assert calibrator.scales(IDENTITY.fingerprint, "zh") is None
    assert calibrator.scales("another", "en") is None


async def test_before_and_for_whom_knows_no_meaning_the_frame_is_plain() -> None:
    calibrator, hashed = Calibrator(ReferenceStore()), FakeEmbedder()
    assert not (await calibrator.frame(IDENTITY, HERE, "zh")).centred
    await calibrator.learn(hashed)
    assert not (await calibrator.frame(await hashed.identity(), HERE, "zh")).centred
    assert hashed.calls < len(sampled()) - sum(map(len, TURNS.values()))


async def test_before_and_for_whom_cannot_tell_relations_apart_there_is_no_likeness() -> None:
    class Blind(Knowing):
        async def embed_query(self, text: str) -> Vector:
            await super().embed_query(text)
            return np.full(64, 0.125, np.float32)

    calibrator = Calibrator(ReferenceStore())
    assert await calibrator.common(IDENTITY, HERE, "en") is None
    await calibrator.learn(Blind())
    assert await calibrator.common(IDENTITY, HERE, "en") is None
    await calibrator.learn(hashed := HashedEmbedder())
    assert await calibrator.common(await hashed.identity(), HERE, "zh") is not None


async def test_a_language_without_a_sample_is_read_as_those_with_one_are_on_average() -> None:
    calibrator = await learnt(ReferenceStore())
    frames = {
        code: await calibrator.frame(IDENTITY, HERE, code) for code in ("zh", "en", "ja", "und")
    }
    levels = {code: (frame.unrelated, frame.related) for code, frame in frames.items()}
    assert levels["ja"] == levels["und"]
    assert levels["ja"] == pytest.approx(np.mean([levels["zh"], levels["en"]], axis=0))
    assert frames["ja"].centred
    assert frames["ja"].unrelated < 0.2 < frames["ja"].related
    assert await calibrator.common(IDENTITY, HERE, "ja") is not None


async def test_the_scopes_own_vectors_move_its_mean_and_likeness() -> None:
    store = ReferenceStore()
    await store.put([memory(id=f"m{number}") for number in range(40)])
    own = np.zeros(64, np.float32)
    own[63] = 1.0
    await store.set_vectors(IDENTITY.fingerprint, {f"m{number}": own for number in range(40)})
    calibrator = await learnt(store)
    here = await calibrator.frame(IDENTITY, HERE, "zh")
    there = await calibrator.frame(IDENTITY, frozenset({"private/qq/902/default"}), "zh")
    assert here.learnt.told[63] > 0.6 > 0.2 > there.learnt.told[63]
    here = await (await learnt(store)).common(IDENTITY, HERE, "zh")
    assert here[63] > 0.6


async def test_a_scope_is_sampled_after_one_two_four_uses_and_anew_when_forgotten() -> None:
    store = Counting()
    calibrator = await learnt(store)
    counts: list[int] = []
    for _ in range(8):
        await calibrator.frame(IDENTITY, HERE, "en")
        counts.append(store.sampled)
    assert counts == [1, 2, 2, 3, 3, 3, 3, 4]
    store = Counting()
    calibrator = await learnt(store)
    await calibrator.frame(IDENTITY, HERE, "zh")
    calibrator.clear()
    await calibrator.frame(IDENTITY, HERE, "zh")
    assert store.sampled == 2
    store = Counting()
    calibrator = await learnt(store)
    for number in range(SCOPES + 1):
        await calibrator.frame(IDENTITY, frozenset({f"private/qq/{number}/x"}), "zh")
    await calibrator.frame(IDENTITY, frozenset({"private/qq/0/x"}), "zh")
    assert store.sampled == SCOPES + 2
    assert await store.count(Filter()) == 0


async def test_whether_an_embedder_tells_pairs_apart_is_reckoned_once_and_not_by_every_recall(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reckoned: list[Baseline] = []
    reckon = Baseline.tells_apart.func
    counted = cached_property(lambda baseline: reckoned.append(baseline) or reckon(baseline))
    counted.__set_name__(Baseline, "tells_apart")
    monkeypatch.setattr(Baseline, "tells_apart", counted)
    calibrator = await learnt(ReferenceStore())
    for _ in range(5):
        await calibrator.frame(IDENTITY, HERE, "en")
    assert len(reckoned) == len({*map(id, reckoned)})
