"""Rates from the ledger, and what new memories get of them."""

from astrbot_plugin_tidemark.core.feedback.usefulness import RENEWED_AFTER, Usefulness, usefulness
from astrbot_plugin_tidemark.core.forgetting.rates import Posterior
from astrbot_plugin_tidemark.core.model.memory import Facet, Kind, Vitality
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


async def test_more_than_a_page_of_judged_memories_is_counted(
    store: MemoryStore, journal: Journal
) -> None:
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


async def test_a_new_memory_of_a_useful_sort_is_stronger_once_and_not_if_it_has_its_own(
    store: MemoryStore, journal: Journal
) -> None:
    fresh = memory(id="new", vitality=Vitality(6), importance=0.5)
    own = memory(id="own", vitality=Vitality(3), importance=0.5)
    poor = memory(id="poor", vitality=Vitality(6), importance=0.5, kind=Kind.EPISODIC)
    await store.put([memory(id="a"), memory(id="b", kind=Kind.EPISODIC), fresh, own, poor])
    await judge(journal, "a", 8, 0)
    await judge(journal, "b", 0, 8)
    known = Usefulness(store, journal)
    for _ in range(2):
        await known.strengthen([fresh, own, poor], scale=1.0, now=0.0)
    strengths = [m.vitality.strength for m in await store.find(["new", "own", "poor"])]
    assert strengths == [8, 3, 4]
