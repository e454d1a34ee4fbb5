"""Learning without a model: a few forms in which people state something of themselves. Pure.

Algorithms, section 10.4. Precise rather than eager. A sentence is read clause by clause as long as
every clause is: behind one that is not may stand a condition, another's words, a game.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from ..conflict.clauses import NEGATION
from ..languages.kin import animal_in, kin_of
from ..languages.language import StatementForm, StatementForms
from ..languages.markers import is_question
from ..languages.registry import languages, languages_in, learning_wording, nameless
from ..languages.scripts import language_of
from ..languages.times import times_in
from ..model.conversation import Role, Turn
from ..model.knowledge import Entity, IntentionType
from ..model.lesson import Candidate, Lesson, Stated
from ..model.memory import Kind
from ..text.quoting import entity_id, marks
from ..text.time.calendar import Leaning
from ..text.traditional import SIMPLIFIED

CONFIDENCE = 0.6

LONGEST_MESSAGE = 200
MOST_LINES = 3
"""Characters and lines of a message that somebody has typed of themselves: longer ones are pasted
or told at length."""

_LONGEST_SUMMARY = 120
_OTHERS = re.compile(r"[“”「」『』【】\"`<>{}|\[\]:：]")
"""Marks of words that are quoted, copied, shown or announced: nothing after one is read."""

_SENTENCE = re.compile(r"(?<=[。！!?？;；~～\n])|(?<=\.)\s")
_CLAUSE = re.compile(
    r"[,，、]\s*|\s+and\s+(?=(?:i|my)\b)|(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])", re.I
)
_ASKS = ("?", "？")
_EDGES = " \t\n.。!！?？;；~～…:："
_NAMES = {"name": "person", "nickname": "person", "residence": "place", "workplace": "organization"}


@dataclass(slots=True)
class _Heard:
    """A person's statements so far, and the last one."""

    who: str
    told: dict[str, Candidate] = field(default_factory=dict[str, Candidate])
    last: "_Read | None" = None


@dataclass(frozen=True, slots=True)
class _Read:
    """A clause as a form reads it, and the sentence that it stands in."""

    form: StatementForm
    sentence: str
    value: str
    kin: str
    called: str
    since: float | None = None
    """The end of the past time that is told with it."""

    def candidate(self, who: str, number: int) -> Candidate:
        form = self.form
        text = form.text.format(who=who, x=self.value, kin=self.kin)
        if not text:
            wording = learning_wording(language_of(self.sentence))
            text = wording.quote.replace("{name}", who).replace("{words}", self.sentence)
        whose = kin_of(self.kin)
        claim = Stated(form.slot, self.value, whose, form.denied, since=self.since)
        type = _NAMES.get(form.slot)
        named = (Entity(entity_id(self.value), self.value, type),) if type else ()
        return Candidate(
            text=text,
            summary=text[:_LONGEST_SUMMARY],
            turns=(number,),
            kind=form.kind,
            facet=form.facet,
            importance=form.importance,
            confidence=CONFIDENCE,
            about=(who,),
            entities=named,
            claim=claim if form.slot else None,
            intention=IntentionType.PLAN if form.kind is Kind.PROSPECTIVE else None,
        )


def extract(turns: Sequence[Turn], where: tzinfo | None = None) -> Lesson:
    """The statements of the people of an episode, in the order in which they are told.

    The bot's turns are never read. Plans count with a time to come, in the zone `where`. Texts name
    the speaker, with a mark if another of the same name or none speaks too; `Candidate.turns` are
    1-based. Nobody judges known memories here: `useful` is None.
    """
    said = [(n, turn) for n, turn in enumerate(turns, 1) if turn.role is not Role.ASSISTANT]
    speakers = {turn.speaker for _, turn in said}
    told_apart = marks({each: each for each in speakers}) if len(speakers) > 1 else {}
    heard: dict[str, _Heard] = {}
    for number, turn in said:
        who = _name(turn) + told_apart.get(turn.speaker, "")
        _hear(heard.setdefault(turn.speaker.id, _Heard(who)), turn, number, where)
    told = {each.text: each for one in heard.values() for each in one.told.values()}
    return Lesson(candidates=tuple(sorted(told.values(), key=lambda each: each.turns)))


def _hear(heard: _Heard, turn: Turn, number: int, where: tzinfo | None) -> None:
    for sentence in _sentences(turn.text):
        if not is_question(sentence):
            _deny(sentence, heard)
        for read in [*_read_in(sentence, heard, to_bot=turn.role is Role.USER)]:
            if read.form.kind is Kind.PROSPECTIVE and not _is_to_come(sentence, turn, where):
                break
            if read.form.slot == "name" and not read.kin and read.value == turn.speaker.name:
                continue
            told = _since(read, turn, where).candidate(heard.who, number)
            heard.told.setdefault(told.text, told)
            heard.last = read


def _read_in(sentence: str, heard: _Heard, *, to_bot: bool) -> Iterator[_Read]:
    """The statements of a sentence until no form reads a clause, then requests to be reminded."""
    asks, corrected = sentence.rstrip().endswith(_ASKS), None
    stated: _Read | None = None
    request, unread = None, False
    for clause in _clauses(sentence):
        words = _statements_for(clause)
        if not unread and words.taken_back.fullmatch(_plain(clause)):
            corrected = _take_back(heard)
            continue
        if corrected is not None and (instead := words.instead.fullmatch(_plain(clause))):
            yield replace(corrected, value=clause[instead.start("x") :].strip())
            return
        read = _read(clause, sentence, words, to_bot=to_bot, asks=asks)
        if read is None and stated is not None:
            read = _read(f"{words.subject}{clause}", sentence, words, to_bot=to_bot, asks=asks)
        if read is None or (
            unread and not (read.form.asked and read.form.kind is Kind.PROSPECTIVE)
        ):
            unread = True
            continue
        if read.form.asked and not read.form.slot and read.form.kind is Kind.SEMANTIC:
            request, asks = read, False
            read = _read(read.value, sentence, words, to_bot=to_bot, asks=asks)
            if read is None:
                continue
        stated = read if request is None else _as_asked(read, request)
        yield stated
        if stated.called:
            yield from _naming(stated, words)
    if request is not None and stated is None:
        yield request


def _as_asked(read: _Read, request: _Read) -> _Read:
    importance = max(request.form.importance, read.form.importance)
    return replace(read, form=replace(read.form, importance=importance))


def _since(read: _Read, turn: Turn, where: tzinfo | None) -> _Read:
    """Without the time since when it is so in its value: "Denver in May"."""
    if not read.form.slot or read.form.slot == "birthday":
        return read
    for told in times_in(read.value, turn.at, where, leaning=Leaning.PAST):
        rest = f"{read.value[: told.start]} {read.value[told.end :]}".strip(_EDGES)
        if rest and told.interval.end < turn.at:
            return replace(read, value=rest, since=told.interval.end)
    return read


def _naming(read: _Read, words: StatementForms) -> Iterator[_Read]:
    """The name of the pet that a statement tells of beside it."""
    form = next(form for form in words.forms if "kin" in form.pattern.groupindex)
    yield replace(read, form=form, value=read.called, kin=animal_in(read.value), called="")


def _deny(sentence: str, heard: _Heard) -> None:
    """Nothing stays of what a clause denies by its value: "I'm not allergic to peanuts"."""
    denied = [each for each in _clauses(_plain(sentence).lower()) if NEGATION.search(each)]

    def stays(candidate: Candidate) -> bool:
        value = _plain(candidate.claim.value).lower() if candidate.claim else ""
        return not value or all(value not in clause for clause in denied)

    heard.told = {text: each for text, each in heard.told.items() if stays(each)}


def _take_back(heard: _Heard) -> _Read | None:
    last, heard.last = heard.last, None
    if last is not None:
        heard.told = {text: each for text, each in heard.told.items() if not _is_of(last, each)}
    return last


def _is_of(read: _Read, candidate: Candidate) -> bool:
    claim = candidate.claim
    if claim is None or not read.form.slot:
        return claim is None and read.sentence in candidate.text
    return (claim.attribute, claim.value) == (read.form.slot, read.value)


def _read(
    clause: str, sentence: str, words: StatementForms, *, to_bot: bool, asks: bool
) -> _Read | None:
    for form in words.forms:
        if (form.asked and not to_bot) or (asks and not form.asked):
            continue
        match = form.pattern.fullmatch(_plain(clause))
        if match is None:
            continue
        # A simplified text has as many characters as the one that was typed.
        spans = {name: match.span(name) for name in match.groupdict() if match[name]}
        groups = {name: clause[start:end].strip() for name, (start, end) in spans.items()}
        value, kin = groups.get("x", ""), groups.get("kin", "")
        if (kin and not kin_of(kin)) or (form.slot == "pet" and not animal_in(value)):
            continue
        return _Read(form, sentence.strip(), value, kin, groups.get("called", ""))
    return None


def _is_to_come(sentence: str, turn: Turn, where: tzinfo | None) -> bool:
    told = times_in(sentence, turn.at, where, leaning=Leaning.FUTURE)
    return any(each.interval.start > turn.at for each in told)


def _sentences(message: str) -> Iterator[str]:
    if len(message) > LONGEST_MESSAGE or message.count("\n") >= MOST_LINES:
        return
    for sentence in _SENTENCE.split(message):
        if _OTHERS.search(sentence.strip(_EDGES)):
            return
        yield sentence


def _clauses(sentence: str) -> Iterator[str]:
    for part in _CLAUSE.split(sentence):
        clause = part.strip(_EDGES)
        if clause := clause.rstrip(_statements_for(clause).trailing):
            yield clause


def _plain(clause: str) -> str:
    return clause.translate(SIMPLIFIED)


def _statements_for(text: str) -> StatementForms:
    """The forms for a text; in a language without any those that are tried last."""
    every = [each.statements for each in languages() if each.statements is not None]
    own = (each.statements for each in languages_in(text) if each.statements is not None)
    return next(own, every[-1])


def _name(turn: Turn) -> str:
    name = " ".join(turn.speaker.name.split())[:40]
    return _statements_for(turn.text).nameless if name.lower() in nameless() else name
