"""Sweeps over a real store: who goes to the bin, who is purged, and who would be next."""

import json

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.memory import Standing, Status, Vitality
from astrbot_plugin_tidemark.core.ports import DecayCount, Journal, MemoryStore
from astrbot_plugin_tidemark.core.simulation.forecast import foretell
from astrbot_plugin_tidemark.core.sleep.sweep import Sweeper

from ...kit import swept
from ...samples import ANNS, memory

HERE = frozenset({ANNS.key})


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
