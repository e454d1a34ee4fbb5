"""Extraction without a model: what people plainly say of themselves, by patterns. Pure.

Precise rather than eager: one statement per clause, only from people, never from questions,
quotations or suppositions. Algorithms, section 10.4.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..languages.extraction_rule import ExtractionRule, ExtractionRules
from ..languages.kin import kin_of
from ..languages.registry import nameless
from ..model.conversation import Role, Turn
from ..model.knowledge import Entity
from ..model.lesson import Candidate, Lesson, Stated
from ..model.memory import Kind
from ..text.display_names import entity_id, marks
from .antecedents import Antecedents, Bearer, Names
from .clause_reading import (
    Reading,
    Subject,
    after,
    continued,
    contrasted,
    every_rules,
    instead_of_value,
    introduced,
    is_of_another,
    names_nobody,
    names_speaker,
    of_introduced,
    one_by_one,
    read,
    request_in,
    rules_for,
    with_what_goes_along,
    without_denied,
    without_taking_back,
)
from .clauses import sentences

CONFIDENCE = 0.6
ASKED_IMPORTANCE = 0.85
"""Least importance of what someone asked to be remembered."""

NOBODYS: Names = {}

_LONGEST_TEXT = 300
_LONGEST_SUMMARY = 120
_SHORTEST_REQUEST = 3
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

    def shows(self, reading: "Reading") -> bool:
        """Whether it only tells the name the speaker is shown under anyway."""
        return reading.rule.name == "name" and reading.thing == self.turn.speaker.name.strip()


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
    heard: dict[str, Reading] = {}
    meant = {each.id: Antecedents(dict(names.get(each.id, {}))) for each in speakers}
    for number, turn in enumerate(turns, start=1):
        if turn.role is not Role.ASSISTANT:
            said = _Said(turn, number, told_apart.get(turn.speaker, ""))
            for candidate in _candidates(said, heard, meant[turn.speaker.id]):
                found.setdefault(candidate.text, candidate)
    return Lesson(candidates=tuple(found.values()))


def _candidates(said: _Said, heard: dict[str, Reading], meant: Antecedents) -> Iterator[Candidate]:
    """`heard` is what each speaker, by id, has said last; it and `meant` are brought up to date."""
    for each in sentences(said.turn.text):
        stated = one_by_one(each)
        named = [meant.by_name(each, rules_for(each)) for each in stated]
        resolved = [meant.resolved(each, said.number, rules_for(each)) for each, _ in named]
        clauses = contrasted(resolved, said.to_bot)
        bearers = [bearer for _, bearer in named if bearer is not None]
        for candidate in _of_sentence(clauses, said, heard):
            claim = candidate.claim
            if claim is not None and claim.attribute == "name" and claim.whose:
                meant.names.setdefault(claim.value, claim.whose)
                yield candidate
            else:
                yield _by_names(candidate, said, bearers)
        # Where a sentence has both names, that tells more than what one is to the speaker.
        named_twice = [*_also_called(stated, said)]
        yield from named_twice or _nicknames(stated, said, meant)


def _nicknames(clauses: Sequence[str], said: _Said, meant: Antecedents) -> Iterator[Candidate]:
    """What a sentence tells that somebody of theirs, spoken of in it, is called besides."""
    for clause in clauses:
        language = rules_for(clause)
        name, own = meant.nickname(clause, language)
        if name:
            who = language.told(own, said.who(language))
            text = language.also_called.format(who=who, x=name)
            plain = _plain(text, said.who(language), said.number, _NAMING)
            claim = Stated("nickname", name, kin_of(own))
            yield replace(plain, entities=(Entity(entity_id(name), name, "person"),), claim=claim)


def _also_called(clauses: Sequence[str], said: _Said) -> Iterator[Candidate]:
    """What a sentence tells somebody else to be called besides: a name each has, by the other."""
    language = rules_for("".join(clauses))
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
        told = (
            each.possessed.format(whose=said.who(each)) + bearer.kin_word for each in every_rules()
        )
        whose = next((each for each in told if each in text), "")
        if whose:
            text = text.replace(whose, bearer.name)
            entities = (*entities, Entity(entity_id(bearer.name), bearer.name))
    return replace(candidate, text=text, summary=text[:_LONGEST_SUMMARY], entities=entities)


def _of_sentence(
    clauses: Sequence[str], said: _Said, heard: dict[str, Reading]
) -> Iterator[Candidate]:
    stated, corrects = without_denied(clauses, heard.get(said.turn.speaker.id))
    asked = False
    unread: list[str] = []
    earlier: Subject | None = None
    another = False
    person: str | None = None
    for clause in stated:
        another = is_of_another(clause, another)
        clause, taken_back = without_taking_back(clause)
        corrects = corrects or taken_back
        if corrects and (instead := rules_for(clause).instead):
            clause = after(instead, clause)
        request = request_in(clause) if said.to_bot else None
        asked = asked or request is not None
        content = clause if request is None else request
        reading = read(content, said.to_bot)
        if reading is not None and another and names_nobody(reading):
            reading = None
        if person is not None and request is None and (not reading or names_nobody(reading)):
            reading = of_introduced(person, content, said.to_bot)
        else:
            reading = reading or continued(earlier, content, said.to_bot)
        if corrects and content:
            last = heard.get(said.turn.speaker.id)
            reading = reading or instead_of_value(last, content, said.to_bot)
            reading, corrects = reading and replace(reading, correction=True), False
        if reading is not None and not said.shows(reading):
            for each in with_what_goes_along(reading, said.to_bot):
                yield _candidate(each, said, ASKED_IMPORTANCE if asked else 0.0)
        elif asked and content:
            unread.append(content)
        earlier = Subject.of(clause, reading, earlier)
        if person is None or names_speaker(clause):
            person = introduced(clause)
        if reading is not None:
            heard[said.turn.speaker.id] = reading
    if sum(map(len, unread)) >= _SHORTEST_REQUEST:
        yield _requested(unread, said)


def _candidate(reading: Reading, said: _Said, least: float) -> Candidate:
    clause, rule = reading.clause, reading.rule
    language = rules_for(clause)
    who = said.who(language)
    if not rule.template:
        text = _told(clause, who, language)
    else:
        told = language.asked(clause, who)
        text = rule.template.format(who=who, x=reading.thing, clause=told)
    if language.today is not None and rule.kind is Kind.SEMANTIC and rule.slot:
        text = " ".join(language.today.sub("", text).split())
    return replace(
        _plain(text, reading.named or who, said.number, rule),
        importance=max(rule.importance, least),
        entities=_entities(reading),
        claim=reading.stated(language),
    )


def _told(clause: str, who: str, language: ExtractionRules) -> str:
    """The clause in the third person, about the speaker."""
    omitted = language.omitted is not None and language.omitted.match(clause) is not None
    text = language.told(f"{language.speaking}{clause}" if omitted else clause, who)
    if who in text:
        return text
    apart = (language.plural, language.of_its_own)
    own = any(each is not None and each.match(clause) for each in apart)
    return (language.with_plural if own else language.with_subject).format(who=who, clause=text)


def _requested(clauses: Sequence[str], said: _Said) -> Candidate:
    language = rules_for("".join(clauses))
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


def _entities(reading: Reading) -> tuple[Entity, ...]:
    named = reading.named
    person = (Entity(entity_id(named), named, "person"),) if named else ()
    return (*person, *_thing(reading))


def _thing(reading: Reading) -> tuple[Entity, ...]:
    if not reading.rule.thing:
        return ()
    language = rules_for(reading.clause)
    start = language.before_thing.match(reading.thing)
    name = reading.thing[start.end() if start else 0 :].strip("《》 ")
    if not name or (reading.rule.thing == "thing" and language.no_thing.match(name)):
        return ()
    return (Entity(entity_id(name), name, reading.rule.thing),)
