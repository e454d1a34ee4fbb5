"""Merging in sleep: what says the same becomes one, once, and can be taken apart again."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Entity, Media, MediaType, Relation
from astrbot_plugin_tidemark.core.model.memory import (
    Kind,
    Memory,
    Origin,
    Status,
    Succession,
    Successor,
    Vitality,
)
from astrbot_plugin_tidemark.core.model.sleeping import Deed, Undone
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.records.merging import MOST_CUES, MOST_EDGES, TAKEN_APART, merged
from astrbot_plugin_tidemark.core.similarity.measure import BLOCK
from astrbot_plugin_tidemark.core.sleep.steps import merging as merging_step
from astrbot_plugin_tidemark.core.sleep.steps.merging import MOST, clusters
from astrbot_plugin_tidemark.scripts.nights import drained

from ...rig import START, Rig
from ...samples import ANN, ANNS, memory
from .conftest import slept

SAID = ("Ann likes hiking", "Ann enjoys hiking.", "Ann loves hiking!")
running = pytest.fixture(lambda: False)


async def said_again(rig: Rig, *texts: str, **changes: Any) -> list[Memory]:
    """Memories of Ann's that are near each other, with vectors."""
    kept = [
        await rig.keep(
            text,
            ANNS,
            id=f"m{number}",
            speaker=ANN,
            kind=Kind.SEMANTIC,
            origin=Origin(turns=(number,)),
            **changes,
        )
        for number, text in enumerate(texts)
    ]
    rig.engine.start()
    await rig.embedded()
    return kept


async def live(rig: Rig) -> list[Memory]:
    where = Filter(recallable=True)
    return [memory async for memory in rig.store.iterate(where)]


async def merger(rig: Rig) -> int:
    [sleep, *_] = await rig.journal.reports([ANNS.key])
    return next(
        d.id for d in await rig.journal.decisions(sleep.id) if d.decision.deed is Deed.MERGED
    )


async def claimed(rig: Rig) -> None:
    """Three memories of one claim: they are merged without any vector."""
    claim = Claim("901", "hobby", "hiking", START)
    await said_again(rig, *SAID, claim=claim)


async def test_what_says_the_same_becomes_one_that_has_the_best_of_all(rig: Rig) -> None:
    await claimed(rig)
    assert await slept(rig, Deed.MERGED) == {Deed.MERGED: 1}
    [one] = await live(rig)
    assert one.origin.turns == (0, 1, 2)
    superseded = {r.object for r in one.relations if r.predicate == Succession.SUPERSEDES}
    assert superseded == {"m0", "m1", "m2"}
    sources = await rig.store.find(["m0", "m1", "m2"])
    assert {s.standing.status for s in sources} == {Status.BINNED}
    assert {s.successor for s in sources} == {Successor(one.id, Succession.MERGES)}
    assert await slept(rig, Deed.MERGED) == {}


async def test_taken_apart_the_sources_are_back_with_the_verdicts_since_and_stay(rig: Rig) -> None:
    await claimed(rig)
    await slept(rig)
    [one] = await live(rig)
    await rig.store.amend(
        [one.id],
        lambda m: replace(
            m, vitality=replace(m.vitality, useful_count=2, useful_score=5.0, strength=6)
        ),
    )
    before = await rig.store.find(["m0", "m1", "m2"])
    for _ in range(2):
        assert await rig.engine.pipeline.undo(await merger(rig)) is Undone.DONE
    back = await rig.store.find(["m0", "m1", "m2"])
    assert [m.text for m in await live(rig)] == [m.text for m in back]
    for earlier, now in zip(before, back, strict=True):
        assert (now.standing.status, now.successor) == (Status.LIVE, None)
        assert now.vitality.useful_count == earlier.vitality.useful_count + 2
        assert now.vitality.useful_score == earlier.vitality.useful_score + 5.0
        assert now.vitality.strength == earlier.vitality.strength + 2
    assert (await rig.store.get(one.id)).standing.reason == TAKEN_APART
    assert await slept(rig, Deed.MERGED) == {}


async def test_what_was_forgotten_after_merging_is_not_brought_back_by_undoing(rig: Rig) -> None:
    await claimed(rig)
    await slept(rig)
    [one] = await live(rig)
    await rig.engine.curation.forget([one.id], by="Ann")
    assert await rig.engine.pipeline.undo(await merger(rig)) is Undone.GONE
    assert await live(rig) == []


async def test_once_a_source_is_purged_nothing_can_be_taken_apart(rig: Rig) -> None:
    await claimed(rig)
    await slept(rig)
    number = await merger(rig)
    await rig.store.purge(["m1"])
    assert await rig.engine.pipeline.undo(number) is Undone.GONE
    assert len(await live(rig)) == 1


async def test_the_purge_of_sources_leaves_the_merged_one_and_its_turns(rig: Rig) -> None:
    await claimed(rig)
    await slept(rig)
    await rig.store.amend(
        [m.id for m in await live(rig)],
        lambda m: replace(m, vitality=replace(m.vitality, pinned=True)),
    )
    rig.clock.at += 31 * DAY
    await rig.sleep(patience=20.0)
    assert await rig.store.find(["m0", "m1", "m2"]) == []
    [one] = await live(rig)
    assert one.origin.turns == (0, 1, 2)
    # The report of the merger goes with what it was made of.
    assert not [
        decided
        for sleep in await rig.journal.reports([ANNS.key])
        for decided in await rig.journal.decisions(sleep.id)
        if decided.decision.deed is Deed.MERGED
    ]


async def test_a_kill_between_deciding_and_merging_is_made_up_for(rig: Rig) -> None:
    from astrbot_plugin_tidemark.core.ports import WorkKind
    from astrbot_plugin_tidemark.core.sleep.steps.merging import MergingStep

    class Killed(Exception):
        pass

    await claimed(rig)
    await rig.engine.stop()
    step = rig.engine.pipeline.steps.by_name["merging"]
    assert isinstance(step, MergingStep)
    await rig.engine.begin_sleep()
    for fragile in ("put", "amend"):

        class Cut:
            def __getattr__(self, name: str, fragile: str = fragile) -> Any:
                if name == fragile:
                    raise Killed
                return getattr(rig.store, name)

        cut = replace(step, store=Cut())
        order = replace(rig.engine.pipeline.steps, of_scope=(cut,))
        works = await rig.journal.due(
            rig.clock.at + 1, kinds=frozenset({WorkKind.SLEEP}), limit=9, skip=frozenset()
        )
        for work in works:
            sleep = await rig.journal.sleep(int(work.payload["sleep"]))
            if sleep is not None and sleep.scope == ANNS.key:
                with pytest.raises(Killed):
                    await replace(rig.engine.pipeline, steps=order).work(work)
    rig.engine.start()
    assert await drained(rig.engine.worker, 20.0)
    assert len(await live(rig)) == 1
    [sleep] = await rig.journal.reports([ANNS.key])
    assert sleep.counts[Deed.MERGED] == 1


def test_the_merged_memory_unites_entities_relations_turns_and_media() -> None:
    one = memory(
        "Ann likes hiking",
        id="a",
        importance=0.9,
        trust=0.5,
        vitality=Vitality(3, useful_score=2.0, useful_count=1),
        entities=(Entity("e1", "Ann"),),
        relations=(Relation("a", "corroborates", "x"), Relation("a", "related", "b")),
        media=(Media("p", MediaType.IMAGE, "u"),),
        origin=Origin(turns=(1, 2)),
        cues=("when she walks",),
    )
    other = replace(
        one,
        id="b",
        text="Ann enjoys hiking",
        importance=0.2,
        trust=0.8,
        created_at=one.created_at + 60,
        vitality=Vitality(5, pinned=True, last_recalled_at=7.0),
        entities=(Entity("e2", "hills"),),
        relations=(Relation("b", "corroborates", "y"),),
        media=(),
        origin=Origin(turns=(2, 5)),
        cues=(),
    )
    both = merged([one, other], "c")
    assert (both.text, both.importance, both.trust) == ("Ann likes hiking", 0.9, 0.8)
    assert (both.vitality.strength, both.vitality.useful_score, both.vitality.pinned) == (
        5,
        2.0,
        True,
    )
    assert both.created_at == one.created_at
    assert both.vitality.settled_at == other.created_at
    assert {e.id for e in both.entities} == {"e1", "e2"}
    assert set(both.relations) == {
        Relation("c", "supersedes", "a"),
        Relation("c", "supersedes", "b"),
        Relation("c", "corroborates", "x"),
        Relation("c", "corroborates", "y"),
    }
    assert (both.media, both.origin.turns, both.cues) == (one.media, (1, 2, 5), ("when she walks",))


def test_thousands_alike_are_cut_and_held_against_few_each() -> None:
    group = [
        memory(text, id=f"m{n}", speaker=ANN, kind=Kind.SEMANTIC)
        for n, text in enumerate(("Ann likes hiking", "Ann enjoys hiking", "Ann likes cats"))
    ]
    alike = np.ones((3, 4), np.float32) / 2
    assert [[m.id for m in found] for found in clusters(group, alike)] == [["m0", "m1"]]
    assert clusters(group, alike, [frozenset({"m0", "m1"})]) == []
    many = [replace(group[0], id=f"m{n:04}") for n in range(300)]
    found = clusters(many, np.ones((300, 4), np.float32) / 2)
    assert max(map(len, found)) <= MOST
    assert sum(map(len, found)) == 300
    one = memory("Ann likes hiking", speaker=ANN, kind=Kind.SEMANTIC)
    many = [replace(one, id=f"m{n:05}", text=f"Ann has {n} hikes") for n in range(3_000)]
    pairs = list(merging_step._pairs(many, np.ones((3_000, 4), np.float32) / 2))
    assert MOST < len(pairs) <= MOST * 3_000


def test_what_is_merged_again_a_thousand_times_keeps_its_turns_and_stays_small() -> None:
    claim = Claim("@", "hobby", "hiking", START)
    whole = memory("Ann likes hiking", id="m0", claim=claim, origin=Origin(turns=(0,)))
    for number in range(1, 1_001):
        said = replace(
            whole,
            id=f"m{number}",
            text=f"Ann enjoys hiking {number}",
            cues=(f"cue {number}",),
            relations=(),
            origin=Origin(turns=(number,)),
        )
        whole = merged([whole, said], f"merged{number}")
    assert whole.origin.turns == tuple(range(1_001))
    assert len(whole.cues) == MOST_CUES
    assert len(whole.relations) == MOST_EDGES
    assert {edge.object for edge in whole.relations[:2]} == {"merged999", "m1000"}


def test_what_is_near_is_found_wherever_in_a_large_scope_it_is() -> None:
    count = 2 * BLOCK + 3
    chance = np.random.default_rng(1)
    vectors = chance.normal(size=(count, 64)).astype(np.float32)
    alike = [(0, count - 1), (5, BLOCK), (2 * BLOCK - 1, 2 * BLOCK + 1), (BLOCK - 1, BLOCK + 1)]
    for one, other in alike:
        vectors[other] = vectors[one]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    group = [
        memory(f"Ann likes thing {n}", id=f"m{n:04}", speaker=ANN, kind=Kind.SEMANTIC)
        for n in range(count)
    ]
    for one, other in alike:
        group[other] = replace(group[other], text=group[one].text)
    found = clusters(group, vectors)
    assert sorted([m.id for m in each] for each in found) == sorted(
        [group[one].id, group[other].id] for one, other in alike
    )
