"""The instructions of the model calls: what is ours, and what an owner's text may change."""

import json
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.languages.scripts import language_of
from astrbot_plugin_tidemark.core.prompts import enrich, judge, learn, rewording, story, verdict
from astrbot_plugin_tidemark.core.prompts.instructions import (
    LONGEST,
    InstructionFault,
    Instructions,
    call_of,
    catalogue,
)
from astrbot_plugin_tidemark.core.settings import PROMPT, Change, configure, to_json

from .examples import memory, turn


def shown(at: float) -> str:
    return "2025-06-24"


def prompts(own: Instructions) -> dict[str, Any]:
    notes = {1: memory("Anna keeps bees"), 2: memory("Anna sings")}
    told, side = [turn("I keep bees")], judge.Side(notes[1])
    dated: dict[str, Any] = {"shown_time": shown, "language": "en", "instructions": own}
    found = (
        learn.build(told, **dated),
        verdict.build(told, notes, **dated),
        judge.build([(side, judge.Side(notes[2]))], shown, own),
        enrich.build(list(notes.values()), **dated),
        story.build(["2025-06-24 Anna keeps bees"], own),
        rewording.build(["Anna keeps bees"], own),
    )
    return {each.name: each for each in found}


def names_in(schema: object) -> set[str]:
    """Every property and every choice of a schema that is a word."""
    if isinstance(schema, list):
        return set().union(*map(names_in, schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    own = {*schema.get("properties", {}), *(each for each in schema.get("enum", ()) if each)}
    return own.union(*map(names_in, schema.values()))


@pytest.mark.parametrize("name", catalogue())
def test_ours_may_stand_in_the_place_of_ours(name: str) -> None:
    ours = catalogue()[name]
    assert ours.fault(ours.text) is None
    assert {*ours.needed} <= names_in(
        json.loads(json.dumps(prompts(Instructions())[call_of(name)].schema))
    )


def test_every_call_asks_by_an_owners_text_with_the_schema_that_it_had() -> None:
    own = Instructions({name: f"Mine, {name}" for name in catalogue()})
    ours, mine = prompts(Instructions()), prompts(own)
    assert {*map(call_of, catalogue())} == {*ours}
    for call, prompt in mine.items():
        assert prompt.system.partition("\n")[2] == f"Mine, {call}.en"
        assert (prompt.user, prompt.schema) == (ours[call].user, ours[call].schema)


@pytest.mark.parametrize("call", ["story", "rewording"])
def test_a_story_and_a_page_are_asked_for_in_the_language_of_their_lines(call: str) -> None:
    own = Instructions({name: f"Mine, {name}" for name in catalogue()})
    lines = {"zh": ["2025-06-24 安娜养蜜蜂", "她还唱歌"], "en": ["2025-06-24 Anna keeps bees"]}
    lines["ja"] = ["アンナはミツバチを飼っている"]
    build = {"story": story.build, "rewording": rewording.build}[call]
    asked = {code: build(told, own).system.partition("\n")[2] for code, told in lines.items()}
    assert asked == {"zh": f"Mine, {call}.zh", "en": f"Mine, {call}.en", "ja": f"Mine, {call}.en"}
    texts = [catalogue()[f"{call}.{code}"].text for code in ("zh", "en")]
    assert all("<lines>" in text for text in texts)
    assert [language_of(text) for text in texts] == ["zh", "en"]


def test_a_language_without_a_text_of_its_own_is_asked_in_english() -> None:
    own = Instructions({"learn.en": "Mine"})
    assert (own.of("learn", "ja"), own.of("learn", "zh")) == ("Mine", catalogue()["learn.zh"].text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (" \n", InstructionFault.EMPTY),
        ("sentences text cites " + "x" * LONGEST, InstructionFault.TOO_LONG),
        ("sentences text cites \x1b[2J", InstructionFault.UNREADABLE),
        ("Tell a story as sentences", InstructionFault.LACKING),
        ("Tell\tit as sentences,\neach a text that cites", None),
    ],
)
def test_an_unusable_text_is_refused(text: str, fault: InstructionFault | None) -> None:
    assert catalogue()["story.zh"].fault(text) is fault


def test_what_is_kept_and_cannot_be_used_leaves_ours_in_force() -> None:
    good = "Tell it as sentences, each a text that cites"
    kept = {
        PROMPT + "story.zh": to_json(Change(good, "Ann (1)", 5.0)),
        PROMPT + "rewording.zh": to_json(Change("", "Ann (1)", 5.0)),
        PROMPT + "judge.en": "not JSON",
        PROMPT + "gone": to_json(Change(good, "Ann (1)", 5.0)),
    }
    found = configure(None, kept)
    assert found.settings.learning.prompts == Instructions({"story.zh": good})
    assert {*found.prompts} == {"story.zh", "rewording.zh", "judge.en"}
    assert (found.changes, found.problems) == ({}, ())
