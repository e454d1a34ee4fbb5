"""The enriching call: memories that last, and what there is to know beside their words. Pure."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, cast

from ..languages.entities import named
from ..languages.registry import languages, learning_wording, nameless
from ..languages.terms import content_terms
from ..model.knowledge import Entity, EventType, Relation
from ..model.lesson import NoteDetails
from ..model.memory import Memory, Mood, Sentiment, unmarked
from ..ports import Prompt
from ..text.quoting import LONGEST_NAME, entity_id, quoted, quoted_name
from .instructions import OURS, Instructions
from .reading import SEVERAL, ReadRecord, Text, Texts, cleaned, items_in, lax, record_of
from .reply import one_of
from .schema import LONGEST_SUMMARY, MOST_NAMES, choice_of, list_of, object_of
from .verdict import letter, plain_letter

VERSION = 1

LONGEST_NOTE = 300
MOST_NAMED = 6
MOST_QUESTIONS = 2
SEVERAL_NOTES = 4
"""Memories of which few tell of one type of event, if a model has looked at each."""

_TITLE_MARKS = "《》「」『』“”\"'"

TYPES = tuple("person place organization project product work animal food event thing".split())


type Records = Annotated[tuple[object, ...], SEVERAL, lax(())]


class _Triple(ReadRecord):
    subject: Text = ""
    predicate: Text = ""
    object: Text = ""


class _Thing(ReadRecord):
    name: Text = ""
    type: Text = ""


class _Note(ReadRecord):
    letter: Text = ""
    entities: Records = ()
    relations: Records = ()
    event: Text = ""
    cause: Text = ""
    mood: Text = ""
    asked: Texts = ()
    needed: Texts = ()
    without: Texts = ()


def build(
    memories: Sequence[Memory],
    *,
    shown_time: Callable[[float], str],
    language: str,
    instructions: Instructions = OURS,
) -> Prompt:
    """The prompt for these memories in the order of time, each under the letter of its place."""
    words = learning_wording(language)
    lines: list[str] = []
    for number, memory in enumerate(memories, start=1):
        name = "" if memory.speaker is None else quoted_name(memory.speaker.name, LONGEST_NAME)
        said = f"{name}{': ' if name else ''}{quoted(memory.text, LONGEST_NOTE)}"
        lines.append(f"{letter(number)}. ({shown_time(memory.happened_at)}) {said}")
    return Prompt(
        system=f"tidemark:enrich/{VERSION}\n{instructions.of('enrich', language)}",
        user="\n".join([words.notes, *lines]),
        schema=_schema([letter(number) for number in range(1, len(memories) + 1)]),
        name="enrich",
    )


def parse(text: str, memories: Sequence[Memory]) -> dict[int, NoteDetails]:
    """What a reply tells of each of these memories in the order of time, by their numbers from 1.

    Words for two of them say nothing of either, nor does a type of event that most of several
    have. Raises ReplyMalformed if nothing can be read.
    """
    numbers = {letter(number): number for number in range(1, len(memories) + 1)}
    told: dict[int, _Note] = {}
    for item in items_in(text, ("notes", "memories", "items"), ("letter",)):
        note = record_of(_Note, item)
        if note is not None and (number := numbers.get(plain_letter(note.letter))):
            told.setdefault(number, note)
    found = {n: _details(note, n, memories, numbers) for n, note in told.items()}
    often = Counter(cue for each in found.values() for cue in each.cues)
    types = Counter(each.event for each in found.values())
    most = len(found) / 2 if len(found) >= SEVERAL_NOTES else len(found)
    return {
        number: replace(
            each,
            cues=tuple(cue for cue in each.cues if often[cue] == 1),
            event=each.event if types[each.event] <= most else None,
        )
        for number, each in found.items()
    }


def _schema(letters: Sequence[str]) -> Mapping[str, object]:
    text = {"type": "string"}
    entity = object_of({"name": text, "type": choice_of(TYPES)})
    relation = object_of({"subject": text, "predicate": text, "object": text})
    note = object_of(
        {
            "letter": choice_of(letters),
            "entities": list_of(entity, MOST_NAMED),
            "relations": list_of(relation, MOST_NAMED),
            "event": choice_of(tuple(EventType), nullable=True),
            "cause": choice_of(letters, nullable=True),
            "mood": choice_of(tuple(Mood)),
            "asked": list_of(text, MOST_QUESTIONS),
            "needed": text,
            "without": text,
        }
    )
    return object_of({"notes": list_of(note, len(letters))})


def _details(
    note: _Note, number: int, memories: Sequence[Memory], numbers: Mapping[str, int]
) -> NoteDetails:
    memory = memories[number - 1]
    speaker = "" if memory.speaker is None else entity_id(memory.speaker.name)
    there = {each.id: each for each in _entities_in(note.entities) if _stands(each, memory)}
    ends = {*there, *([speaker] if named(speaker, entity_id(memory.text)) else [])}
    cause = numbers.get(plain_letter(note.cause), 0)
    relations = _relations_in(note.relations)
    return NoteDetails(
        entities=tuple(each for each in there.values() if each.id != speaker),
        relations=tuple(r for r in relations if ends >= {r.subject, r.object} != {r.subject}),
        event=one_of(EventType, note.event),
        cause=cause if cause < number else 0,
        sentiment=Sentiment(one_of(Mood, note.mood) or Mood.NEUTRAL),
        cues=_cues(note, memory),
    )


def _stands(entity: Entity, memory: Memory) -> bool:
    """Whether it is a name that the text holds: neither a number, nor nobody's, nor all of it."""
    text = entity_id(memory.text)
    sound = len(entity.name) <= LONGEST_NAME and any(map(str.isalpha, entity.name))
    there = sound and entity.id not in {text, *nameless()} and named(entity.name, text)
    return there and _is_written_as_one(entity.name, memory.text)


def _is_written_as_one(name: str, text: str) -> bool:
    """Whether a name has a capital letter, in a text and a script that have any."""
    place = text.casefold().find(name.casefold())
    written = name if place < 0 else text[place : place + len(name)]
    return written.upper() == written.lower() or text == text.lower() or written != written.lower()


def _cues(note: _Note, memory: Memory) -> tuple[str, ...]:
    """What the memory does not say itself, and no example says."""
    said = (*note.asked[:MOST_QUESTIONS], *note.needed[:1], *note.without[:1])
    own = entity_id(memory.text)
    examples = "".join(each.learning.enrich for each in languages() if each.learning)
    cues = dict.fromkeys(unmarked(quoted(each, LONGEST_SUMMARY)) for each in said)
    return tuple(
        each
        for each in cues
        if content_terms(each) and entity_id(each) not in own and each not in examples
    )


def _entities_in(items: Sequence[object]) -> tuple[Entity, ...]:
    found: dict[str, Entity] = {}
    for each in items:
        thing = _Thing(name=each) if isinstance(each, str) else record_of(_Thing, each)
        name = cleaned(thing.name.strip(_TITLE_MARKS), LONGEST_NAME) if thing else ""
        if thing and name:
            kind, own = thing.type.strip().lower(), entity_id(name)
            found.setdefault(own, Entity(own, name, kind if kind in TYPES else "thing"))
    return tuple(found.values())[:MOST_NAMES]


def _relations_in(items: Sequence[object]) -> tuple[Relation, ...]:
    found: dict[Relation, None] = {}
    for each in items:
        triple = record_of(_Triple, _named(each))
        if triple is None:
            continue
        subject, predicate, target = (
            cleaned(text.strip(_TITLE_MARKS), LONGEST_NAME)
            for text in (triple.subject, triple.predicate, triple.object)
        )
        if subject and predicate and target:
            found[Relation(entity_id(subject), predicate, entity_id(target))] = None
    return tuple(found)[:MOST_NAMES]


def _named(triple: object) -> object:
    """A triple that came as a list."""
    if not isinstance(triple, list):
        return triple
    parts = cast("list[object]", triple)
    return dict(zip(("subject", "predicate", "object"), parts, strict=False))
