"""The reply to the learning prompt: its JSON schema and its bounds. Pure.

Every property is required and none may be added, as strict structured output demands; what is
optional is nullable instead.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ..model.intentions import IntentionType
from ..model.knowledge import EventType
from ..model.lesson import GapType
from ..model.memory import Facet, Kind, Mood

LEARNED_KINDS = (Kind.SEMANTIC, Kind.EPISODIC, Kind.PROCEDURAL, Kind.PROSPECTIVE)
"""Kinds a model may propose; evidence and narratives are made elsewhere."""

MOST_MEMORIES = 30
LONGEST_TEXT = 500
LONGEST_SUMMARY = 120
LONGEST_NAME = 80
MOST_CUES = 6
MOST_NAMES = 12

type Schema = Mapping[str, Any]


def object_of(properties: Mapping[str, Schema]) -> Schema:
    """An object of exactly these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def list_of(items: Schema) -> Schema:
    """An array."""
    return {"type": "array", "items": items}


def choice_of(values: Sequence[str], *, nullable: bool = False) -> Schema:
    """One of these texts."""
    names: list[str | None] = [str(value) for value in values]
    if nullable:
        return {"type": ["string", "null"], "enum": [*names, None]}
    return {"type": "string", "enum": names}


_TEXT: Schema = {"type": "string"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_SHARE: Schema = {"type": "number"}
_NUMBER: Schema = {"type": "integer"}
_NUMBER_OR_NULL: Schema = {"type": ["integer", "null"]}

_MEMORY = object_of(
    {
        "text": _TEXT,
        "summary": _TEXT,
        "turns": list_of(_NUMBER),
        "kind": choice_of(LEARNED_KINDS),
        "facet": choice_of(tuple(Facet), nullable=True),
        "importance": _SHARE,
        "confidence": _SHARE,
        "about": list_of(_TEXT),
        "cues": list_of(_TEXT),
        "tags": list_of(_TEXT),
        "entities": list_of(object_of({"name": _TEXT, "type": _TEXT, "role": _TEXT})),
        "relations": list_of(object_of({"subject": _TEXT, "predicate": _TEXT, "object": _TEXT})),
        "sentiment": object_of({"mood": choice_of(tuple(Mood)), "intensity": _SHARE}),
        "happened_at": {"type": ["string", "null"]},
        "slot": _TEXT_OR_NULL,
        "value": _TEXT_OR_NULL,
        "over": {"type": ["boolean", "null"]},
        "intention": choice_of(tuple(IntentionType), nullable=True),
        "event": choice_of(tuple(EventType), nullable=True),
        "causes": list_of(_NUMBER),
        "known_causes": list_of(_NUMBER),
        "gap": choice_of(tuple(GapType), nullable=True),
        "corrects": _NUMBER_OR_NULL,
        "updates": _NUMBER_OR_NULL,
    }
)

REPLY: Schema = object_of(
    {
        "summary": _TEXT,
        "memories": list_of(_MEMORY),
        "useful": list_of(_NUMBER),
        "done": list_of(_NUMBER),
        "given_up": list_of(_NUMBER),
    }
)
"""Schema of the whole reply."""

SHAPE = """\
{"summary": "…",
 "memories": [{"text": "…", "summary": "…", "turns": [3], "kind": "semantic",
  "facet": "preference", "importance": 0.7, "confidence": 0.9, "about": ["Anna"],
  "cues": ["…"], "tags": ["travel"],
  "entities": [{"name": "Berlin", "type": "place", "role": "home"}],
  "relations": [{"subject": "Anna", "predicate": "lives in", "object": "Berlin"}],
  "sentiment": {"mood": "positive", "intensity": 0.4}, "happened_at": "2025-06-26",
  "slot": "residence", "value": "Berlin", "over": false, "intention": null, "event": "move",
  "causes": [2], "known_causes": [], "gap": "new_fact", "corrects": null, "updates": null}],
 "useful": [2], "done": [], "given_up": []}"""
"""An example of the reply, as the prompt shows it."""
