"""Several episodes in one call: their numbers, and whose each thing learnt is."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.capture.covering import Gap
from astrbot_plugin_tidemark.core.capture.joint import (
    MOST_BESIDE,
    MOST_TURNS,
    EpisodeReading,
    JoinedEpisode,
    Joint,
    are_many,
    fitting,
    pieces,
    together,
)
from astrbot_plugin_tidemark.core.model.conversation import Episode, Role, Speaker
from astrbot_plugin_tidemark.core.model.lesson import Candidate, Lesson

from ...samples import HERE, memory, turn

CEDAR, TEACHER, BEES = (memory(text, id=text) for text in ("cedar", "teacher", "bees"))
FIRST = JoinedEpisode("e1", [turn(1, "a"), turn(2, "b", Role.ASSISTANT)], [CEDAR, TEACHER])
SECOND = JoinedEpisode("e2", [turn(3, "c"), turn(4, "d", Role.ASSISTANT)], [CEDAR])
BOTH = Joint([FIRST, SECOND], [BEES, CEDAR])


def test_a_memory_shown_twice_has_a_number_for_each_time() -> None:
    assert [m.id for m in BOTH.known.values()] == ["cedar", "teacher", "cedar", "bees"]


def test_each_part_has_its_own_verdicts_and_what_was_learnt_from_it() -> None:
    lesson = Lesson(
        "about both",
        (Candidate("early", "", (1, 2)), Candidate("late", "", (2, 3), causes=(1, 4))),
        useful=frozenset({2, 3, 4}),
        done=frozenset({4}),
    )
    first, second = BOTH.lessons(lesson)
    assert [(c.text, c.turns) for c in first.candidates] == [("early", (1, 2))]
    assert [(c.text, c.turns, c.causes) for c in second.candidates] == [("late", (1,), (2,))]
    assert (first.useful, second.useful) == ({2}, {3})
    assert (first.summary, second.summary) == ("", "about both")
    assert (first.done, second.done) == (frozenset(), {4})


def test_where_nobody_has_judged_nobody_has_in_any_part() -> None:
    assert [each.useful for each in BOTH.lessons(Lesson())] == [None, None]


def test_what_rests_on_another_persons_earlier_episode_is_not_learnt() -> None:
    bens = replace(FIRST, turns=[turn(1, "a", speaker=Speaker("902", "Ben"))])
    joint = Joint([bens, SECOND])
    assert [
        each.candidates for each in joint.lessons(Lesson("", (Candidate("x", "", (1, 2)),)))
    ] == [
        (),
        (),
    ]


def test_readings_are_put_together_in_the_order_of_their_times() -> None:
    first = EpisodeReading(Joint([FIRST], [BEES]), (Gap(frozenset({1}), {1: 3}),), awaiting=True)
    second = EpisodeReading(Joint([SECOND]), (Gap(frozenset({1})),))
    reading = together(second, [first])
    assert [part.episode for part in reading.joint.parts] == ["e1", "e2"]
    assert reading.joint.known[4] is BEES
    assert [dict(found.covered) for found in reading.gaps] == [{1: 4}, {}]
    assert reading.awaiting
    assert reading.news


def test_of_several_with_news_the_nearest_of_each_are_known() -> None:
    near = [[memory(f"{part}-{n}", id=f"{part}-{n}") for n in range(MOST_BESIDE)] for part in "ab"]
    news = (Gap(frozenset({1})),)
    first = EpisodeReading(Joint([FIRST], near[0]), news)
    second = EpisodeReading(Joint([SECOND], near[1]), news)
    beside = [m.id for m in together(second, [first]).joint.beside]
    assert beside[:4] == ["a-0", "b-0", "a-1", "b-1"]
    assert len(beside) == MOST_BESIDE


def test_a_call_takes_along_what_it_has_room_for() -> None:
    own, *held = (Episode(f"e{n}", HERE, 0.0, 0.0, 20, 100) for n in range(5))
    assert [each.id for each in fitting(own, held)] == ["e1", "e2"]
    assert fitting(replace(own, turns=MOST_TURNS), held) == []
    assert fitting(replace(own, characters=12_000), held) == []
    assert not are_many([own])
    assert are_many([own, *held[:1]])
    assert are_many([replace(own, characters=12_000)])


def test_turns_are_halved_by_length_before_a_line_of_a_person() -> None:
    turns = [
        turn(1, "a" * 10),
        turn(2, "b" * 10, Role.ASSISTANT),
        turn(3, "c"),
        turn(4, "d" * 30, Role.ASSISTANT),
        turn(5, "e"),
    ]
    assert pieces(turns, 0) == [turns]
    assert pieces(turns, 1) == [turns[:2], turns[2:]]
    assert pieces(turns, 2) == [turns[:2], turns[2:4], turns[4:]]
    assert pieces(turns[:2], 3) == [turns[:2]]
    assert pieces([], 1) == [[]]
