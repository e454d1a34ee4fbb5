"""One page about a person, from what holds of them: which lines, in which order. Pure.

Algorithms, section 13.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from enum import StrEnum

from ..conflict.slots import UNMENTIONED, own, value_key
from ..languages.registry import block_wording
from ..languages.times import Interval, times_in
from ..model.memory import Facet, Kind, Memory, Source
from ..model.times import local_date
from ..records.manual import said
from ..text.quoting import quoted
from ..text.time.calendar import Leaning
from ..text.token_count import estimate_tokens

LONGEST_SHIFT = 32 * 86_400.0
"""Seconds of a time whose first and last day are worth telling: "last year" is told by its date."""

WHOLE_DAY = 86_400.0 - 1
"""Seconds of a day that is told by itself, and not by an hour of it."""

MUCH_LATER = 400 * 86_400.0
"""Seconds after which every expression that counts from the day it is said means another day."""

type ShowDay = Callable[[float], str]


def with_days(
    text: str, said_at: float, where: tzinfo | None, show: ShowDay, written: str, known: str = ""
) -> str:
    """The text with the day behind each expression that counts from the day when it was said.

    Only where it means the same whether it is past or to come: "on Friday" may be either. What
    begins on a day that is in `known`, what stands before the text say, or that the text tells by
    its number, is not told again, and no day twice. `written` is how an expression, `told`, stands
    with its `date`.
    """
    told = times_in(text, said_at, where)
    if not told:
        return text
    coming, later = (
        {(each.start, each.end): each.interval for each in times_in(text, at, where, leaning=way)}
        for at, way in ((said_at, Leaning.FUTURE), (said_at + MUCH_LATER, Leaning.PAST))
    )
    counted = [
        each
        for each in told
        if coming.get((each.start, each.end)) == each.interval != later.get((each.start, each.end))
    ]
    days = {
        show(time.start)
        for (start, end), time in coming.items()
        if all(each.start != start for each in counted)
        and time.end - time.start >= WHOLE_DAY
        and any(map(str.isdigit, text[start:end]))
    }
    shown, rest = "", 0
    for each in counted:
        time = each.interval
        date = _date(time, show)
        if time.end - time.start > LONGEST_SHIFT or show(time.start) in known or date in days:
            continue
        days.add(date)
        marked = written.format(told=text[each.start : each.end], date=date)
        shown, rest = shown + text[rest : each.start] + marked, each.end
    return shown + text[rest:]


def _date(time: Interval, show: ShowDay) -> str:
    first, last = show(time.start), show(time.end)
    return first if first == last else f"{first} – {last}"


OPENING = "<tidemark-profile>"
CLOSING = "</tidemark-profile>"
MOST_TOKENS = 300
LONGEST_LINE = 90
DAY = 86_400.0
MOST_PLANS = 5
MOST_LINES = 40
MOST_TRIED = 100
"""Lines of one part of the page for which it is looked whether they fit."""

type ShowDate = Callable[[float], str]


class Section(StrEnum):
    """The parts of the page, in its order: what the bot is to do and to mind comes first."""

    WISHES = "wishes"
    HEALTH = "health"
    WHO = "who"
    PEOPLE = "people"
    WORK = "work"
    TASTES = "tastes"
    PLANS = "plans"


_FIRST = (
    Section.WISHES,
    Section.HEALTH,
    Section.WHO,
    Section.PEOPLE,
    Section.WORK,
    Section.PLANS,
    Section.TASTES,
)
"""Which part gets its lines first where there is no room for all."""

_ATTRIBUTES: Mapping[Section, frozenset[str]] = {
    Section.WHO: frozenset(
        (
            "name nickname age birthday home_town residence marital language school major grade"
            " contact height weight zodiac"
        ).split()
    ),
    Section.PEOPLE: frozenset("partner family friend child pet flatmate".split()),
    Section.HEALTH: frozenset("allergy illness medication diet blood_type".split()),
    Section.TASTES: frozenset("like favourite hobby".split()),
    Section.WORK: frozenset("workplace job team boss commute work_mode schedule skill".split()),
    Section.WISHES: frozenset({"instruction", UNMENTIONED}),
}
_OWN = frozenset({Source.USER, Source.CORRECTION})


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the page: what it says, and the memories that say it, the shown one first."""

    section: Section
    memory: Memory
    sources: tuple[str, ...]


def section_of(memory: Memory, account: str) -> Section | None:
    """Where a memory belongs on the page of a person, "" in their private chat; None if nowhere."""
    if not memory.recallable or memory.source not in _OWN:
        return None
    if account and (memory.speaker is None or memory.speaker.id != account):
        return None
    if memory.kind is Kind.PROSPECTIVE:
        pending = memory.intention is not None and memory.intention.pending
        return Section.PLANS if pending and memory.successor is None else None
    claim = memory.claim
    if claim is None:
        standing = memory.kind is Kind.SEMANTIC and memory.facet is Facet.INSTRUCTION
        return Section.WISHES if standing else None
    themselves = own(account)
    if not memory.holds or claim.denied or not f"{claim.subject}/".startswith(f"{themselves}/"):
        return None
    kind = claim.attribute.partition(":")[0]
    part = next((each for each, keys in _ATTRIBUTES.items() if kind in keys), None)
    if claim.subject == themselves:
        return part
    # A friend's allergy would be read as theirs.
    return None if part is Section.HEALTH else Section.PEOPLE


def is_over(memory: Memory, now: float) -> bool:
    """Whether the day for which something is planned has gone by, done or not."""
    return memory.due_at is not None and memory.due_at + DAY <= now


def lines_of(memories: Iterable[Memory], account: str) -> list[Line]:
    """The lines of a person's page, in its order, with room for the words around them.

    What two memories say of one slot is one line; of plans the nearest and newest come first.
    """
    by_section: dict[Section, dict[object, list[Memory]]] = {each: {} for each in Section}
    for memory in memories:
        if (section := section_of(memory, account)) is not None:
            by_section[section].setdefault(_said(memory), []).append(memory)
    ordered = {
        section: sorted(map(_newest_first, found.values()), key=lambda each: _rank(each[0]))
        for section, found in by_section.items()
    }
    ordered[Section.PLANS] = ordered[Section.PLANS][:MOST_PLANS]
    chosen: list[Line] = []
    for section in _FIRST:
        for told in ordered[section][:MOST_TRIED]:
            line = Line(section, told[0], tuple(memory.id for memory in told))
            if len(chosen) < MOST_LINES and _fits([*chosen, line]):
                chosen.append(line)
    return sorted(chosen, key=lambda line: [*Section].index(line.section))


def page(
    lines: Sequence[Line],
    language: str,
    show: ShowDate = lambda at: local_date(at, UTC),
    where: tzinfo | None = UTC,
) -> str:
    """The text of the page; "" without lines. The same lines give the same bytes.

    People speak of days in the zone `where`.
    """
    if not lines:
        return ""
    words = block_wording(language)
    told = [OPENING, words.profile]
    for section in Section:
        own_lines = [line.memory for line in lines if line.section is section]
        texts = [_dated(memory, words.day, show, where) for memory in own_lines]
        if texts:
            told += [f"{words.sections[section]}:", *(f"- {text}" for text in texts)]
    return "\n".join([*told, CLOSING])


def line_text(memory: Memory, show: ShowDate | None = None) -> str:
    """What stands on the page for a memory, with the day of a plan if days can be shown.

    "On Saturday" is said once and read for weeks.
    """
    text = quoted(said(memory), LONGEST_LINE)
    if show is None or memory.due_at is None:
        return text
    return f"{text} ({show(memory.due_at)})"


def _dated(memory: Memory, written: str, show: ShowDate, where: tzinfo | None) -> str:
    known = "" if memory.due_at is None else show(memory.due_at)
    return with_days(line_text(memory, show), memory.created_at, where, show, written, known)


def _fits(lines: Sequence[Line]) -> bool:
    return all(estimate_tokens(page(lines, code)) <= MOST_TOKENS for code in ("zh", "en"))


def _said(memory: Memory) -> object:
    claim = memory.claim
    return memory.text if claim is None else (claim.slot, value_key(claim.value))


def _newest_first(memories: Sequence[Memory]) -> list[Memory]:
    return sorted(memories, key=lambda memory: (-memory.created_at, memory.id))


def _rank(memory: Memory) -> tuple[float, float, str]:
    """What is due comes first, then what matters and is new."""
    due = memory.due_at if memory.due_at is not None else float("inf")
    return due, -memory.created_at, memory.id
