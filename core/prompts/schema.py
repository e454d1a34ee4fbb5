"""The reply to the learning call: its JSON schema, its bounds, and what its kinds mean. Pure.

Every property is required and none may be added, as strict structured output demands; what is
optional is nullable instead.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ..model.knowledge import IntentionType
from ..model.memory import Facet, Kind

MOST_FACTS = 30
FACTS_A_LINE = 2
FEWEST = 4
LONGEST_TEXT = 500
LONGEST_SUMMARY = 120
LONGEST_NAME = 80
MOST_CUES = 6
MOST_NAMES = 12

AVOID = "avoid"
"""The kind of a wish that its value is not brought up."""

PROMISE = "promise"
"""The kind of what the bot itself will do: the only one that a line of the bot holds."""

FORMER = "former"
"""The kind of what was so once and is so no longer."""

type Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Drawer:
    """Where a fact of one of the reply's kinds is put, and how much it matters, 0..1."""

    kind: Kind = Kind.SEMANTIC
    facet: Facet | None = None
    importance: float = 0.5
    intention: IntentionType | None = None


KINDS: Mapping[str, Drawer] = MappingProxyType(
    {
        "identity": Drawer(importance=0.8),
        "home": Drawer(importance=0.7),
        "work": Drawer(importance=0.7),
        "health": Drawer(importance=0.85),
        "like": Drawer(facet=Facet.PREFERENCE, importance=0.6),
        "habit": Drawer(importance=0.5),
        "relation": Drawer(importance=0.7),
        "event": Drawer(Kind.EPISODIC, importance=0.5),
        "way": Drawer(Kind.PROCEDURAL, Facet.WORKFLOW, 0.5),
        "request": Drawer(facet=Facet.INSTRUCTION, importance=0.8),
        AVOID: Drawer(facet=Facet.INSTRUCTION, importance=0.8),
        **{
            each.value: Drawer(Kind.PROSPECTIVE, importance=0.6, intention=each)
            for each in IntentionType
        },
        PROMISE: Drawer(Kind.PROSPECTIVE, importance=0.6, intention=IntentionType.PLAN),
        FORMER: Drawer(importance=0.45),
        "other": Drawer(importance=0.45),
    }
)
"""By the word that the prompt has for it. Five are what somebody has in mind."""


def object_of(properties: Mapping[str, Schema]) -> Schema:
    """An object of exactly these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def list_of(items: Schema, most: int = 0) -> Schema:
    """An array, of at most so many if a number is given."""
    return {"type": "array", "items": items} | ({"maxItems": most} if most else {})


def choice_of(values: Sequence[str], *, nullable: bool = False) -> Schema:
    """One of these texts."""
    names: list[str | None] = [str(value) for value in values]
    if nullable:
        return {"type": ["string", "null"], "enum": [*names, None]}
    return {"type": "string", "enum": names}


_TEXT: Schema = {"type": "string"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}


def reply_schema(people: int) -> Schema:
    """Of the whole reply to an episode with so many lines of people.

    A small model that goes round in a circle is stopped by the most facts that there may be.
    """
    most = max(FEWEST, min(MOST_FACTS, FACTS_A_LINE * people))
    fact = object_of(
        {
            "words": _TEXT,
            "who": _TEXT,
            "fact": _TEXT,
            "kind": choice_of(tuple(KINDS)),
            "slot": _TEXT_OR_NULL,
            "value": _TEXT_OR_NULL,
        }
    )
    return object_of({"facts": list_of(fact, most)})
