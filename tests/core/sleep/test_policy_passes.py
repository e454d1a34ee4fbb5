"""Sweeps over a real store by every policy: moved, noted, summarised, once."""

import asyncio
import json
from collections.abc import Sequence

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.caches import Lru
from astrbot_plugin_tidemark.core.forgetting.catalogue import NAMES, policy_named
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, BinPolicy, accessed
from astrbot_plugin_tidemark.core.forgetting.retention_value import CurvePolicy
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered, TmdExtensions
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Entity
from astrbot_plugin_tidemark.core.model.memory import (
    Access,
    Kind,
    Memory,
    Standing,
    Status,
    UserFeedback,
    Vitality,
)
from astrbot_plugin_tidemark.core.ports import (
    Amendment,
    Change,
    DecayCount,
    Filter,
    Journal,
    MemoryStore,
)
from astrbot_plugin_tidemark.core.simulation.forecast import foretell
from astrbot_plugin_tidemark.core.sleep.sweep import Sweeper
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

from ...kit import swept
from ...samples import ANNS, GROUP, memory

HERE = frozenset({ANNS.key})
TEA, BEES = (Entity(name, name) for name in ("tea", "bees"))


def sweeper_of(name: str, store: MemoryStore, journal: Journal) -> Sweeper:
    return Sweeper(store, journal, policy_named(name), BinPolicy(30.0))


def episode(id: str, text: str = "Ann drank tea", **changes: object) -> Memory:
    return memory(text, id=id, kind=Kind.EPISODIC, **changes)


async def everything(store: MemoryStore) -> list[Memory]:
    return [kept async for kept in store.iterate(Filter(status=None))]


@pytest.mark.parametrize("name", NAMES)
async def test_every_policy_keeps_what_is_exempt_and_repeats_nothing(
    name: str, store: MemoryStore, journal: Journal
) -> None:
    await store.put(
        [
            episode("plain", importance=0.1, trust=0.1),
            episode("pinned", vitality=Vitality(4, pinned=True)),
            episode("important", feedback=UserFeedback(important=True)),
            episode("core", vitality=Vitality(4, useful_score=10.0)),
            memory(id="plan", kind=Kind.PROSPECTIVE),
        ]
    )
    sweeper = sweeper_of(name, store, journal)
    await swept(sweeper, 390 * DAY)
    once = await everything(store)
    gone = {kept.id for kept in once if kept.standing.status is not Status.LIVE}
    # What tmd+ has not seen used for long is demoted, and then no longer of tier 2.
    assert gone <= ({"plain", "core"} if name == "tmd+" else {"plain"})
    assert await swept(sweeper, 390 * DAY) == DecayCount(0, 0)
    assert await everything(store) == once


async def test_what_loses_a_tier_is_told_as_such(store: MemoryStore, journal: Journal) -> None:
    await store.put([episode("useful", vitality=Vitality(40, useful_score=4.0)), episode("new")])
    count = await swept(sweeper_of("tmd+", store, journal), 20 * DAY)
    assert count == DecayCount(0, 1, demoted=1)


async def test_a_policy_notes_name_and_numbers(store: MemoryStore, journal: Journal) -> None:
    await store.put([episode("old"), episode("new", created_at=29 * DAY)])
    sweeper = sweeper_of("differential", store, journal)
    assert await swept(sweeper, 30 * DAY) == DecayCount(0, 1)
    old, new = await store.find(["old", "new"])
    assert (old.standing.status, old.standing.reason) == (Status.BINNED, "policy differential")
    assert new.standing.status is Status.LIVE
    (entry,) = await journal.audit_of("old")
    detail = json.loads(entry.detail)
    assert (entry.action, entry.by) == ("binned", "differential")
    assert detail["retention"] == pytest.approx(0.0498, abs=1e-4)
    assert (detail["floor"], detail["age_days"]) == (0.05, 30.0)


async def test_what_a_score_archives_it_later_bins(store: MemoryStore, journal: Journal) -> None:
    await store.put([episode("old")])
    await store.set_vectors("f", {"old": np.array([1.0, 0.0], np.float32)})
    sweeper = sweeper_of("decay_score", store, journal)
    assert await swept(sweeper, 35 * DAY) == DecayCount(0, 0, archived=1)
    assert (await store.get("old")).standing.status is Status.ARCHIVED
    assert await store.search_text("tea", HERE) == []
    assert await swept(sweeper, 36 * DAY) == DecayCount(0, 0)
    assert await swept(sweeper, 174 * DAY) == DecayCount(0, 1)
    entries = await journal.audit_of("old")
    assert [entry.action for entry in entries] == ["archived", "binned"]
    assert json.loads(entries[0].detail)["negative_decay_score"] < -100


async def test_what_others_archived_is_left_there(store: MemoryStore, journal: Journal) -> None:
    await store.put([episode("old")])
    await swept(sweeper_of("decay_score", store, journal), 35 * DAY)
    assert await swept(sweeper_of("lru", store, journal), 900 * DAY) == DecayCount(0, 0)
    assert (await store.get("old")).standing.status is Status.ARCHIVED


async def test_an_unnoted_move_is_noted_later(store: MemoryStore, journal: Journal) -> None:
    class Cut(Exception):
        pass

    class Deaf:
        id = journal.id

        async def audit(self, entries: Sequence[object]) -> None:
            raise Cut

    await store.put([episode("old")])
    deaf = sweeper_of("decay_score", store, Deaf())
    with pytest.raises(Cut):
        await swept(deaf, 35 * DAY)
    assert (await store.get("old")).standing.status is Status.ARCHIVED
    await swept(sweeper_of("decay_score", store, journal), 35 * DAY)
    assert [entry.action for entry in await journal.audit_of("old")] == ["archived"]


async def test_a_memory_that_proves_useful_while_a_pass_is_over_it_stays(journal: Journal) -> None:
    class Recalling(ReferenceStore):
        """A recall at the last moment: after a page was read and before it is amended."""

        async def amend(self, ids: Sequence[str], change: Change) -> list[Amendment]:
            await super().amend(["old"], lambda kept: accessed(kept, now=35 * DAY))
            return await super().amend(ids, change)

    store = Recalling()
    await store.put([episode("old"), episode("older")])
    assert await swept(sweeper_of("differential", store, journal), 35 * DAY) == DecayCount(0, 1)
    old, older = await store.find(["old", "older"])
    assert (old.standing.status, older.standing.status) == (Status.LIVE, Status.BINNED)


@pytest.mark.parametrize("name", ["reflection_summary", "hybrid"])
async def test_fading_ones_of_a_topic_fold(name: str, store: MemoryStore, journal: Journal) -> None:
    texts = ["Ann drank green tea", "Ann drank black tea", "Ann bought green tea"]
    await store.put(
        [
            episode(f"tea{number}", text, entities=(TEA,), importance=0.1 * number)
            for number, text in enumerate(texts)
        ]
    )
    await store.put([episode("bees", "Ann saw bees", entities=(BEES,)), episode("none")])
    sweeper = sweeper_of(name, store, journal)
    count = await swept(sweeper, 90 * DAY)
    (summary,) = [m async for m in store.iterate(Filter(kinds=frozenset({Kind.NARRATIVE})))]
    assert count.summarised == 3
    assert summary.text.splitlines() == texts
    assert (summary.entities, summary.importance) == ((TEA,), pytest.approx(0.2))
    folded = await store.find(["tea0", "tea1", "tea2"])
    assert {m.standing.reason for m in folded} == {f"summarised {summary.id}"}
    alone = {m.standing.status for m in await store.find(["bees", "none"])}
    assert alone == {Status.BINNED if name == "hybrid" else Status.LIVE}
    assert await swept(sweeper, 90 * DAY) == DecayCount(0, 0)


async def test_in_a_group_each_persons_fold_apart(store: MemoryStore, journal: Journal) -> None:
    said = [
        episode(
            f"{user}{number}",
            f"{user} drank tea {number}",
            scope=GROUP.key,
            speaker=Speaker(user, user.title()),
            entities=(TEA,),
        )
        for number in range(3)
        for user in ("ann", "ben")
    ]
    await store.put(said)
    await swept(sweeper_of("reflection_summary", store, journal), 90 * DAY)
    where = Filter(kinds=frozenset({Kind.NARRATIVE}))
    summaries = {m.speaker: m.text async for m in store.iterate(where)}
    assert summaries.keys() == {Speaker("ann", "Ann"), Speaker("ben", "Ben")}
    assert "ben" not in summaries[Speaker("ann", "Ann")]


async def test_a_summary_before_a_crash_is_made_once(store: MemoryStore, journal: Journal) -> None:
    await store.put([episode(f"tea{n}", f"tea {n}", entities=(TEA,)) for n in range(3)])
    before = await everything(store)
    sweeper = sweeper_of("reflection_summary", store, journal)
    await swept(sweeper, 90 * DAY)
    originals = {kept.id: kept for kept in before}
    await store.amend(list(originals), lambda kept: originals[kept.id])
    await swept(sweeper, 90 * DAY)
    assert await store.count(Filter(kinds=frozenset({Kind.NARRATIVE}))) == 1


async def test_what_a_model_tells_is_the_summary(store: MemoryStore, journal: Journal) -> None:
    await store.put([episode(f"tea{n}", f"tea {n}", entities=(TEA,)) for n in range(3)])
    sweeper = Sweeper(store, journal, policy_named("reflection_summary"), BinPolicy())

    async def joined(texts: Sequence[str]) -> list[tuple[str, Sequence[int]]]:
        return [(" / ".join(texts), range(len(texts)))]

    await swept(sweeper, 90 * DAY, joined)
    (summary,) = [m async for m in store.iterate(Filter(kinds=frozenset({Kind.NARRATIVE})))]
    assert summary.text == "tea 0 / tea 1 / tea 2"
    assert summary.parts[0].memories == ("tea0", "tea1", "tea2")


async def test_a_full_scope_loses_the_least_recent(store: MemoryStore, journal: Journal) -> None:
    for number in range(6):
        await store.put([episode(f"m{number}", access=Access(0.0, number * DAY, 2))])
    await store.put([episode("elsewhere", scope="private/qq/902/default")])
    lru = CurvePolicy(Lru(capacity=4))
    sweeper = Sweeper(store, journal, lru, BinPolicy())
    told = await foretell(lru, store, HERE, now=7 * DAY, days=[1.0], limit=9)
    assert (told.counts, {fading.memory.id for fading in told.soonest}) == ((2,), {"m0", "m1"})
    assert await swept(sweeper, 7 * DAY) == DecayCount(0, 2)
    live = {kept.id async for kept in store.iterate(Filter())}
    assert live == {"m2", "m3", "m4", "m5", "elsewhere"}


async def test_a_crowded_scope_forgets_faster(store: MemoryStore, journal: Journal) -> None:
    await store.put([episode(f"m{number}", vitality=Vitality(4)) for number in range(9)])
    crowded = Tiered(extensions=TmdExtensions(target_population=3))
    sweeper = Sweeper(store, journal, crowded, BinPolicy())
    assert await swept(sweeper, 3 * DAY) == DecayCount(9, 0)
    assert {kept.vitality.strength async for kept in store.iterate(Filter())} == {1}
    assert await swept(sweeper, 3 * DAY) == DecayCount(0, 0)


async def test_a_change_of_policy_keeps_every_memory(store: MemoryStore, journal: Journal) -> None:
    await store.put([episode(f"m{number}", vitality=Vitality(number + 4)) for number in range(8)])
    for name in NAMES:
        await swept(sweeper_of(name, store, journal), DAY)
    assert await store.count(Filter()) == 8


async def test_others_have_turns_during_a_long_pass(store: MemoryStore, journal: Journal) -> None:
    await store.put([episode(f"m{number:04}") for number in range(1_000)])
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    await swept(sweeper_of("differential", store, journal), 30 * DAY)
    beside.cancel()
    assert turns >= 5


@pytest.fixture
def sweeper(store: MemoryStore, journal: Journal) -> Sweeper:
    return Sweeper(store, journal, Tiered(), BinPolicy(30.0))


async def put(store: MemoryStore, strengths: dict[str, int], **changes: object) -> None:
    await store.put(
        [memory(id, id=id, vitality=Vitality(s), **changes) for id, s in strengths.items()]
    )


async def test_the_spent_go_to_the_bin_and_the_rest_fades(
    sweeper: Sweeper, store: MemoryStore, journal: Journal
) -> None:
    await put(store, {"weak": 2, "strong": 5})
    assert await swept(sweeper, 6 * DAY) == DecayCount(weakened=2, binned=1)
    weak, strong = await store.find(["weak", "strong"])
    assert weak.standing == Standing(Status.BINNED, 6 * DAY, "decayed", 36 * DAY)
    assert strong.vitality.strength == 3
    (entry,) = await journal.audit_of("weak")
    assert (entry.action, entry.by, entry.at) == ("binned", "tmd", 6 * DAY)
    assert json.loads(entry.detail)["age_days"] == 6.0


async def test_a_sweep_done_again_notes_nothing_twice_however_many(
    sweeper: Sweeper, store: MemoryStore, journal: Journal
) -> None:
    await put(store, {"weak": 2, "strong": 5})
    await swept(sweeper, 6 * DAY)
    before = await store.find(["weak", "strong"])
    assert await swept(sweeper, 6 * DAY) == DecayCount(0, 0)
    assert await store.find(["weak", "strong"]) == before
    assert len(await journal.audit_of("weak")) == 1
    ids = [f"m{number:04}" for number in range(1_001)]
    await put(store, dict.fromkeys(ids, 1))
    assert (await swept(sweeper, 3 * DAY)).binned == len(ids)
    for id in (ids[0], ids[500], ids[-1]):
        assert len(await journal.audit_of(id)) == 1


async def test_a_sweep_cut_off_before_its_notes_is_noted_when_it_is_done_again(
    sweeper: Sweeper, store: MemoryStore, journal: Journal
) -> None:
    await put(store, {"weak": 2})
    await store.decay(6 * DAY, Tmd().plan, sweeper.bin_policy)
    assert await swept(sweeper, 6 * DAY) == DecayCount(0, 0)
    assert len(await journal.audit_of("weak")) == 1


async def test_a_preview_names_the_soonest_of_all(sweeper: Sweeper, store: MemoryStore) -> None:
    await put(store, {f"m{strength}": strength for strength in range(1, 9)})
    await put(store, {"elsewhere": 1}, scope="other")
    await store.put([memory(id="kept", vitality=Vitality(1, pinned=True))])
    told = await foretell(sweeper.policy, store, HERE, now=0.0, days=[15.0], limit=2)
    assert told.counts == (5,)
    assert [(fading.memory.id, fading.at) for fading in told.soonest] == [
        ("m1", 3 * DAY),
        ("m2", 6 * DAY),
    ]
