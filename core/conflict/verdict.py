"""The judgement about two memories, by rule. Pure. Algorithms, section 12."""

from dataclasses import dataclass
from datetime import UTC
from enum import StrEnum
from functools import cached_property

from ..languages.times import Interval, times_in
from ..model.conversation import Scope, ScopeKind
from ..model.memory import Memory
from ..similarity.thresholds import ABOUT_THE_SAME, CONFLICT, SAME
from ..text.display_names import entity_id
from .attributes import DATED, Value, same_holder, values_of
from .clauses import Clause, clauses, contained, content, content_of, nearest, overlap
from .roles import swapped
from .words import PAST

NEARLY_ALL = 0.8
"""Share of a clause's content at which another clause speaks of all of it."""

MOSTLY = 0.5
"""Overlap above which two clauses have more in common than not."""

_SIMILARITY, _OVERLAP, _OPPOSED, _TASTE = 0.45, 0.25, 0.25, 0.15


class Stance(StrEnum):
    """What one memory is to another."""

    CONTRADICTS = "contradicts"
    CORROBORATES = "corroborates"
    UNRELATED = "unrelated"


class Reason(StrEnum):
    """Why."""

    DENIAL = "denial"
    OTHER_VALUE = "other_value"
    AGREEMENT = "agreement"
    OTHER_SUBJECT = "other_subject"
    OTHER_TIME = "other_time"
    SWAPPED = "swapped"
    TOO_WEAK = "too_weak"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A stance with its confidence, 0..1, and the reason for it."""

    stance: Stance
    confidence: float
    reason: Reason


@dataclass(frozen=True)
class Reading:
    """A memory as far as it has been read: it may be compared with several."""

    memory: Memory

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Of its text."""
        return clauses(self.memory.text)

    @cached_property
    def content(self) -> frozenset[str]:
        """Terms of all clauses."""
        return content_of(self.clauses)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """The attributes it gives a value to."""
        return values_of(self.clauses)

    @cached_property
    def times(self) -> tuple[Interval, ...]:
        """The times it tells of, from the day it was said."""
        # In one zone for all: only whether two memories mean the same time is asked.
        told = times_in(self.memory.text, self.memory.created_at, UTC)
        return tuple(each.interval for each in told)

    @cached_property
    def past(self) -> bool:
        """Whether it says that something was so."""
        return PAST.search(self.memory.text) is not None


def conflict(one: Memory, other: Memory, similarity: float) -> Verdict:
    """`judged` of two memories that are compared with no others."""
    return judged(Reading(one), Reading(other), similarity)


def judged(one: Reading, other: Reading, similarity: float) -> Verdict:
    """Symmetric. `similarity` is the calibrated one of the two, 0..1.

    confidence = min(1, .45 similarity + .25 overlap of terms + .25 opposed + .15 a taste). Only
    what is opposed contradicts: one denies what the other says, or gives the same attribute
    another value. The published formula counts denial alone as opposed, and has any confidence
    contradict. A corroboration's confidence is that of its first two terms, out of their sum.
    """
    if other_subject(one.memory, other.memory):
        return Verdict(Stance.UNRELATED, 0.0, Reason.OTHER_SUBJECT)
    pair = nearest(one.clauses, other.clauses)
    rivals = _rivals(one, other)
    if rivals is None and not _denied(*pair):
        return _agreement(one, other, pair, similarity)
    confidence = _SIMILARITY * similarity + _OVERLAP * _shared(one, other, rivals)
    confidence += _OPPOSED + _TASTE * any(clause.prefers for clause in pair)
    confidence = min(1.0, confidence)
    # Where a time is the value, other times are what they are opposed in.
    dated = rivals is not None and rivals[0].attribute in DATED
    if not dated and other_time(one, other):
        return Verdict(Stance.UNRELATED, confidence, Reason.OTHER_TIME)
    if confidence < CONFLICT:
        return Verdict(Stance.UNRELATED, confidence, Reason.TOO_WEAK)
    reason = Reason.DENIAL if rivals is None else Reason.OTHER_VALUE
    return Verdict(Stance.CONTRADICTS, confidence, reason)


def other_subject(one: Memory, other: Memory) -> bool:
    """Whether they are known to be about different people: by name, in a group also by speaker."""
    about = _names(one), _names(other)
    if all(about):
        return not about[0] & about[1]
    group = ScopeKind.GROUP in (Scope.parse(each.scope).kind for each in (one, other))
    if not group or one.speaker is None or other.speaker is None:
        return False
    if any(about):
        # One says whom it is about, the other is about its speaker.
        speaker = other.speaker if about[0] else one.speaker
        return entity_id(speaker.name) not in about[0] | about[1]
    return one.speaker.id != other.speaker.id


def other_time(one: Reading, other: Reading) -> bool:
    """Whether they tell of different times, or one of what was and the other of what is."""
    if one.past != other.past:
        return True
    apart = not any(_meet(a, b) for a in one.times for b in other.times)
    return bool(one.times and other.times) and apart


def _agreement(
    one: Reading, other: Reading, pair: tuple[Clause, Clause], similarity: float
) -> Verdict:
    alike = _SIMILARITY * similarity + _OVERLAP * _shared(one, other, None)
    confidence = alike / (_SIMILARITY + _OVERLAP)
    reason = Reason.AGREEMENT
    if swapped(one.memory.text, other.memory.text):
        reason = Reason.SWAPPED
    elif not same_holder(*pair):
        reason = Reason.OTHER_SUBJECT
    elif other_time(one, other):
        reason = Reason.OTHER_TIME
    elif confidence < CONFLICT or not _says_the_same(pair, similarity):
        reason = Reason.TOO_WEAK
    agrees = reason is Reason.AGREEMENT
    return Verdict(Stance.CORROBORATES if agrees else Stance.UNRELATED, confidence, reason)


def _says_the_same(pair: tuple[Clause, Clause], similarity: float) -> bool:
    first, second = pair
    if first.denies != second.denies or similarity < ABOUT_THE_SAME:
        return False
    if first.figures and second.figures and first.figures != second.figures:
        return False
    fewer, more = sorted((first.content, second.content), key=len)
    if fewer == more or len(fewer) == 1:
        # One word in common may be another thing of that name.
        return fewer == more
    # Tea and coffee, liked by the same person, are as near as two words for one thing.
    mostly = similarity >= SAME and overlap(fewer, more) > MOSTLY
    return mostly or contained(fewer, more) >= NEARLY_ALL


def _rivals(one: Reading, other: Reading) -> tuple[Value, Value] | None:
    """The first attribute to which both give another value."""
    found = ((a, b) for a in one.values for b in other.values if a.rivals(b))
    return next(found, None)


def _denied(first: Clause, second: Clause) -> bool:
    """Whether one denies all that the other claims of the same people.

    A denial of less than is claimed is none: no coffee at night, but coffee.
    """
    if first.denies == second.denies or not same_holder(first, second):
        return False
    denial, claim = (first, second) if first.denies else (second, first)
    return contained(denial.content, claim.content) >= NEARLY_ALL


def _shared(one: Reading, other: Reading, rivals: tuple[Value, Value] | None) -> float:
    """Share of terms in common; of rivals, beside the values in which they differ."""
    if rivals is None:
        return overlap(one.content, other.content)
    first, second = (content(each.holder.text.replace(each.value, " ")) for each in rivals)
    return overlap(first, second)


def _names(memory: Memory) -> frozenset[str]:
    return frozenset(entity_id(name) for name in memory.about)


def _meet(one: Interval, other: Interval) -> bool:
    return one.start <= other.end and other.start <= one.end
