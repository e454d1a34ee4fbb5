"""Of memories that are linked as contradictory, the newer comes first, and the older says so."""

from typing import Any

from astrbot_plugin_tidemark.core.conflict.trust import CONTRADICTS, CORROBORATES
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.knowledge import Relation
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.recall.contradiction_order import newer_first
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused
from hypothesis import given, settings
from hypothesis import strategies as st

from ...samples import memory

quick = settings(max_examples=80, deadline=None)
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default").key


def placed(*records: Memory) -> tuple[list[Fused], dict[str, Memory]]:
    return [Fused(each.id, (), 0.5) for each in records], {each.id: each for each in records}


def claim(id: str, *against: str, at: float = 0.0, how: str = CONTRADICTS, **more: Any) -> Memory:
    links = tuple(Relation(id, how, other) for other in against)
    return memory(f"claim {id}", id=id, created_at=at, relations=links, **more)


def test_the_newer_takes_the_better_place_and_the_older_names_it() -> None:
    old, other, new = claim("old", "new", at=1.0), claim("x", at=5.0), claim("new", "old", at=2.0)
    ordered = newer_first(*placed(old, other, new))
    assert [(each.memory, each.behind) for each in ordered] == [
        ("new", ""),
        ("x", ""),
        ("old", "new"),
    ]


def test_it_is_enough_that_one_of_them_says_so() -> None:
    old, new = claim("old", at=1.0), claim("new", "old", at=2.0)
    assert [each.memory for each in newer_first(*placed(old, new))] == ["new", "old"]


def test_the_order_stays_where_the_newer_is_first_already() -> None:
    ordered = newer_first(*placed(claim("new", "old", at=2.0), claim("old", "new", at=1.0)))
    assert [each.memory for each in ordered] == ["new", "old"]
    assert ordered[1].behind == "new"


def test_texts_are_not_compared() -> None:
    old = memory("Ann lives in Berlin", id="old", created_at=1.0)
    new = memory("Ann lives in Munich", id="new", created_at=2.0)
    candidates, records = placed(old, new)
    assert newer_first(candidates, records) == candidates


def test_what_agrees_keeps_its_place() -> None:
    candidates, records = placed(
        claim("old", "new", at=1.0, how=CORROBORATES), claim("new", "old", at=2.0, how=CORROBORATES)
    )
    assert newer_first(candidates, records) == candidates


def test_what_is_not_brought_up_moves_nothing() -> None:
    candidates, records = placed(claim("old", "new", at=1.0), claim("new", "old", at=2.0))
    left_out = [candidates[0], candidates[1].dropped(Drop.LIMIT)]
    assert newer_first(left_out, records) == left_out
    assert newer_first(candidates[:1], records) == candidates[:1]


def test_a_link_between_scopes_counts_for_nothing() -> None:
    candidates, records = placed(
        claim("shared", "group", at=1.0), claim("group", "shared", at=2.0, scope=GROUP)
    )
    assert newer_first(candidates, records) == candidates


@quick
@given(
    st.lists(st.floats(0, 100), min_size=2, max_size=8),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=8),
)
def test_nobody_is_lost_and_every_newer_one_comes_first(
    ages: list[float], links: list[tuple[int, int]]
) -> None:
    named = [(str(a), str(b)) for a, b in links if a != b and max(a, b) < len(ages)]
    against = {str(n): [b for a, b in named if a == str(n)] for n in range(len(ages))}
    candidates, known = placed(
        *(claim(str(n), *against[str(n)], at=at) for n, at in enumerate(ages))
    )
    ordered = [each.memory for each in newer_first(candidates, known)]
    assert sorted(ordered) == sorted(known)
    age = {each.id: (each.created_at, each.id) for each in known.values()}
    for pair in named:
        older, newer = sorted(pair, key=age.__getitem__)
        assert ordered.index(newer) < ordered.index(older)
