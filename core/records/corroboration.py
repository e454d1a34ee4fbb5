"""What is said again is trusted more and kept longer. Pure. Algorithms, section 11."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from ..conflict.clauses import clauses, content_of
from ..conflict.trust import CORROBORATES, linked
from ..conflict.word_patterns import PAST
from ..forgetting.lifecycle import accessed
from ..forgetting.policy import ForgettingPolicy, Judgement
from ..forgetting.tmd import already_judged
from ..languages.registry import languages
from ..model.conversation import Account, Scope, ScopeKind
from ..model.knowledge import Relation
from ..model.memory import REPLY_MARK, Kind, Memory, Origin
from ..text.normalisation import IDEOGRAPHIC
from .intention_transitions import referenced

_IDEOGRAPHS = re.compile(f"[{IDEOGRAPHIC}]")
_LETTER = rf"[^\W_{IDEOGRAPHIC}]"

MOST_LINKS = 32
"""Repetitions that a memory names, more than count towards its trust."""


@dataclass(frozen=True, slots=True)
class Proposition:
    """What a statement says, whoever says it in whatever person: equal if two say the same."""

    content: frozenset[str]
    figures: frozenset[str]
    denials: int
    tastes: bool
    past: bool


def proposition_in(text: str) -> Proposition:
    """Of a text without names for whoever says it. No content if it says nothing."""
    told = clauses(text)
    return Proposition(
        content_of(told),
        frozenset[str]().union(*(clause.figures for clause in told)),
        sum(clause.denies for clause in told),
        any(clause.prefers for clause in told),
        PAST.search(text) is not None,
    )


def proposition_of(memory: Memory) -> Proposition:
    """What a memory says of whom it is about; a raw turn without its answer."""
    said = impersonal(memory)
    return proposition_in(said.partition(REPLY_MARK)[0] if memory.kind is Kind.EVIDENCE else said)


def impersonal(memory: Memory) -> str:
    """The memory's text without the names of whom it is about and of who said it."""
    speaker = () if memory.speaker is None else (memory.speaker.name,)
    return without_names(unquoted(memory.text), (*memory.about, *speaker, *default_names()))


def unquoted(text: str) -> str:
    """The person's own words, of a memory that only quotes them; else the text."""
    for opening, closing in _quotes():
        name, found, words = text.partition(opening)
        if name and found and words.endswith(closing):
            return words.removesuffix(closing)
    return text


@cache
def _quotes() -> tuple[tuple[str, str], ...]:
    """What stands between the name and the words, and after them, in each language."""
    every = [each.learning.quote.removeprefix("{name}") for each in languages() if each.learning]
    parts = [quote.partition("{words}") for quote in every]
    return tuple((opening, closing) for opening, _, closing in parts)


def without_names(text: str, names: Iterable[str]) -> str:
    """The text without these names; in Latin script they are whole words."""
    for name in sorted(filter(None, names), key=len, reverse=True):
        spelled = re.escape(name)
        if not _IDEOGRAPHS.search(name):
            spelled = rf"(?<!{_LETTER}){spelled}(?:['’]s)?(?!{_LETTER})"
        text = re.sub(spelled, " ", text, flags=re.IGNORECASE)
    return text


@cache
def default_names() -> tuple[str, ...]:
    """What the languages call a person without a name."""
    return tuple(each.statements.nameless for each in languages() if each.statements is not None)


@dataclass(frozen=True, slots=True)
class Restatement:
    """That something was said again: in which turns of an episode, by whom, last when.

    `raw` is the id of the evidence of the last of them.
    """

    raw: str
    episode: str
    turns: frozenset[int]
    account: Account
    at: float


def corroborated(known: Memory, again: Restatement, policy: ForgettingPolicy) -> Memory:
    """The known memory after it was said again; done again it changes nothing.

    To the policy it has been of use, once, when that was said. It rests on the new turns too,
    unless another person of a group said it: what they take back is not its speaker's. Within
    one episode nothing is said again.
    """
    if again.turns <= {*known.origin.turns} or known.origin.episode == again.episode:
        return known
    resting = replace(known, origin=_resting_on(known, again))
    link, turn = Relation(known.id, CORROBORATES, again.raw), max(again.turns)
    if link in known.relations or already_judged(known.vitality, turn):
        return resting
    used = policy.judge(resting, Judgement.USEFUL, turn=turn, now=again.at)
    used = referenced(accessed(used, now=again.at), again.at, said_again=True)
    if len(linked(known, CORROBORATES)) >= MOST_LINKS:
        return used
    return replace(used, relations=(*known.relations, link))


def _resting_on(known: Memory, again: Restatement) -> Origin:
    group = Scope.kind_of(known.scope) is ScopeKind.GROUP
    if known.kind is Kind.EVIDENCE or (group and known.account != again.account):
        return known.origin
    return replace(known.origin, turns=tuple(sorted({*known.origin.turns, *again.turns})))
