"""What learning from an episode proposes: candidates, corrections, verdicts. Values only."""

from dataclasses import dataclass
from enum import StrEnum

from .knowledge import Entity, EventType, IntentionType, Relation
from .memory import Facet, Kind, Sentiment, Succession


class GapType(StrEnum):
    """What something learnt is to what was known before."""

    NEW_FACT = "new_fact"
    PREFERENCE_SHIFT = "preference_shift"
    NEW_BEHAVIOUR = "new_behaviour"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True, slots=True)
class Stated:
    """An attribute and its value as an extraction names them, before it is known who is meant.

    `whose` is the relative or pet of the speaker it is about, "" for the speaker. `denied`: it is
    so no more. `correction`: what was said before was never so.
    """

    attribute: str
    value: str
    whose: str = ""
    denied: bool = False
    correction: bool = False
    since: float | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that extraction proposes; it has no id yet.

    `turns` are 1-based numbers of the episode's turns as shown in the prompt, at least one.
    `happened_at` is a Unix time or None; `follows` the number of a known memory in whose place
    this one comes, and how. Of an intention `intention` is the sort and `due_at` the beginning of
    the day it is for. `gap` is what it is to what was known. `doubt` names what of it stands
    nowhere in its turns, if anything: then it is kept apart until a person decides.
    """

    text: str
    summary: str
    turns: tuple[int, ...]
    kind: Kind = Kind.SEMANTIC
    facet: Facet | None = None
    importance: float = 0.5
    confidence: float = 0.5
    about: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    happened_at: float | None = None
    follows: tuple[int, Succession] | None = None
    claim: Stated | None = None
    intention: IntentionType | None = None
    due_at: float | None = None
    gap: GapType | None = None
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class ToldFact:
    """A fact as a model tells it, before its line is found.

    `words` are those of a person that hold it, as the model copied them; "" if it copied none. The
    `turns` of its candidate are those that the model named, if it named any. A `promise` is the
    bot's own.
    """

    candidate: Candidate
    words: str = ""
    promise: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """Everything one episode taught.

    `useful` holds the numbers of known memories that helped; None where nobody judged (the
    rules cannot), and then attribution decides. Known memories that were injected and are not
    in `useful` count as useless, except those of which nobody can tell: `undecided`. Known
    intentions that are over by the end are `done` or `given_up`. `covered` are turns that tell
    nothing but what a known memory tells, each with its number; `lasting` are turns with the
    logit of their telling what is worth knowing weeks later.
    """

    summary: str = ""
    candidates: tuple[Candidate, ...] = ()
    useful: frozenset[int] | None = None
    undecided: frozenset[int] = frozenset()
    done: frozenset[int] = frozenset()
    given_up: frozenset[int] = frozenset()
    covered: tuple[tuple[int, int], ...] = ()
    lasting: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class NoteDetails:
    """What a model tells of a memory that lasts; `cause` is the number of another, 0 for none.

    `cues` are how it may be asked for, when it will be needed, and what goes wrong without it.
    """

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    event: EventType | None = None
    cause: int = 0
    sentiment: Sentiment = Sentiment()
    cues: tuple[str, ...] = ()
