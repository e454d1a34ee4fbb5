"""The rehearsal model's part in learning: the prompt's lines back to values, rules for a reply."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ..core.capture.rule_extraction import extract
from ..core.feedback.attribute import useful_numbers
from ..core.model.conversation import Place, Role, Speaker, Turn
from ..core.model.lesson import Candidate

_KNOWN = re.compile(r"^<known-memories>$(.*?)^</known-memories>$", re.S | re.M)
_EPISODE = re.compile(r"^<episode>$(.*?)^</episode>$", re.S | re.M)
_MEMORY = re.compile(r"^\[(\d+)\] \([^)]*\) (.*)$", re.M)
_TURN = re.compile(r"^(\d+) \[([^\]]*)\] (user|assistant|bystander) ([^:]*): (.*)$", re.M)
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_NOON = 12
_HERE = Place("rehearsal", "", "")


def learn(prompt: str, *, now: float) -> str:
    """The reply to a learning prompt's user text: JSON of the shape the prompt asks for.

    `now` dates lines whose time cannot be read.
    """
    turns, known = turns_in(prompt, now=now), known_in(prompt)
    lesson = extract(turns)
    said = [turn.text for turn in turns if turn.role is Role.ASSISTANT]
    asked = [turn.text for turn in turns if turn.role is not Role.ASSISTANT]
    reply = {
        "summary": lesson.summary,
        "memories": [_memory(candidate) for candidate in lesson.candidates],
        "useful": sorted(useful_numbers(said, asked, known)),
    }
    return json.dumps(reply, ensure_ascii=False)


def known_in(prompt: str) -> Mapping[int, str]:
    """The known memories a learning prompt shows, by number."""
    return {int(number): text for number, text in _MEMORY.findall(_within(_KNOWN, prompt))}


def turns_in(prompt: str, *, now: float) -> Sequence[Turn]:
    """The episode's turns a learning prompt shows, in order."""
    return [
        Turn(
            seq=int(number),
            episode="",
            place=_HERE,
            role=Role(role),
            speaker=Speaker("", "" if name == "-" else name),
            text=text,
            at=_moment(shown, now),
        )
        for number, shown, role, name, text in _TURN.findall(_within(_EPISODE, prompt))
    ]


def _within(block: re.Pattern[str], prompt: str) -> str:
    found = block.search(prompt)
    return found.group(1) if found else ""


def _moment(shown: str, default: float) -> float:
    found = _DATE.search(shown)
    if found is None:
        return default
    year, month, day = (int(part) for part in found.groups())
    return datetime(year, month, day, _NOON, tzinfo=UTC).timestamp()


def _memory(candidate: Candidate) -> dict[str, Any]:
    names = {entity.id: entity.name for entity in candidate.entities}
    mood = candidate.sentiment
    return {
        "text": candidate.text,
        "summary": candidate.summary,
        "turns": list(candidate.turns),
        "kind": candidate.kind.value,
        "facet": candidate.facet and candidate.facet.value,
        "importance": candidate.importance,
        "confidence": candidate.confidence,
        "about": list(candidate.about),
        "cues": list(candidate.cues),
        "tags": list(candidate.tags),
        "entities": [
            {"name": entity.name, "type": entity.type, "role": entity.role}
            for entity in candidate.entities
        ],
        "relations": [
            {
                "subject": names.get(relation.subject, relation.subject),
                "predicate": relation.predicate,
                "object": names.get(relation.object, relation.object),
            }
            for relation in candidate.relations
        ],
        "sentiment": {"mood": mood.mood.value, "intensity": mood.intensity},
        "happened_at": _iso(candidate.happened_at),
        "corrects": candidate.corrects,
        "updates": candidate.updates,
    }


def _iso(moment: float | None) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, UTC).isoformat()
