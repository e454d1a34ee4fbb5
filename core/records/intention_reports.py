"""What people report done or given up, and the intention that it closes. Pure.

Precise rather than eager: nothing is closed that a report might not be about.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..conflict.clauses import Clause
from ..languages.registry import languages_in
from ..languages.reports import ReportWords
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
    if report.whom != Clause(text).others or not report.about <= content_terms(text):
        return False
    if report.whole is not None and report.whole.search(text) is None:
        return False
    return report.verb is None or report.verb.search(text) is not None


def _report(clause: str, words: ReportWords) -> Report | None:
    if words.nobody.search(clause):
        return None
    for given_up, patterns in ((True, words.given_up), (False, words.done)):
        for pattern in patterns:
            if match := pattern.fullmatch(clause):
                report = _of_match(clause, match, words, given_up=given_up)
                if report is not None:
                    return report
    return None


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
