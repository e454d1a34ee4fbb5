"""A Lesson as JSON text and back, exactly. The journal keeps a reply in this form. Pure."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ..model.knowledge import Entity, EventType, IntentionType, Relation
from ..model.lesson import Candidate, GapType, Lesson, Stated
from ..model.memory import Facet, Kind, Mood, Sentiment, Succession


def lesson_to_json(lesson: Lesson) -> str:
    """ASCII JSON, so that even a lone surrogate can be stored."""
    return json.dumps(asdict(lesson), default=sorted, separators=(",", ":"))


def lesson_from_json(text: str) -> Lesson:
    """Inverse of `lesson_to_json`. Raises ValueError on any other text."""
    try:
        document = json.loads(text)
        useful = document["useful"]
        return Lesson(
            summary=document["summary"],
            candidates=tuple(_candidate(item) for item in document["candidates"]),
            useful=None if useful is None else frozenset(useful),
            undecided=frozenset(document["undecided"]),
            done=frozenset(document["done"]),
            given_up=frozenset(document["given_up"]),
            covered=tuple((turn, by) for turn, by in document["covered"]),
        )
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("not the JSON text of a lesson") from error


def _candidate(item: Mapping[str, Any]) -> Candidate:
    facet, sentiment = item["facet"], item["sentiment"]
    claim, intention, follows = item["claim"], item["intention"], item["follows"]
    read: dict[str, Any] = {
        "turns": tuple(item["turns"]),
        "kind": Kind(item["kind"]),
        "follows": None if follows is None else (follows[0], Succession(follows[1])),
        "facet": None if facet is None else Facet(facet),
        "about": tuple(item["about"]),
        "cues": tuple(item["cues"]),
        "tags": tuple(item["tags"]),
        "causes": tuple(item["causes"]),
        "entities": tuple(Entity(**entity) for entity in item["entities"]),
        "relations": tuple(Relation(**relation) for relation in item["relations"]),
        "intention": None if intention is None else IntentionType(intention),
        "event": None if item["event"] is None else EventType(item["event"]),
        "gap": None if item["gap"] is None else GapType(item["gap"]),
        "claim": None if claim is None else Stated(**claim),
        "sentiment": Sentiment(Mood(sentiment["mood"]), sentiment["intensity"]),
    }
    return Candidate(**{**item, **read})
