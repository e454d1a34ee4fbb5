"""Verdicts reach the store, the ledger and the audit log once, however often they are applied."""

import json

import pytest
from astrbot_plugin_tidemark.core.feedback.credit import Verdict, credit, verdicts_of
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.model.memory import Status, Vitality
from astrbot_plugin_tidemark.core.ports import Amendment, Journal, MemoryStore
from hypothesis import given, settings
from hypothesis import strategies as st

from ...samples import memory

names = st.sampled_from("abcdef")


async def applied(
    verdicts: list[Verdict], store: MemoryStore, journal: Journal, now: float = 100.0
) -> list[Amendment]:
    return await credit(
        verdicts,
        store=store,
        journal=journal,
        policy=Tiered(),
        bin_policy=BinPolicy(30.0),
        source="model",
        now=now,
    )


@settings(deadline=None)
@given(
    st.dictionaries(names, st.integers(1, 9)),
    st.dictionaries(st.integers(1, 9), names),
    st.frozensets(st.integers(1, 12)),
)
def test_every_injected_memory_is_judged_once_and_nothing_else(
    injected: dict[str, int], known: dict[int, str], useful: frozenset[int]
) -> None:
    verdicts = verdicts_of(injected, known, useful)
    assert {v.memory: v.turn for v in verdicts} == injected
    assert len(verdicts) == len(injected)
    helped = {known[number] for number in useful & known.keys()}
    assert {v.memory for v in verdicts if v.useful} == helped & injected.keys()


async def test_a_useful_verdict_strengthens_once(store: MemoryStore, journal: Journal) -> None:
    await store.put([memory()])
    (done,) = await applied([Verdict("m1", 7, True)], store, journal)
    assert done.after.vitality == Vitality(5, 1, 2.5, False, 100.0, 0.0, (7,))
    assert (done.after.access.count, done.after.access.last_at) == (2, 100.0)
    assert await journal.verdict_counts() == (1, 0)
    (entry,) = await journal.audit_of("m1")
    assert (entry.action, entry.by) == ("useful", "model")
    assert json.loads(entry.detail)["turn"] == 7


async def test_the_same_verdict_again_changes_nothing(store: MemoryStore, journal: Journal) -> None:
    await store.put([memory()])
    await applied([Verdict("m1", 7, True)], store, journal)
    before = await store.get("m1")
    assert await applied([Verdict("m1", 7, True)], store, journal, now=200.0) == []
    assert await applied([Verdict("m1", 7, False)], store, journal, now=300.0) == []
    assert await store.get("m1") == before
    assert await journal.verdict_counts() == (1, 0)
    assert len(await journal.audit_of("m1")) == 1


async def test_the_last_useless_verdict_bins_tier_1(store: MemoryStore, journal: Journal) -> None:
    await store.put([memory(vitality=Vitality(1, useful_score=5.0))])
    (done,) = await applied([Verdict("m1", 7, False)], store, journal)
    assert done.after.standing.status is Status.BINNED
    assert done.after.standing.purge_at == 100.0 + 30 * DAY


@pytest.mark.parametrize("useful", [True, False])
async def test_a_verdict_on_a_purged_memory_is_kept_in_the_ledger_alone(
    store: MemoryStore, journal: Journal, useful: bool
) -> None:
    assert await applied([Verdict("gone", 7, useful)], store, journal) == []
    assert await journal.verdict_counts() == (int(useful), int(not useful))
    assert await journal.audit_of("gone") == []


async def test_no_verdicts_are_no_work(store: MemoryStore, journal: Journal) -> None:
    assert await applied([], store, journal) == []
    assert await journal.verdict_counts() == (0, 0)
