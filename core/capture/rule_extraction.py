"""Extraction without a model: what people plainly say of themselves, by patterns. Pure.

Precise rather than eager: one statement per clause, only from people, never from questions,
quotations or suppositions. Algorithms, section 10.4.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ..languages.extraction_rule import Extraction, Rule
from ..languages.registry import languages, languages_in
from ..model.conversation import Role, Turn
from ..model.knowledge import Entity
from ..model.lesson import Candidate, Lesson
from ..text.display_names import entity_id, marks
from .clauses import sentences

CONFIDENCE = 0.6
ASKED_IMPORTANCE = 0.85
"""Least importance of what someone asked to be remembered."""

_LONGEST_CLAUSE = 150
_LONGEST_TEXT = 300
_LONGEST_SUMMARY = 120
_SHORTEST_REQUEST = 3
_REQUEST = Rule("request", re.compile(""), ASKED_IMPORTANCE, to_bot=True)
_BEFORE_THING = re.compile(r"(?:[吃喝看听玩]|一[家个些名位只种])(?=.)")
_NO_THING = re.compile(
    r"[在和跟把我自]|.*的|[\u4e00-\u9fff].{10}|(?:my|our|to|all|being)\b|(?:\S+\s+){3}", re.I
)
_NAMELESS = frozenset({"", "user", "用户", "you", "me"})


@dataclass(frozen=True, slots=True)
class _Said:
    """A turn a person said, its number in the episode, and the mark its speaker's name needs."""

    turn: Turn
    number: int
    mark: str = ""

    @property
    def to_bot(self) -> bool:
        return self.turn.role is Role.USER

    def who(self, language: Extraction) -> str:
        name = " ".join(self.turn.speaker.name.split())[:40]
        if name.lower() in _NAMELESS:
            name = language.nameless
        return name + self.mark

    def shows(self, reading: "_Reading") -> bool:
        """Whether it only tells the name the speaker is shown under anyway."""
        return reading.rule.name == "name" and reading.thing == self.turn.speaker.name.strip()


@dataclass(frozen=True, slots=True)
class _Reading:
    """A clause, without its opening words, as a rule reads it."""

    clause: str
    rule: Rule
    thing: str


def extract(turns: Sequence[Turn]) -> Lesson:
    """What the people of an episode say of themselves, in the order they say it.

    The bot's turns are never read. Texts are in the speaker's language and name the speaker,
    with a mark if another of the same name or none speaks too; `Candidate.turns` are 1-based.
    Nobody judges known memories here: `useful` is None.
    """
    speakers = {turn.speaker for turn in turns if turn.role is not Role.ASSISTANT}
    several = len({speaker.id for speaker in speakers}) > 1
    told_apart = marks({speaker: speaker for speaker in speakers}) if several else {}
    found: dict[str, Candidate] = {}
    for number, turn in enumerate(turns, start=1):
        if turn.role is not Role.ASSISTANT:
            said = _Said(turn, number, told_apart.get(turn.speaker, ""))
            for candidate in _candidates(said):
                found.setdefault(candidate.text, candidate)
    return Lesson(candidates=tuple(found.values()))


def _candidates(said: _Said) -> Iterator[Candidate]:
    for clauses in sentences(said.turn.text):
        yield from _of_sentence(clauses, said)


def _of_sentence(clauses: Sequence[str], said: _Said) -> Iterator[Candidate]:
    asked = False
    unread: list[str] = []
    earlier: _Reading | None = None
    for clause in clauses:
        request = _request(clause) if said.to_bot else None
        asked = asked or request is not None
        content = clause if request is None else request
        reading = _read(content, said.to_bot) or _continued(earlier, content, said.to_bot)
        if reading is not None and not said.shows(reading):
            yield _candidate(reading, said, ASKED_IMPORTANCE if asked else 0.0)
        elif asked and content:
            unread.append(content)
        earlier = reading
    if sum(map(len, unread)) >= _SHORTEST_REQUEST:
        yield _requested(unread, said)


def _request(clause: str) -> str | None:
    """What a clause asks to remember, "" if that follows; None if it asks nothing."""
    for language in _every():
        match = language.remember.fullmatch(_after(language.lead, clause))
        if match:
            return match["x"].strip(" \t,:，：")
    return None


def _read(clause: str, to_bot: bool) -> _Reading | None:
    if len(clause) > _LONGEST_CLAUSE:
        return None
    language = _language(clause)
    body = _after(language.lead, clause)
    for rule in language.rules:
        match = rule.pattern.fullmatch(body)
        if match and (to_bot or not rule.to_bot):
            return _Reading(body, rule, match["x"].strip())
    return None


def _continued(earlier: _Reading | None, clause: str, to_bot: bool) -> _Reading | None:
    """The clause read with the subject of the one before it, where that may be left out."""
    if earlier is None:
        return None
    language = _language(earlier.clause)
    subject = language.subject.match(earlier.clause) if language.subject else None
    if subject is None or language.own in clause:
        return None
    reading = _read(subject.group() + clause, to_bot)
    if reading and language.lasts(earlier.rule.name, reading.rule.name):
        return reading
    return None


def _candidate(reading: _Reading, said: _Said, least: float) -> Candidate:
    clause, rule = reading.clause, reading.rule
    language = _language(clause)
    who = said.who(language)
    if not rule.template:
        text = language.told(clause, who)
    else:
        told = language.asked(clause, who)
        text = rule.template.format(who=who, x=reading.thing, clause=told)
    return replace(
        _plain(text, who, said.number, rule),
        importance=max(rule.importance, least),
        entities=_entities(reading),
    )


def _requested(clauses: Sequence[str], said: _Said) -> Candidate:
    language = _language("".join(clauses))
    who = said.who(language)
    told = language.told_request(language.comma.join(clauses), who)
    text = language.request.format(who=who, x=told)
    return _plain(text, who, said.number, _REQUEST)


def _plain(text: str, who: str, number: int, rule: Rule) -> Candidate:
    sound = text.encode("utf-8", "ignore").decode("utf-8").replace("\0", "")[:_LONGEST_TEXT]
    return Candidate(
        text=sound,
        summary=sound[:_LONGEST_SUMMARY],
        turns=(number,),
        kind=rule.kind,
        facet=rule.facet,
        importance=rule.importance,
        confidence=CONFIDENCE,
        about=(who,),
        cues=rule.cues,
        sentiment=rule.sentiment,
    )


def _entities(reading: _Reading) -> tuple[Entity, ...]:
    if not reading.rule.thing:
        return ()
    start = _BEFORE_THING.match(reading.thing)
    name = reading.thing[start.end() if start else 0 :].strip("《》 ")
    if not name or (reading.rule.thing == "thing" and _NO_THING.match(name)):
        return ()
    return (Entity(entity_id(name), name, reading.rule.thing),)


@cache
def _every() -> tuple[Extraction, ...]:
    return tuple(each.extraction for each in languages() if each.extraction is not None)


def _language(text: str) -> Extraction:
    """The rules and wording for a text; in a language without any those that are tried last."""
    own = (each.extraction for each in languages_in(text) if each.extraction is not None)
    return next(own, _every()[-1])


def _after(lead: re.Pattern[str], clause: str) -> str:
    match = lead.match(clause)
    return clause[match.end() :] if match else clause
