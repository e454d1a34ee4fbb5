"""What an episode did to the memories that were known before: asked in a small call. Pure.

Asked about are those that the bot was shown, open intentions, and what one of the new facts may
take the place of.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..conflict.numbers import numbers
from ..conflict.slots import canonical, same_value
from ..languages.terms import content_terms
from ..model.lesson import Candidate, GapType, Lesson
from ..model.memory import Facet, Memory
from ..prompts.verdict import MOST_NOTES, NoteVerdicts
from ..records.corroboration import impersonal

ALIKE = 2
"""Content terms that a fact and a memory share, for the one to be possibly about the other."""


def notes_of(
    known: Mapping[int, Memory], candidates: Sequence[Candidate], answered: frozenset[str]
) -> Mapping[int, Memory]:
    """Of the `known` memories those that are asked about; `answered` are ids of shown ones."""
    return dict(
        [
            (number, memory)
            for number, memory in known.items()
            if memory.id in answered
            or (memory.intention is not None and memory.intention.pending)
            or any(_is_about(candidate, memory) for candidate in candidates)
        ][:MOST_NOTES]
    )


def judged_by(
    verdicts: NoteVerdicts, lesson: Lesson, notes: Mapping[int, Memory], episode: str
) -> Lesson:
    """The lesson of the `episode` with what a reply says of the notes.

    What is so no longer is followed by the fact nearest to it, if there is one; of what is told
    again nothing new is learnt, its turn counts as telling the note.
    """
    candidates, covered = [*lesson.candidates], list[tuple[int, int]]()
    for number in sorted(verdicts.wrong | verdicts.changed):
        place = _nearest(candidates, notes[number])
        if place is not None:
            candidates[place] = _following(candidates[place], number, verdicts)
    for number in sorted(verdicts.again):
        note = notes[number]
        if note.origin.episode != episode and (fact := _retelling(candidates, note)):
            candidates.remove(fact)
            covered.append((max(fact.turns), number))
    return replace(
        lesson,
        candidates=tuple(candidates),
        covered=tuple(covered),
        useful=verdicts.used,
        done=verdicts.done,
        given_up=verdicts.dropped,
    )


def _following(candidate: Candidate, number: int, verdicts: NoteVerdicts) -> Candidate:
    if number in verdicts.wrong:
        return replace(candidate, corrects=number, gap=GapType.CONTRADICTION)
    taste = candidate.facet is Facet.PREFERENCE
    gap = GapType.PREFERENCE_SHIFT if taste else GapType.NEW_BEHAVIOUR
    return replace(candidate, updates=number, gap=gap)


def _nearest(candidates: Sequence[Candidate], note: Memory) -> int | None:
    free = [
        place
        for place, each in enumerate(candidates)
        if each.corrects is each.updates is None and any(_shared(each, note))
    ]
    return max(free, key=lambda place: _shared(candidates[place], note), default=None)


def _retelling(candidates: Sequence[Candidate], note: Memory) -> Candidate | None:
    """The fact that may tell the note in other words: of its kind, no other number, its value.

    An intention may share no word with what it was told in.
    """
    told = {*numbers(note.text)}
    free = [
        each
        for each in candidates
        if each.kind is note.kind
        and each.corrects is each.updates is None
        and told >= {*numbers(each.text)}
        and not _of_another_value(each, note)
        and (note.intention is not None or any(_shared(each, note)))
    ]
    return max(free, key=lambda each: _shared(each, note), default=None)


def _of_another_value(candidate: Candidate, memory: Memory) -> bool:
    one, other = candidate.claim, memory.claim
    if one is None or other is None:
        return False
    return not same_value(other.attribute, one.value, other.value)


def _shared(candidate: Candidate, memory: Memory) -> tuple[bool, int]:
    """What they have in common: one slot, which counts more, and so many content terms."""
    terms = content_terms(candidate.text) & content_terms(impersonal(memory))
    return _is_of_one_slot(candidate, memory), len(terms)


def _is_about(candidate: Candidate, memory: Memory) -> bool:
    slot, terms = _shared(candidate, memory)
    return slot or terms >= ALIKE


def _is_of_one_slot(candidate: Candidate, memory: Memory) -> bool:
    if candidate.claim is None or memory.claim is None:
        return False
    return canonical(candidate.claim.attribute) == memory.claim.attribute
