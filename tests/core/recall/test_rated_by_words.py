"""What a match in words is worth where nothing was found by meaning."""

import pytest
from astrbot_plugin_tidemark.core.recall.leg_weights import rated_by_words
from astrbot_plugin_tidemark.core.recall.selection import LEAST_RELEVANCE
from astrbot_plugin_tidemark.core.recall.trace import Hit, Leg
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(max_examples=80, deadline=None)


def hits(leg: Leg, *levels: float) -> list[tuple[str, Hit]]:
    return [(f"m{n}", Hit(leg, n, level, level)) for n, level in enumerate(levels, start=1)]


@quick
@given(st.lists(st.floats(0, 1), max_size=6))
def test_alone_words_keep_their_order_and_say_no_less(levels: list[float]) -> None:
    found = {Leg.TEXT: hits(Leg.TEXT, *sorted(levels, reverse=True))}
    rated = [hit.relevance for _, hit in rated_by_words(found)[Leg.TEXT]]
    assert rated == sorted(rated, reverse=True)
    before = [hit.relevance for _, hit in found[Leg.TEXT]]
    assert all(1 >= now >= then for now, then in zip(rated, before, strict=True))


def test_alone_a_twentieth_of_the_words_is_enough_to_be_told() -> None:
    rated = rated_by_words({Leg.TEXT: hits(Leg.TEXT, 0.05, 0.04)})[Leg.TEXT]
    assert rated[0][1].relevance > LEAST_RELEVANCE > rated[1][1].relevance
    assert rated[0][1].score == 0.05


@pytest.mark.parametrize("leg", [Leg.SEMANTIC, Leg.PROSPECTIVE])
def test_beside_meaning_words_are_what_they_are(leg: Leg) -> None:
    found = {Leg.TEXT: hits(Leg.TEXT, 0.3), leg: hits(leg, 0.1)}
    assert rated_by_words(found) == found


def test_a_search_by_meaning_that_found_nothing_leaves_the_words_alone() -> None:
    found = {Leg.TEXT: hits(Leg.TEXT, 0.25), Leg.SEMANTIC: [], Leg.ENTITY: hits(Leg.ENTITY, 0.1)}
    rated = rated_by_words(found)
    assert rated[Leg.TEXT][0][1].relevance == 0.5
    assert rated[Leg.ENTITY] == found[Leg.ENTITY]


def test_without_words_there_is_nothing_to_rate() -> None:
    assert rated_by_words({Leg.ENTITY: hits(Leg.ENTITY, 0.1)}) == {
        Leg.ENTITY: hits(Leg.ENTITY, 0.1)
    }
