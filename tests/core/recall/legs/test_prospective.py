"""Intentions are found by meaning, however old they are, and two of them are shown."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.recall import pipeline
from astrbot_plugin_tidemark.core.recall.trace import Drop, Leg, LegState
from astrbot_plugin_tidemark.core.scoring.decision import PLACES, Column, Footing

from ....samples import ANNS
from .asked import Shelf, drops, hits, reports, said, texts

PLAN = "Ann wants to build a shed for her goats"
ASKED = "What does Ann want to build for her goats?"


def plan(text: str, days_ago: float = 1.0, **changes: object):
    return said(text, days_ago, kind=Kind.PROSPECTIVE, **changes)


@pytest.fixture
def dense(monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedder counts as one that knows meanings, from the choice of an intention's legs on."""
    monkeypatch.setattr(pipeline, "footing", lambda *_: Footing.DENSE)


@pytest.mark.usefixtures("dense")
async def test_an_intention_is_found_by_its_meaning_and_scores_by_it(shelf: Shelf) -> None:
    await shelf.keep(plan(PLAN), said("The goats are ill", 1))
    recalled = await shelf.ask(ASKED, shelf.dense)
    (found,) = [c for c in recalled.trace.candidates if c.memory == PLAN]
    assert PLAN in texts(recalled)
    assert {hit.leg for hit in found.hits} == {Leg.SEMANTIC, Leg.PROSPECTIVE}
    assert set(hits(recalled, Leg.PROSPECTIVE)) == {PLAN}
    assert found.columns[PLACES[Column.WORDS]] == 0.0


async def test_an_old_intention_scores_exactly_as_a_new_one(shelf: Shelf) -> None:
    one, other = (replace(ANNS, persona=persona).key for persona in ("poet", "cook"))
    await shelf.keep(plan(PLAN, 2_000, id="old", scope=one), plan(PLAN, 0, id="new", scope=other))
    scores: list[float] = []
    for scope in (one, other):
        recalled = await shelf.ask(ASKED, shelf.dense, scopes=frozenset({scope}))
        scores += [c.score for c in recalled.trace.candidates]
    assert scores[0] == scores[1]


async def test_of_more_intentions_than_two_others_are_left_out_for_the_quota(shelf: Shelf) -> None:
    await shelf.keep(
        *(plan(f"{PLAN} {where}") for where in ("by the pond", "in spring", "of red bricks")),
        said("The goats of Ann build nothing", 1),
    )
    recalled = await shelf.ask(ASKED, shelf.dense)
    kinds = [record.kind for record in recalled.memories]
    assert kinds.count(Kind.PROSPECTIVE) == 2
    assert list(drops(recalled).values()).count(Drop.QUOTA) == 1


FAR = plan("goats " + "and something wholly different about tax returns " * 5, id="far")


@pytest.mark.usefixtures("dense")
async def test_an_intention_far_from_the_question_is_not_shown_for_its_words(shelf: Shelf) -> None:
    await shelf.keep(FAR, said("The goats are ill", 1))
    recalled = await shelf.ask("goats?", shelf.dense)
    assert drops(recalled)["far"] is Drop.IRRELEVANT


async def test_where_vectors_know_only_words_those_of_an_intention_find_it(shelf: Shelf) -> None:
    await shelf.keep(FAR, said("The goats are ill", 1))
    recalled = await shelf.ask("goats?", shelf.dense)
    assert FAR.text in texts(recalled)


async def test_without_meaning_the_words_of_an_intention_find_it(shelf: Shelf) -> None:
    await shelf.keep(plan(PLAN))
    recalled = await shelf.ask(ASKED)
    assert texts(recalled) == [PLAN]
    assert reports(recalled)[Leg.PROSPECTIVE].state is LegState.OFF
    await shelf.keep(plan(PLAN))
    shelf.embedder.down = True
    recalled = await shelf.ask(ASKED, shelf.dense)
    assert texts(recalled) == [PLAN]
    assert reports(recalled)[Leg.PROSPECTIVE].state is LegState.FAILED


async def test_the_question_is_embedded_once_for_both_legs_by_meaning(shelf: Shelf) -> None:
    await shelf.keep(plan(PLAN))
    shelf.embedder.calls = 0
    await shelf.ask(ASKED, shelf.dense)
    assert shelf.embedder.calls == 1
