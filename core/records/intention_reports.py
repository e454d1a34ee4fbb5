"""What people report done or given up, and the intention that it closes. Pure.

Precise rather than eager: nothing is closed that a report might not be about.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..conflict.clauses import Clause
from ..languages.registry import languages_in
from ..languages.reports import PutOffWords, ReportWords
from ..languages.terms import content_terms
from ..model.memory import Memory
from ..text.traditional import SIMPLIFIED

_LONGEST = 120
_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Report:
    """That something was done, or given up: index terms of what, and the verb if one is named.

    `whom` are the relatives and pets it names. An intention that it is about holds all of these.
    """

    clause: str
    about: frozenset[str]
    verb: re.Pattern[str] | None
    whom: frozenset[str]
    given_up: bool
    whole: re.Pattern[str] | None = None
    """How a thing of a single character stands in an intention, with its verb."""
    put_off: "PutOff | None" = None


@dataclass(frozen=True, slots=True)
class PutOff:
    """That it is on another day now: the words of that day, "" if nobody knows it yet."""

    to: str
    words: PutOffWords
    own: bool = False
    """Whether it is said to be the speaker's own."""
    later: bool = False
    """Whether it is said to be later than it was."""


def reports_in(clauses: Sequence[str]) -> Iterator[Report]:
    """What a sentence reports, clause by clause, as `capture.clauses.sentences` cuts it."""
    for said in clauses:
        clause = said[:_LONGEST].translate(SIMPLIFIED)
        for language in languages_in(clause):
            report = language.reports and _report(clause, language.reports)
            if report is not None:
                yield report
                break


def fits(report: Report, intention: Memory) -> bool:
    """Whether an intention may be what the report is about."""
    text = intention.text.translate(SIMPLIFIED)
    others = Clause(_without_speaker(text, intention)).others
    # The owner of what is put off may be named by what they are in one, by name in the other.
    loose = report.put_off is not None and not (report.put_off.own and not report.whom)
    same = report.whom == others or (loose and report.whom < others)
    if not same or not report.about <= content_terms(text):
        return False
    if report.whole is not None and report.whole.search(text) is None:
        return False
    return report.verb is None or report.verb.search(text) is not None


def _without_speaker(text: str, intention: Memory) -> str:
    """Without the name of who intends it: 周姐 and "Mum" are no relatives of their own."""
    name = "" if intention.speaker is None else intention.speaker.name.translate(SIMPLIFIED)
    return text.replace(name, " ") if name else text


def _report(clause: str, words: ReportWords) -> Report | None:
    if words.put_off is not None and (moved := _put_off(clause, words, words.put_off)):
        return moved
    if words.nobody.search(clause):
        return None
    for given_up, patterns in ((True, words.given_up), (False, words.done)):
        for pattern in patterns:
            if match := pattern.fullmatch(clause):
                report = _of_match(clause, match, words, given_up=given_up)
                if report is not None:
                    return report
    return None


def _put_off(clause: str, words: ReportWords, telling: PutOffWords) -> Report | None:
    if telling.unsure.search(clause):
        return None
    for pattern in telling.patterns:
        if match := pattern.fullmatch(clause):
            to = (match.groupdict().get("to") or "").strip()
            thing, stands = _named(words.around.sub("", match["x"].strip()).strip(), telling)
            about = content_terms(thing) - words.empty
            if not about and stands is None:
                return None
            whom = Clause(clause).others
            put_off = PutOff(
                to,
                telling,
                own=telling.own.search(clause) is not None,
                later=telling.later.search(clause) is not None,
            )
            return Report(clause, about, stands, whom, given_up=False, put_off=put_off)
    return None


def _named(thing: str, telling: PutOffWords) -> tuple[str, re.Pattern[str] | None]:
    """What is left of the thing without its noun, and how that stands in an intention."""
    lowered = thing.lower()
    for noun, stands in telling.nouns.items():
        start = len(thing) - len(noun)
        if lowered.endswith(noun) and (start == 0 or not noun.isascii() or thing[start - 1] == " "):
            return thing[:start].strip(), re.compile(stands or re.escape(noun), re.I) if (
                stands or not start
            ) else None
    return thing, None


def _of_match(
    clause: str, match: re.Match[str], words: ReportWords, *, given_up: bool
) -> Report | None:
    verb = match.groupdict().get("v") or ""
    thing = words.around.sub("", match["x"].strip()).strip()
    whole = None
    if len(thing) == 1 and _IDEOGRAPH.match(thing):
        if verb not in words.whole:
            return None
        whole = re.compile(rf"{verb}{words.measure}{thing}(?![\u4e00-\u9fff])")
    about, stands = content_terms(thing), _stands(verb, words)
    if whole is not None:
        about = frozenset[str]()
    elif not about or (stands is None and about <= words.empty):
        return None
    return Report(clause, about, stands, Clause(clause).others, given_up, whole)


def _stands(verb: str, words: ReportWords) -> re.Pattern[str] | None:
    """How a reported verb stands in an intention; None for any."""
    if not verb:
        return None
    lowered = verb.lower()
    known = next((stands for name, stands in words.verbs.items() if lowered.startswith(name)), None)
    if known == "":
        return None
    if known is not None:
        return re.compile(known if _IDEOGRAPH.search(known) else rf"\b(?:{known})", re.I)
    stem = re.escape(lowered.split()[0].removesuffix("ing").removesuffix("ed").rstrip("e"))
    return re.compile(stem if _IDEOGRAPH.search(verb) else rf"\b{stem}", re.I)
