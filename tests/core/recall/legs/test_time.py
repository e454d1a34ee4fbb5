"""A time that is asked about finds what happened then, and nothing else when it is all asked."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.languages.times import Interval
from astrbot_plugin_tidemark.core.model.memory import Kind, Origin
from astrbot_plugin_tidemark.core.recall.legs.ways import MOST, MOST_TIMES, past_first
from astrbot_plugin_tidemark.core.recall.trace import Leg, SilenceReason
from astrbot_plugin_tidemark.core.scoring.decision import PLACES, Column
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED

from ....deciding import showing
from .asked import NOW, Shelf, reports, said, texts

DAY = 86_400.0


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
