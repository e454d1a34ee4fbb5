"""How far a memory is trusted, and what speaks for and against it."""

from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.conflict.trust import (
    CONTRADICTS,
    CORROBORATES,
    linked,
    trust,
    trust_of,
)
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.knowledge import Relation
from astrbot_plugin_tidemark.core.model.memory import RELIABILITY, Memory, Source
from hypothesis import given, settings
from hypothesis import strategies as st

from ...samples import memory

DAY = 86_400.0
quick = settings(deadline=None)
counts = st.integers(0, 50)

HOME = Claim("@", "residence", "Lyon", 0.0)


def backed(*links: tuple[str, str], **changes: Any) -> Memory:
    relations = tuple(Relation("m1", predicate, other) for predicate, other in links)
    return memory(relations=relations, **changes)


@pytest.mark.parametrize(("contradictions", "expected"), [(1, 0.545), (4, 0.425)])
def test_the_published_examples(contradictions: int, expected: float) -> None:
    assert trust(0.8, 15.0, 2, contradictions) == pytest.approx(expected)


@quick
@given(st.floats(0, 1), st.floats(0, 1e9), counts, counts)
def test_trust_is_within_bounds_and_moves_the_right_way(
    source: float, age: float, backing: int, against: int
) -> None:
    here = trust(source, age, backing, against)
    assert 0.0 <= here <= 1.0
    assert trust(source, age, backing + 1, against) >= here
    assert trust(source, age, backing, against + 1) <= here
    assert trust(source, age + 1.0, backing, against) <= here


@pytest.mark.parametrize("source", Source)
def test_the_source_decides_first(source: Source) -> None:
    assert trust_of(memory(source=source), 0.0) == pytest.approx(0.5 * RELIABILITY[source] + 0.15)


def test_a_memory_loses_trust_with_each_that_contradicts_it() -> None:
    believed = [
        trust_of(replace(backed(*[(CONTRADICTS, f"x{n}") for n in range(many)]), claim=HOME), 0)
        for many in range(4)
    ]
    assert believed == sorted(believed, reverse=True)
    assert len(set(believed)) == 4


def test_another_memory_counts_once() -> None:
    once = backed((CORROBORATES, "x"))
    assert trust_of(backed((CORROBORATES, "x"), (CORROBORATES, "x")), 0) == trust_of(once, 0)


def test_what_is_said_of_others_counts_for_nothing() -> None:
    told = memory(relations=(Relation("ann", CONTRADICTS, "ben"), Relation("m1", "likes", "x")))
    assert trust_of(told, 0.0) == trust_of(memory(), 0.0)
    assert linked(backed((CONTRADICTS, "m1")), CONTRADICTS) == frozenset()


def test_a_clock_set_back_makes_nothing_newer_than_new() -> None:
    assert trust_of(memory(created_at=50 * DAY), 0.0) == trust_of(memory(), 0.0)


def test_after_ninety_days_age_no_longer_matters() -> None:
    assert trust_of(memory(), 90 * DAY) == trust_of(memory(), 900 * DAY)
