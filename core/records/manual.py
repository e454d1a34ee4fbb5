"""Memories as people write, mark and judge them themselves. Pure; told the time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b
from uuid import UUID, uuid5

from ..forgetting.lifecycle import BinPolicy, aged_from, to_bin
from ..forgetting.policy import ForgettingPolicy, Judgement
from ..forgetting.tmd import initial_strength, merged
from ..languages.markers import is_first_person
from ..languages.terms import content_terms
from ..model.conversation import Place, Speaker
from ..model.knowledge import Relation
from ..model.memory import (
    RELIABILITY,
    Access,
    Extractor,
    Facet,
    Kind,
    Memory,
    Origin,
    Source,
    Status,
    Succession,
    Vitality,
    Wording,
    unmarked,
)
from ..text.quoting import normalise, sound, tags_of

LONGEST_TEXT = 1_000
"""Characters of a memory that is written by hand."""

IMPORTANCE = 0.8
"""Of what somebody asks to be remembered."""

_LONGEST_SUMMARY = 120
_TOOL_CONFIDENCE = 0.8
_DATED = frozenset({Kind.EPISODIC, Kind.PROSPECTIVE})


class TextProblem(StrEnum):
    """Why a text cannot be a memory."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Author:
    """Who writes a memory, where, by which means, and how they are named in the audit log."""

    speaker: Speaker
    place: Place
    source: Source
    extractor: Extractor
    signature: str


def problem_with(text: str) -> TextProblem | None:
    """Why `text` cannot be kept: nothing but function words and marks, or too long."""
    if len(text) > LONGEST_TEXT:
        return TextProblem.TOO_LONG
    return None if content_terms(text) else TextProblem.EMPTY


def written(text: str, author: Author, *, journal: str, now: float, importance: float) -> Memory:
    """A new semantic memory in the author's words. Its id follows from all of this."""
    place, words = author.place, _sound(text)
    name = author.speaker.name
    return Memory(
        id=str(uuid5(UUID(journal), f"written:{place.scope}:{author.speaker.id}:{now!r}:{words}")),
        scope=place.scope,
        kind=Kind.SEMANTIC,
        text=words,
        summary=words[:_LONGEST_SUMMARY],
        created_at=now,
        happened_at=now,
        vitality=Vitality(initial_strength(importance), sole=True),
        access=Access(now, now),
        source=author.source,
        extractor=author.extractor,
        facet=Facet.PREFERENCE,
        importance=importance,
        confidence=_TOOL_CONFIDENCE if author.extractor is Extractor.TOOL else 1.0,
        trust=RELIABILITY[author.source],
        speaker=author.speaker,
        about=(name,) if name and is_first_person(words) else (),
        origin=Origin(place.session, place.conversation),
    )


def says_the_same(memory: Memory, text: str) -> bool:
    """Whether the memory's text is this one, but for width and case."""
    return normalise(memory.text) == normalise(_sound(text))


def correction_of(old: Memory, text: str, author: Author, *, journal: str, now: float) -> Memory:
    """The memory that says `text` in the place of `old`, in its scope; the id follows from both.

    A corrected raw turn becomes a fact: nobody said the new words in that turn.
    """
    place = replace(author.place, scope=old.scope)
    fresh = written(text, replace(author, place=place), journal=journal, now=now, importance=0.0)
    raw = old.kind is Kind.EVIDENCE
    importance = IMPORTANCE if raw else old.importance
    return replace(
        fresh,
        id=str(uuid5(UUID(journal), f"correction:{old.id}:{fresh.text}")),
        kind=Kind.SEMANTIC if raw else old.kind,
        facet=fresh.facet if raw else old.facet,
        happened_at=old.happened_at if old.kind in _DATED else now,
        importance=importance,
        about=old.about or fresh.about,
        vitality=Vitality(initial_strength(importance), sole=True),
    )


def in_place_of(memory: Memory, old: Memory) -> Memory:
    """The memory with what `old` has earned, and linked to it. Doing it again changes nothing."""
    # Verdicts on the old text are not verdicts on the new one: `judged` stays its own.
    vitality = replace(merged([memory.vitality, old.vitality]), judged=memory.vitality.judged)
    important = True if old.feedback.important else memory.feedback.important
    return replace(
        memory.with_relations([Relation(memory.id, Succession.CORRECTS.value, old.id)]),
        tags=tags_of((*memory.tags, *old.tags)),
        vitality=vitality,
        source=Source.CORRECTION,
        trust=RELIABILITY[Source.CORRECTION],
        feedback=replace(memory.feedback, important=important),
    )


def marked(memory: Memory, *, important: bool, now: float) -> Memory:
    """Important, and so kept for good; or no longer."""
    if (memory.feedback.important is True) is important:
        return memory
    feedback = replace(memory.feedback, important=important)
    return _ageing(replace(memory, feedback=feedback), memory, now)


def held(memory: Memory, links: Sequence[Relation]) -> Memory:
    """What its person says is so, with the links to what contradicted it."""
    feedback = replace(memory.feedback, accurate=True)
    return replace(memory.with_relations(links), feedback=feedback)


def pinned(memory: Memory, *, on: bool, now: float) -> Memory:
    """Pinned, and so kept for good; or no longer."""
    if memory.vitality.pinned is on:
        return memory
    vitality = replace(memory.vitality, pinned=on)
    return _ageing(replace(memory, vitality=vitality), memory, now)


def judged(
    memory: Memory,
    *,
    useful: bool,
    policy: ForgettingPolicy,
    bin_policy: BinPolicy,
    reason: str,
    now: float,
) -> Memory:
    """One verdict more, of no turn: it counts each time. Only a live memory can be judged."""
    if memory.standing.status is not Status.LIVE:
        return memory
    open_to_all = replace(memory, vitality=replace(memory.vitality, judged=()))
    judgement = Judgement.USEFUL if useful else Judgement.USELESS
    after = policy.judge(open_to_all, judgement, turn=0, now=now)
    after = replace(after, vitality=replace(after.vitality, judged=memory.vitality.judged))
    if not policy.forgets(after):
        return after
    return to_bin(after, now=now, reason=reason, policy=bin_policy)


def _ageing(memory: Memory, before: Memory, now: float) -> Memory:
    if memory.exempt or not before.exempt:
        return memory
    return replace(memory, vitality=aged_from(memory.vitality, now))


def _sound(text: str) -> str:
    return unmarked(sound(text).replace("\0", "")).strip()


def said(memory: Memory) -> str:
    """The words of the page."""
    own = memory.wording
    return own.text if own is not None and own.text and is_worded(memory) else unmarked(memory.text)


def is_worded(memory: Memory) -> bool:
    """Whether a model was asked for words for this text, accepted or not."""
    return memory.wording is not None and memory.wording.of == text_digest(memory.text)


def worded(memory: Memory, text: str, of: str) -> Memory:
    """The memory with words for the text `of`; with "" it keeps its own for good."""
    return replace(memory, wording=Wording(text, text_digest(of)))


def text_digest(text: str) -> str:
    """What tells a text from another one, in few characters."""
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()
