"""Whether two memories of one holder say the same; what is said again is trusted more. Pure."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from ..conflict.clauses import (
    BESIDE,
    FILLING,
    NEGATION,
    NO_NEGATION,
    PREFERENCE,
    Clause,
    clauses,
    content,
)
from ..conflict.slots import value_key
from ..conflict.trust import CORROBORATES, SUPPORTS, linked
from ..forgetting.lifecycle import DAY, accessed
from ..forgetting.policy import ForgettingPolicy, Judgement
from ..forgetting.tmd import already_judged
from ..languages.entities import struck
from ..languages.kin import kin_in
from ..languages.numbers import numbers
from ..languages.registry import languages
from ..languages.scripts import language_of
from ..languages.terms import carries_meaning, terms
from ..model.conversation import Account, Scope, ScopeKind
from ..model.knowledge import Relation
from ..model.memory import REPLY_MARK, Kind, Memory, Origin, Source
from ..text.quoting import IDEOGRAPHIC, folded, normalise
from .intentions import referenced

MOST_LINKS = 32
"""Repetitions that a memory names, more than count towards its trust."""


_PAST = re.compile(
    r"以前|从前|曾经?|曾|过去|原来|小时候|当年|那时|早先"
    r"|\b(?:used to|formerly|once|as a child|in the past|back then|previously|at that time)\b",
    re.I,
)
"""What says that something was so, not that it is."""

_READ_IN = ("zh", "en")
"""Languages whose denials these patterns tell."""


@dataclass(frozen=True, slots=True)
class Proposition:
    """What a statement says, whoever says it in whatever person: equal if two say the same."""

    content: frozenset[str]
    figures: frozenset[str]
    denials: int
    tastes: bool
    past: bool
    text: str = field(compare=False)
    clauses: tuple[Clause, ...] = field(compare=False)

    @property
    def turned(self) -> bool:
        """Whether it denies on the whole: two denials cancel each other."""
        return len(NEGATION.findall(NO_NEGATION.sub(" ", self.text))) % 2 == 1

    @property
    def denied(self) -> set[frozenset[str]]:
        """What it denies."""
        return {clause.content for clause in self.clauses if clause.denies}


@lru_cache(2_048)
def proposition_in(text: str) -> Proposition:
    """Of a text without names for whoever says it. No content if it says nothing."""
    told = clauses(text)
    return Proposition(
        content(text),
        frozenset[str]().union(*(clause.figures for clause in told)),
        sum(clause.denies for clause in told),
        any(clause.prefers for clause in told),
        _PAST.search(text) is not None,
        text,
        told,
    )


def proposition_of(memory: Memory) -> Proposition:
    """What a memory says of whom it is about; a raw turn without its answer."""
    said = impersonal(memory)
    return proposition_in(said.partition(REPLY_MARK)[0] if memory.kind is Kind.EVIDENCE else said)


def impersonal(memory: Memory) -> str:
    """The memory's text without the names of whom it is about and of who said it."""
    speaker = () if memory.speaker is None else (memory.speaker.name,)
    return struck(unquoted(memory.text), (*memory.about, *speaker, *default_names()))


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
    return used.with_relations([link])


def _resting_on(known: Memory, again: Restatement) -> Origin:
    group = Scope.kind_of(known.scope) is ScopeKind.GROUP
    if known.kind is Kind.EVIDENCE or (group and known.account != again.account):
        return known.origin
    return replace(known.origin, turns=tuple(sorted({*known.origin.turns, *again.turns})))


NEAR, OF_ONE_MATTER = 0.85, 0.75
"""Centred cosine from which two statements may say the same; that of two of the same `matter`."""

ADDING = 0.91
"""Centred cosine from which words that only one of two statements adds make no other of it.

Of 400 pairs of `benchmarks.merges`, kin, numbers, days, names and denials alike, one that does not
say the same is as near: a new oven, and a new German one.
"""

SAID = 0.5
"""Share of a denial's words from which the other text says them, too."""

MERGED = frozenset({Kind.SEMANTIC, Kind.PROCEDURAL, Kind.EPISODIC})
LIGHT = 3
"""Terms of two memories with the same claim that each may have and the other not."""

NAMING = frozenset({"person", "place", "organization", "organisation"})

_NAME = re.compile(r"(?<![.!?。！？]\s)(?<!^)\b[A-Z][\w'’-]*")
_PRONOUN = re.compile(
    r"[我你您他她它]们?|咱们?|\b(?:i|me|my|you|your|he|him|his|she|her|it|its|we|us|our|they|them|their)\b",
    re.I,
)
_SUBJECT = re.compile(r"^\W*(?:[他她]|(?:he|she|they)\b)", re.I)
_SPEAKER = frozenset({"我", "我们", "咱", "咱们", "i", "me", "my", "we", "us", "our"})
_PIECE = re.compile(rf"[{IDEOGRAPHIC}]|(?:(?![{IDEOGRAPHIC}])\w)+")
_NAMED_DAY = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|\b(?:yesterday|today|tomorrow|tonight|morning|noon|afternoon|evening|night|weekend|weekday)s?\b"
    r"|\b(?:last|next|this|every|ago|spring|summer|autumn|winter|christmas|easter)\b"
    r"|\b(?:daily|weekly|monthly|yearly|annual(?:ly)?|once|twice|before|after|until|since)\b"
    r"|[昨今明前后]天|(?!每(?:周|星期|礼拜)[一二三四五六日天末])[上下这本每][个一]?[周月年天次]|周[一二三四五六日末]|星期[一二三四五六日天]|礼拜[一二三四五六日天]"
    r"|[去今明前后]年|早上|上午|中午|下午|晚上|傍晚|凌晨|半夜|春[天节]|夏天|秋天|冬天|刚才|刚刚"
    r"|以前|之前|以后|之后",
    re.I,
)
_MEASURE = re.compile("(?<=[上下这本每])[个一]")
_TURNING = re.compile(
    r"\b(?:always|never|often|sometimes|usually|rarely|used to|will|would|wants?|wanted|plans?"
    r"|planned|hopes?|hoped|wish(?:es|ed)?|can|could|should|must|may|might|only|some|most|few|many"
    r"|every|both|almost|nearly|less|least|more|too|from|without|against|instead|except|if|unless"
    r"|because)\b"
    r"|[只最更从往被把比替给向]|来(?=[这那此])|曾经?|将要?|打算|想要?|准备|经常|偶尔|总是|从来|有时|几乎|差点|如果|除了|因为",
    re.I,
)
"""Small words that no index keeps, and that make another statement of the same terms."""


def eligible(memory: Memory) -> bool:
    """Whether it may be merged at all: in recall, learnt, nobody's intention, not followed."""
    in_force = memory.recallable and memory.successor is None and memory.intention is None
    over = memory.claim is not None and not memory.holds
    corrected = memory.feedback.accurate is False or memory.feedback.correction is not None
    return in_force and memory.kind in MERGED and not (over or corrected)


def same_claim(one: Memory, other: Memory) -> bool:
    """Whether both claim the same value of the same slot."""
    first, second = one.claim, other.claim
    if first is None or second is None or first.slot != second.slot:
        return False
    return first.denied == second.denied and value_key(first.value) == value_key(second.value)


def may_deny(one: Memory, other: Memory) -> bool:
    """Whether one may deny what the other says, as far as their words tell.

    Of other languages than those whose denials are known every other wording may.
    """
    said, heard = proposition_of(one), proposition_of(other)
    if _of_known_denials(said, heard):
        return said.turned != heard.turned
    return said.content != heard.content


def turned(one: Memory, other: Memory) -> bool:
    """Whether one denies, and the other does not."""
    return proposition_of(one).turned != proposition_of(other).turned


def denies_value(newer: Memory, older: Memory) -> bool:
    """Whether the newer, which takes the older's place, denies the value that it claims itself.

    The older claims it too, or names it and claims nothing. "Has a dog" after "has no dog" denies
    nothing, the older was the denial; nor does the same in other words for whom it is about.
    """
    if newer.claim is None or newer.claim.denied:
        return False
    said, heard = proposition_of(newer), proposition_of(older)
    if said == heard or (heard.turned and not said.turned):
        return False
    named = older.claim is None and folded(newer.claim.value) in folded(older.text)
    return same_claim(newer, older) or (named and said.turned != heard.turned)


def apart(one: Memory, other: Memory, near: float = NEAR) -> bool:
    """Whether two eligible memories of a scope that are near each other are two, not one.

    With the same claim they may be worded as they like, as long as one tells all the other does;
    at a centred cosine `near` of `ADDING` one may add words and days. Of two that a judge has
    found to say the same only names, kin, numbers, days, denials and the past are compared.
    """
    judged = same_by_judgement(one, other)
    said, heard = proposition_of(one), proposition_of(other)
    if (
        _held_apart(one, other, judged=judged)
        or _counted_apart(said, heard, ones=not judged, days=not judged and near < ADDING)
        or _named_apart(one, other)
        or said.past != heard.past
    ):
        return True
    if judged:
        # A judge has seen that what is worded otherwise is the same, not that one denies the other.
        kin = _differ(kin_in(said.text), kin_in(heard.text))
        return kin or _denies(said, heard) or _denies(heard, said)
    if _limited_apart(said, heard) or _denied_apart(said, heard):
        return True
    if not _of_known_denials(said, heard) and said.content != heard.content:
        return True
    tastes = said.tastes == heard.tastes
    if near >= ADDING and tastes and _adds(said.text, heard.text):
        return False
    if same_claim(one, other):
        # What both claim is the same: whoever says more of it is kept.
        return min(len(said.content - heard.content), len(heard.content - said.content)) > LIGHT
    return said.content != heard.content or not said.content or not tastes


def same_by_judgement(one: Memory, other: Memory) -> bool:
    """Whether sleep's judge has found that they say the same."""
    return other.id in linked(one, SUPPORTS)


def matter(memory: Memory) -> frozenset[str]:
    """What a memory is about, in whatever order and small words."""
    return proposition_of(memory).content


def _held_apart(one: Memory, other: Memory, *, judged: bool) -> bool:
    """Whether they are of two kinds, holders, claims or days."""
    if one.kind is not other.kind or one.account != other.account:
        return True
    if (one.source is Source.BOT) != (other.source is Source.BOT):
        return True
    if {folded(name) for name in one.about} != {folded(name) for name in other.about}:
        return True
    both = one.claim is not None and other.claim is not None
    unlike = both or (not judged and one.claim is not other.claim)
    if unlike and not same_claim(one, other):
        return True
    return one.kind is Kind.EPISODIC and abs(one.happened_at - other.happened_at) >= DAY


def otherwise(one: str, other: str) -> bool:
    """Whether two texts, without the names of their holders, cannot say the same of one thing.

    Whether either says more is not looked at, but for what names, counts, dates, limits or denies.
    """
    said, heard = proposition_in(one), proposition_in(other)
    if said.past != heard.past or said.tastes != heard.tastes or kin_in(one) != kin_in(other):
        return True
    return any(each(said, heard) for each in (_counted_apart, _limited_apart, _denied_apart))


def _counted_apart(
    one: Proposition, other: Proposition, *, ones: bool = True, days: bool = True
) -> bool:
    """Whether they name other numbers, days or people.

    Without `ones` 一 is an article ("一辆", "一到"); without `days` one may name more.
    """
    texts = one.text, other.text
    first, second = ([n for n in numbers(text) if ones or n != 1.0] for text in texts)
    named, others = ([_MEASURE.sub("", day) for day in _found(_NAMED_DAY, t)] for t in texts)
    dated = (named != others) if days else _differ(named, others)
    return first != second or dated or _names(one.text) != _names(other.text)


def _named_apart(one: Memory, other: Memory) -> bool:
    """Of two that say the same, sleep may have found the names of one alone."""
    texts, named = (folded(one.text), folded(other.text)), named_in(one) ^ named_in(other)
    return any(name not in text for name in named for text in texts)


def _differ(one: Collection[str], other: Collection[str]) -> bool:
    """Whether each has something that the other lacks."""
    return bool({*one} - {*other}) and bool({*other} - {*one})


def _adds(one: str, other: str) -> bool:
    """Whether one says all that the other does of the same people, in that order: "A hit B"."""
    less, more = sorted((pieces(one), pieces(other)), key=len)
    left = iter(more)
    return kin_in(one) == kin_in(other) and bool(less) and all(piece in left for piece in less)


def pieces(text: str) -> list[str]:
    """Words with a meaning, and of a script without spaces characters, in their order."""
    bare = FILLING.sub(" ", PREFERENCE.sub(" ", text))
    found = [piece for word in _PIECE.findall(folded(bare)) for piece in terms(word)]
    return list(filter(carries_meaning, found))


def _limited_apart(one: Proposition, other: Proposition) -> bool:
    return _turning(one.text) != _turning(other.text) or _other_roles(one.text, other.text)


def _turning(text: str) -> list[str]:
    """Those that are no part of a taste: "can't stand"."""
    return _found(_TURNING, PREFERENCE.sub(" ", text.replace("’", "'")))


def _denied_apart(one: Proposition, other: Proposition) -> bool:
    """Whether one denies what the other does not, or something else."""
    return one.turned != other.turned or one.denied != other.denied


def _denies(said: Proposition, heard: Proposition) -> bool:
    """Whether a clause denies what the other text says nearest to it, in the same words.

    Of other words a judge knows better: "sober" is "does not drink".
    """
    denied = (clause for clause in said.clauses if clause.denies)
    near = (max((_held(c, each), each.denies) for each in heard.clauses) for c in denied)
    return any(held >= SAID and not denies for held, denies in near)


def _held(one: Clause, other: Clause) -> float:
    """Share of words, or characters, in common of whichever has less; 1.0 if one has none."""
    first, second = ({*pieces(NEGATION.sub(" ", each.text))} for each in (one, other))
    least = min(len(first), len(second))
    return len(first & second) / least if least else 1.0


def _of_known_denials(*told: Proposition) -> bool:
    return {language_of(each.text, default=_READ_IN[0]) for each in told} <= {*_READ_IN}


def _other_roles(one: str, other: str) -> bool:
    """Whether pronouns tell that somebody else does it, or to somebody else.

    "I like you" is not "you like me". Only whoever speaks, or it begins with, may be left out.
    """
    first, second = _pronouns(one), _pronouns(other)
    if {*first} - _SPEAKER != {*second} - _SPEAKER:
        return True
    return len({*first}) > 1 and len({*second}) > 1 and first != second


def _pronouns(text: str) -> list[str]:
    order = [found.lower() for found in _PRONOUN.findall(_SUBJECT.sub("", text))]
    return [each for place, each in enumerate(order) if place == 0 or order[place - 1] != each]


def _found(words: re.Pattern[str], text: str) -> list[str]:
    return sorted(found.lower() for found in words.findall(normalise(text)))


def _names(text: str) -> list[str]:
    """Names in Latin script within its sentences, in their order: who did it is told first.

    Of those that are joined ("Polish and German") none is.
    """
    told: list[list[str]] = []
    end = -1
    for found in _NAME.finditer(text):
        if _NAMED_DAY.fullmatch(found.group()):
            continue
        if told and BESIDE.fullmatch(text, end, found.start()):
            told[-1].append(found.group().lower())
        else:
            told.append([found.group().lower()])
        end = found.end()
    return list(dict.fromkeys(name for joined in told for name in sorted(joined)))


def named_in(memory: Memory) -> frozenset[str]:
    """People and places it is about, but for its holders."""
    holders = {folded(name) for name in memory.about}
    known = {folded(each.name) for each in memory.entities if each.type.lower() in NAMING}
    return frozenset(known - holders)
