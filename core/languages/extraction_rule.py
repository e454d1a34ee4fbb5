"""Rules by which statements worth remembering are recognised. Values only."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ..model.intentions import IntentionType
from ..model.memory import Facet, Kind, Mood, Sentiment

INTRODUCTION = "introduction"
"""The rule before a clause about somebody whom the speaker has just said they have."""

NAMED = "*"
"""The slot of a rule whose group `of` names it."""


@dataclass(frozen=True, slots=True)
class ExtractionRule:
    """A clause that `pattern` matches from start to end states something to remember.

    The group `x`, where there is one, is what the statement is about; `thing` is the type of
    entity it names, "" for none. With `template` ("{who}", "{x}") the text is written anew,
    otherwise the clause is put in the third person. `to_bot` rules hold only for what is said
    to the bot.

    `slot` names the attribute whose value `x` is, "" for none; the group `of` narrows it, or
    names it where the slot is `NAMED`. With `denies` the value is so no more.
    """

    name: str
    pattern: re.Pattern[str]
    importance: float
    kind: Kind = Kind.SEMANTIC
    facet: Facet | None = None
    mood: Mood = Mood.NEUTRAL
    thing: str = ""
    template: str = ""
    cues: tuple[str, ...] = ()
    to_bot: bool = False
    slot: str = ""
    value: str = ""
    """The value, where no words of the clause are it."""
    denies: bool = False
    intention: IntentionType | None = None
    """What sort of intention it states, for a prospective memory."""

    @property
    def sentiment(self) -> Sentiment:
        """Likes and dislikes are felt about half as strongly as anything can be."""
        return Sentiment(self.mood, 0.0 if self.mood is Mood.NEUTRAL else 0.5)


def change_rule(
    name: str,
    slot: str,
    pattern: re.Pattern[str],
    importance: float,
    value: str = "",
    *,
    denies: bool = False,
) -> ExtractionRule:
    """A rule for what somebody says has changed in a slot; where they live is a place."""
    thing = "place" if slot == "residence" else ""
    return ExtractionRule(
        name, pattern, importance, thing=thing, slot=slot, value=value, denies=denies
    )


def _as_it_is(clause: str) -> str:
    return clause


def _as_named(slot: str, value: str, clause: str) -> str:
    return slot


def _never_lasts(earlier: str, later: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class ExtractionRules:
    """How what people say of themselves is read and told in one language.

    `lead` opens a clause without changing it, `remember` asks to remember the group `x`. `told`
    and `asked` put a clause, and a request to the bot, in the third person, about a name. A
    clause may leave out a `subject` of the clause before it if it `lasts` from rule to rule.
    What a statement is about is named without `before_thing`, and by no name if `no_thing` matches.
    """

    rules: tuple[ExtractionRule, ...]
    lead: re.Pattern[str]
    remember: re.Pattern[str]
    told: Callable[[str, str], str]
    asked: Callable[[str, str], str]
    told_request: Callable[[str, str], str]
    nameless: str
    request: str
    comma: str
    before_thing: re.Pattern[str]
    no_thing: re.Pattern[str]
    subject: re.Pattern[str] | None = None
    holder: re.Pattern[str] | None = None
    """Finds the relative or pet that a clause is about, as the group `kin`."""
    pronoun: re.Pattern[str] | None = None
    """Opens a clause about a third person: the groups `lead` (what stands before), `she`, `he` or
    `it`, and `possessive`."""
    somebody: re.Pattern[str] | None = None
    """Finds everybody of the speaker's in a clause, each as the group `kin`."""
    company: re.Pattern[str] | None = None
    """Finds that somebody else is in a clause, whom a pronoun after it may mean."""
    coordinated: tuple[re.Pattern[str], ...] = ()
    """A clause that says two things of one subject: the groups `who`, `one` and `two`."""
    appositions: tuple[re.Pattern[str], ...] = ()
    """A clause that names somebody of the speaker's beside what they are: the groups `kin`, `name`
    and `rest`, what is said of them."""
    naming: str = ""
    """How the name alone is told."""
    own_kin: str = ""
    """How speakers call somebody of theirs, from what `kin` is."""
    possessed: str = ""
    """How something of theirs begins, from `whose`."""
    kin_words: Mapping[str, str] = field(default_factory=dict[str, str])
    """A word for what somebody is to the speaker, by its one name."""
    introduces: re.Pattern[str] | None = None
    """Begins a clause that says that the speaker has somebody, as the group `kin` if they are a
    relative or a pet: what follows and names nobody is about them."""
    others: re.Pattern[str] | None = None
    """Opens a clause about somebody else, or in the third person, so that clauses after it that
    name nobody are not the speaker's."""
    omitted: re.Pattern[str] | None = None
    """Opens a clause in which the speaker is left out."""
    speaking: str = ""
    """What such a clause begins with otherwise."""
    with_subject: str = "{who}{clause}"
    """How such a clause is told."""
    plural: re.Pattern[str] | None = None
    """Opens a clause that says "we", which names the speaker and leaves open who else."""
    of_its_own: re.Pattern[str] | None = None
    """Opens a clause that does not name the speaker and has a subject."""
    with_plural: str = "{who}: {clause}"
    """How such a clause, or one that says "we", is told."""
    no_longer: Callable[[str], str] = _as_it_is
    """A clause that says that something is so no more, as it would say that it is; else itself."""
    takes_back: re.Pattern[str] | None = None
    """A clause, or the beginning of one, that takes back what was said before it."""
    meant: re.Pattern[str] | None = None
    """The beginning of what was meant instead."""
    instead: re.Pattern[str] | None = None
    """What may stand before the value that takes the place of the one taken back."""
    rather: re.Pattern[str] | None = None
    """What follows the value that is meant and tells the one that is not: 27 June, not July."""
    not_that: re.Pattern[str] | None = None
    """A clause that says of the value `x` that it is not the one."""
    denied: re.Pattern[str] | None = None
    asserted: re.Pattern[str] | None = None
    joined: tuple[str, ...] = ()
    """A clause that denies something of the group `who`, the next that asserts `y` in its place,
    and how both may read as one."""
    pairs: tuple[ExtractionRule, ...] = ()
    """Rules of two clauses, the `comma` between them; not among the `rules`."""
    trailing: re.Pattern[str] | None = None
    """What follows a value without being part of it."""
    slots: Mapping[str, str] = field(default_factory=dict[str, str])
    """What the words for an attribute stand for."""
    narrowed: Callable[[str, str, str], str] = _as_named
    """The attribute that a rule's `slot`, a value and its clause mean; "" for none."""
    called: tuple[re.Pattern[str], ...] = ()
    """Each finds in a sentence somebody by the group `who`, and another name of theirs, `x`."""
    also_called: str = "{who} = {x}"
    """How that is told."""
    own: str = ""
    in_role: tuple[str, ...] = ()
    """How `subject` says what work they do, which a rule found as its group `role`: the first
    that is read."""
    today: re.Pattern[str] | None = None
    """Says that it is so since the day of the turn: a fact has that day, and is read later."""
    bare_kin: re.Pattern[str] | None = None
    """Opens a clause with somebody who is the speaker's though nothing says so."""
    they_call: re.Pattern[str] | None = None
    """A clause that tells what somebody just spoken of is called besides, as the group `x`."""
    by_name: re.Pattern[str] | None = None
    """Opens a clause about somebody whom only their name tells, as the group `named`."""
    of_named: frozenset[str] = frozenset()
    """The rules that read what is told of them: what is to be minded, and their birthday."""
    lasts: Callable[[str, str], bool] = _never_lasts
