"""Claims read by the rules, for learnt memories to which the model gave none. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from ..languages.terms import content_terms
from ..model.conversation import Turn
from ..model.lesson import Candidate, Lesson
from ..model.memory import Kind
from ..records.claims import claim_of
from ..text.normalisation import folded
from .antecedents import Names
from .rule_extraction import NOBODYS, extract


def with_rule_claims(lesson: Lesson, turns: Sequence[Turn], names: Names = NOBODYS) -> Lesson:
    """Each memory that states nothing states what the rules read in its turns, if it says so too.

    Only where they read one value that stands in the memory's text, of the same subject; where it
    is over without a value, all words of what they read.
    """
    if all(each.claim is not None for each in lesson.candidates):
        return lesson
    read = [each for each in extract(turns, names).candidates if each.claim is not None]
    told = tuple(_claimed(each, read, turns) for each in lesson.candidates)
    return replace(lesson, candidates=told)


def _claimed(candidate: Candidate, read: Sequence[Candidate], turns: Sequence[Turn]) -> Candidate:
    if candidate.claim is not None or candidate.kind is Kind.PROSPECTIVE:
        return candidate
    fitting = {each.claim for each in read if _says(candidate, each, turns)}
    return replace(candidate, claim=fitting.pop()) if len(fitting) == 1 else candidate


def _says(candidate: Candidate, read: Candidate, turns: Sequence[Turn]) -> bool:
    stated = read.claim
    if stated is None or not set(read.turns) <= set(candidate.turns):
        return False
    if stated.value and folded(stated.value) not in folded(candidate.text):
        return False
    if not stated.value and not content_terms(read.text) <= content_terms(candidate.text):
        return False
    turn = turns[read.turns[0] - 1]
    own, theirs = (
        claim_of(each, turn.speaker, turn.place.scope, turn.at)
        for each in (replace(candidate, claim=stated), read)
    )
    return own is not None and theirs is not None and own.subject == theirs.subject
