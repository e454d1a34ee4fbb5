"""The enriching call: what it is told to the letter, and what of its reply a text bears out."""

import json
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.languages.registry import learning_wording
from astrbot_plugin_tidemark.core.model.errors import ReplyMalformed
from astrbot_plugin_tidemark.core.model.knowledge import EventType, Relation
from astrbot_plugin_tidemark.core.model.lesson import NoteDetails
from astrbot_plugin_tidemark.core.model.memory import Memory, Mood
from astrbot_plugin_tidemark.core.prompts.enrich import VERSION, build, parse
from astrbot_plugin_tidemark.core.text.token_count import estimate_tokens
from hypothesis import given
from hypothesis import strategies as st

from .examples import memory

LONGEST_ESTIMATE = 450
"""Tokens of the instructions as we estimate them, on the safe side: some 350 by a tokenizer."""

GOLDEN = {1: {"en": "dd37a24d31cd223c", "zh": "0c39834442f44d4c"}}
"""By version, digests of instructions and schema: whoever changes them raises the version."""


def told(text: str, day: int = 1) -> Memory:
    return replace(memory(text), happened_at=float(day))


OSAKA = told("Anna took the night train to Osaka with Ben")
NOTES = [OSAKA, told("Anna is allergic to cashews", 2), told("小雨在大阪做凤凰计划的翻译", 3)]


def built(language: str = "en") -> Any:
    return build(NOTES, shown_time=lambda at: f"2025-06-0{at:.0f}", language=language)


def note(letter: str = "A", **changes: Any) -> dict[str, Any]:
    return {
        "letter": letter,
        "entities": [],
        "relations": [],
        "event": None,
        "cause": None,
        "mood": "neutral",
        "asked": [],
        "needed": "",
        "without": "",
        **changes,
    }


def parsed(*notes: dict[str, Any]) -> dict[int, NoteDetails]:
    return parse(json.dumps({"notes": notes}), NOTES)


def named(*names: object, letter: str = "A") -> list[tuple[str, str]]:
    found = parsed(note(letter, entities=list(names)))[NOTES_BY[letter]]
    return [(each.name, each.type) for each in found.entities]


NOTES_BY = {"A": 1, "B": 2, "C": 3}


def test_the_notes_have_letters_days_and_who_said_them() -> None:
    prompt = built()
    assert prompt.user.splitlines() == [
        "Notes:",
        "A. (2025-06-01) Anna: Anna took the night train to Osaka with Ben",
        "B. (2025-06-02) Anna: Anna is allergic to cashews",
        "C. (2025-06-03) Anna: 小雨在大阪做凤凰计划的翻译",
    ]
    letters = prompt.schema["properties"]["notes"]["items"]["properties"]["letter"]["enum"]
    assert letters == ["A", "B", "C"]
    assert prompt.name == "enrich"
    assert prompt.system.startswith(f"tidemark:enrich/{VERSION}\n")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_instructions_of_one_version_never_change_and_are_short(language: str) -> None:
    prompt = built(language)
    told = prompt.system + json.dumps(prompt.schema, sort_keys=True)
    assert blake2b(told.encode(), digest_size=8).hexdigest() == GOLDEN[VERSION][language]
    assert estimate_tokens(prompt.system) <= LONGEST_ESTIMATE


def test_what_is_told_of_a_note_is_read() -> None:
    found = parsed(
        note(
            "C",
            entities=[{"name": "大阪", "type": "place"}, {"name": "凤凰计划", "type": "project"}],
            relations=[{"subject": "凤凰计划", "predicate": "在", "object": "大阪"}],
            event="project",
            cause="A",
            mood="positive",
            asked=["谁在日本工作？", "翻译的活儿有谁会？"],
            needed="要找日语翻译的时候",
            without="会把她的城市弄错",
        )
    )[3]
    assert [(each.id, each.type) for each in found.entities] == [
        ("大阪", "place"),
        ("凤凰计划", "project"),
    ]
    assert found.relations == (Relation("凤凰计划", "在", "大阪"),)
    assert (found.event, found.cause) == (EventType.PROJECT, 1)
    assert found.sentiment.mood is Mood.POSITIVE
    assert found.cues == (
        "谁在日本工作？",
        "翻译的活儿有谁会？",
        "要找日语翻译的时候",
        "会把她的城市弄错",
    )


def test_a_name_stands_in_the_text_as_a_word_and_is_somebodys() -> None:
    assert named("Osaka", "Tokyo", "Kyoto") == [("Osaka", "thing")]
    assert named("Ben", "Be", "the", "with", "x" * 50) == [("Ben", "thing")]
    assert named({"name": "OSAKA", "type": "Place"}, {"name": "osaka", "type": "x"}) == [
        ("OSAKA", "place")
    ]
    assert named(OSAKA.text) == []
    # Where the script has capital letters a name has one.
    assert named("night train", "《Osaka》") == [("Osaka", "thing")]
    shown = [told("anna's cat fumo sleeps", 1)]
    reply = {"notes": [note(entities=["fumo"])]}
    assert [each.name for each in parse(json.dumps(reply), shown)[1].entities] == ["fumo"]
    assert named("用户", "2025", letter="C") == []


def test_the_speaker_is_no_entity_but_an_end_of_relations() -> None:
    ends = [
        {"subject": "Anna", "predicate": "went to", "object": "Osaka"},
        ["Ben", "went to", "Osaka"],
        {"subject": "Ben", "predicate": "likes", "object": "Tokyo"},
        {"subject": "Osaka", "predicate": "is", "object": "Osaka"},
        {"subject": "Anna", "predicate": "", "object": "Osaka"},
    ]
    found = parsed(note(entities=["Anna", "Osaka", "Ben"], relations=ends))[1]
    assert [each.id for each in found.entities] == ["osaka", "ben"]
    assert found.relations == (
        Relation("anna", "went to", "osaka"),
        Relation("ben", "went to", "osaka"),
    )


@pytest.mark.parametrize(
    ("letter", "cause", "number"),
    [("B", "A", 1), ("C", " b. ", 2), ("A", "B", 0), ("B", "B", 0), ("B", "Z", 0), ("B", 1, 0)],
)
def test_a_cause_is_a_note_shown_and_not_later(letter: str, cause: object, number: int) -> None:
    assert parsed(note(letter, cause=cause))[NOTES_BY[letter]].cause == number


def test_a_cue_says_what_the_note_does_not() -> None:
    found = parsed(
        note("A", asked=["night train to Osaka", "?", "Who travels by rail?"]),
        note(
            "B",
            asked=["When", "  Is satay\nsafe?  "],
            needed="x" * 300,
            without=["satay at dinner", "two"],
        ),
        note("A", asked=["Never"]),
    )
    assert found[1].cues == ()
    assert found[2].cues[0] == "Is satay safe?"
    assert len(found[2].cues[1]) == 120
    assert found[2].cues[2] == "satay at dinner"


def test_what_is_copied_or_not_shown_is_left_out() -> None:
    copied = [each for code in ("en", "zh") for each in examples(code)]
    assert len(copied) == 8
    found = parsed(note("A", asked=copied[:2], needed="planning"), note("B", needed="planning"))
    assert [each.cues for each in found.values()] == [(), ()]
    for each in copied:
        assert parsed(note(needed=each))[1].cues == ()
    found = parsed(note("X"), note("[b]", event="illness"), note("B", event="trip"), note(""))
    assert [*found] == [2]
    assert found[2].event is EventType.ILLNESS


def test_a_type_of_event_that_most_of_several_notes_have_is_none() -> None:
    """A model of 1.5 thousand million parameters called 18 of 18 notes a project."""
    shown = [told(f"Anna has seen film {number}", number) for number in range(1, 5)]
    replies = [note(letter, event="project") for letter in "ABCD"]
    found = parse(json.dumps({"notes": replies}), shown)
    assert [each.event for each in found.values()] == [None] * 4
    replies[2]["event"] = "trip"
    found = parse(json.dumps({"notes": replies}), shown)
    assert [each.event for each in found.values()] == [None, None, EventType.TRIP, None]


def examples(code: str) -> list[str]:
    example = learning_wording(code).enrich.splitlines()[-1]
    [shown] = json.loads(example)["notes"]
    return [*shown["asked"], shown["needed"], shown["without"]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"entities": 7},
        {"entities": [7, None, {"type": "place"}, {"name": ["x"]}]},
        {"relations": "Anna went"},
        {"relations": [["Anna"], 7, {}]},
        {"event": "holiday"},
        {"event": ["trip"]},
        {"cause": {"letter": "A"}},
        {"mood": 7},
        {"mood": "anxious"},
        {"asked": {"q": 1}},
        {"needed": None},
        {"without": 0.5},
    ],
)
def test_a_field_that_does_not_fit_falls_alone(wrong: dict[str, Any]) -> None:
    right = {"entities": ["Osaka"], "event": "trip", "needed": "booking rail tickets"}
    found = parsed(note(**{**right, **wrong}))[1]
    assert wrong.keys() & {"entities"} or [each.id for each in found.entities] == ["osaka"]
    assert wrong.keys() & {"event"} or found.event is EventType.TRIP
    assert wrong.keys() & {"needed"} or "booking rail tickets" in found.cues


@pytest.mark.parametrize("reply", ["no", "", '{"facts": 1}'])
def test_a_reply_without_notes_is_refused(reply: str) -> None:
    with pytest.raises(ReplyMalformed):
        parse(reply, NOTES)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
)
notes = st.fixed_dictionaries(
    {"letter": st.sampled_from("ABCD")},
    optional=dict.fromkeys(("entities", "relations", "cause", "mood", "asked", "needed"), values),
)


@given(st.text(max_size=60) | st.lists(notes, max_size=4).map(lambda n: json.dumps({"notes": n})))
def test_whatever_a_model_answers_is_read_or_refused(reply: str) -> None:
    with suppress(ReplyMalformed):
        for number, details in parse(reply, NOTES).items():
            text = NOTES[number - 1].text.casefold()
            assert all(each.id in text for each in details.entities)
            assert all("\n" not in cue for cue in details.cues)
