"""An episode as it is read: what is known by number, and its halves."""

from astrbot_plugin_tidemark.core.capture.covering import Gap
from astrbot_plugin_tidemark.core.capture.reading import EpisodeReading, pieces
from astrbot_plugin_tidemark.core.model.conversation import Role

from ...samples import memory, turn

CEDAR, TEACHER, BEES = (memory(text, id=text) for text in ("cedar", "teacher", "bees"))
SPOKEN = [turn(1, "a"), turn(2, "b", Role.ASSISTANT)]


def test_shown_memories_have_the_first_numbers_and_each_has_one() -> None:
    reading = EpisodeReading("e1", SPOKEN, [CEDAR, TEACHER], beside=[BEES, CEDAR])
    assert [each.id for each in reading.known.values()] == ["cedar", "teacher", "bees"]
    assert [each.id for each in reading.brought_up.values()] == ["cedar", "teacher"]


def test_a_call_is_made_for_what_is_new_or_waits_for_a_verdict() -> None:
    nothing = EpisodeReading("e1", SPOKEN, [CEDAR])
    assert nothing.tells_nothing
    assert not EpisodeReading("e1", SPOKEN, gap=Gap(frozenset({1}))).tells_nothing
    judged = frozenset({"cedar"})
    assert not EpisodeReading("e1", SPOKEN, [CEDAR], judged=judged).tells_nothing
    again = Gap(frozenset({1}), {1: 1})
    assert EpisodeReading("e1", SPOKEN, [CEDAR], judged=judged, gap=again).tells_nothing


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
