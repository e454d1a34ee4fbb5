"""Extraction without a model: what people plainly say of themselves, by patterns. Pure.

Precise rather than eager: one statement per clause, only from people, never from questions,
quotations or suppositions. Algorithms, section 10.4.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ..languages.extraction_rule import NAMED, ExtractionRule, ExtractionRules
from ..languages.kin import kin_of
from ..languages.registry import languages, languages_in, nameless
from ..model.conversation import Role, Turn
from ..model.knowledge import Entity
from ..model.lesson import Candidate, Lesson, Stated
from ..text.display_names import entity_id, marks
from ..text.normalisation import folded
from .antecedents import Antecedents, Bearer, Names
from .clauses import sentences

CONFIDENCE = 0.6
ASKED_IMPORTANCE = 0.85
"""Least importance of what someone asked to be remembered."""

NOBODYS: Names = {}

_LONGEST_CLAUSE = 150
_LONGEST_TEXT = 300
_LONGEST_SUMMARY = 120
_LONGEST_VALUE = 40
_SHORTEST_REQUEST = 3
_NOBODY = "\0"
_NAMING = ExtractionRule("naming", re.compile(""), 0.65)
_REQUEST = ExtractionRule("request", re.compile(""), ASKED_IMPORTANCE, to_bot=True)


@dataclass(frozen=True, slots=True)
class _Said:
    """A turn a person said, its number in the episode, and the mark its speaker's name needs."""

    turn: Turn
    number: int
    mark: str = ""

    @property
    def to_bot(self) -> bool:
        return self.turn.role is Role.USER

    def who(self, language: ExtractionRules) -> str:
        name = " ".join(self.turn.speaker.name.split())[:40]
        if name.lower() in nameless():
            name = language.nameless
        return name + self.mark

    def shows(self, reading: "_Reading") -> bool:
        """Whether it only tells the name the speaker is shown under anyway."""
        return reading.rule.name == "name" and reading.thing == self.turn.speaker.name.strip()


@dataclass(frozen=True, slots=True)
class _Reading:
    """A clause, without its opening words, as a rule reads it."""

    clause: str
    rule: ExtractionRule
    thing: str
    of: str = ""
    over: bool = False
    """Whether the clause says that it is so no longer."""
    correction: bool = False

    def stated(self, language: ExtractionRules) -> Stated | None:
        """The attribute and value it gives, if it gives any."""
        rule = self.rule
        slot = language.slots.get(self.of.lower(), self.of) if rule.slot == NAMED else rule.slot
        value = self.thing or rule.value
        if language.trailing is not None:
            value = language.trailing.sub("", value).strip() or value
        slot = language.narrowed(slot, value, self.clause) if slot else ""
        if not slot:
            return None
        attribute = f"{slot}:{self.of}" if self.of and rule.slot == "favourite" else slot
        holder = language.holder.search(self.clause) if language.holder else None
        whose = kin_of(holder["kin"]) if holder else ""
        # My cat is no holder of the pet that it is, nor my boss of the boss.
        whose = "" if attribute in ("pet", whose) else whose
        denied = rule.denies is not self.over
        return Stated(attribute, value, whose, denied, self.correction)


def extract(turns: Sequence[Turn], names: Names = NOBODYS) -> Lesson:
    """What the people of an episode say of themselves, in the order they say it.

    Of relatives and pets they may speak by `names`, those known from before among them.

    The bot's turns are never read. Texts are in the speaker's language and name the speaker,
    with a mark if another of the same name or none speaks too; `Candidate.turns` are 1-based.
    Nobody judges known memories here: `useful` is None.
    """
    speakers = {turn.speaker for turn in turns if turn.role is not Role.ASSISTANT}
    several = len({speaker.id for speaker in speakers}) > 1
    told_apart = marks({speaker: speaker for speaker in speakers}) if several else {}
    found: dict[str, Candidate] = {}
    heard: dict[str, _Reading] = {}
    meant = {each.id: Antecedents(dict(names.get(each.id, {}))) for each in speakers}
    for number, turn in enumerate(turns, start=1):
        if turn.role is not Role.ASSISTANT:
            said = _Said(turn, number, told_apart.get(turn.speaker, ""))
            for candidate in _candidates(said, heard, meant[turn.speaker.id]):
                found.setdefault(candidate.text, candidate)
    return Lesson(candidates=tuple(found.values()))


def _candidates(said: _Said, heard: dict[str, _Reading], meant: Antecedents) -> Iterator[Candidate]:
    """`heard` is what each speaker, by id, has said last; it and `meant` are brought up to date."""
    for stated in sentences(said.turn.text):
        named = [meant.by_name(each, _language(each)) for each in stated]
        resolved = [meant.resolved(each, said.number, _language(each)) for each, _ in named]
        clauses = _contrasted(resolved, said.to_bot)
        bearers = [bearer for _, bearer in named if bearer is not None]
        for candidate in _of_sentence(clauses, said, heard):
            claim = candidate.claim
            if claim is not None and claim.attribute == "name" and claim.whose:
                meant.names.setdefault(claim.value, claim.whose)
                yield candidate
            else:
                yield _by_names(candidate, said, bearers)
        yield from _also_called(stated, said)


def _also_called(clauses: Sequence[str], said: _Said) -> Iterator[Candidate]:
    """What a sentence tells somebody else to be called besides: a name each has, by the other."""
    language = _language("".join(clauses))
    sentence = language.comma.join(clauses)
    found = next(filter(None, (each.search(sentence) for each in language.called)), None)
    if found is None:
        return
    who, name = found["who"], found["x"]
    if entity_id(who) == entity_id(name) or kin_of(who) or kin_of(name):
        return
    text = language.also_called.format(who=who, x=name)
    yield replace(
        _plain(text, who, said.number, _NAMING),
        entities=tuple(Entity(entity_id(each), each, "person") for each in (who, name)),
        claim=Stated("nickname", name),
    )


def _by_names(candidate: Candidate, said: _Said, bearers: Sequence[Bearer]) -> Candidate:
    """A candidate of a sentence, with its people by the names that the sentence gave them."""
    text, entities = candidate.text, candidate.entities
    for bearer in bearers:
        told = (each.possessed.format(whose=said.who(each)) + bearer.kin_word for each in _every())
        whose = next((each for each in told if each in text), "")
        if whose:
            text = text.replace(whose, bearer.name)
            entities = (*entities, Entity(entity_id(bearer.name), bearer.name))
    return replace(candidate, text=text, summary=text[:_LONGEST_SUMMARY], entities=entities)


def _of_sentence(
    clauses: Sequence[str], said: _Said, heard: dict[str, _Reading]
) -> Iterator[Candidate]:
    stated, corrects = _without_denied(clauses, heard.get(said.turn.speaker.id))
    asked = False
    unread: list[str] = []
    earlier: _Reading | None = None
    another = False
    for clause in stated:
        another = _is_of_another(clause, another)
        clause, taken_back = _without_taking_back(clause)
        corrects = corrects or taken_back
        if corrects and (instead := _language(clause).instead):
            clause = _after(instead, clause)
        request = _request(clause) if said.to_bot else None
        asked = asked or request is not None
        content = clause if request is None else request
        reading = _read(content, said.to_bot) or _continued(earlier, content, said.to_bot)
        if corrects and content:
            last = heard.get(said.turn.speaker.id)
            reading = reading or _instead(last, content, said.to_bot)
            reading, corrects = reading and replace(reading, correction=True), False
        if reading is not None and another and _names_nobody(reading):
            reading = None
        if reading is not None and not said.shows(reading):
            yield _candidate(reading, said, ASKED_IMPORTANCE if asked else 0.0)
        elif asked and content:
            unread.append(content)
        earlier = reading
        if reading is not None:
            heard[said.turn.speaker.id] = reading
    if sum(map(len, unread)) >= _SHORTEST_REQUEST:
        yield _requested(unread, said)


def _is_of_another(clause: str, before: bool) -> bool:
    """Whether a clause speaks of somebody else, or goes on about them: `before` did."""
    language = _language(clause)
    body = _after(language.lead, clause)
    if language.others is not None and language.others.match(body):
        return True
    return before and not _names_speaker(body)


def _names_nobody(reading: _Reading) -> bool:
    """Whether its subject is left out, and it is no request."""
    if reading.rule.to_bot:
        return False
    holder = _language(reading.clause).holder
    return not (_names_speaker(reading.clause) or (holder and holder.search(reading.clause)))


def _names_speaker(clause: str) -> bool:
    language = _language(clause)
    if language.own:
        return language.own in clause
    told = language.told(clause, _NOBODY)
    return told.lower() != clause.lower() or bool(language.plural and language.plural.match(clause))


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
    positive = language.no_longer(body)
    if positive != body:
        so = _as_said(positive, language, to_bot) or _of_speaker(positive, language, to_bot)
        if so is not None and so.stated(language) is not None:
            return replace(so, clause=body, over=True)
    return _as_said(body, language, to_bot) or _of_speaker(body, language, to_bot)


def _of_speaker(clause: str, language: ExtractionRules, to_bot: bool) -> _Reading | None:
    """A clause that leaves out the speaker, as it reads with them."""
    if language.omitted is None or not language.omitted.match(clause):
        return None
    reading = _as_said(language.speaking + clause, language, to_bot)
    return reading and replace(reading, clause=clause)


def _contrasted(clauses: Sequence[str], to_bot: bool) -> list[str]:
    """The clauses; where one says that something changed and the next to what, both as one."""
    left: list[str] = []
    for clause in clauses:
        joined = _joined(left[-1], clause, to_bot) if left else None
        left[-1:] = [joined] if joined else [*left[-1:], clause]
    return left


def _joined(before: str, clause: str, to_bot: bool) -> str | None:
    language = _language(before)
    pair = f"{_after(language.lead, before)}{language.comma}{clause}"
    if any(rule.pattern.fullmatch(pair) for rule in language.pairs):
        return pair
    if language.denied is None or language.asserted is None:
        return None
    denied, asserted = language.denied.fullmatch(before), language.asserted.fullmatch(clause)
    if denied is None or asserted is None:
        return None
    forms = (each.format(who=denied["who"], y=asserted["y"]) for each in language.joined)
    return next((form for form in forms if _read(form, to_bot) is not None), None)


def _without_denied(clauses: Sequence[str], last: _Reading | None) -> tuple[Sequence[str], bool]:
    """The clauses without one that says of the value told last that it is not, if there is one."""
    if last is None or not last.thing or len(clauses) < 2:
        return clauses, False
    left = [clause for clause in clauses if not _is_denial(clause, last.thing)]
    return (left, True) if left and len(left) < len(clauses) else (clauses, False)


def _is_denial(clause: str, value: str) -> bool:
    denied = _language(clause).not_that
    match = denied.fullmatch(clause) if denied else None
    return match is not None and folded(match["x"].strip()) == folded(value)


def _without_taking_back(clause: str) -> tuple[str, bool]:
    """The clause without what takes back the one before, and whether it does."""
    language, rest = _language(clause), clause
    for opening in filter(None, (language.takes_back, language.meant)):
        rest = _after(opening, rest)
    return rest, rest != clause


def _instead(last: _Reading | None, value: str, to_bot: bool) -> _Reading | None:
    """What was said last with another value, if that is a value at all."""
    if last is None or not last.thing or len(value) > _LONGEST_VALUE:
        return None
    language = _language(last.clause)
    return _as_said(last.clause.replace(last.thing, value), language, to_bot)


def _as_said(body: str, language: ExtractionRules, to_bot: bool) -> _Reading | None:
    for rule in (*language.pairs, *language.rules):
        match = rule.pattern.fullmatch(body)
        if match and (to_bot or not rule.to_bot):
            groups = match.groupdict()
            thing = "" if rule.value else (groups.get("x") or "").strip()
            return _Reading(body, rule, thing, (groups.get("of") or "").strip())
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
        if who not in text:
            together = language.plural is not None and language.plural.match(clause)
            telling = language.with_plural if together else language.with_subject
            text = telling.format(who=who, clause=text)
    else:
        told = language.asked(clause, who)
        text = rule.template.format(who=who, x=reading.thing, clause=told)
    return replace(
        _plain(text, who, said.number, rule),
        importance=max(rule.importance, least),
        entities=_entities(reading),
        claim=reading.stated(language),
    )


def _requested(clauses: Sequence[str], said: _Said) -> Candidate:
    language = _language("".join(clauses))
    who = said.who(language)
    told = language.told_request(language.comma.join(clauses), who)
    text = language.request.format(who=who, x=told)
    return _plain(text, who, said.number, _REQUEST)


def _plain(text: str, who: str, number: int, rule: ExtractionRule) -> Candidate:
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
        intention=rule.intention,
    )


def _entities(reading: _Reading) -> tuple[Entity, ...]:
    if not reading.rule.thing:
        return ()
    language = _language(reading.clause)
    start = language.before_thing.match(reading.thing)
    name = reading.thing[start.end() if start else 0 :].strip("《》 ")
    if not name or (reading.rule.thing == "thing" and language.no_thing.match(name)):
        return ()
    return (Entity(entity_id(name), name, reading.rule.thing),)


@cache
def _every() -> tuple[ExtractionRules, ...]:
    return tuple(each.extraction for each in languages() if each.extraction is not None)


def _language(text: str) -> ExtractionRules:
    """The rules and wording for a text; in a language without any those that are tried last."""
    own = (each.extraction for each in languages_in(text) if each.extraction is not None)
    return next(own, _every()[-1])


def _after(lead: re.Pattern[str], clause: str) -> str:
    match = lead.match(clause)
    return clause[match.end() :] if match else clause
