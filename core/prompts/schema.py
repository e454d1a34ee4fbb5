"""The reply to the learning prompt: its JSON schema and its bounds. Pure.

Every property is required and none may be added, as strict structured output demands; what is
optional is nullable instead.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ..model.intentions import IntentionType
from ..model.knowledge import EventType
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


def _object(properties: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _choice(values: Sequence[str], *, nullable: bool = False) -> Schema:
    names: list[str | None] = [str(value) for value in values]
    if nullable:
        return {"type": ["string", "null"], "enum": [*names, None]}
    return {"type": "string", "enum": names}


_TEXT: Schema = {"type": "string"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_SHARE: Schema = {"type": "number"}
_NUMBER: Schema = {"type": "integer"}
_NUMBER_OR_NULL: Schema = {"type": ["integer", "null"]}

_MEMORY = _object(
    {
        "text": _TEXT,
        "summary": _TEXT,
        "turns": _list(_NUMBER),
        "kind": _choice(LEARNED_KINDS),
        "facet": _choice(tuple(Facet), nullable=True),
        "importance": _SHARE,
        "confidence": _SHARE,
        "about": _list(_TEXT),
        "cues": _list(_TEXT),
        "entities": _list(_object({"name": _TEXT, "type": _TEXT, "role": _TEXT})),
        "relations": _list(_object({"subject": _TEXT, "predicate": _TEXT, "object": _TEXT})),
        "sentiment": _object({"mood": _choice(tuple(Mood)), "intensity": _SHARE}),
        "happened_at": {"type": ["string", "null"]},
        "slot": _TEXT_OR_NULL,
        "value": _TEXT_OR_NULL,
        "over": {"type": ["boolean", "null"]},
        "intention": _choice(tuple(IntentionType), nullable=True),
        "event": _choice(tuple(EventType), nullable=True),
        "causes": _list(_NUMBER),
        "known_causes": _list(_NUMBER),
        "corrects": _NUMBER_OR_NULL,
        "updates": _NUMBER_OR_NULL,
    }
)

REPLY: Schema = _object(
    {
        "summary": _TEXT,
        "memories": _list(_MEMORY),
        "useful": _list(_NUMBER),
        "done": _list(_NUMBER),
        "given_up": _list(_NUMBER),
    }
)
"""Schema of the whole reply."""

SHAPE = """\
{"summary": "…",
 "memories": [{"text": "…", "summary": "…", "turns": [3], "kind": "semantic",
  "facet": "preference", "importance": 0.7, "confidence": 0.9, "about": ["Anna"],
  "cues": ["…"], "entities": [{"name": "Berlin", "type": "place", "role": "home"}],
  "relations": [{"subject": "Anna", "predicate": "lives in", "object": "Berlin"}],
  "sentiment": {"mood": "positive", "intensity": 0.4}, "happened_at": "2025-06-26",
  "slot": "residence", "value": "Berlin", "over": false, "intention": null, "event": "move",
  "causes": [2], "known_causes": [], "corrects": null, "updates": null}],
 "useful": [2], "done": [], "given_up": []}"""
"""An example of the reply, as the prompt shows it."""
