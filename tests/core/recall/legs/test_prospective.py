"""Intentions by meaning, however old; and what happened at the time that is asked about."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.languages.times import Interval
from astrbot_plugin_tidemark.core.model.memory import Kind, Origin
from astrbot_plugin_tidemark.core.recall import pipeline
from astrbot_plugin_tidemark.core.recall.legs.ways import MOST, MOST_TIMES, past_first
from astrbot_plugin_tidemark.core.recall.trace import Drop, Leg, LegState, SilenceReason
from astrbot_plugin_tidemark.core.scoring.decision import PLACES, Column, Footing
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED

from ....deciding import showing
from ....samples import ANNS, DAY
from .asked import NOW, Shelf, drops, hits, reports, said, texts

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


@pytest.mark.parametrize("text", ["昨天我们聊了什么", "What did we talk about yesterday?"])
async def test_what_happened_in_the_time_asked_about_is_shown(shelf: Shelf, text: str) -> None:
    await shelf.keep(
        said("goats in the kitchen", 1.1),
        said("a new roof", 0.9),
        said("the boat leaks", 1.3, kind=Kind.EVIDENCE, origin=Origin(turns=(3,))),
        said("we talked about what we talk about 我们聊天", 4),
    )
    recalled = await shelf.ask(text, shelf.dense)
    shown = texts(recalled)
    assert {"a new roof", "goats in the kitchen", "the boat leaks"} <= set(shown)
    assert recalled.trace.silence is None
    ((start, end),) = recalled.trace.times
    assert NOW - 2 * DAY < start < end < NOW


async def test_a_raw_turn_is_found_by_the_day_it_tells_of_and_its_own(shelf: Shelf) -> None:
    told = said("the goats got out last night", 1.1, kind=Kind.EVIDENCE, origin=Origin(turns=(3,)))
    await shelf.keep(replace(told, happened_at=told.created_at - DAY))
    for text in ("What happened yesterday?", "What happened the day before yesterday?"):
        recalled = await shelf.ask(text)
        assert texts(recalled) == ["the goats got out last night"]


async def test_what_shares_words_comes_first_within_the_limit(shelf: Shelf) -> None:
    await shelf.keep(
        said("the boat leaks", 1), said("Ann cooked porridge", 1.1), said("Ann cooked soup", 9)
    )
    fitted = showing(shelf.store, fitted=FITTED)
    recalled = await shelf.ask("What did Ann cook yesterday?", fitted)
    assert texts(recalled)[0] == "Ann cooked porridge"
    await shelf.keep(*(said(f"goat number {n} is ill", 1 + n / 1000) for n in range(MOST + 5)))
    recalled = await shelf.ask("What happened yesterday?", limit=3)
    assert len(texts(recalled)) == 3
    assert reports(recalled)[Leg.TIME].hits == MOST
    small = await shelf.ask("What happened yesterday?", budget=70)
    assert 0 < len(small.memories) < 8


async def test_what_lies_in_or_before_the_time_asked_about_is_nearer(shelf: Shelf) -> None:
    await shelf.keep(said("Ann cooked soup", 1), said("Ann cooked soup of beans", 40))
    recalled = await shelf.ask("What did Ann cook yesterday?")
    near = {c.memory: c.columns[PLACES[Column.TIME]] for c in recalled.trace.candidates}
    assert near["Ann cooked soup"] > near["Ann cooked soup of beans"]
    past, today, coming = Interval(0, 10), Interval(90, 110), Interval(200, 300)
    assert past_first([coming, past, today], 100.0) == [past, coming, today]


async def test_without_a_time_nobody_looks_for_one(shelf: Shelf) -> None:
    await shelf.keep(said("goats in the kitchen", 30))
    recalled = await shelf.ask("What did we do yesterday?")
    assert recalled.trace.silence is SilenceReason.NOTHING_FOUND
    await shelf.keep(said("Ann cooked soup", 1))
    recalled = await shelf.ask("What does Ann cook?")
    assert Leg.TIME not in reports(recalled)
    assert recalled.trace.times == ()
    assert all(c.columns[PLACES[Column.TIME]] == 0.0 for c in recalled.trace.candidates)


@pytest.mark.parametrize("text", ["What did we do on Friday?", "What is planned for Friday?"])
async def test_of_two_fridays_both_are_told(shelf: Shelf, text: str) -> None:
    await shelf.keep(said("swam", 5), said("will sail", -2, kind=Kind.PROSPECTIVE))
    recalled = await shelf.ask(text)
    assert set(texts(recalled)) == {"swam", "will sail"}


async def test_some_of_many_times_count(shelf: Shelf) -> None:
    await shelf.keep(said("a new roof", 1))
    days = ", ".join(f"2024-01-{day:02}" for day in range(1, 13))
    recalled = await shelf.ask(f"What happened yesterday, {days}?")
    assert len(recalled.trace.times) > MOST_TIMES
    assert texts(recalled) == ["a new roof"]
