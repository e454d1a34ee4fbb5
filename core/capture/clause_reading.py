"""What single clauses say, as the rules of their language read them. Pure.

A clause may leave out its subject, take back what was said before it, or deny one value and give
another. Algorithms, section 10.4.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from ..languages.extraction_rule import (
    INTRODUCTION,
    NAMED,
    ExtractionRule,
    ExtractionRules,
)
from ..languages.kin import kin_of
from ..languages.registry import languages, languages_in
from ..model.lesson import Stated
from ..text.normalisation import folded

_LONGEST_CLAUSE = 150
_LONGEST_VALUE = 40
_NOBODY = "\0"


@dataclass(frozen=True, slots=True)
class Reading:
    """A clause, without its opening words, as a rule reads it."""

    clause: str
    rule: ExtractionRule
    thing: str
    of: str = ""
    over: bool = False
    """Whether the clause says that it is so no longer."""
    correction: bool = False
    role: str = ""
    """The work that is done at the place that it tells of."""
    called: str = ""
    """The name of the relative or pet that it says the speaker has."""
    named: str = ""
    """Whom it is about, where that is somebody by name."""

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
        whose = "" if attribute in ("pet", "family", whose) else whose
        denied = rule.denies is not self.over
        return Stated(attribute, value, whose, denied, self.correction)


@dataclass(frozen=True, slots=True)
class Subject:
    """A clause that names whom it is about, and the rule that reads it, "" for none."""

    clause: str
    rule: str
    named: str = ""
    """Whom it is about, where only their name tells."""

    @staticmethod
    def of(clause: str, reading: Reading | None, before: "Subject | None") -> "Subject | None":
        """Of whom a clause after this one may go on to tell."""
        if reading is not None:
            return Subject(reading.clause, reading.rule.name, reading.named)
        language = rules_for(clause)
        body = after(language.lead, clause)
        if _is_of_one(body, language):
            return Subject(body, "")
        named = names_speaker(body) or (language.others and language.others.match(body))
        return before if before is not None and not before.rule and not named else None


def _is_of_one(clause: str, language: ExtractionRules) -> bool:
    """Whether a clause begins with somebody of theirs, and names nobody else."""
    if language.holder is None or language.somebody is None or language.company is None:
        return False
    named = sum(1 for _ in language.somebody.finditer(clause))
    alone = named == 1 and language.company.search(clause) is None
    return alone and language.holder.match(clause) is not None


def is_of_another(clause: str, before: bool) -> bool:
    """Whether a clause speaks of somebody else, or goes on about them: `before` did."""
    language = rules_for(clause)
    body = after(language.lead, clause)
    if language.others is not None and language.others.match(body):
        return True
    return before and not names_speaker(body)


def names_nobody(reading: Reading) -> bool:
    """Whether its subject is left out, and it is no request."""
    if reading.rule.to_bot or reading.named:
        return False
    holder = rules_for(reading.clause).holder
    return not (names_speaker(reading.clause) or (holder and holder.search(reading.clause)))


def names_speaker(clause: str) -> bool:
    """Whether the speaker is in it, by a pronoun."""
    language = rules_for(clause)
    if language.own:
        return language.own in clause
    told = language.told(clause, _NOBODY)
    return told.lower() != clause.lower() or bool(language.plural and language.plural.match(clause))


def request_in(clause: str) -> str | None:
    """What a clause asks to remember, "" if that follows; None if it asks nothing."""
    for language in every_rules():
        match = language.remember.fullmatch(after(language.lead, clause))
        if match:
            return match["x"].strip(" \t,:，：")
    return None


def read(clause: str, to_bot: bool) -> Reading | None:
    """The clause as a rule reads it, with its speaker if they are left out; None if none does."""
    if len(clause) > _LONGEST_CLAUSE:
        return None
    language = rules_for(clause)
    body = after(language.lead, clause)
    positive = language.no_longer(body)
    if positive != body:
        so = _as_said(positive, language, to_bot) or _of_speaker(positive, language, to_bot)
        if so is not None and so.stated(language) is not None:
            return replace(so, clause=body, over=True)
    own = _as_said(body, language, to_bot) or _of_speaker(body, language, to_bot)
    return own or _of_named(body, language, to_bot)


def _of_named(clause: str, language: ExtractionRules, to_bot: bool) -> Reading | None:
    """A clause about somebody whom only their name tells, as it would read of the speaker."""
    match = language.by_name.match(clause) if language.by_name else None
    if match is None:
        return None
    reading = _as_said(language.speaking + clause[match.end() :], language, to_bot)
    if reading is None or reading.rule.name not in language.of_named:
        return None
    told = match["named"] + clause[match.end() :]
    return replace(
        reading, clause=told, rule=replace(reading.rule, template="{clause}"), named=match["named"]
    )


def _of_speaker(clause: str, language: ExtractionRules, to_bot: bool) -> Reading | None:
    """A clause that leaves out the speaker, as it reads with them."""
    if language.omitted is None or not language.omitted.match(clause):
        return None
    reading = _as_said(language.speaking + clause, language, to_bot)
    return reading and replace(reading, clause=clause)


def contrasted(clauses: Sequence[str], to_bot: bool) -> list[str]:
    """The clauses; where one says that something changed and the next to what, both as one."""
    left: list[str] = []
    for clause in clauses:
        joined = _joined(left[-1], clause, to_bot) if left else None
        left[-1:] = [joined] if joined else [*left[-1:], clause]
    return left


def _joined(before: str, clause: str, to_bot: bool) -> str | None:
    language = rules_for(before)
    pair = f"{after(language.lead, before)}{language.comma}{clause}"
    if any(rule.pattern.fullmatch(pair) for rule in language.pairs):
        return pair
    if language.denied is None or language.asserted is None:
        return None
    denied, asserted = language.denied.fullmatch(before), language.asserted.fullmatch(clause)
    if denied is None or asserted is None:
        return None
    forms = (each.format(who=denied["who"], y=asserted["y"]) for each in language.joined)
    return next((form for form in forms if read(form, to_bot) is not None), None)


def without_denied(clauses: Sequence[str], last: Reading | None) -> tuple[Sequence[str], bool]:
    """The clauses without one that says of the value told last that it is not, if there is one."""
    if last is None or not last.thing or len(clauses) < 2:
        return clauses, False
    left = [clause for clause in clauses if not _is_denial(clause, last.thing)]
    return (left, True) if left and len(left) < len(clauses) else (clauses, False)


def _is_denial(clause: str, value: str) -> bool:
    language = rules_for(clause)
    denied = language.not_that
    match = denied.fullmatch(after(language.lead, clause)) if denied else None
    return match is not None and folded(match["x"].strip()) == folded(value)


def without_taking_back(clause: str) -> tuple[str, bool]:
    """The clause without what takes back the one before, and whether it does."""
    language, rest = rules_for(clause), clause
    for opening in filter(None, (language.takes_back, language.meant)):
        rest = after(opening, rest)
    return rest, rest != clause


def instead_of_value(last: Reading | None, value: str, to_bot: bool) -> Reading | None:
    """What was said last with another value, if that is a value at all."""
    if last is None or not last.thing or len(value) > _LONGEST_VALUE:
        return None
    language = rules_for(last.clause)
    value = value if language.rather is None else language.rather.sub("", value)
    # What names its own subject is another statement: 不对，我妈属鼠 gives her no other name.
    if _says_more(value, language):
        return None
    return _as_said(last.clause.replace(last.thing, value), language, to_bot)


def _says_more(value: str, language: ExtractionRules) -> bool:
    """Whether it names the speaker, or somebody of theirs, and goes on about them."""
    holder = language.holder.match(value) if language.holder else None
    return names_speaker(value) if holder is None else holder.end() < len(value)


def _as_said(body: str, language: ExtractionRules, to_bot: bool) -> Reading | None:
    for rule in (*language.pairs, *language.rules):
        match = rule.pattern.fullmatch(body)
        if match and (to_bot or not rule.to_bot):
            groups = match.groupdict()
            thing = "" if rule.value else (groups.get("x") or "").strip()
            names = ("of", "role", "called", "named")
            of, role, called, named = ((groups.get(name) or "").strip() for name in names)
            return Reading(body, rule, thing, of, role=role, called=called, named=named)
    return None


def with_what_goes_along(reading: Reading, to_bot: bool) -> list[Reading]:
    """The reading, and with a new place of work what is done there: whatever was before is over.

    With somebody of theirs also what they are called.
    """
    language = rules_for(reading.clause)
    if reading.called:
        naming = _naming(reading, language, to_bot)
        return [reading] if naming is None else [reading, naming]
    if not reading.role:
        return [reading]
    subject = language.subject.match(reading.clause) if language.subject else None
    named = subject.group() if subject else language.speaking
    forms = (each.format(subject=named, role=reading.role) for each in language.in_role)
    told = (_as_said(form, language, to_bot) for form in forms)
    return [reading, *[each for each in told if each is not None][:1]]


def one_by_one(clauses: Sequence[str]) -> list[str]:
    """The clauses; one that says two things of one, or names them and says more, is two."""
    return [each for clause in clauses for each in _apart(clause)]


def _apart(clause: str) -> tuple[str, ...]:
    language = rules_for(clause)
    body = after(language.lead, clause)
    if language.bare_kin is not None and language.bare_kin.match(body):
        body = clause = language.own_kin.format(kin=body)
    for pattern in language.coordinated:
        if (found := pattern.fullmatch(body)) is not None:
            return (found["who"] + found["one"], found["who"] + found["two"])
    for pattern in language.appositions:
        if (found := pattern.fullmatch(body)) is not None:
            kin = found["kin"]
            named = language.naming.format(kin=kin, name=found["name"])
            rest = found["rest"]
            return (named, language.own_kin.format(kin=kin) + rest) if rest else (named,)
    return (clause,)


def _naming(reading: Reading, language: ExtractionRules, to_bot: bool) -> Reading | None:
    """What says the name of somebody of theirs as a clause of its own would."""
    word = _kin_word(reading.thing)
    for kin in filter(None, (word, language.kin_words.get(kin_of(word)))):
        clause = language.naming.format(kin=kin, name=reading.called)
        if (naming := _as_said(clause, language, to_bot)) is not None:
            return naming
    return None


def _kin_word(thing: str) -> str:
    """The word at the end of a thing for what it is to the speaker; "" if it is no relative or pet.

    Of 金毛猫 it is 猫, of "grey cat" cat.
    """
    places = range(len(thing) - 1, -1, -1)
    return next((thing[place:] for place in places if kin_of(thing[place:])), "")


def introduced(clause: str) -> str | None:
    """Whom a clause says that the speaker has: 我儿子, "" for somebody else, None for nobody."""
    language = rules_for(clause)
    begins = (
        language.introduces.match(after(language.lead, clause)) if language.introduces else None
    )
    if begins is None:
        return None
    kin = kin_of(begins["kin"] or "")
    return language.own_kin.format(kin=language.kin_words.get(kin, begins["kin"])) if kin else ""


def of_introduced(person: str, clause: str, to_bot: bool) -> Reading | None:
    """A clause that names nobody as it reads of who was introduced before it; None of a stranger.

    Read of the speaker, it gave them the allergy of their child.
    """
    if not person:
        return None
    language = rules_for(person)
    reading = read(language.with_subject.format(who=person, clause=clause), to_bot)
    if reading is None or not language.lasts(INTRODUCTION, reading.rule.name):
        return None
    stated = reading.stated(language)
    return reading if stated is not None and stated.whose else None


def continued(earlier: Subject | None, clause: str, to_bot: bool) -> Reading | None:
    """The clause read with the subject of the one before it, where that may be left out."""
    if earlier is None:
        return None
    language = rules_for(earlier.clause)
    if earlier.named:
        told = earlier.named + clause
        return None if language.own in clause else _of_named(told, language, to_bot)
    subject = language.subject.match(earlier.clause) if language.subject else None
    if subject is None or language.own in clause:
        return None
    reading = read(subject.group() + clause, to_bot)
    if reading and language.lasts(earlier.rule, reading.rule.name):
        return reading
    return None


@cache
def every_rules() -> tuple[ExtractionRules, ...]:
    """Those of every language that has some, in the order in which they are tried."""
    return tuple(each.extraction for each in languages() if each.extraction is not None)


def rules_for(text: str) -> ExtractionRules:
    """The rules and wording for a text; in a language without any those that are tried last."""
    own = (each.extraction for each in languages_in(text) if each.extraction is not None)
    return next(own, every_rules()[-1])


def after(lead: re.Pattern[str], clause: str) -> str:
    """What follows the opening words, or all of a clause without any."""
    match = lead.match(clause)
    return clause[match.end() :] if match else clause
