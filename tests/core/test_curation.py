"""Forget and restore by hand."""

import json

import pytest
from astrbot_plugin_tidemark.core.capture.evidence import evidence_id
from astrbot_plugin_tidemark.core.curation import Curation
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import TmdParameters
from astrbot_plugin_tidemark.core.memory import Kind, Origin, Standing, Status, Vitality
from astrbot_plugin_tidemark.core.ports import Journal, MemoryStore

from ..kit import FakeClock
from ..samples import memory


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(1000.0)


@pytest.fixture
def curation(store: MemoryStore, journal: Journal, clock: FakeClock) -> Curation:
    return Curation(store, journal, clock, BinPolicy(7.0), TmdParameters())


async def test_what_is_forgotten_lies_in_the_bin_with_the_name_of_who_did_it(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    await store.put([memory()])
    (done,) = await curation.forget(["m1"], by="901")
    assert done.after.standing == Standing(Status.BINNED, 1000.0, "by 901", 1000.0 + 7 * DAY)
    (entry,) = await journal.audit_of("m1")
    assert (entry.action, entry.by, entry.at) == ("binned", "901", 1000.0)
    assert json.loads(entry.detail) == {"from": "live"}


async def test_the_raw_turn_that_a_forgotten_memory_was_learnt_from_does_not_say_it_again(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    raw = evidence_id(journal.id, 7)
    await store.put([memory(origin=Origin(turns=(7,))), memory(id=raw, kind=Kind.EVIDENCE)])
    await curation.forget(["m1"], by="901")
    assert (await store.get(raw)).standing.status is Status.BINNED


async def test_forgetting_twice_is_reported_once(
    curation: Curation, store: MemoryStore, journal: Journal, clock: FakeClock
) -> None:
    await store.put([memory()])
    await curation.forget(["m1"], by="901")
    clock.at += 5
    assert await curation.forget(["m1", "unknown"], by="901") == []
    assert len(await journal.audit_of("m1")) == 1


async def test_a_restored_memory_is_as_strong_as_a_new_one_and_recallable(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    await store.put([memory(vitality=Vitality(1), importance=1.0)])
    await curation.forget(["m1"], by="901")
    (done,) = await curation.restore(["m1"], by="901")
    assert done.after.recallable
    assert done.after.vitality.strength == 8
    assert [entry.action for entry in await journal.audit_of("m1")] == ["binned", "restored"]


async def test_restoring_what_is_live_is_no_change(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    await store.put([memory()])
    assert await curation.restore(["m1"], by="901") == []
    assert await journal.audit_of("m1") == []
