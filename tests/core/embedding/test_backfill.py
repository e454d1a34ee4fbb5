"""Vectors in the background: everything gets one in time, whatever the embedder does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.backfill import (
    BATCH,
    Backfill,
    embedding_texts,
    mean_vectors,
)
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable, StorageError
from astrbot_plugin_tidemark.core.model.knowledge import Claim
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind
from astrbot_plugin_tidemark.core.ports import MemoryStore

from ...kit import FakeEmbedder, until
from ...samples import memory


@dataclass
class Filling:
    """A store that is filled with vectors, and what was reported meanwhile."""

    store: MemoryStore
    embedder: FakeEmbedder
    reports: list[BaseException]
    backfill: Backfill

    async def add(self, *texts: str, at: float = 0.0) -> None:
        told = [memory(text, id=text, created_at=at + n) for n, text in enumerate(texts)]
        await self.store.put(told)

    async def missing(self) -> list[str]:
        fingerprint = (await self.embedder.identity()).fingerprint
        return sorted(m.id for m in await self.store.unembedded(fingerprint, limit=1000))

    async def complete(self) -> bool:
        return not await self.missing()

    async def exhaust(self) -> None:
        while await self.backfill.once():
            pass

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.backfill.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def own(store: MemoryStore) -> Filling:
    embedder, reports = FakeEmbedder(), list[BaseException]()
    backfill = Backfill(store, embedder, lambda _, error: reports.append(error), pause=0.01)
    return Filling(store, embedder, reports, backfill)


def test_a_memory_is_embedded_with_what_it_may_be_found_by() -> None:
    assert embedding_texts(memory("bees", cues=("hives?", "honey?"))) == ("bees\nhives?\nhoney?",)
    claim = Claim("@", "contact:phone_number", "045", 0.0)
    told = replace(
        memory("the old one is dead", cues=("which?",), claim=claim), extractor=Extractor.MODEL
    )
    assert embedding_texts(told) == ("the old one is dead\ncontact phone number: 045\nwhich?",)
    by_rules = replace(told, extractor=Extractor.RULES)
    assert embedding_texts(by_rules) == ("the old one is dead\nwhich?",)
    hers = replace(told, claim=replace(claim, subject="@qq:7/wife"), cues=())
    assert embedding_texts(hers) == ("the old one is dead\nwife contact phone number: 045",)


async def test_everything_gets_a_vector_batch_by_batch_newest_first(own: Filling) -> None:
    await own.add(*(f"memory {n:03}" for n in range(BATCH + 5)))
    assert await own.backfill.once()
    assert await own.missing() == [f"memory {n:03}" for n in range(5)]
    assert await own.backfill.once()
    assert not await own.backfill.once()
    assert own.embedder.calls == 2


async def test_another_identity_means_every_vector_anew(own: Filling) -> None:
    await own.add("bees", "wasps")
    await own.exhaust()
    own.embedder.model = "better"
    assert await own.missing() == ["bees", "wasps"]
    await own.exhaust()
    assert await own.missing() == []


@pytest.mark.parametrize("state", [{"present": False}, {"settled": False}])
async def test_without_settled_embedder_none_is_done(own: Filling, state: dict[str, bool]) -> None:
    await own.add("bees")
    for name, value in state.items():
        setattr(own.embedder, name, value)
    assert not await own.backfill.once()
    assert own.embedder.calls == 0


@pytest.mark.parametrize("bad", ["a", "m", "z"], ids=["oldest", "middle", "newest"])
async def test_one_refused_text_does_not_block_the_others(own: Filling, bad: str) -> None:
    own.embedder.refused = bad
    await own.add("a", "g", "m", "t", "z")
    await own.exhaust()
    assert await own.missing() == [bad]
    calls = own.embedder.calls
    await own.exhaust()
    assert own.embedder.calls == calls


async def test_refused_texts_do_not_hide_the_many_older_ones(own: Filling) -> None:
    await own.add(*(f"good {n:03}" for n in range(BATCH + 3)))
    await own.add("bad 1", "bad 2", at=1000.0)
    own.embedder.refused = "bad"
    await own.exhaust()
    assert await own.missing() == ["bad 1", "bad 2"]


async def test_a_few_newest_bad_texts_cannot_pose_as_an_outage_for_long(own: Filling) -> None:
    await own.add("good 1", "good 2")
    await own.add("bad 1", "bad 2", "bad 3", "bad 4", at=1000.0)
    own.embedder.refused = "bad"
    with pytest.raises(EmbeddingUnavailable):
        await own.exhaust()
    await own.exhaust()
    assert await own.missing() == ["bad 1", "bad 2", "bad 3", "bad 4"]


async def test_an_outage_refuses_no_text_for_good(own: Filling) -> None:
    await own.add("bees", "wasps")
    own.embedder.down = True
    with pytest.raises(EmbeddingUnavailable):
        await own.backfill.once()
    own.embedder.down = False
    await own.exhaust()
    assert await own.missing() == []


async def test_while_it_runs_an_outage_is_reported_and_ends_by_itself(own: Filling) -> None:
    own.embedder.down = True
    await own.add("bees")
    async with own.running():
        await until(lambda: len(own.reports) >= 2)
        own.embedder.down = False
        await until(own.complete)


async def test_during_an_outage_new_memories_cause_no_calls(own: Filling) -> None:
    own.backfill.pause = 600.0
    own.embedder.down = True
    await own.add("bees")
    async with own.running():
        await until(lambda: own.reports)
        calls = own.embedder.calls
        for _ in range(20):
            own.backfill.wake()
            await asyncio.sleep(0)
        assert own.embedder.calls == calls


async def test_new_memories_are_embedded_when_it_is_woken(own: Filling) -> None:
    own.backfill.pause = 600.0

    async def complete() -> bool:
        own.backfill.wake()
        return await own.complete()

    async with own.running():
        await own.add("bees")
        await until(complete)
    assert own.reports == []


@pytest.mark.parametrize("told", [False, True])
async def test_a_store_that_fails_for_a_while_does_not_end_it_and_told_that_it_is_back_it_goes_on(
    own: Filling, monkeypatch: pytest.MonkeyPatch, told: bool
) -> None:
    async def broken(*_: object, **__: object) -> int:
        raise StorageError("the disk is full")

    await own.add("bees")
    own.backfill.pause = 600.0 if told else 0.01
    with monkeypatch.context() as patched:
        patched.setattr(type(own.store), "set_vectors", broken)
        async with own.running():
            await until(lambda: own.reports)
            patched.undo()
            if told:
                own.backfill.wake()
            await until(own.complete)
    assert isinstance(own.reports[0], StorageError)


async def test_what_one_embedder_refused_another_is_asked_for(own: Filling) -> None:
    own.embedder.refused = "bad"
    await own.add("good", "bad")
    await own.exhaust()
    assert await own.missing() == ["bad"]
    own.embedder.model, own.embedder.refused = "broader", "\0"
    await own.exhaust()
    assert await own.missing() == []


async def test_a_raw_turn_weighs_as_much_alone_as_among_its_neighbours() -> None:
    said = memory(
        "the bees swarm\n↳ How lovely!",
        kind=Kind.EVIDENCE,
        cues=("my car broke down", "the tax office wrote"),
        speaker=Speaker("7", "Ann"),
    )
    own, among = embedding_texts(said)
    assert own == "Ann: the bees swarm"
    assert among.startswith("Ann: the bees swarm\n↳ How lovely!\nmy car")
    embedder = FakeEmbedder()
    (mean,) = await mean_vectors(embedder, [(own, among)])
    alone, together = await embedder.embed_documents([own, among])
    assert mean @ alone == pytest.approx(mean @ together, abs=1e-6)
    assert mean @ alone > alone @ together
    assert np.linalg.norm(mean) == pytest.approx(1.0, abs=1e-6)


async def test_groups_of_texts_fill_calls_across_their_borders() -> None:
    embedder = FakeEmbedder()
    groups = [("bees", "wasps"), ("ants",)] * BATCH
    means = await mean_vectors(embedder, groups)
    assert embedder.calls == 3
    (ants,) = await embedder.embed_documents(["ants"])
    assert all(np.array_equal(mean, ants) for mean in means[1::2])
