"""Rates from the ledger."""

from astrbot_plugin_tidemark.core.engine.engine import RENEWED_AFTER, Usefulness, usefulness
from astrbot_plugin_tidemark.core.forgetting.rates import Posterior
from astrbot_plugin_tidemark.core.model.memory import Facet, Kind
from astrbot_plugin_tidemark.core.ports import Journal, MemoryStore

from ...samples import memory


async def judge(journal: Journal, id: str, useful: int, useless: int) -> None:
    for turn in range(useful + useless):
        await journal.record_verdicts([(turn, id)], useful=turn < useful, source="model", at=1.0)


async def test_verdicts_are_counted_by_kind_and_facet(store: MemoryStore, journal: Journal) -> None:
    await store.put([memory(id="a", facet=Facet.PREFERENCE), memory(id="b", kind=Kind.EPISODIC)])
    await judge(journal, "a", 3, 1)
    await judge(journal, "b", 0, 2)
    await judge(journal, "gone", 5, 0)
    rates = await usefulness(store, journal)
    assert rates.overall == Posterior(3, 3)
    assert rates.by_kind == {Kind.SEMANTIC: Posterior(3, 1), Kind.EPISODIC: Posterior(0, 2)}
    assert rates.by_facet == {Facet.PREFERENCE: Posterior(3, 1)}


async def test_more_than_a_page_of_judged_is_counted(store: MemoryStore, journal: Journal) -> None:
    ids = [f"m{number:04}" for number in range(501)]
    await store.put([memory(id=id) for id in ids])
    await journal.record_verdicts([(1, id) for id in ids], useful=True, source="model", at=1.0)
    assert (await usefulness(store, journal)).overall == Posterior(501, 0)


async def test_rates_are_read_again_after_an_hour(store: MemoryStore, journal: Journal) -> None:
    known = Usefulness(store, journal)
    assert (await known.rates(now=0.0)).overall.judged == 0
    await store.put([memory(id="a")])
    await judge(journal, "a", 1, 0)
    assert (await known.rates(now=RENEWED_AFTER - 1)).overall.judged == 0
    assert (await known.rates(now=RENEWED_AFTER)).overall.judged == 1
