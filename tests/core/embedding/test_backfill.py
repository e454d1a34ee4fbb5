"""Vectors in the background: everything gets one in time, whatever the embedder does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.backfill import (
    BATCH,
    Backfill,
    embedding_texts,
    mean_vectors,
)
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable, StorageError
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind
from astrbot_plugin_tidemark.core.ports import MemoryStore

from ...kit import FakeEmbedder, until
from ...samples import memory


@pytest.fixture
def embedder() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture
def reports() -> list[BaseException]:
    return []


@pytest.fixture
def backfill(store: MemoryStore, embedder: FakeEmbedder, reports: list[BaseException]) -> Backfill:
    return Backfill(store, embedder, lambda _, error: reports.append(error), pause=0.01)


@asynccontextmanager
async def running(backfill: Backfill) -> AsyncIterator[None]:
    task = asyncio.create_task(backfill.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def add(store: MemoryStore, *texts: str, at: float = 0.0) -> None:
    await store.put([memory(text, id=text, created_at=at + n) for n, text in enumerate(texts)])


async def missing(store: MemoryStore, embedder: FakeEmbedder) -> list[str]:
    fingerprint = (await embedder.identity()).fingerprint
    return sorted(m.id for m in await store.unembedded(fingerprint, limit=1000))


async def exhaust(backfill: Backfill) -> None:
    while await backfill.once():
        pass


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


async def test_everything_gets_a_vector_batch_by_batch_newest_first(
    backfill: Backfill, store: MemoryStore, embedder: FakeEmbedder
) -> None:
    await add(store, *(f"memory {n:03}" for n in range(BATCH + 5)))
    assert await backfill.once()
    assert await missing(store, embedder) == [f"memory {n:03}" for n in range(5)]
    assert await backfill.once()
    assert not await backfill.once()
    assert embedder.calls == 2


async def test_another_identity_means_every_vector_anew(
    backfill: Backfill, store: MemoryStore, embedder: FakeEmbedder
) -> None:
    await add(store, "bees", "wasps")
    await exhaust(backfill)
    embedder.model = "better"
    assert await missing(store, embedder) == ["bees", "wasps"]
    await exhaust(backfill)
    assert await missing(store, embedder) == []


@pytest.mark.parametrize("state", [{"present": False}, {"settled": False}])
async def test_without_a_settled_embedder_nothing_is_done(
    backfill: Backfill, store: MemoryStore, embedder: FakeEmbedder, state: dict[str, bool]
) -> None:
    await add(store, "bees")
    for name, value in state.items():
        setattr(embedder, name, value)
    assert not await backfill.once()
    assert embedder.calls == 0


@pytest.mark.parametrize("bad", ["a", "m", "z"], ids=["oldest", "middle", "newest"])
async def test_one_refused_text_does_not_block_the_others(
    backfill: Backfill, store: MemoryStore, embedder: FakeEmbedder, bad: str
) -> None:
    embedder.refused = bad
    await add(store, "a", "g", "m", "t", "z")
    await exhaust(backfill)
    assert await missing(store, embedder) == [bad]
    calls = embedder.calls
    await exhaust(backfill)
    assert embedder.calls == calls


async def test_refused_texts_do_not_hide_the_many_older_ones(
    backfill: Backfill, store: MemoryStore, embedder: FakeEmbedder
) -> None:
    await add(store, *(f"good {n:03}" for n in range(BATCH + 3)))
    await add(store, "bad 1", "bad 2", at=1000.0)
    embedder.refused = "bad"
    await exhaust(backfill)
    assert await missing(store, embedder) == ["bad 1", "bad 2"]


async def test_a_few_newest_bad_texts_cannot_pose_as_an_outage_for_long(
    backfill: Backfill, store: MemoryStore, embedder: FakeEmbedder
) -> None:
    await add(store, "good 1", "good 2")
    await add(store, "bad 1", "bad 2", "bad 3", "bad 4", at=1000.0)
    embedder.refused = "bad"
    with pytest.raises(EmbeddingUnavailable):
        await exhaust(backfill)
    await exhaust(backfill)
    assert await missing(store, embedder) == ["bad 1", "bad 2", "bad 3", "bad 4"]


async def test_an_outage_refuses_no_text_for_good(
    backfill: Backfill, store: MemoryStore, embedder: FakeEmbedder
) -> None:
    await add(store, "bees", "wasps")
    embedder.down = True
    with pytest.raises(EmbeddingUnavailable):
        await backfill.once()
    embedder.down = False
    await exhaust(backfill)
    assert await missing(store, embedder) == []


async def test_while_it_runs_an_outage_is_reported_and_ends_by_itself(
    backfill: Backfill, store: MemoryStore, embedder: FakeEmbedder, reports: list[BaseException]
) -> None:
    embedder.down = True
    await add(store, "bees")

    async def reported() -> bool:
        return len(reports) >= 2

    async def complete() -> bool:
        return not await missing(store, embedder)

    async with running(backfill):
        await until(reported)
        embedder.down = False
        await until(complete)


async def test_during_an_outage_new_memories_cause_no_calls(
    store: MemoryStore, embedder: FakeEmbedder, reports: list[BaseException]
) -> None:
    backfill = Backfill(store, embedder, lambda _, error: reports.append(error), pause=600.0)
    embedder.down = True
    await add(store, "bees")

    async def reported() -> bool:
        return bool(reports)

    async with running(backfill):
        await until(reported)
        calls = embedder.calls
        for _ in range(20):
            backfill.wake()
            await asyncio.sleep(0)
        assert embedder.calls == calls


async def test_new_memories_are_embedded_when_it_is_woken(
    store: MemoryStore, embedder: FakeEmbedder, reports: list[BaseException]
) -> None:
    backfill = Backfill(store, embedder, lambda _, error: reports.append(error), pause=600.0)

    async def complete() -> bool:
        backfill.wake()
        return not await missing(store, embedder)

    async with running(backfill):
        await add(store, "bees")
        await until(complete)
    assert reports == []


async def test_a_store_that_fails_for_a_while_does_not_end_it(
    backfill: Backfill,
    store: MemoryStore,
    embedder: FakeEmbedder,
    reports: list[BaseException],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def broken(*_: object, **__: object) -> int:
        raise StorageError("the disk is full")

    await add(store, "bees")

    async def reported() -> bool:
        return bool(reports)

    async def complete() -> bool:
        return not await missing(store, embedder)

    with monkeypatch.context() as patched:
        patched.setattr(type(store), "set_vectors", broken)
        async with running(backfill):
            await until(reported)
            patched.undo()
            await until(complete)
    assert isinstance(reports[0], StorageError)


async def test_told_that_the_store_is_back_it_goes_on_at_once(
    backfill: Backfill,
    store: MemoryStore,
    embedder: FakeEmbedder,
    reports: list[BaseException],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def broken(*_: object, **__: object) -> int:
        raise StorageError("the disk is full")

    async def reported() -> bool:
        return bool(reports)

    async def complete() -> bool:
        return not await missing(store, embedder)

    backfill.pause = 600.0
    await add(store, "bees")
    with monkeypatch.context() as patched:
        patched.setattr(type(store), "set_vectors", broken)
        async with running(backfill):
            await until(reported)
            patched.undo()
            backfill.wake()
            await until(complete)


async def test_what_one_embedder_refused_another_is_asked_for(
    backfill: Backfill, store: MemoryStore, embedder: FakeEmbedder
) -> None:
    embedder.refused = "bad"
    await add(store, "good", "bad")
    await exhaust(backfill)
    assert await missing(store, embedder) == ["bad"]
    embedder.model, embedder.refused = "broader", "\0"
    await exhaust(backfill)
    assert await missing(store, embedder) == []


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
