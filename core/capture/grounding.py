"""Whether a learnt memory says no more than the turns that it cites, its numbers included."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from difflib import SequenceMatcher
from enum import StrEnum

from ..conflict.clauses import BESIDE, CLAUSE_END, NEGATION, NO_NEGATION, Clause, clauses
from ..languages.en.numerals import ENGLISH
from ..languages.entities import names_written
from ..languages.han_numerals import HAN, chinese_number
from ..languages.kin import kin_of
from ..languages.markers import after_first_person
from ..languages.numbers import numbers
from ..languages.terms import carries_meaning, content_terms
from ..languages.times import times_in
from ..model.conversation import Role, Turn
from ..model.knowledge import IntentionType
from ..model.lesson import Candidate
from ..records.sameness import default_names
from ..text.quoting import IDEOGRAPHIC, entity_id, normalise
from ..text.time.calendar import Leaning

_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_WORDS: Mapping[str, float] = (
    {word: float(value) for word, value in ENGLISH.items() if value > 1 and " " not in word}
    | {word: float(place) for place, word in enumerate(_ORDINALS.split(), 1)}
    | {"once": 1.0, "twice": 2.0, "double": 2.0, "triple": 3.0, "both": 2.0, "pair": 2.0}
    | {"half": 0.5, "hundred": 100.0, "thousand": 1e3, "million": 1e6}
)
_COUNTED = frozenset(
    word for word, value in ENGLISH.items() if value > 1 and " " not in word and word != "couple"
)
_UNITS: Mapping[str, float] = {
    "k": 1e3,
    "m": 1e6,
    "万": 1e4,
    "千": 1e3,
    "百": 1e2,
    "亿": 1e8,
    "%": 0.01,
    "thousand": 1e3,
    "million": 1e6,
    "hundred": 1e2,
    "成": 0.1,
    "折": 0.1,
}
_DIGITS = re.compile(
    r"(?<![A-Za-z0-9_.])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*(k\b|m\b|万|千|百|亿|%|thousand|million|hundred)?"
    r"|(?<=[A-Za-z])(\d+)"
)
_HAN_COUNTED = re.compile(
    rf"(?<![第{HAN}十百千万])([{HAN}十廿百千万]{{1,12}})"
    r"(?=[岁年月日号点个只条辆套位名头匹次天周块元斤公千米分小人本部张间种杯层楼所家万亿%])"
)
_FIGURE_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")
_IDLE = frozenset("一 一二 十 千 万 百 千万 一两 一百 十万 百万".split())
"""Han numerals that mostly count nothing: 一点, 十分, 千万."""

type Readings = Mapping[str, frozenset[float]]


def figures(text: str) -> Readings:
    """The numbers that a text counts with, as they are written, and what each may mean.

    "One" and "a" count nothing, nor do Han numerals inside of other words.
    """
    plain = normalise(text)
    found = {**_digits(plain)}
    for word in _FIGURE_WORD.findall(plain):
        if word in _COUNTED or _is_compound(word):
            found[word] = frozenset(numbers(word))
    for match in _HAN_COUNTED.finditer(plain):
        if match[1] not in _IDLE and (value := _han(match[1])) is not None:
            found[match[1]] = frozenset({value})
    return found


def readings(text: str) -> Readings:
    """Everything in a text that may stand for a number, read in every way."""
    plain = normalise(text)
    words = {
        word: frozenset({_WORDS[word]}) for word in _FIGURE_WORD.findall(plain) if word in _WORDS
    }
    han = {
        run: frozenset({value})
        for run in re.findall(rf"[{HAN}十廿百千万]+", plain)
        if (value := _han(run)) is not None
    }
    return {**_digits(plain), **words, **han}


def _digits(plain: str) -> dict[str, frozenset[float]]:
    found: dict[str, frozenset[float]] = {}
    for match in _DIGITS.finditer(plain):
        whole, part, unit, after_letter = match.groups()
        value = float((whole or after_letter).replace(",", "") + (part or ""))
        meant = {value, value * _UNITS[unit]} if unit else {value}
        found[match[0].strip()] = frozenset(meant)
    return found


def _is_compound(word: str) -> bool:
    tens, _, ones = word.partition("-")
    return bool(ones) and tens in _COUNTED and ones in ENGLISH


def _han(run: str) -> float | None:
    try:
        return float(chinese_number(run))
    except ValueError:
        return None


LONGEST = 24_000
"""Characters of what a memory is held against."""

BACK = 4
"""Turns before the first cited one in which what it refers to may have been named."""

ALIKE = 0.3
"""Dice's coefficient of a clause and the one that it renders, at least."""

THE_SAME = 0.4
"""At least so much of it, for a denial to have been lost."""

SHORTEST = 3
"""Letters of a name for short."""

COPIED = 0.7
"""Share of what is told of somebody, in one piece, that makes it the words of a turn: of 677
observations that a good reader made .010 are doubted with it, .48 without."""

SAME_START = 4
"""Letters by which two forms of a name are told to be one: Swede, Swedish."""

_LATIN_IN_HAN = re.compile(r"[A-Za-z][A-Za-z0-9.+#-]{1,40}")
_HAN = re.compile(f"[{IDEOGRAPHIC}]")
_DATE = re.compile(r"(?<!\d)\d{1,4}-\d{1,2}-\d{1,2}(?!\d)")
_MARKS = " .。!！"
_HEAD_END = re.compile(r"[,，.。!！?？;；\n]")
_QUOTED = re.compile(r"“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|\"[^\"\n]*\"")
_WORD = re.compile(r"[^\W\d_]+")
_OPENING = re.compile(
    r"(?!Both\b|Despite\b)([A-Z][a-z]+(?:-[A-Z][a-z]+)?)(?:['’]s)? "
    r"(?:is|was|has|had|does|did|will|would|can|could|and|never|also|(?!this\b)[a-z]+(?:s|ed))\b"
)
_DASH = re.compile(r"\s[-–—]+\s|[-–—]{2,}")
SENTENCE = re.compile(r"(?<=[.!?\u3002\uff01\uff1f\n])\s*")


_SECOND_PERSON = re.compile(r"\b(?:you|your|yours|yourself|u)\b|[你您妳]", re.I)
"""Somebody is spoken to."""

_CALLING = (
    r"(?:^|(?<=[,.!?:;~，。！？])|(?<=\b(?:hey|wow|yep))|(?<=\boh)|(?<=\bthanks))[ ,]*"
    r"{name}[ ]*(?=[,.!?~，。！？-]|$)"
)
"""Somebody is called by a name, not spoken of."""

_NO_DENIAL = re.compile(
    r"\b(?:(?:do|does|did|will|would|can|could)(?:n't| not)|never|can't) (?:ever )?"
    r"(?:forget|imagine|believe|stop|worry|hesitate|mind|miss)\b"
    r"|\b(?:not|n't|never|no longer) alone\b"
    r"|\bnot (?:sure|easy|always|so long ago|too long ago|long ago|forget)\b"
    r"|\bno (?:problem|worries|way|kidding|pressure)\b|\bwhy not\b"
    r"|忘不了|不会忘|别担心|不要紧|不用说|不容易"
)
"""What holds a word of negation and denies nothing that would be kept."""

_PRIVATIVE = re.compile(
    r"\b(?:lack\w*|los[ets]\w*|miss\w*|fail\w*|instead|former\w*|goodbye|gone"
    r"|un\w{4,}|struggl\w+|less)\b|缺|失|差|反而",
    re.I,
)
"""What says otherwise that something is not there."""

_IN_PASSING = re.compile(
    r"\b(?:without|nothing|nobody|nor|hardly)\b(?: \w+){0,2}|\bif not\b"
    r"|(?:没有|无)[^，。]{1,4}(?=[就也都])",
    re.I,
)
"""A denial of something beside what a clause is about."""


class Lack(StrEnum):
    """What of a memory stands nowhere in the turns that it cites."""

    NUMBER = "number"
    NAME = "name"
    NEGATION = "negation"
    SUBJECT = "subject"
    SUPPORT = "support"


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a memory is not believed: what is lacking, and the words in question."""

    lack: Lack
    words: str = ""


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a memory may rest on: the cited turns, and those before them."""

    cited: Sequence[Turn]
    before: Sequence[Turn]
    people: Collection[str] = ()
    earlier: Sequence[Turn] = ()
    """The turns that "it" and "there" of the cited ones may go back to."""

    @property
    def text(self) -> str:
        """All of it in one, who spoke included."""
        turns = [*self.before, *self.cited]
        told = [turn.text for turn in turns] + [turn.speaker.name for turn in turns]
        return "\n".join(told)[:LONGEST]


def grounds_of(candidate: Candidate, turns: Sequence[Turn]) -> Grounds:
    """What a candidate rests on in its episode."""
    places = sorted({number - 1 for number in candidate.turns})
    seqs = {turn.seq: place for place, turn in enumerate(turns)}
    answered = {seqs.get(turns[place].answers or 0, place - 1) for place in places}
    before = sorted(answered - {*places, -1})
    first = max(0, places[0] - BACK)
    people = {turn.speaker.name for turn in turns if turn.role is not Role.ASSISTANT}
    return Grounds(
        [turns[place] for place in places],
        [turns[place] for place in before],
        {name for name in people if name},
        turns[first : places[0]],
    )


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of terms in common, 0..1: Dice's coefficient. 0 where one has none."""
    every = len(one) + len(other)
    return 2 * len(one & other) / every if one and other else 0.0


def doubt(
    candidate: Candidate, grounds: Grounds, where: tzinfo | None, words: str = ""
) -> Doubt | None:
    """Why the candidate is not borne out by its grounds; None if it is.

    `words` are those of the cited turn that hold it, where they are known: what is denied beside
    them is another matter. People speak of days in the zone `where` (None: the machine's own).
    """
    near = grounds
    if words and grounds.cited:
        near = replace(grounds, cited=[replace(grounds.cited[0], text=words)], before=[])
    asked = candidate.intention is IntentionType.QUESTION
    return (
        _number(candidate.text, grounds, where)
        or _name(candidate, grounds)
        or _subject(candidate.text, grounds)
        # A question tells what nobody knows yet: whether it is so, or is not.
        or (None if asked else _negation(candidate.text, near))
    )


def _number(text: str, grounds: Grounds, where: tzinfo | None) -> Doubt | None:
    there, days = grounds.text, _days(grounds, where)
    held = {*numbers(there)}.union(*readings(there).values())
    held |= {number for ends in days for day in ends for number in (day.year, day.month, day.day)}
    for written, meant in figures(text).items():
        if held.isdisjoint(meant):
            return Doubt(Lack.NUMBER, written)
    for written in _DATE.findall(text):
        if written not in there and not _is_told(written, days):
            return Doubt(Lack.NUMBER, written)
    return None


def _is_told(written: str, days: Sequence[tuple[date, date]]) -> bool:
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return False
    return any(first <= day <= last for first, last in days)


def _days(grounds: Grounds, where: tzinfo | None) -> list[tuple[date, date]]:
    """The first and the last of the days that were told: "last Friday" is the 5th of a month.

    "On Friday" may be the last one or the next.
    """
    found: list[tuple[date, date]] = []
    for turn in (*grounds.before, *grounds.cited):
        told = (
            each for way in Leaning for each in times_in(turn.text, turn.at, where, leaning=way)
        )
        times = [(turn.at, turn.at), *((t.interval.start, t.interval.end) for t in told)]
        for start, end in times:
            first, last = local(start, where), local(end, where)
            found += [(first.date(), last.date())] if first and last else []
    return found


def local(at: float, where: tzinfo | None) -> datetime | None:
    """A Unix time in the zone `where` (None: the machine's own); None of what no clock shows."""
    try:
        return datetime.fromtimestamp(at, UTC).astimezone(where)
    except (OverflowError, OSError, ValueError):
        return None


def _name(candidate: Candidate, grounds: Grounds) -> Doubt | None:
    earlier = (part for turn in grounds.earlier for part in (turn.text, turn.speaker.name))
    there = entity_id("\n".join([grounds.text, *earlier]))
    words = {*_WORD.findall(there)}
    people = {entity_id(person) for person in grounds.people}
    starts = {word[:SAME_START] for word in words if len(word) >= SAME_START}
    for name in _names(candidate):
        plain = entity_id(name)
        if plain in there or any(_short_for(person, plain) for person in people):
            continue
        parts = [part for part in _WORD.findall(plain) if carries_meaning(part)]
        if not all(
            part in there or (len(part) >= SAME_START and part[:SAME_START] in starts)
            for part in parts
        ):
            return Doubt(Lack.NAME, name)
    return None


def _short_for(one: str, other: str) -> bool:
    """Whether one of two names may be what the other is called for short: Jon, Jonathan."""
    short, long = sorted((one, other), key=len)
    return len(short) >= SHORTEST and long.startswith(short)


def _names(candidate: Candidate) -> Iterable[str]:
    text = candidate.text
    yield from (entity.name for entity in names_written(text))
    if opening := _OPENING.match(text):
        yield opening[1]
    told = entity_id(text)
    named = [*candidate.about, *(entity.name for entity in candidate.entities)]
    for name in named:
        # Of a list of things only what is written as a name is one.
        if entity_id(name) in told and (_HAN.search(name) is None) and name[:1].isupper():
            yield name
    if _HAN.search(text):
        yield from _LATIN_IN_HAN.findall(text)


def _negation(text: str, grounds: Grounds) -> Doubt | None:
    said = [part for turn in grounds.cited for part in _parts(turn.text)]
    said += [part for turn in grounds.before for part in _parts(turn.text)]
    whole = NEGATION.search(_plain(text)) is None and _PRIVATIVE.search(text) is None
    for clause in clauses(text):
        alike = [(overlap(clause.content, part.clause.content), part) for part in said]
        rendered = [part for share, part in alike if share >= ALIKE]
        if _denies(clause.text):
            unsaid = not any(part.denies for part in rendered or said)
        else:
            same = [part for share, part in alike if share >= THE_SAME] if whole else []
            unsaid = bool(same) and all(part.stoutly for part in same)
        if unsaid:
            return Doubt(Lack.NEGATION, clause.text.strip())
    return None


@dataclass(frozen=True, slots=True)
class _Part:
    """A clause of a turn, and whether the sentence that it stands in denies anything."""

    clause: Clause
    denies: bool

    @property
    def stoutly(self) -> bool:
        """Whether the clause itself denies, by more than a word in passing."""
        return _denies(_IN_PASSING.sub(" ", self.clause.text))


def _parts(text: str) -> list[_Part]:
    return [
        _Part(clause, NEGATION.search(_plain(sentence)) is not None)
        for sentence in SENTENCE.split(text)
        if sentence.strip()
        for part in _DASH.split(sentence)
        if part.strip()
        for clause in clauses(part)
    ]


def _denies(text: str) -> bool:
    return len(NEGATION.findall(_plain(text))) % 2 == 1


def _plain(text: str) -> str:
    spelled = normalise(text).replace("’", "'")
    return NO_NEGATION.sub(" ", _NO_DENIAL.sub(" ", spelled))


def _subject(text: str, grounds: Grounds) -> Doubt | None:
    plain = entity_id(text)
    people = sorted(map(entity_id, grounds.people), key=len, reverse=True)
    lead = next((name for name in people if plain.startswith(name)), None)
    speakers = {entity_id(turn.speaker.name) for turn in grounds.cited}
    if lead is None or lead in speakers:
        return None
    beside = BESIDE.match(plain[len(lead) :])
    if beside and any(plain[len(lead) + beside.end() :].startswith(name) for name in speakers):
        return None
    if not all(_tells_of_self(text, turn, lead) for turn in grounds.cited):
        return None
    return Doubt(Lack.SUBJECT, lead)


def is_of_another(candidate: Candidate, turn: Turn) -> Doubt | None:
    """Whether what is told of the speaker is said of somebody else in the turn, or by another.

    Where a sentence of the turn says it in the same words, what stands between its last "I"
    and these is whom it is about; what stands in quotation marks, others have said.
    """
    own = [turn.speaker.name, *default_names()]
    text, named = candidate.text, [name for name in own if name]
    lead = next((name for name in named if entity_id(text).startswith(entity_id(name))), None)
    if lead is None or not {*map(entity_id, candidate.about)} <= {*map(entity_id, named)}:
        return None
    told, said = text[len(lead) :].lower(), turn.text.lower()
    match = SequenceMatcher(None, told, said, autojunk=False).find_longest_match()
    if match.size < max(SHORTEST, COPIED * len(told.strip(_MARKS))):
        return None
    start, end = match.b, match.b + match.size
    if any(quote.start() < start and end <= quote.end() for quote in _QUOTED.finditer(said)):
        return Doubt(Lack.SUBJECT, said[start:end].strip())
    # Who writes "wants to" for "might" has not just put another name before the words.
    if told[: match.a].strip():
        return None
    begins = max((end.end() for end in _HEAD_END.finditer(said, 0, start)), default=0)
    before = after_first_person(said[begins:start])
    # A single character that is no relative is an adverb: 我妈妈和我都住在哈尔滨.
    terms = content_terms(before) - content_terms(text)
    others = [each for each in terms if len(each) > 1 or kin_of(each)]
    return Doubt(Lack.SUBJECT, before.strip()) if others else None


def _tells_of_self(text: str, turn: Turn, lead: str) -> bool:
    """Whether what comes nearest to the text in a turn is said of nobody but its speaker."""
    terms = content_terms(text) - content_terms(lead)
    calling = re.compile(_CALLING.format(name=re.escape(lead)))
    spoken = calling.sub(" , ", entity_id(turn.text))
    parts = [part for part in CLAUSE_END.split(spoken) if part.strip()]
    best = max(parts, key=lambda part: len(terms & content_terms(part)), default="")
    if not terms & content_terms(best):
        best = spoken
    return _SECOND_PERSON.search(best) is None and lead not in best
