"""Intentions go by what they mean: no age, no words."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.recall.selection import NEAR_TIE, by_meaning, in_place
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused, Hit, Leg
from astrbot_plugin_tidemark.core.similarity.measure import PROSPECTIVE_FLOOR
from hypothesis import given
from hypothesis import strategies as st

from ...samples import DAY, memory

DENSE = frozenset({Leg.TEXT, Leg.SEMANTIC, Leg.PROSPECTIVE})
relevances = st.floats(0.0, 1.0)
ages = st.floats(0.0, 4_000 * DAY)


def plan(id: str, *, at: float = 0.0, text: str = "") -> Memory:
    words = text or f"Ann means to do the thing called {id}"
    return memory(words, id=id, kind=Kind.PROSPECTIVE, created_at=at, happened_at=at)


def meant(id: str, relevance: float, leg: Leg = Leg.PROSPECTIVE) -> Fused:
    return Fused(id, (Hit(leg, 1, relevance, relevance),), relevance)


def known(*memories: Memory) -> dict[str, Memory]:
    return {record.id: record for record in memories}


def order(candidates: list[Fused], records: dict[str, Memory]) -> list[str]:
    return [each.memory for each in in_place(candidates, records)]


def test_words_count_for_an_intention_only_where_no_meaning_was_asked() -> None:
    found = Fused("a", (Hit(Leg.TEXT, 1, 0.9, 1.0), Hit(Leg.SEMANTIC, 9, 0.5, 0.4)), 0.7)
    (judged,) = by_meaning([found], known(plan("a")), DENSE)
    assert (judged.relevance, judged.drop) == (0.4, None)
    assert [hit.leg for hit in judged.hits] == [Leg.SEMANTIC]
    (judged,) = by_meaning([meant("a", 0.9, Leg.TEXT)], known(plan("a")), frozenset({Leg.TEXT}))
    assert (judged.score, judged.drop) == (0.9, None)
    found = [meant("fact", 0.1, Leg.TEXT), meant("unread", 0.1)]
    assert by_meaning(found, known(memory(id="fact")), DENSE) == found


@pytest.mark.parametrize("leg", [Leg.SEMANTIC, Leg.PROSPECTIVE])
def test_below_the_floor_an_intention_is_irrelevant(leg: Leg) -> None:
    below, at = PROSPECTIVE_FLOOR - 0.01, PROSPECTIVE_FLOOR
    found = [meant("a", below, leg), meant("b", at, leg)]
    judged = by_meaning(found, known(plan("a"), plan("b")), DENSE)
    assert [each.drop for each in judged] == [Drop.IRRELEVANT, None]


def test_the_newer_or_the_rerankers_choice_of_intentions_is_first() -> None:
    records = known(plan("old"), plan("new", at=DAY), plan("newest", at=2 * DAY))
    close = [meant("old", 0.7), meant("new", 0.7 - NEAR_TIE / 2), meant("newest", 0.6)]
    assert order(close, records) == ["new", "old", "newest"]
    records = known(*(plan(id, at=at) for at, id in enumerate("abc")))
    chain = [meant("a", 0.7), meant("b", 0.685), meant("c", 0.67)]
    assert order(chain, records) == ["b", "a", "c"]
    records = known(plan("old"), plan("new", at=DAY), memory(id="fact"))
    found = [meant("old", 0.71), meant("fact", 0.705), meant("new", 0.7)]
    assert order(found, records) == ["new", "fact", "old"]
    records = known(plan("a"), plan("b"), memory(id="fact"))
    found = [
        replace(meant("a", 0.8), rerank=0.2),
        replace(meant("b", 0.5), rerank=0.9),
        replace(meant("fact", 0.6), rerank=0.1),
    ]
    assert order(found, records) == ["b", "fact", "a"]


@given(st.lists(st.tuples(relevances, ages), min_size=1, max_size=8))
def test_age_never_orders_intentions_that_are_no_near_tie(plans: list[tuple[float, float]]) -> None:
    records = known(*(plan(str(n), at=-age) for n, (_, age) in enumerate(plans)))
    found = [meant(str(n), relevance) for n, (relevance, _) in enumerate(plans)]
    placed = in_place(found, records)
    scores = [each.score for each in placed]
    assert sorted(scores) == sorted(relevance for relevance, _ in plans)
    for place, score in enumerate(scores):
        assert all(later < score + NEAR_TIE for later in scores[place:])


@given(st.lists(relevances, min_size=1, max_size=8), ages, ages)
def test_all_ages_alike_the_order_is_the_same(plans: list[float], one: float, other: float) -> None:
    found = [meant(str(n), relevance) for n, relevance in enumerate(plans)]

    def placed(at: float) -> list[str]:
        records = known(*(plan(str(n), at=at) for n in range(len(plans))))
        return order(found, records)

    assert placed(-one) == placed(-other)


@given(st.lists(st.tuples(st.booleans(), relevances), max_size=8))
def test_nothing_is_lost_and_facts_keep_their_order(found: list[tuple[bool, float]]) -> None:
    records = known(
        *(plan(str(n)) if own else memory(id=str(n)) for n, (own, _) in enumerate(found))
    )
    candidates = [meant(str(n), relevance) for n, (_, relevance) in enumerate(found)]
    placed = in_place(candidates, records)
    assert sorted(each.memory for each in placed) == sorted(records)
    facts = [each.score for each in placed if records[each.memory].kind is not Kind.PROSPECTIVE]
    assert facts == sorted(facts, reverse=True)
