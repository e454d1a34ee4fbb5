"""Who asks why gets what the best hits came from."""

import pytest
from astrbot_plugin_tidemark.core.graph.communities import CAUSED_BY
from astrbot_plugin_tidemark.core.model.knowledge import Relation
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Succession, Successor
from astrbot_plugin_tidemark.core.ports import Ancestor
from astrbot_plugin_tidemark.core.recall.legs.ways import DEPTH, FALL, LEADING, first_hits, traced
from astrbot_plugin_tidemark.core.recall.trace import Drop, Hit, Leg
from hypothesis import given
from hypothesis import strategies as st

from .asked import Shelf, drops, hits, reports, said, texts

WHY = "Why did Ann move the hives behind the chapel?"
MOVED = "Ann moved the hives behind the chapel"


def caused(id: str, text: str, *by: str, **changes: object) -> Memory:
    relations = tuple(Relation(id, CAUSED_BY, cause) for cause in by)
    return said(text, 1, id=id, relations=relations, **changes)


async def test_who_asks_why_gets_causes_and_nobody_else(shelf: Shelf) -> None:
    await shelf.keep(
        caused("moved", MOVED, "flood"),
        caused("flood", "A flood came over Zürich's meadow", "rain"),
        said("Rain for six weeks", 9, id="rain"),
    )
    recalled = await shelf.ask(WHY, shelf.dense)
    assert [record.id for record in recalled.memories] == ["moved", "flood", "rain"]
    found = hits(recalled, Leg.CAUSAL)
    assert {id: hit.via for id, hit in found.items()} == {"flood": "moved", "rain": "flood"}
    assert found["rain"].relevance == pytest.approx(FALL * found["flood"].relevance)
    await shelf.keep(caused("moved", MOVED, "flood"), said("A flood", 2, id="flood"))
    asked = "Where did Ann move the hives, behind the chapel?"
    recalled = await shelf.ask(asked, shelf.dense)
    assert Leg.CAUSAL not in reports(recalled)
    assert hits(recalled, Leg.CAUSAL) == {}


async def test_a_raw_turn_leads_to_the_causes_of_what_was_learnt_from_it(shelf: Shelf) -> None:
    turn = Origin(turns=(7,))
    await shelf.keep(
        said(MOVED, 1, kind=Kind.EVIDENCE, origin=turn, id="raw"),
        caused("learnt", "They stand elsewhere now", "flood", origin=turn),
        said("Water everywhere", 2, id="flood"),
    )
    recalled = await shelf.ask(WHY)
    assert "flood" in {record.id for record in recalled.memories}


async def test_a_cause_that_was_replaced_is_not_shown(shelf: Shelf) -> None:
    old = said("A drought", 3, id="old", successor=Successor("x", Succession.CORRECTS))
    await shelf.keep(caused("moved", MOVED, "old"), old)
    recalled = await shelf.ask(WHY)
    assert drops(recalled)["old"] is Drop.GONE
    await shelf.keep(
        caused("moved", MOVED, "ben"), said("Ben's secret", 3, id="ben", scope="other")
    )
    recalled = await shelf.ask(WHY)
    assert "ben" not in drops(recalled)


async def test_cycles_or_self_edges_end(shelf: Shelf) -> None:
    await shelf.keep(
        caused("moved", MOVED, "moved", "flood"),
        caused("flood", "Water everywhere", "moved", "flood", "rain"),
        caused("rain", "Clouds", "flood"),
    )
    recalled = await shelf.ask(WHY)
    ids = [c.memory for c in recalled.trace.candidates]
    assert sorted(ids) == ["flood", "moved", "rain"]
    assert set(hits(recalled, Leg.CAUSAL)) <= {"flood", "rain"}


async def test_a_long_chain_is_followed_so_far(shelf: Shelf) -> None:
    chain = [caused(f"c{n}", f"Link {'xyz' * n}", f"c{n + 1}") for n in range(1, 9)]
    await shelf.keep(caused("moved", MOVED, "c1"), *chain)
    recalled = await shelf.ask(WHY)
    assert set(hits(recalled, Leg.CAUSAL)) == {f"c{n}" for n in range(1, DEPTH + 1)}


async def test_the_first_hits_by_meaning_or_by_words_are_traced(shelf: Shelf) -> None:
    meant = [(id, Hit(Leg.SEMANTIC, 1, 0.5, 0.5)) for id in "abc"]
    worded = [(id, Hit(Leg.TEXT, 1, 0.5, 0.4)) for id in "xyz"]
    noise = [("n", Hit(Leg.SEMANTIC, 1, 0.5, LEADING / 2))]
    assert list(first_hits({Leg.SEMANTIC: meant, Leg.TEXT: worded})) == ["a", "b"]
    assert list(first_hits({Leg.SEMANTIC: [], Leg.TEXT: worded})) == ["x", "y"]
    assert first_hits({Leg.SEMANTIC: noise}) == first_hits({}) == {}
    await shelf.keep(caused("moved", MOVED, "flood"), said("Water everywhere", 2, id="flood"))
    recalled = await shelf.ask(WHY)
    assert "Water everywhere" in texts(recalled)


@given(st.lists(st.integers(0, 20), max_size=20), st.floats(0, 1))
def test_relevance_falls_with_every_step(parents: list[int], root: float) -> None:
    told: list[Ancestor] = []
    depth = {"root": 0}
    for number, parent in enumerate(parents):
        of = ["root", *(each.memory for each in told)][parent % (len(told) + 1)]
        depth[str(number)] = depth[of] + 1
        told.append(Ancestor(str(number), of, CAUSED_BY, depth[str(number)]))
    told.sort(key=lambda each: each.distance)
    found = traced({"root": root}, told)
    assert [hit.rank for _, hit in found] == list(range(1, len(told) + 1))
    for memory, hit in found:
        assert hit.relevance == pytest.approx(root * FALL ** depth[memory])
