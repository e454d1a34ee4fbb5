"""From the reply to a learning call to the facts it tells; a lesson as JSON, exactly. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, time
from enum import StrEnum
from typing import Annotated, Any, cast

from pydantic import AliasChoices, Field

from ..conflict.slots import UNMENTIONED
from ..model.errors import ReplyMalformed
from ..model.knowledge import Entity, IntentionType
from ..model.lesson import Candidate, GapType, Lesson, Stated, ToldFact
from ..model.memory import Facet, Kind, Succession
from .reading import ReadRecord, Share, Text, Texts, Wholes, cleaned, items_in, lax, record_of
from .schema import (
    AVOID,
    FORMER,
    KINDS,
    LONGEST_NAME,
    LONGEST_SUMMARY,
    LONGEST_TEXT,
    MOST_FACTS,
    MOST_NAMES,
    PROMISE,
    Drawer,
)

UNDER = ("facts", "memories")
OF_FACT = ("fact", "text", "memory", "content")
_FIRST_YEAR, _LAST_YEAR = 1900, 2200
_SURE = 0.8
"""Confidence of what nobody says how sure it is."""


class _Fact(ReadRecord):
    """One item of the reply, under the names that models give its properties."""

    words: Text = Field("", validation_alias=AliasChoices("words", "quote"))
    fact: Text = Field("", validation_alias=AliasChoices(*OF_FACT))
    who: Texts = Field((), validation_alias=AliasChoices("who", "about"))
    kind: Text = ""
    slot: Text = ""
    value: Text = ""
    over: Annotated[bool, lax(False)] = False
    summary: Text = ""
    facet: Text = ""
    importance: Share = None
    confidence: Share = None
    turns: Wholes = ()
    happened_at: Text = ""
    intention: Text = ""


_NAMES = frozenset((*_Fact.model_fields, *OF_FACT, "quote", "about"))


def told_in(reply: str) -> list[ToldFact]:
    """The facts of a reply, the first `MOST_FACTS`; what has no sentence is none.

    Raises ReplyMalformed if nothing can be read at all.
    """
    items = items_in(reply, UNDER, OF_FACT)[:MOST_FACTS]
    found = [told for told in map(_told, map(_read, items)) if told is not None]
    if items and not found:
        raise ReplyMalformed(("none of the facts has a sentence",))
    return found


def _read(item: object) -> _Fact | None:
    sentence = item if isinstance(item, str) else _foreign(item)
    return record_of(_Fact, item if sentence is None else {"fact": sentence})


def _foreign(item: object) -> str | None:
    """The longest text of a record under names of another language; None of any other."""
    if not isinstance(item, dict):
        return None
    record = cast("dict[str, object]", item)
    texts = [each for each in record.values() if isinstance(each, str)]
    return None if _NAMES & {*record} else max(texts, key=len, default="")


def _told(item: _Fact | None) -> ToldFact | None:
    text = cleaned(item.fact, LONGEST_TEXT) if item else ""
    if item is None or not text:
        return None
    drawer = _drawer(item)
    candidate = Candidate(
        text=text,
        summary=cleaned(item.summary or text, LONGEST_SUMMARY),
        turns=tuple(sorted({number for number in item.turns if number > 0})),
        kind=drawer.kind,
        facet=one_of(Facet, item.facet) or drawer.facet,
        importance=drawer.importance if item.importance is None else item.importance,
        confidence=_SURE if item.confidence is None else item.confidence,
        about=texts_in(item.who, LONGEST_NAME, MOST_NAMES),
        happened_at=_moment(item.happened_at),
        claim=_stated(item),
        intention=one_of(IntentionType, item.intention) or drawer.intention,
        gap=GapType.NEW_FACT,
    )
    promise = item.kind.strip().lower() == PROMISE
    return ToldFact(candidate, cleaned(item.words, LONGEST_TEXT), promise)


def _drawer(item: _Fact) -> Drawer:
    named = item.kind.strip().lower()
    for kind in (Kind.SEMANTIC, Kind.EPISODIC, Kind.PROCEDURAL, Kind.PROSPECTIVE):
        if named == kind.value:
            return Drawer(kind)
    return KINDS.get(named, KINDS["other"])


def one_of[E: StrEnum](options: type[E], value: str) -> E | None:
    plain = value.strip().lower()
    return next((each for each in options if each.value == plain), None)


def texts_in(values: Sequence[str], limit: int, most: int) -> tuple[str, ...]:
    every = (cleaned(each, limit) for each in values)
    return tuple(dict.fromkeys(text for text in every if text))[:most]


def _stated(item: _Fact) -> Stated | None:
    """The slot and its value; both or, of what is over, the slot alone."""
    slot, value = cleaned(item.slot, LONGEST_SUMMARY), cleaned(item.value, LONGEST_SUMMARY)
    kind = item.kind.strip().lower()
    slot, over = UNMENTIONED if kind == AVOID else slot, item.over or kind == FORMER
    return Stated(slot, value, denied=over) if slot and (value or over) else None


def _moment(text: str) -> float | None:
    """Unix time of an ISO date, or of a date and time with an offset.

    A date means its noon in UTC, which is the same day nearly everywhere. A time without an offset
    says nothing more than its date.
    """
    try:
        parsed = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if not _FIRST_YEAR <= parsed.year <= _LAST_YEAR:
        return None
    return (parsed if parsed.tzinfo else datetime.combine(parsed, time(12), UTC)).timestamp()


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
            lasting=tuple((turn, logit) for turn, logit in document.get("lasting", ())),
        )
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("not the JSON text of a lesson") from error


def _candidate(item: Mapping[str, Any]) -> Candidate:
    facet = item["facet"]
    claim, intention, follows = item["claim"], item["intention"], item["follows"]
    read: dict[str, Any] = {
        "turns": tuple(item["turns"]),
        "kind": Kind(item["kind"]),
        "follows": None if follows is None else (follows[0], Succession(follows[1])),
        "facet": None if facet is None else Facet(facet),
        "about": tuple(item["about"]),
        "entities": tuple(Entity(**entity) for entity in item["entities"]),
        "intention": None if intention is None else IntentionType(intention),
        "gap": None if item["gap"] is None else GapType(item["gap"]),
        "claim": None if claim is None else Stated(**claim),
    }
    kept = {name: item[name] for name in item.keys() & Candidate.__dataclass_fields__.keys()}
    return Candidate(**{**kept, **read})
