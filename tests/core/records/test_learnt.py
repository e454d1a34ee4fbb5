"""Candidates become memories, the same however often it is done."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Episode, Role, Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Relation
from astrbot_plugin_tidemark.core.model.lesson import Candidate, Stated
from astrbot_plugin_tidemark.core.model.memory import (
    Extractor,
    Facet,
    Kind,
    Memory,
    Source,
    Succession,
    Successor,
)
from astrbot_plugin_tidemark.core.records.learnt import (
    memories_of,
    memory_id,
    replaced_by,
    without_correction,
)

from ...samples import ANN, HERE, memory, turn

JOURNAL = "6b1f2f3e-5e0f-4a53-9a06-6d8d0a5c2a11"
BOB = Speaker("902", "Bob")
TURNS = [
    turn(11, "I keep bees"),
    turn(12, "How many hives?", Role.ASSISTANT),
    turn(13, "Bob said three", speaker=BOB),
]


def remembered(*candidates: Candidate, known: dict[int, str] | None = None) -> list[Memory]:
    return memories_of(
        candidates,
        Episode("e1", HERE, 11.0, 13.0, 3, 40),
        TURNS,
        known or {},
        journal=JOURNAL,
        extractor=Extractor.MODEL,
    )


def fact(*turns: int, **changes: object) -> Candidate:
    return replace(Candidate("Ann keeps bees", "bees", turns or (1,)), **changes)


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("Ann's aunt", "@/aunt"),
        ("Ann的姑姑", "@/aunt"),
        ("the user's mother", "@/mother"),
        ("用户的妈妈", "@/mother"),
        ("Bob's aunt", "bob's aunt"),
        ("Bob的姑姑", "bob的姑姑"),
        ("Ann's bees", "ann's bees"),
        ("Carol", "carol"),
    ],
)
def test_a_relative_told_with_whose_they_are_is_the_speakers(name: str, subject: str) -> None:
    """What was learnt of "Ruth's aunt" was not found by who asked of an aunt."""
    [learnt] = remembered(fact(about=(name,), claim=Stated("job", "nurse")))
    assert learnt.claim.subject == subject


def test_a_candidate_has_one_id_in_one_episode_and_place() -> None:
    ids = [memory_id(JOURNAL, "e1", number) for number in (0, 1)]
    assert [m.id for m in remembered(fact(), fact())] == ids
    assert remembered(fact(), fact()) == remembered(fact(), fact())


def test_a_memory_is_as_old_as_its_last_source_and_as_strong_as_it_matters() -> None:
    (learnt,) = remembered(fact(1, 3))
    assert (learnt.created_at, learnt.happened_at) == (13.0, 13.0)
    assert learnt.origin.turns == (11, 13)
    assert (learnt.origin.episode, learnt.scope) == ("e1", HERE.scope)
    (learnt,) = remembered(fact(happened_at=5.0))
    assert (learnt.created_at, learnt.happened_at) == (11.0, 5.0)
    trivial, vital = remembered(fact(importance=0.0), fact(importance=1.0))
    assert (trivial.vitality.strength, vital.vitality.strength) == (4, 8)


@pytest.mark.parametrize(
    ("turns", "source", "trust", "speaker"),
    [
        ((1,), Source.USER, 0.9, ANN),
        ((3,), Source.USER, 0.9, BOB),
        ((2, 3), Source.USER, 0.9, BOB),
        ((2,), Source.BOT, 0.5, TURNS[1].speaker),
    ],
)
def test_who_said_it_vouches_for_it(
    turns: tuple[int, ...], source: Source, trust: float, speaker: Speaker
) -> None:
    (learnt,) = remembered(fact(*turns))
    assert (learnt.source, learnt.trust, learnt.speaker) == (source, trust, speaker)


def test_a_correction_by_a_person_is_trusted_most_the_bots_is_its_word() -> None:
    (learnt,) = remembered(fact(1, follows=(4, Succession.CORRECTS)), known={4: "old"})
    assert (learnt.source, learnt.trust) == (Source.CORRECTION, 1.0)
    assert Relation(learnt.id, "corrects", "old") in learnt.relations
    (learnt,) = remembered(fact(2, follows=(4, Succession.CORRECTS)), known={4: "old"})
    assert learnt.source is Source.BOT


@pytest.mark.parametrize(
    ("kind", "given", "facet"),
    [
        (Kind.SEMANTIC, None, Facet.PREFERENCE),
        (Kind.PROCEDURAL, None, Facet.WORKFLOW),
        (Kind.EPISODIC, None, Facet.EPISODIC),
        (Kind.SEMANTIC, Facet.INSTRUCTION, Facet.INSTRUCTION),
    ],
)
def test_without_facet_it_has_its_kinds(kind: Kind, given: Facet | None, facet: Facet) -> None:
    (learnt,) = remembered(fact(kind=kind, facet=given))
    assert learnt.facet is facet


def test_a_corrected_memory_is_marked_wrong_an_updated_one_stays_true() -> None:
    old = replaced_by(memory(), "new", Succession.CORRECTS, "Ann keeps wasps", 9.0)
    assert old.successor == Successor("new", Succession.CORRECTS)
    assert (old.feedback.accurate, old.feedback.correction) == (False, "Ann keeps wasps")
    assert not old.recallable
    old = replaced_by(memory(), "new", Succession.UPDATES, "Ann sold a hive", 9.0)
    assert old.successor == Successor("new", Succession.UPDATES)
    assert old.feedback == memory().feedback
    assert old.recallable
    corrected = replaced_by(old, "newer", Succession.CORRECTS, "y", 9.0)
    assert corrected.successor == Successor("newer", Succession.CORRECTS)
    assert not corrected.recallable


@pytest.mark.parametrize("how", Succession)
def test_the_first_heir_stays(how: Succession) -> None:
    old = replaced_by(memory(), "new", how, "x", 9.0)
    assert replaced_by(old, "newer", how, "y", 9.0) == old
    assert replaced_by(old, "newer", Succession.UPDATES, "y", 9.0) == old


def test_the_text_of_a_correction_goes_with_the_memory_that_corrected() -> None:
    old = replaced_by(memory(), "new", Succession.CORRECTS, "Ann keeps wasps", 9.0)
    cleared = without_correction(old, {"new", "other"})
    assert (cleared.feedback.accurate, cleared.feedback.correction) == (False, None)
    assert cleared.successor == old.successor
    assert without_correction(old, {"other"}) == old
    assert without_correction(memory(), {"new"}) == memory()
