"""What a reader would say of a month that was played: of what was learnt, and of each block. Pure.

Patterns tell whether a line says a fact; whether it is about the right person is told by the names
in it, and where these are in doubt by the words it shares with the message that told the fact.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.languages.terms import content_terms
from ...core.model.memory import REPLY_MARK
from ...core.text.token_count import estimate_tokens
from .life import Fact, Life, Said

MARKED = re.compile(
    r"no longer|any ?more\b|until \d|before that:|said before \[|used to|former|ended|cancel"
    r"|截至|此前|先前|曾|以前|之前|原来|现已|不再|取消|已经?(?:不|没|离|分|搬|卖|退)|没有?了",
    re.I,
)
"""A line with such words says of itself that it is about the past, or that something is not so."""

WEIGHTS = {
    "missing": 10,
    "wrong": 6,
    "forgotten": 6,
    "stale": 5,
    "stale_quote": 2,
    "another's": 5,
    "before_its_successor": 3,
    "twice": 2,
    "needless": 1,
    "unrelated": 1,
}
"""How much each objection weighs when the worst blocks are looked for."""

MOST_LIGHT = 5
"""So many lines that only take up room weigh anything: a missing fact weighs more than all."""

_NUMBERED = re.compile(r"(?:\[\d+\]|-) (.+)")
_ALIKE = 0.8
_SHARED = 2

type Day = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """A message with what was shown for it; `found` are the needed facts that a line says.

    `objections` are pairs of the kind and the line, "" for what no line is.
    """

    said: Said
    lines: tuple[str, ...]
    tokens: int
    found: frozenset[str] = frozenset()
    objections: tuple[tuple[str, str], ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """Needed facts that no line says."""
        return tuple(each for each in self.said.needs or () if each not in self.found)

    @property
    def kinds(self) -> Counter[str]:
        """How many objections there are of each kind."""
        return Counter(kind for kind, _ in self.objections)

    @property
    def weight(self) -> int:
        """How bad it is."""
        return sum(
            WEIGHTS[kind] * (count if WEIGHTS[kind] > 1 else min(count, MOST_LIGHT))
            for kind, count in self.kinds.items()
        )


@dataclass(slots=True)
class Learnt:
    """Live memories at the end of a day by what they are, and the facts that they tell."""

    kinds: Counter[str] = field(default_factory=Counter[str])
    facts: set[str] = field(default_factory=set[str])
    bad: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def lines_of(shown: Sequence[str]) -> tuple[str, ...]:
    """The lines of the page and of the block that say something."""
    told = (_NUMBERED.fullmatch(line.strip()) for part in shown for line in part.split("\n"))
    inside = [found[1] for found in told if found]
    return tuple(inside)


def judged(life: Life, said: Said, shown: Sequence[str]) -> Judged:
    """The message with what a reader would object to in what was shown for it."""
    lines = lines_of(shown)
    tokens = sum(map(estimate_tokens, shown))
    needs = [life.facts[each] for each in said.needs or ()]
    found = frozenset(fact.id for fact in needs if any(map(fact.told_by, lines)))
    objections = [*_objections(life, said, lines, found)]
    return Judged(said, lines, tokens, found, tuple(objections))


def learnt(life: Life, day: Day) -> Learnt:
    """What the live memories at the end of a day are: right, stale, wrong or other."""
    until = max(one.number for one in life.said if one.day <= day["day"])
    told = [fact for fact in life.facts.values() if fact.since <= until]
    wrong, forgets = (
        [each for one in life.said[: until + 1] for each in getattr(one, name)]
        for name in ("wrong", "forgets")
    )
    result = Learnt()
    for memory in day["memories"]:
        if not memory["live"]:
            continue
        text = memory["text"]
        subject = f"{' '.join(memory['about'])} {text}"
        since = [fact for fact in told if life.said[fact.since].at <= memory["at"] + 60]
        right = [f for f in since if f.told_by(text) and is_about(life, f, subject)]
        holding = [fact for fact in right if fact.holds(until)]
        result.facts.update(fact.id for fact in right)
        if any(each.search(text) for each in forgets):
            kind = "forgotten"
        elif holding or (right and (not memory["holds"] or MARKED.search(text))):
            kind = "right"
        elif right:
            kind = "stale"
        elif any(each.search(text) for each in wrong) or anothers(life, since, subject, text):
            kind = "wrong"
        else:
            kind = "other"
        result.kinds[kind] += 1
        if kind not in ("right", "other"):
            result.bad.append((kind, text))
    return result


def is_about(life: Life, fact: Fact, subject: str) -> bool:
    """Whether the fact's person is named, or is who told it while nobody else is named."""
    if life.names(fact.who, subject):
        return True
    others = life.people - {fact.who}
    teller = life.said[fact.since].who
    return fact.who == teller and not any(life.names(other, subject) for other in others)


def anothers(life: Life, facts: Sequence[Fact], subject: str, text: str) -> bool:
    """Whether what was told of one person is said of another, in the words it was told in."""
    named = [who for who in life.people if life.names(who, subject)]
    names = content_terms(" ".join(life.people))
    return bool(named) and any(
        fact.who not in named
        and fact.told_by(text)
        and len(content_terms(text) & content_terms(life.said[fact.since].text) - names) >= _SHARED
        for fact in facts
    )


def _objections(
    life: Life, said: Said, lines: Sequence[str], found: frozenset[str]
) -> Iterator[tuple[str, str]]:
    needs = [life.facts[each] for each in said.needs or ()]
    told = [fact for fact in life.facts.values() if fact.since < said.number]
    forgets = [each for one in life.said[: said.number] for each in one.forgets]
    for fact in needs:
        if fact.id not in found:
            yield "missing", ""
    for place, line in enumerate(lines):
        own = line.partition(REPLY_MARK)[0]
        say = [fact for fact in told if fact.told_by(own)]
        quoted = own.partition(": ")[0].endswith(life.speakers)
        if any(each.search(line) for each in forgets):
            yield "forgotten", line
        if not MARKED.search(line):
            if any(each.search(own) for each in said.wrong):
                yield "wrong", line
            gone = say and not any(fact.holds(said.number) or fact in needs for fact in say)
            if gone and any(is_about(life, fact, own) for fact in say):
                yield "stale_quote" if quoted else "stale", line
        right = quoted or any(is_about(life, fact, own) for fact in say)
        if not right and anothers(life, say, own, own):
            yield "another's", line
        after = " ".join(lines[place + 1 :])
        if any(_precedes(life, fact, own, after) for fact in say):
            yield "before_its_successor", line
        if any(_alike(own, other.partition(REPLY_MARK)[0]) for other in lines[:place]):
            yield "twice", line
        if said.needs == ():
            yield "needless", line
        elif needs and len(found) < len(needs) and not any(f.told_by(line) for f in needs):
            yield "unrelated", line


def _precedes(life: Life, fact: Fact, line: str, after: str) -> bool:
    """Whether a fact stands before, and its successor only after it."""
    successor = life.facts.get(fact.successor or "")
    return successor is not None and not successor.told_by(line) and successor.told_by(after)


def _alike(one: str, other: str) -> bool:
    mine, others = content_terms(one), content_terms(other)
    both = min(len(mine), len(others))
    return both > 0 and len(mine & others) / max(len(mine), len(others)) >= _ALIKE
