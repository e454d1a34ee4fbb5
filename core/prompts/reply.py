"""From the learning reply's JSON to a Lesson. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from ..model.errors import ReplyMalformed
from ..model.intentions import IntentionType
from ..model.knowledge import Entity, EventType, Relation
from ..model.lesson import Candidate, GapType, Lesson, Stated
from ..model.memory import Facet, Kind, Mood, Sentiment
from ..text.display_names import entity_id
from ..text.tags import tags_of
from .reading import JsonReader, cleaned, json_object
from .schema import (
    LEARNED_KINDS,
    LONGEST_NAME,
    LONGEST_SUMMARY,
    LONGEST_TEXT,
    MOST_CUES,
    MOST_MEMORIES,
    MOST_NAMES,
)

FORGETTABLE = 0.3
"""Memories of at most this importance are not kept, unless they correct or update a known one."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The numbers the prompt showed: turns are 1..`turns`, known memories are `known`."""

    turns: range
    known: frozenset[int]


def lesson_of(reply: str, shown: Shown) -> Lesson:
    """The lesson in a reply. Raises ReplyMalformed with every problem found."""
    document = json_object(reply, "memories", cut=True, of="text")
    reading = JsonReader()
    if "memories" not in document:
        reading.refuse("memories", "must be an array", None)
    items = reading.items(document.get("memories"), "memories")
    if len(items) > MOST_MEMORIES:
        reading.problems.append(f"memories has {len(items)} items, at most {MOST_MEMORIES}")
    candidates = [
        _candidate(reading, item, f"memories[{index}]", shown)
        for index, item in enumerate(items[:MOST_MEMORIES])
    ]
    summary = reading.optional_text(document.get("summary"), "summary", LONGEST_TEXT)
    useful = _useful(reading, document.get("useful"), shown.known)
    if reading.problems:
        raise ReplyMalformed(tuple(reading.problems))
    kept = tuple(item for item in candidates if _worth_keeping(item))
    done, given_up = (_among(document.get(name), shown.known) for name in ("done", "given_up"))
    return Lesson(summary, kept, useful, done=done - given_up, given_up=given_up)


def _useful(reading: JsonReader, value: object, known: frozenset[int]) -> frozenset[int] | None:
    return None if value is None else frozenset(reading.numbers(value, "useful", known))


def _candidate(reading: JsonReader, value: object, path: str, shown: Shown) -> Candidate:
    item = reading.record(value, path)
    text = reading.text(item.get("text"), f"{path}.text", LONGEST_TEXT)
    summary = reading.optional_text(item.get("summary"), f"{path}.summary", LONGEST_SUMMARY)
    corrects, updates = _followed(reading, item, path, shown.known)
    return Candidate(
        text=text,
        summary=summary or cleaned(text, LONGEST_SUMMARY),
        turns=_turns(reading, item.get("turns"), f"{path}.turns", shown.turns),
        kind=_kind(reading, item.get("kind"), f"{path}.kind"),
        facet=reading.choice(item.get("facet"), f"{path}.facet", tuple(Facet)),
        importance=reading.share(item.get("importance"), f"{path}.importance"),
        confidence=reading.share(item.get("confidence"), f"{path}.confidence"),
        about=reading.texts(item.get("about"), f"{path}.about", LONGEST_NAME, MOST_NAMES),
        cues=reading.texts(item.get("cues"), f"{path}.cues", LONGEST_SUMMARY, MOST_CUES),
        tags=_tags(item.get("tags")),
        entities=_entities(reading, item.get("entities"), f"{path}.entities"),
        relations=_relations(reading, item.get("relations"), f"{path}.relations"),
        sentiment=_sentiment(reading, item.get("sentiment"), f"{path}.sentiment"),
        happened_at=reading.moment(item.get("happened_at"), f"{path}.happened_at"),
        corrects=corrects,
        updates=updates,
        claim=_stated(item),
        intention=_intention(item.get("intention")),
        event=_event(item.get("event")),
        gap=_gap(item.get("gap")),
        causes=tuple(sorted(_among(item.get("causes"), shown.turns))),
        known_causes=tuple(sorted(_among(item.get("known_causes"), shown.known))),
    )


def _tags(value: object) -> tuple[str, ...]:
    """Whatever is no tag counts as left out."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return tags_of(each for each in items if isinstance(each, str))


def _stated(item: Mapping[str, object]) -> Stated | None:
    """The slot and its value; whatever does not fit counts as left out, for both are optional."""
    slot, value = (_words(item.get(name)) for name in ("slot", "value"))
    over = item.get("over") is True
    return Stated(slot, value, denied=over) if slot and (value or over) else None


def _intention(value: object) -> IntentionType | None:
    """As with the slot, what does not fit counts as left out."""
    return next((each for each in IntentionType if value == each.value), None)


def _event(value: object) -> EventType | None:
    return next((each for each in EventType if value == each.value), None)


def _gap(value: object) -> GapType | None:
    return next((each for each in GapType if value == each.value), None)


def _among(value: object, shown: Collection[int]) -> frozenset[int]:
    """The numbers in a list that were shown; what does not fit counts as left out."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    numbers = (each for each in items if isinstance(each, int) and not isinstance(each, bool))
    return frozenset(number for number in numbers if number in shown)


def _words(value: object) -> str:
    plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return cleaned(str(value), LONGEST_SUMMARY) if plain else ""


def _turns(reading: JsonReader, value: object, path: str, turns: Sequence[int]) -> tuple[int, ...]:
    before = len(reading.problems)
    numbers = reading.numbers(value, path, turns)
    if not numbers and len(reading.problems) == before:
        reading.refuse(path, "must name at least one turn", value)
    return numbers


def _kind(reading: JsonReader, value: object, path: str) -> Kind:
    if value is None:
        reading.refuse(path, f"must be one of {', '.join(LEARNED_KINDS)}", value)
    return reading.choice(value, path, LEARNED_KINDS) or Kind.SEMANTIC


def _followed(
    reading: JsonReader, item: Mapping[str, object], path: str, known: frozenset[int]
) -> tuple[int | None, int | None]:
    corrects = reading.number(item.get("corrects"), f"{path}.corrects", known)
    updates = reading.number(item.get("updates"), f"{path}.updates", known)
    if corrects is not None and updates is not None:
        reading.refuse(path, "must not both correct and update", (corrects, updates))
    return corrects, updates


def _entities(reading: JsonReader, value: object, path: str) -> tuple[Entity, ...]:
    found: dict[str, Entity] = {}
    for index, part in enumerate(reading.items(value, path)):
        at = f"{path}[{index}]"
        item = reading.record(part, at)
        name = reading.text(item.get("name"), f"{at}.name", LONGEST_NAME)
        kind = reading.optional_text(item.get("type"), f"{at}.type", LONGEST_NAME)
        role = reading.optional_text(item.get("role"), f"{at}.role", LONGEST_NAME)
        own = entity_id(name)
        found.setdefault(own, Entity(own, name, kind or "thing", role))
    return tuple(found.values())[:MOST_NAMES]


def _relations(reading: JsonReader, value: object, path: str) -> tuple[Relation, ...]:
    found: list[Relation] = []
    for index, part in enumerate(reading.items(value, path)):
        at = f"{path}[{index}]"
        item = reading.record(part, at)
        subject, predicate, target = (
            reading.text(item.get(name), f"{at}.{name}", LONGEST_NAME)
            for name in ("subject", "predicate", "object")
        )
        found.append(Relation(entity_id(subject), predicate, entity_id(target)))
    return tuple(dict.fromkeys(found))[:MOST_NAMES]


def _sentiment(reading: JsonReader, value: object, path: str) -> Sentiment:
    if value is None:
        return Sentiment()
    item = reading.record(value, path)
    mood = reading.choice(item.get("mood"), f"{path}.mood", tuple(Mood)) or Mood.NEUTRAL
    intensity = item.get("intensity")
    if intensity is None:
        return Sentiment(mood)
    return Sentiment(mood, reading.share(intensity, f"{path}.intensity"))


def _worth_keeping(candidate: Candidate) -> bool:
    follows = candidate.corrects is not None or candidate.updates is not None
    return follows or candidate.importance > FORGETTABLE
