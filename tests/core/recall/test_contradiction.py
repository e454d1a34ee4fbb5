"""Of memories that contradict each other, the newer comes first, and says so."""

from typing import Any

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.likeness import Matrix
from astrbot_plugin_tidemark.core.memory import Kind, Memory
from astrbot_plugin_tidemark.core.recall.contradiction import claims, contradictory, newer_first
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused
from hypothesis import given, settings
from hypothesis import strategies as st

from ...samples import memory

quick = settings(max_examples=80, deadline=None)
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default").key


def placed(*records: Memory) -> tuple[list[Fused], dict[str, Memory]]:
    return [Fused(each.id, (), 0.5) for each in records], {each.id: each for each in records}


def claim(id: str, text: str = "", at: float = 0.0, **changes: Any) -> Memory:
    return memory(text or f"claim {id}", id=id, created_at=at, **changes)


def near(many: int) -> Matrix:
    return np.full((many, many), 0.8, np.float32)


def test_claims_are_compared_within_their_scope_alone() -> None:
    shared, group = claim("a"), claim("b", scope=GROUP)
    assert claims(*placed(shared, group)) == []
    (own,) = claims(*placed(shared, group, claim("c")))
    assert [each.id for each in own] == ["a", "c"]


@pytest.mark.parametrize("kind", [Kind.EVIDENCE, Kind.PROSPECTIVE, Kind.NARRATIVE])
def test_what_claims_nothing_is_not_compared(kind: Kind) -> None:
    assert claims(*placed(claim("a"), claim("b", kind=kind))) == []


def test_what_is_not_brought_up_is_not_compared() -> None:
    candidates, records = placed(claim("a"), claim("b"))
    assert claims([candidates[0], candidates[1].dropped(Drop.LIMIT)], records) == []


def test_a_contradictory_pair_is_found_newer_first() -> None:
    old = claim("old", "Ann lives in Berlin", 1.0)
    new = claim("new", "Ann lives in Munich", 2.0)
    tea = claim("tea", "Ann likes tea", 3.0)
    assert contradictory([old, tea, new], near(3)) == [("new", "old")]


def test_pairs_that_are_not_about_the_same_thing_are_not_judged() -> None:
    pair = [claim("a", "Ann lives in Berlin"), claim("b", "Ann lives in Munich")]
    assert contradictory(pair, np.eye(2, dtype=np.float32)) == []


def test_the_newer_takes_the_better_place_and_the_older_names_it() -> None:
    old, other, new = claim("old", at=1.0), claim("x", at=5.0), claim("new", at=2.0)
    candidates, records = placed(old, other, new)
    ordered = newer_first(candidates, [("new", "old")], records)
    assert [(each.memory, each.behind) for each in ordered] == [
        ("new", ""),
        ("x", ""),
        ("old", "new"),
    ]


def test_the_order_stays_where_the_newer_is_first_already() -> None:
    candidates, records = placed(claim("new", at=2.0), claim("old", at=1.0))
    ordered = newer_first(candidates, [("new", "old")], records)
    assert [each.memory for each in ordered] == ["new", "old"]
    assert ordered[1].behind == "new"


def test_without_pairs_nothing_changes() -> None:
    candidates, records = placed(claim("a"), claim("b"))
    assert newer_first(candidates, [], records) == candidates


@quick
@given(
    st.lists(st.floats(0, 100), min_size=2, max_size=8),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=8),
)
def test_nobody_is_lost_and_every_newer_one_comes_first(
    ages: list[float], links: list[tuple[int, int]]
) -> None:
    records = [claim(str(n), at=at) for n, at in enumerate(ages)]
    candidates, known = placed(*records)
    age = {each.id: (each.created_at, each.id) for each in records}
    named = [(str(a), str(b)) for a, b in links if a != b and max(a, b) < len(records)]
    pairs = [tuple(sorted(pair, key=age.__getitem__, reverse=True)) for pair in named]
    ordered = [each.memory for each in newer_first(candidates, pairs, known)]
    assert sorted(ordered) == sorted(known)
    assert all(ordered.index(newer) < ordered.index(older) for newer, older in pairs)
