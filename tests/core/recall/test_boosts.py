"""What moves a candidate beside how well it fits, and how far."""

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Entity
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Succession, Successor, Vitality
from astrbot_plugin_tidemark.core.recall.boosts import (
    MOST_USEFUL,
    NEWEST,
    SPEAKER,
    TRUST_SPAN,
    adjusted,
    named,
    substance,
)
from astrbot_plugin_tidemark.core.recall.selection import is_question
from astrbot_plugin_tidemark.core.recall.trace import Boost, Fused
from hypothesis import given, settings
from hypothesis import strategies as st

from ...samples import memory

quick = settings(max_examples=80, deadline=None)
YEAR = 365 * 86_400.0


def moved(*records: Memory, asked: str = "bees", now: float = 0.0) -> list[Fused]:
    candidates = [Fused(record.id, (), 0.5 - place / 1000) for place, record in enumerate(records)]
    known = {record.id: record for record in records}
    return adjusted(candidates, known, asked, now=now)


@pytest.mark.parametrize(
    ("name", "asked", "is_named"),
    [
        ("Ann", "where does ann live", True),
        ("Ann", "the annex is open", False),
        ("小雨", "小雨放假了吗", True),
        ("雨", "今天下雨", False),
        ("the", "the bees", False),
        ("我们", "我们走吧", False),
        ("", "bees", False),
        ("C++", "c++ or rust", True),
    ],
)
def test_a_name_is_named_as_a_whole_word_unless_it_is_a_function_word(
    name: str, asked: str, is_named: bool
) -> None:
    assert named(name, asked) is is_named


def test_what_the_one_asked_about_said_comes_first() -> None:
    bens = memory(id="ben", speaker=Speaker("2", "Ben"))
    anns = memory(id="ann", speaker=Speaker("1", "Ann"))
    first, second = moved(bens, anns, asked="What does Ann keep?")
    assert (first.memory, second.memory) == ("ann", "ben")
    assert (Boost.SPEAKER, SPEAKER) in first.boosts
    assert (Boost.SPEAKER, -SPEAKER) in second.boosts


def test_where_nobody_found_is_named_nobody_is_moved_for_it() -> None:
    found = moved(memory(id="ben"), memory(id="ann", speaker=Speaker("1", "Ann")), asked="Zoe?")
    assert not [each for each in found if Boost.SPEAKER in dict(each.boosts)]


def raw(text: str) -> float:
    return substance(memory(text, kind=Kind.EVIDENCE))


def test_a_raw_turn_that_tells_much_comes_before_one_that_tells_little_and_one_that_asks() -> None:
    told = "I went to the lake with my sister and we saw a heron catch a fish near the old mill."
    assert raw(told) > raw("Wow, that's great, Ann!") > raw("Wow, what is that, Ann?")
    assert substance(memory(told)) == 0.0


@quick
@given(st.text(max_size=2_000), st.text(max_size=50))
def test_length_alone_never_moves_a_raw_turn_further_than_a_named_speaker(
    text: str, more: str
) -> None:
    assert abs(raw(text)) < SPEAKER
    assert raw(f"{text}.") <= raw(f"{text}{more}.") + 1e-9 or is_question(f"{text}{more}.")


def test_a_memory_that_does_not_mention_a_thing_is_not_put_back_for_it() -> None:
    goat = memory(id="goat", entities=(Entity("rosa", "Rosa"),))
    (first, second) = moved(memory(id="other"), goat, asked="Is Rosa a goat?")
    assert (first.memory, dict(first.boosts)[Boost.SPEAKER]) == ("goat", SPEAKER)
    assert Boost.SPEAKER not in dict(second.boosts)


def test_an_entity_of_the_memory_counts_like_its_speaker() -> None:
    goat = memory(id="goat", entities=(Entity("rosa", "Rosa"),))
    assert moved(memory(id="other"), goat, asked="Is Rosa a goat?")[0].memory == "goat"


def test_of_two_that_fit_alike_the_newer_comes_first() -> None:
    old, new = memory(id="old"), memory(id="new", created_at=YEAR)
    assert [each.memory for each in moved(old, new, now=YEAR)] == ["new", "old"]


def test_a_clock_set_back_makes_nothing_newer_than_new() -> None:
    (found,) = moved(memory(created_at=YEAR), now=0.0)
    assert dict(found.boosts)[Boost.AGE] == NEWEST


@quick
@given(st.floats(0, 1e10), st.floats(0, 1e10), st.floats(0, 1), st.floats(0, 1e6), st.floats(0, 1))
def test_age_use_and_trust_move_less_than_a_tenth(
    created: float, now: float, trust: float, useful: float, score: float
) -> None:
    record = memory(created_at=created, trust=trust, vitality=Vitality(1, useful_score=useful))
    (found,) = adjusted([Fused("m1", (), score)], {"m1": record}, "bees", now=now)
    bound = NEWEST + MOST_USEFUL + TRUST_SPAN / 2
    assert abs(found.score - score) <= bound + 1e-9
    assert bound < 0.1


def test_an_updated_memory_comes_right_after_its_update() -> None:
    old = memory(id="old", successor=Successor("new", Succession.UPDATES))
    order = moved(old, memory(id="other"), memory(id="new"))
    assert [each.memory for each in order] == ["other", "new", "old"]


def test_updates_in_a_circle_lose_nobody() -> None:
    one = memory(id="one", successor=Successor("two", Succession.UPDATES))
    two = memory(id="two", successor=Successor("one", Succession.UPDATES))
    assert {each.memory for each in moved(one, two)} == {"one", "two"}


def test_a_candidate_without_its_record_stays_as_it_is() -> None:
    found = Fused("gone", (), 0.3)
    assert adjusted([found], {}, "bees", now=0.0) == [found]
