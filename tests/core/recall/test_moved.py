"""A raw turn keeps its old day: when what it tells of has been put off, its line says so."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.intentions import Intention
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Succession, Successor
from astrbot_plugin_tidemark.core.recall.moved import behind_their_new_days, moved_since
from astrbot_plugin_tidemark.core.recall.trace import Fused

from ...samples import memory


def at(day: int, hour: int = 9) -> float:
    return datetime(2025, 6, day, hour, tzinfo=UTC).timestamp()


def planned(id: str, day: int, *turns: int, **changes: Any) -> Memory:
    plan = memory(f"plan {id}", id=id, kind=Kind.PROSPECTIVE, intention=Intention(due_at=at(day)))
    return replace(plan, origin=Origin("", "", "", turns), **changes)


def raw(text: str, turn: int = 1) -> Memory:
    said = memory(text, id=text, kind=Kind.EVIDENCE, created_at=at(16))
    return replace(said, origin=Origin("", "", "", (turn,)))


def moved(shown: Memory, *known: Memory) -> float | None:
    records = {each.id: each for each in (shown, *known)}
    return moved_since([shown], records, UTC).get(shown.id)


DENTIST = raw("I've got the dentist on Thursday at 2")


def test_of_what_a_later_turn_has_put_off_the_first_says_when_it_is() -> None:
    """Asked when the dentist is, the bot was shown the old Thursday and nothing else."""
    assert moved(DENTIST, planned("p", 23, 1, 7)) == at(23)
    assert moved(DENTIST, planned("p", 19, 1, 7)) is None
    assert moved(DENTIST, planned("p", 19, 1)) is None
    assert moved(raw("I must see the dentist"), planned("p", 23, 1, 7)) is None
    assert moved(DENTIST, planned("p", 23, 1, 7), planned("q", 25, 1, 7)) is None
    assert moved(DENTIST, planned("p", 23, 2, 7)) is None
    assert moved(raw("the dentist's moved to Monday", 7), planned("p", 23, 1, 7)) is None


def test_of_what_learning_has_updated_the_turn_says_it_too() -> None:
    old = planned("old", 19, 1, successor=Successor("new", Succession.UPDATES))
    assert moved(DENTIST, old, planned("new", 23, 7)) == at(23)
    dated = replace(old, text="Ann sees the dentist on 19 June 2025")
    assert moved(dated, planned("new", 23, 7)) == at(23)


def order(*said: Memory) -> list[str]:
    records = {each.id: each for each in said}
    found = [Fused(each.id, (), 1.0 - place / 10) for place, each in enumerate(said)]
    return [each.memory for each in behind_their_new_days(found, records, UTC)]


def told(text: str, day: int, speaker: str = "901") -> Memory:
    said = memory(text, id=text, kind=Kind.EVIDENCE, created_at=at(day))
    return replace(said, speaker=Speaker(speaker, speaker))


FIRST, SECOND = told("聚会是6月29日", 2), told("聚会改到7月5日了", 3)


def test_of_what_was_told_for_two_days_the_later_told_stands_first() -> None:
    """Whatever words tell that it was moved: the day is another, the rest is said again."""
    other = told("今天真热", 3)
    assert order(FIRST, other, SECOND) == [SECOND.id, FIRST.id, other.id]
    english = [told("The offsite is on June 29", 1), told("The offsite got moved to July 5", 2)]
    assert order(*english) == [each.id for each in reversed(english)]
    assert moved(english[0], english[1]) is None
    shown = moved_since(english, {each.id: each for each in english}, UTC)
    assert shown[english[0].id] == datetime(2025, 7, 5, tzinfo=UTC).timestamp()


def test_the_same_day_another_matter_another_person_and_a_question_move_nothing() -> None:
    for later in (
        told("聚会还是6月29日", 3),
        told("我7月5日去看牙医", 3),
        told("聚会改到7月5日了", 3, "902"),
        told("聚会是7月5日吗？", 3),
        told("聚会改到7月5日了", 1),
    ):
        assert order(FIRST, later) == [FIRST.id, later.id]
