"""A raw turn keeps its old day: when what it tells of has been put off, its line says so."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from astrbot_plugin_tidemark.core.model.intentions import Intention
from astrbot_plugin_tidemark.core.model.memory import (
    Kind,
    Memory,
    Origin,
    Succession,
    Successor,
)
from astrbot_plugin_tidemark.core.recall.moved import moved_since

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


def test_a_turn_that_names_the_day_it_is_for_has_not_moved() -> None:
    assert moved(DENTIST, planned("p", 19, 1, 7)) is None
    assert moved(DENTIST, planned("p", 19, 1)) is None


def test_a_turn_without_a_day_or_of_several_plans_says_nothing() -> None:
    assert moved(raw("I must see the dentist"), planned("p", 23, 1, 7)) is None
    assert moved(DENTIST, planned("p", 23, 1, 7), planned("q", 25, 1, 7)) is None
    assert moved(DENTIST, planned("p", 23, 2, 7)) is None


def test_the_turn_that_put_it_off_names_the_new_day() -> None:
    assert moved(raw("the dentist's moved to Monday", 7), planned("p", 23, 1, 7)) is None


def test_of_what_learning_has_updated_the_turn_says_it_too() -> None:
    old = planned("old", 19, 1, successor=Successor("new", Succession.UPDATES))
    assert moved(DENTIST, old, planned("new", 23, 7)) == at(23)
    dated = replace(old, text="Ann sees the dentist on 19 June 2025")
    assert moved(dated, planned("new", 23, 7)) == at(23)
