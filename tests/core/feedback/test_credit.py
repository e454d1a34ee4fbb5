"""What a verdict does to a memory, and how useful memories are on the whole."""

import json

import pytest
from astrbot_plugin_tidemark.core.engine.engine import RENEWED_AFTER, Usefulness
from astrbot_plugin_tidemark.core.feedback.credit import Verdict, credit, verdicts_of
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, BinPolicy
from astrbot_plugin_tidemark.core.forgetting.rates import Posterior
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.model.memory import Kind, Source, Status, Vitality
from astrbot_plugin_tidemark.core.ports import Amendment, Journal, MemoryStore
from hypothesis import given
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


async def judge(journal: Journal, id: str, useful: int, useless: int) -> None:
    for turn in range(useful + useless):
        await journal.record_verdicts([(turn, id)], useful=turn < useful, source="model", at=1.0)


async def test_verdicts_are_counted_by_kind_and_source(
    store: MemoryStore, journal: Journal
) -> None:
    await store.put([memory(id="a", source=Source.BOT), memory(id="b", kind=Kind.EPISODIC)])
    await judge(journal, "a", 3, 1)
    await judge(journal, "b", 0, 2)
    await judge(journal, "gone", 5, 0)
    rates = await Usefulness(store, journal).rates(now=0.0)
    assert rates.overall == Posterior(3, 3)
    assert rates.by_kind == {Kind.SEMANTIC: Posterior(3, 1), Kind.EPISODIC: Posterior(0, 2)}
    assert rates.by_source == {Source.BOT: Posterior(3, 1), Source.USER: Posterior(0, 2)}


async def test_more_than_a_page_of_judged_is_counted(store: MemoryStore, journal: Journal) -> None:
    ids = [f"m{number:04}" for number in range(501)]
    await store.put([memory(id=id) for id in ids])
    await journal.record_verdicts([(1, id) for id in ids], useful=True, source="model", at=1.0)
    assert (await Usefulness(store, journal).rates(now=0.0)).overall == Posterior(501, 0)


async def test_rates_are_read_again_after_an_hour(store: MemoryStore, journal: Journal) -> None:
    known = Usefulness(store, journal)
    assert (await known.rates(now=0.0)).overall.judged == 0
    await store.put([memory(id="a")])
    await judge(journal, "a", 1, 0)
    assert (await known.rates(now=RENEWED_AFTER - 1)).overall.judged == 0
    assert (await known.rates(now=RENEWED_AFTER)).overall.judged == 1
