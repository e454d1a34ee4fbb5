"""What a language contributes. A folder of this room makes one `LANGUAGE` of it. Pure."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ..model.knowledge import MediaType
from ..model.memory import Facet, Kind
from ..text.time.rule import Beside, Joining, TimeRule


@dataclass(frozen=True, slots=True)
class StatementForm:
    """A clause that `pattern` matches from start to end, in simplified characters.

    Its groups: `x`, the value; `kin`, the speaker's relative or pet that it is about; `called`, the
    name of whoever `x` is. `text` tells it, with `{who}`, `{x}` and `{kin}`; without one the
    sentence is quoted. `slot` names the attribute whose value `x` is; with `denied` it is disliked.

    A prospective form counts only with a time to come in its sentence. One that is `asked` of the
    bot may end in a question mark; in what follows `x` of a request is read as a clause of its own.
    """

    slot: str
    pattern: re.Pattern[str]
    text: str = ""
    importance: float = 0.65
    kind: Kind = Kind.SEMANTIC
    facet: Facet | None = None
    denied: bool = False
    asked: bool = False


def form(
    slot: str,
    pattern: str,
    text: str = "",
    importance: float = 0.65,
    kind: Kind = Kind.SEMANTIC,
    facet: Facet | None = None,
    *,
    denied: bool = False,
    asked: bool = False,
) -> StatementForm:
    """A form whose pattern is a regular expression for letters of either case."""
    compiled = re.compile(pattern, re.IGNORECASE)
    return StatementForm(slot, compiled, text, importance, kind, facet, denied, asked)


@dataclass(frozen=True, slots=True)
class StatementForms:
    """The `forms` of one language, tried in order; `nameless` is what a person without a name is.

    `taken_back` matches a clause that takes back what was said just before it, `instead` one that
    gives another value `x` for it. After a clause that was read the next may leave out its
    `subject`.
    """

    forms: tuple[StatementForm, ...]
    taken_back: re.Pattern[str]
    instead: re.Pattern[str]
    subject: str
    nameless: str
    trailing: str = ""
    """Characters at the end of a clause that say nothing."""


@dataclass(frozen=True, slots=True)
class WishForms:
    """How people wish that a message is `unkept`, and that what a group names is forgotten."""

    unkept: re.Pattern[str]
    forget: re.Pattern[str]


class Marker(StrEnum):
    """What words of a turn may tell about it."""

    CAUSAL = "causal"
    TEMPORAL = "temporal"
    PROCEDURAL = "procedural"
    EXPLORATORY = "exploratory"
    STORY = "story"
    FACTUAL = "factual"
    FIRST_PERSON = "first_person"
    ASKING = "asking"
    DENIAL = "denial"
    CLAUSE_END = "clause_end"
    NAMES_THE_BOT = "names_the_bot"


@dataclass(frozen=True, slots=True)
class BlockWording:
    """What stands around the memories in a prompt.

    `about` is a date that a memory tells of, another than that of its heading; `renamed` a name of
    `now` beside the one `then`; `beside` what was `told` with the words it was `said` in; `before`
    with the values that held before it: `former` with both its ends, `listing` between them;
    `until` the `date` on which something ended, `instead` with the `value` by now; `done` and
    `given_up` the `date` on which something intended was reported so; `older` what was said before
    another of this `number`; `moved` the `date` for which something is planned since; `day` a time
    that was `told` with its `date`; `story` is a thread of one matter over time; `due` is for
    today, `past` has had its day. `procedure` begins what the bot has done in the same way several
    `times`, when it was `asked`; `profile` the page about a person, `sections` are its headings.
    """

    preamble: str
    group_preamble: str
    verbatim: str
    about: str
    asker: str
    bot: str
    renamed: str
    beside: str
    before: str
    former: str
    listing: str
    until: str
    instead: str
    done: str
    given_up: str
    older: str
    moved: str
    day: str
    story: str
    due: str
    past: str
    procedure: str
    profile: str
    sections: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MediaWording:
    """What stands for a picture, a voice or a file among words.

    `labels` are what each is called, `asked` other words by which people ask for one. `line` is
    one with nothing known of it but its `label`, `told` with a `name` or with what it shows.
    """

    labels: Mapping[MediaType, str]
    asked: Mapping[MediaType, str]
    line: str
    told: str


@dataclass(frozen=True, slots=True)
class LearningWording:
    """What the learning calls say.

    `instructions` ask for the facts of an episode, with examples; in `wishes` `{wishes}` stands for
    what the owner adds. `bot` is a line of the bot with `{text}`, `to` the `{name}` of who answers
    an `{other}`. `quote` tells a fact in a person's own `{words}`, `overturned` asks about the
    `{text}` of one. `verdict` asks what became of `notes` in a `talk`, `judge` what two notes are
    to each other; `enrich` what there is to know of `notes` beside their words; `story` for dated
    lines as one story, `rewording` for shorter lines.
    """

    instructions: str
    wishes: str
    bot: str
    to: str
    weekdays: tuple[str, ...]
    quote: str
    overturned: str
    verdict: str
    notes: str
    talk: str
    judge: str
    enrich: str
    story: str
    rewording: str


@dataclass(frozen=True, slots=True)
class Language:
    """One language; what it leaves out is treated as in a text of no known language.

    `script` occurs in every text of the language, and `foreign` in none. A text in it is in none
    of the languages `instead_of`, whose script it is written in too. Each `unit` in a text, a
    character or a word, counts for the language. Rules of `later` languages come after those of
    others, for their script occurs in texts of any language.
    `markers` are regular expressions; a language of whole words sets its own word boundaries.
    """

    code: str
    script: re.Pattern[str]
    unit: re.Pattern[str]
    foreign: re.Pattern[str] | None = None
    instead_of: frozenset[str] = frozenset()
    later: bool = False
    stop_words: frozenset[str] = frozenset()
    """Function words: whole words, or pairs of characters where no spaces are written."""
    function_characters: str = ""
    """Characters of which a pair is mostly no word."""
    lone_word: str = ""
    """A regular expression of a `word` of one character where no spaces are written."""
    stem: Callable[[str], str] | None = None
    """The form under which a word is indexed; it leaves words of other languages as they are."""
    markers: Mapping[Marker, str] = field(default_factory=dict[Marker, str])
    statements: StatementForms | None = None
    """How people state something of themselves, for learning without a model."""
    wishes: WishForms | None = None
    question_ends: tuple[str, ...] = ()
    """What a question may end in besides its mark."""
    everyday: str = ""
    """Words, with spaces between, that two texts on different things may well have in common."""
    nobody: frozenset[str] = frozenset()
    """What stands for a person whose name is not known, in small letters."""
    possessive: str = ""
    """A regular expression of what may stand before somebody's own relative."""
    kin: Mapping[str, str] = field(default_factory=dict[str, str])
    """Relatives, friends and pets by one name each: regular expressions of what they are called."""
    genitives: tuple[str, ...] = ()
    """What stands between somebody's name and what is theirs."""
    times: tuple[TimeRule, ...] = ()
    folding: Mapping[int, int] = field(default_factory=dict[int, int])
    """Characters that are read as others, one for one."""
    sample: tuple[tuple[str, str], ...] = ()
    """Turns, each with the memory that it should bring up, by which an embedder is calibrated; rows
    are unrelated to each other."""
    block: BlockWording | None = None
    learning: LearningWording | None = None
    media: MediaWording | None = None
    times_before: tuple[Beside, ...] = ()
    times_after: tuple[Beside, ...] = ()
    """What words before and after an expression of time make of it."""
    time_lead: str = ""
    """A regular expression of what begins an expression and belongs to the words before it."""
    time_joining: tuple[Joining, ...] = ()
    """The words about the two ends of a stretch of time."""
