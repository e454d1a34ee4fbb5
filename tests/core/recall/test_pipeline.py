"""The steps of a recall together, and what it does without tables that cannot be read."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import connect

import pytest
from astrbot_plugin_tidemark.core.languages.terms import content_terms
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Vitality
from astrbot_plugin_tidemark.core.ports import EmbedderIdentity, MemoryStore
from astrbot_plugin_tidemark.core.recall.block import Style
from astrbot_plugin_tidemark.core.recall.pipeline import recall
from astrbot_plugin_tidemark.core.recall.question import Question, Sources
from astrbot_plugin_tidemark.core.recall.selection import Context
from astrbot_plugin_tidemark.core.recall.trace import (
    Drop,
    Intent,
    Leg,
    LegState,
    Recalled,
    SilenceReason,
)
from astrbot_plugin_tidemark.core.scoring.decision import Column
from astrbot_plugin_tidemark.core.text.token_count import estimate_tokens
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, namespace
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore
from astrbot_plugin_tidemark.storage.sqlite.store import FILE

from ...deciding import showing
from ...kit import FakeEmbedder
from ...samples import ANNS, memory
from ...storage.damage import without

QUESTION = Question(
    text="Where are the hives of the chapel?",
    scopes=frozenset({ANNS.key}),
    context=Context(),
    deadline=10.0,
    budget=800,
    limit=8,
    style=Style("en", lambda at: f"day {at:.0f}"),
)


async def embedded(store: MemoryStore, embedder: FakeEmbedder, *memories: Memory) -> None:
    await store.put(memories)
    vectors = await embedder.embed_documents([record.text for record in memories])
    fingerprint = (await embedder.identity()).fingerprint
    await store.set_vectors(fingerprint, dict(zip([m.id for m in memories], vectors, strict=True)))


def hives(number: int) -> Memory:
    return memory(f"hives of the chapel, row {number}", id=f"m{number:02}")


def agreed(recalled: Recalled) -> None:
    """Block, memories and trace tell one story."""
    numbered = {c.memory: c.number for c in recalled.trace.candidates if c.drop is None}
    assert numbered == {m.id: n for n, m in enumerate(recalled.memories, start=1)}
    assert all(c.number is None for c in recalled.trace.candidates if c.drop is not None)
    for number, record in enumerate(recalled.memories, start=1):
        assert f"[{number}] {record.text}" in recalled.block
    assert recalled.trace.tokens == 0 or recalled.trace.tokens >= estimate_tokens(recalled.block)


@pytest.mark.parametrize(
    ("changes", "drop"), [({"limit": 2}, Drop.LIMIT), ({"budget": 70}, Drop.BUDGET)]
)
async def test_too_much_is_dropped(store: MemoryStore, changes: dict[str, int], drop: Drop) -> None:
    await store.put([hives(number) for number in range(6)])
    recalled = await recall(replace(QUESTION, **changes), showing(store))
    assert len(recalled.memories) < 6
    assert {c.drop for c in recalled.trace.candidates} == {None, drop}
    assert estimate_tokens(recalled.block) <= changes.get("budget", 800)
    agreed(recalled)


async def test_nothing_found_is_no_block_without_scopes_or_legs_neither(store: MemoryStore) -> None:
    recalled = await recall(QUESTION, showing(store))
    assert (recalled.memories, recalled.block, recalled.trace.tokens) == ((), "", 0)
    states = {r.leg: r.state for r in recalled.trace.legs}
    assert states[Leg.TEXT] is LegState.OK
    assert states[Leg.SEMANTIC] is states[Leg.PROSPECTIVE] is LegState.OFF
    await store.put([hives(1)])
    assert (await recall(replace(QUESTION, scopes=frozenset()), showing(store))).memories == ()
    await embedded(store, FakeEmbedder(), hives(1))
    recalled = await recall(
        replace(QUESTION, without=frozenset(Leg)), showing(store, FakeEmbedder())
    )
    assert recalled.memories == ()


async def test_evidence_leads_to_what_was_distilled_from_it(store: MemoryStore) -> None:
    raw = memory("the hives of the chapel", id="raw", kind=Kind.EVIDENCE, origin=Origin(turns=(5,)))
    heir = memory("Ann's apiary is by the church", id="heir", origin=Origin(turns=(5,)))
    await store.put([raw, heir])
    recalled = await recall(QUESTION, showing(store))
    assert [m.id for m in recalled.memories] == ["heir"]
    assert {c.memory: (c.via, c.drop) for c in recalled.trace.candidates} == {
        "raw": ("", Drop.DISTILLED),
        "heir": ("raw", None),
    }
    agreed(recalled)


async def test_a_memory_brings_the_turn_that_says_more_of_what_is_asked(store: MemoryStore) -> None:
    text = "our hives stand by the chapel"
    raw = memory(text, id="raw", kind=Kind.EVIDENCE, origin=Origin(turns=(5,)))
    heir = memory("Ann has hives", id="heir", origin=Origin(turns=(5,)))
    for found_by_itself in ([heir, raw], [heir]):
        await store.put(found_by_itself)
        style = replace(QUESTION.style, wanted=content_terms(QUESTION.text))
        sources = showing(store, turns_of=lambda memory: ["raw"] if memory.id == "heir" else [])
        recalled = await recall(replace(QUESTION, style=style), sources)
        assert [m.id for m in recalled.memories] == ["heir", "raw"]


async def test_a_cosine_that_says_nothing_in_its_space_is_irrelevant(store: MemoryStore) -> None:
    class Crowded(FakeEmbedder):
        async def identity(self) -> EmbedderIdentity:
            return replace(await super().identity(), unrelated=0.95)

    embedder = Crowded()
    await embedded(store, embedder, memory("photography"))
    recalled = await recall(replace(QUESTION, text="photographer"), Sources(store, embedder))
    assert recalled.memories == ()
    assert [c.drop for c in recalled.trace.candidates] == [Drop.IRRELEVANT]


async def test_an_error_that_is_no_outage_is_not_hidden(store: MemoryStore) -> None:
    class Broken(FakeEmbedder):
        async def embed_query(self, text: str):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await recall(QUESTION, showing(store, Broken()))


async def test_an_old_proven_memory_is_not_buried_under_fresh_gossip(store: MemoryStore) -> None:
    year = 365 * 86_400.0
    allergy = memory(
        "Ann is allergic to peanuts and carries a syringe",
        id="allergy",
        vitality=Vitality(20, useful_score=12.0),
    )
    gossip = [
        memory(f"Ann ate peanuts at the fair, says neighbour {number}", id=f"g{number:02}")
        for number in range(12)
    ]
    fresh = [replace(record, created_at=year, happened_at=year) for record in gossip]
    embedder = FakeEmbedder()
    await embedded(store, embedder, allergy, *fresh)
    question = replace(QUESTION, text="Is Ann allergic to peanuts? Carries a syringe?", now=year)
    recalled = await recall(question, showing(store, embedder))
    assert recalled.memories[0].id == "allergy"


async def test_a_greeting_and_a_turn_that_finds_nothing_say_why(store: MemoryStore) -> None:
    greeted = await recall(replace(QUESTION, text="?!"), showing(store))
    unknown = await recall(replace(QUESTION, text="zeppelins"), showing(store))
    assert greeted.trace.silence is SilenceReason.GREETING
    assert unknown.trace.silence is SilenceReason.NOTHING_FOUND


async def test_intents_and_probabilities_are_in_the_trace(store: MemoryStore) -> None:
    await store.put([hives(1)])
    recalled = await recall(QUESTION, showing(store))
    assert dict(recalled.trace.intents) == {Intent.FACTUAL: 1.0}
    (candidate,) = recalled.trace.candidates
    assert candidate.rrf > 0.0
    assert {column for column, _ in candidate.reasons} <= {Column.WORDS, Column.RAREST}
    assert recalled.trace.worth is not None
    assert recalled.trace.silence is None


async def test_an_opening_turn_is_searched_with_the_turns_before_it(store: MemoryStore) -> None:
    embedder = FakeEmbedder()
    await embedded(store, embedder, hives(1), memory("goats in the kitchen", id="goats"))
    alone = await recall(replace(QUESTION, text="Where are they?"), showing(store, embedder))
    after = replace(QUESTION, text="Where are they?", earlier=("goats in the kitchen",))
    recalled = await recall(after, showing(store, embedder))
    assert [record.id for record in alone.memories] != ["goats"]
    assert recalled.memories[0].id == "goats"


SAID = "the hives of the chapel face south"


def failed(recalled: Recalled) -> set[Leg]:
    return {report.leg for report in recalled.trace.legs if report.state is LegState.FAILED}


def told(recalled: Recalled) -> set[str]:
    return {each.id for each in recalled.memories}


async def filled(store: MemoryStore, embedder: FakeEmbedder) -> None:
    raw = memory(SAID, id="raw", kind=Kind.EVIDENCE, origin=Origin(turns=(5,)))
    await embedded(store, embedder, *map(hives, range(4)), raw)


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """Filled, and opened anew: nothing of it has been read."""
    store = await SqliteStore.open(tmp_path)
    await filled(store, FakeEmbedder())
    await store.close()
    store = await SqliteStore.open(tmp_path)
    yield store
    await store.close()


async def test_a_silent_store_is_an_outage(sqlite: SqliteStore, tmp_path: Path) -> None:
    with without(tmp_path / FILE, "memory"), pytest.raises(StorageError):
        await recall(QUESTION, showing(sqlite, FakeEmbedder()))


async def test_spoilt_pages_of_vectors_leave_what_is_found_by_words(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    store = await SqliteStore.open(tmp_path)
    await filled(store, embedder)
    await store.close()
    spoil(tmp_path / FILE, "vector")
    store = await SqliteStore.open(tmp_path)
    partly = await recall(QUESTION, showing(store, embedder))
    assert failed(partly) == {Leg.SEMANTIC, Leg.PROSPECTIVE}
    assert told(partly)
    assert "damaged" in next(r.problem for r in partly.trace.legs if r.leg is Leg.SEMANTIC)
    await store.close()


def spoil(file: Path, table: str) -> None:
    """Overwrite the first page of a table."""
    with closing(connect(file)) as made:
        [(root,)] = made.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,))
        [(size,)] = made.execute("PRAGMA page_size")
    content = bytearray(file.read_bytes())
    content[(root - 1) * size : root * size] = b"\xa5" * size
    file.write_bytes(content)


async def test_vectors_of_a_chroma_folder_that_break_while_it_is_open_leave_words_and_heal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for how in ("SEARCHED", "UNSEARCHED"):
        often = {"batch_size": 2, "sync_threshold": 4}
        monkeypatch.setattr(namespace, how, getattr(namespace, how) | often)
    embedder = FakeEmbedder()
    store = await ChromaStore.open(tmp_path)
    await filled(store, embedder)
    await store.close()
    store = await ChromaStore.open(tmp_path)
    # Looked at once and found whole; what breaks later is noticed when it is read.
    fingerprint = (await embedder.identity()).fingerprint
    [label] = store._namespace._vectors
    assert not store._namespace.vectors_lost(label)
    store._client.api.process.kill()
    for folder in (tmp_path / "chroma").iterdir():
        if folder.is_dir():
            shutil.rmtree(folder)
    partly = None
    for _ in range(40):
        try:
            partly = await recall(QUESTION, showing(store, embedder))
        except StorageError:
            await asyncio.sleep(0.5)
            continue
        if told(partly):
            break
    assert partly is not None
    assert told(partly)
    await store.unreadable()
    assert await store.embedded_count(fingerprint) == (0, 5)
    lost = {each.id: each.text for each in await store.unembedded(fingerprint)}
    vectors = await embedder.embed_documents(list(lost.values()))
    await store.set_vectors(fingerprint, dict(zip(lost, vectors, strict=True)))
    assert not failed(await recall(QUESTION, showing(store, embedder)))
    await store.close()
