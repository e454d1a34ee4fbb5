"""Later statements about the same attribute as an older memory that is shown. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..languages.inquiries import Inquiry, is_told_of
from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from ..model.memory import REPLY_MARK, Kind, Memory, Source
from .selection import is_question, within
from .slot_answers import WEAK
from .slots import tells_what_is_not, turns_of_the_past
from .trace import Fused, Leg

BESIDE = 2
"""Raw turns that come before what was said of the same earlier, the newest."""


def with_newer_statements(
    judged: Sequence[Fused],
    records: Mapping[str, Memory],
    inquiries: Sequence[Inquiry],
    limit: int,
) -> list[Fused]:
    """With what was said since of the attribute asked for before the first that tells of it.

    Most people tell changes in words that no rule reads as a claim. A raw turn with a word of the
    very attribute may be one: it is shown beside what was said before it, dated, in no one's
    place. It breaks no silence.
    """
    asked = [each for each in inquiries if each.keys]
    shown = [each for each in judged if each.drop is None and each.memory in records]
    lead = next((each for each in shown if _tells(each, records[each.memory], asked)), None)
    if lead is None:
        return list(judged)
    since, past = _since(records[lead.memory]), turns_of_the_past(records)
    fresh = sorted(
        (
            each
            for each in judged
            if _is_newer(each, memory := records.get(each.memory), asked, since)
            if memory and past.isdisjoint(memory.origin.turns)
        ),
        key=lambda each: -records[each.memory].created_at,
    )[:BESIDE]
    moved = {each.memory for each in fresh}
    result: list[Fused] = []
    for each in judged:
        if each.memory == lead.memory:
            result += [replace(one, drop=None) for one in fresh]
        if each.memory not in moved:
            result.append(each)
    return list(within(result, limit))


def _tells(candidate: Fused, memory: Memory, asked: Sequence[Inquiry]) -> bool:
    """Whether it was found by the slot asked for, or has a word of it."""
    if memory.claim is not None and any(hit.leg is Leg.SLOT for hit in candidate.hits):
        return True
    return any(is_told_of(_said(memory), each) for each in asked)


def _is_newer(
    candidate: Fused, memory: Memory | None, asked: Sequence[Inquiry], since: float
) -> bool:
    """Whether it is a raw statement of the same made later, and none about the past."""
    if memory is None or not memory.recallable or memory.kind is not Kind.EVIDENCE:
        return False
    if memory.created_at <= since or memory.source is Source.BOT:
        return False
    if candidate.drop is not None and candidate.drop not in WEAK:
        return False
    said = _said(memory)
    codes = codes_in(said)
    if is_question(said) or marker(Marker.LONG_AGO, codes).search(said):
        return False
    return any(is_told_of(said, each) for each in asked)


def _said(memory: Memory) -> str:
    return memory.text.partition(REPLY_MARK)[0]


def _since(memory: Memory) -> float:
    return memory.created_at if memory.claim is None else memory.claim.valid_from


def of_one_slot(judged: Sequence[Fused], records: Mapping[str, Memory]) -> Mapping[str, str]:
    """Of the claims shown of a slot with several values, those older than the one shown first."""
    first: dict[tuple[str, str], Memory] = {}
    later: dict[str, str] = {}
    for each in judged:
        memory = records.get(each.memory)
        if each.drop is not None or memory is None or memory.claim is None:
            continue
        if tells_what_is_not(memory):
            continue
        newest = first.setdefault((memory.scope, memory.claim.slot), memory)
        if memory.created_at < newest.created_at:
            later[memory.id] = newest.id
    return later
