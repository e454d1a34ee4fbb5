"""Candidates of several legs in one order, and what a trace keeps of them."""

import json
from dataclasses import fields, replace

import pytest
from astrbot_plugin_tidemark.core.model.memory import Memory, Succession, Successor
from astrbot_plugin_tidemark.core.recall.slots import after_their_updates
from astrbot_plugin_tidemark.core.recall.trace import (
    Drop,
    Fused,
    Hit,
    Intent,
    Leg,
    LegReport,
    LegState,
    Recalled,
    RerankReport,
    SilenceReason,
    Trace,
    from_json,
    to_json,
)
from astrbot_plugin_tidemark.core.recall.weighing import CONSIDERED, pooled, reciprocal_rank
from astrbot_plugin_tidemark.core.scoring.decision import Column
from hypothesis import given
from hypothesis import strategies as st

from ...samples import memory

rankings = st.lists(st.sampled_from("abcdefgh"), unique=True).map(list)


def leg(name: Leg, ids: list[str]) -> list[tuple[str, Hit]]:
    return [(id, Hit(name, rank, 1 / rank, 1 / rank)) for rank, id in enumerate(ids, start=1)]


def fused(text: list[str], semantic: list[str]) -> list[Fused]:
    legs = {Leg.TEXT: leg(Leg.TEXT, text), Leg.SEMANTIC: leg(Leg.SEMANTIC, semantic)}
    return pooled(legs)


@pytest.mark.parametrize(("ranks", "score"), [((1, 2), 0.03252), ((1,), 0.01639), ((), 0.0)])
def test_a_score_is_the_sum_of_reciprocal_ranks(ranks: tuple[int, ...], score: float) -> None:
    assert reciprocal_rank(ranks) == pytest.approx(score, abs=1e-5)


def test_ties_are_broken_by_id_and_every_leg_is_named() -> None:
    assert [c.memory for c in fused(["z", "y"], ["y", "z"])] == ["y", "z"]
    (candidate,) = fused(["a"], ["a"])
    assert {hit.leg for hit in candidate.hits} == {Leg.TEXT, Leg.SEMANTIC}
    assert pooled({}) == []


def test_no_more_are_read_than_are_considered_but_what_a_time_or_two_legs_found() -> None:
    ids = [f"t{place:03}" for place in range(CONSIDERED)]
    others = [*(f"s{place:03}" for place in range(CONSIDERED)), ids[-1]]
    found = fused(ids, others)
    assert len(found) == CONSIDERED
    assert ids[-1] in {each.memory for each in found}
    text = [(f"t{n:03}", Hit(Leg.TEXT, n, 0.9, 0.9)) for n in range(CONSIDERED + 20)]
    far = text[-1][0]
    late = [(id, Hit(Leg.TIME, rank + 400, 0.2, 0.2)) for rank, id in enumerate([far, "then"])]
    found = pooled({Leg.TEXT: text, Leg.TIME: late})
    assert {far, "then"} <= {each.memory for each in found}
    assert len(found) <= CONSIDERED + 2


@given(rankings, rankings)
def test_every_hit_is_there_once_in_any_order_of_legs(text: list[str], semantic: list[str]) -> None:
    result = fused(text, semantic)
    assert sorted(c.memory for c in result) == sorted({*text, *semantic})
    legs = {Leg.SEMANTIC: leg(Leg.SEMANTIC, semantic), Leg.TEXT: leg(Leg.TEXT, text)}
    turned = pooled(legs)
    assert [(c.memory, c.score, c.rrf) for c in result] == [
        (c.memory, c.score, c.rrf) for c in turned
    ]


def order(*records: Memory) -> list[str]:
    candidates = [Fused(record.id, (), 0.5) for record in records]
    known = {record.id: record for record in records}
    return [each.memory for each in after_their_updates(candidates, known)]


finite = st.floats(allow_nan=False, allow_infinity=False)
odd_text = st.text(alphabet=st.characters(), max_size=30)
hits = st.builds(
    Hit,
    leg=st.sampled_from(Leg),
    rank=st.integers(1, 50),
    score=finite,
    relevance=finite,
    via=odd_text,
)
candidates = st.builds(
    Fused,
    memory=odd_text,
    hits=st.lists(hits, max_size=2).map(tuple),
    score=finite,
    via=odd_text,
    number=st.none() | st.integers(1, 50),
    drop=st.none() | st.sampled_from(Drop),
    rrf=finite,
    reasons=st.lists(st.tuples(st.sampled_from(Column), finite), max_size=3).map(tuple),
    rerank=st.none() | finite,
    behind=odd_text,
)
reports = st.builds(
    LegReport,
    leg=st.sampled_from(Leg),
    state=st.sampled_from(LegState),
    hits=st.integers(0, 50),
    milliseconds=finite,
    problem=odd_text,
)
single = st.builds(
    Trace,
    query=odd_text,
    scopes=st.lists(odd_text, max_size=3).map(tuple),
    legs=st.lists(reports, max_size=2).map(tuple),
    candidates=st.lists(candidates, max_size=3).map(tuple),
    tokens=st.integers(0, 8000),
    milliseconds=finite,
    intents=st.lists(st.tuples(st.sampled_from(Intent), finite), max_size=2).map(tuple),
    silence=st.none() | st.sampled_from(SilenceReason),
    rerank=st.builds(
        RerankReport,
        state=st.sampled_from(LegState),
        asked=st.integers(0, 20),
        judged=st.integers(0, 20),
        milliseconds=finite,
        problem=odd_text,
    ),
    times=st.lists(st.tuples(finite, finite), max_size=2).map(tuple),
    worth=st.none() | finite,
)
traces = st.builds(
    lambda first, later: replace(first, later=tuple(later)), single, st.lists(single, max_size=2)
)


@given(traces)
def test_a_trace_reads_back_as_it_was_written(trace: Trace) -> None:
    assert from_json(to_json(trace)) == trace


@given(traces)
def test_the_text_of_a_trace_is_one_line_of_json(trace: Trace) -> None:
    text = to_json(trace)
    assert "\n" not in text
    assert json.loads(text).get("query", "") == trace.query


def test_updates_and_recalls_of_one_turn_have_their_order() -> None:
    found = (Hit(Leg.TEXT, 1, 0.9, 0.3), Hit(Leg.SEMANTIC, 4, 0.5, 0.6))
    assert Fused("m", found, 0.1).relevance == 0.6
    assert Fused("m", (), 0.1).relevance == 0.0
    out = Fused("m", (), 0.1, number=3).dropped(Drop.BUDGET)
    assert (out.drop, out.number) == (Drop.BUDGET, None)
    old = memory(id="old", successor=Successor("new", Succession.UPDATES))
    assert order(old, memory(id="other"), memory(id="new")) == ["other", "new", "old"]
    one = memory(id="one", successor=Successor("two", Succession.UPDATES))
    two = memory(id="two", successor=Successor("one", Succession.UPDATES))
    assert set(order(one, two)) == {"one", "two"}
    first, second, third = (
        Recalled((memory(id=name),), name, Trace(name, (), ())) for name in ("a", "b", "c")
    )
    together = first.followed_by(second).followed_by(third)
    assert [kept.id for kept in together.memories] == ["a", "b", "c"]
    assert together.block == "a\nb\nc"
    assert together.trace == Trace("a", (), (), later=(second.trace, third.trace))


def test_a_candidate_that_is_weighed_or_dropped_is_otherwise_as_it_was() -> None:
    full = Fused(
        memory="m1",
        hits=(Hit(Leg.TEXT, 1, 0.5, 0.5),),
        score=0.4,
        via="m2",
        number=3,
        drop=Drop.LIMIT,
        rrf=0.1,
        reasons=((Column.WORDS, 0.5),),
        columns=(1.0,),
        rerank=0.7,
        behind="m3",
    )
    empty = Fused("m1", (), 0.0)
    told = {field.name for field in fields(full)} - {"memory"}
    assert all(getattr(full, name) != getattr(empty, name) for name in told)
    assert full.dropped(Drop.GONE) == replace(full, drop=Drop.GONE, number=None)
    weighed = full.weighed(0.2, ((Column.TIME, 1.0),), (2.0,))
    told_anew = replace(full, score=0.2, reasons=((Column.TIME, 1.0),), columns=(2.0,))
    assert weighed == told_anew
    assert (weighed.columns, full.dropped(Drop.GONE).columns) == ((2.0,), (1.0,))
