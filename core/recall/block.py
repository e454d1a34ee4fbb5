"""The text that carries memories into a prompt: numbered, dated, quoted, within budget. Pure.

Lines of one day stand together under it: a day on each line took a third of the block.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import tzinfo

from ..languages.language import BlockWording
from ..languages.registry import block_wording
from ..languages.terms import excerpt
from ..languages.times import LONGEST, times_in
from ..model.conversation import Account, Speaker
from ..model.derived import once
from ..model.memory import Kind, Memory, Source, unmarked
from ..records.disclosure import is_private
from ..text.quoting import LONGEST_NAME, entity_id, marks, quoted, quoted_name
from ..text.token_count import estimate_tokens
from .profile import is_over, with_days

OPENING = "<tidemark-memories>"
CLOSING = "</tidemark-memories>"
LONGEST_ITEM, LONGEST_WIDE = 240, 64
"""Characters of a line, some 60 tokens: the second where most characters take several bytes."""

WIDE = 2
"""Bytes a character from which a text counts as wide."""

A_TOKEN, A_WIDE_TOKEN = 8, 4
"""Characters of a line that a token stands for at most, on average."""

LONGEST_HISTORY = 240
LONGEST_STORY = 2_000
"""Characters of a thread, which is made to fit its share of the block."""

type ShowTime = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Participants:
    """The people a block is written among: their newest names here, and the account that asks.

    Without `several`, in a private chat, everything was said by the person who asks. `called` are
    the entity ids of all names that people go by here. `chat` is the `Scope.owner` of here, "" for
    a search by hand.
    """

    names: Mapping[Account, str] = field(default_factory=dict[Account, str])
    asker: Account | None = None
    several: bool = False
    called: Set[str] = frozenset()
    chat: str = ""


@dataclass(frozen=True, slots=True)
class Style:
    """How the block is written: language, local display of times, company.

    `wanted` are the terms of the question; a long memory is shown where it holds them. `beside`
    are words of raw turns that are shown with what was learnt from them, by its id; `before` the
    values that held in its slot; `ended` when what a raw turn says ceased to be so, and `instead`
    what is so by now; `later` is what of the same was said after a memory; `moved` for when what
    it tells of is planned since; `due` are ids of what is for today, and what had its day before
    `now` is told as past. People speak of days in the zone `where`.
    """

    language: str
    show_time: ShowTime
    wanted: frozenset[str] = frozenset()
    participants: Participants = Participants()
    beside: Mapping[str, str] = field(default_factory=dict[str, str])
    before: Mapping[str, str] = field(default_factory=dict[str, str])
    ended: Mapping[str, float] = field(default_factory=dict[str, float])
    instead: Mapping[str, str] = field(default_factory=dict[str, str])
    later: Mapping[str, str] = field(default_factory=dict[str, str])
    moved: Mapping[str, float] = field(default_factory=dict[str, float])
    due: Set[str] = frozenset()
    now: float = 0.0
    where: tzinfo | None = None

    @property
    def words(self) -> BlockWording:
        """What stands around the memories."""
        return block_wording(self.language)


def line(number: int, memory: Memory, style: Style) -> str:
    """`[n] (marks) text`; the words of a raw turn stand behind its speaker: `[n] Ann: I row`."""
    return f"[{number}] {_body(memory, style, {})}"


def _body(memory: Memory, style: Style, told_apart: Mapping[Account, str]) -> str:
    """A line without its number. `told_apart` holds the marks of people who share a name.

    Whose own memory it is comes first, where no name can stand.
    """
    raw = memory.kind is Kind.EVIDENCE
    # An import may hold the mark, and so may what an earlier version stored.
    longest = longest_of(memory)
    shown = excerpt(memory.text if raw else unmarked(memory.text), style.wanted, longest)
    who = _who(memory, style, told_apart)
    parts = [
        style.words.asker if _is_askers(memory, style.participants) else "",
        _about(memory, style),
        who if style.participants.several and not raw else "",
        style.words.verbatim if raw and not who else "",
        style.words.story if memory.is_thread else "",
        style.words.due if memory.id in style.due else "",
        _end(memory, style),
        _moved(memory, style),
    ]
    told = quoted(shown, longest)
    if may_tell_days(memory, style.where):
        told = _with_days(told, memory, style)
    if before := style.before.get(memory.id):
        told = style.words.before.format(told=told, value=quoted(before, LONGEST_HISTORY))
    if said := style.beside.get(memory.id):
        words = _with_days(quoted(unmarked(said), longest), memory, style, told)
        told = style.words.beside.format(told=told, said=words)
    marks = ", ".join(filter(None, parts))
    return f"({marks}) " * bool(marks) + f"{who}: " * bool(raw and who) + told


def heading(memory: Memory, style: Style) -> str:
    """The day under which its line stands: when it was said; of a thread its first and last."""
    said = style.show_time(memory.created_at)
    return f"{style.show_time(memory.happened_at)} – {said}" if memory.is_thread else said


def _end(memory: Memory, style: Style) -> str:
    """When its claim ended, or its intention was over."""
    if (intention := memory.intention) is not None and intention.closed_at:
        over = style.words.given_up if intention.given_up else style.words.done
        return over.format(date=style.show_time(intention.closed_at))
    if memory.successor is None and is_over(memory, style.now):
        return style.words.past
    at = memory.claim.valid_to if memory.claim else style.ended.get(memory.id)
    if at is None:
        return ""
    until = style.words.until.format(date=style.show_time(at))
    now = style.instead.get(memory.id)
    return until if now is None else style.words.instead.format(until=until, value=now)


def _with_days(text: str, memory: Memory, style: Style, before: str = "") -> str:
    if memory.is_thread:
        return text
    known = f"{heading(memory, style)} {_about(memory, style)} {before}"
    return with_days(text, memory.created_at, style.where, style.show_time, style.words.day, known)


@once
def may_tell_days(memory: Memory, where: tzinfo | None) -> bool:
    """Whether its text tells of a time, as far as times are read; most tell of none."""
    read = len(memory.text) <= LONGEST
    return not read or bool(times_in(memory.text, memory.created_at, where))


def _moved(memory: Memory, style: Style) -> str:
    """For which day it is planned since."""
    at = style.moved.get(memory.id)
    return "" if at is None else style.words.moved.format(date=style.show_time(at))


def _older(memory: Memory, style: Style, numbers: Mapping[str, int]) -> str:
    """Which line says what was said of the same since."""
    number = numbers.get(style.later.get(memory.id, ""))
    return "" if number is None else f" ({style.words.older.format(number=number)})"


def _about(memory: Memory, style: Style) -> str:
    """When it happened if that is not the day it was said: the text may count from either."""
    about = style.show_time(memory.happened_at)
    if memory.is_thread or about == style.show_time(memory.created_at):
        return ""
    return style.words.about.format(about=about)


def fill(
    memories: Sequence[Memory], *, budget: int, style: Style, first: int = 1
) -> tuple[str, tuple[Memory, ...], int]:
    """Block text, the memories that went in, by their numbers, and its tokens; "" if nothing fits.

    Memories come best first; one that does not fit is left out and shorter ones may follow. Days
    stand in the order of their best lines. Numbers start with `first`.
    """
    words, several = style.words, style.participants.several
    head = [OPENING, words.group_preamble if several else words.preamble]
    told_apart = _told_apart(memories, style.participants)
    spent = estimate_tokens("\n".join([*head, CLOSING]))
    days: defaultdict[str, list[Memory]] = defaultdict(list)
    bodies, widest = dict[str, str](), dict[str, int]()
    for place, memory in enumerate(memories):
        if spent + least_tokens(memory) > budget:
            continue
        day, body = heading(memory, style), _body(memory, style, told_apart)
        cost = estimate_tokens(f"[{first + place}] {body}{_older(memory, style, widest)}") + 1
        cost += 0 if day in days else estimate_tokens(day) + 1
        if spent + cost > budget:
            continue
        spent += cost
        days[day].append(memory)
        bodies[memory.id], widest[memory.id] = body, first + len(memories)
    kept = tuple(memory for day in days.values() for memory in day)
    if not kept:
        return "", (), 0
    numbers = {memory.id: number for number, memory in enumerate(kept, start=first)}
    for day, own in days.items():
        ends = (f"{bodies[one.id]}{_older(one, style, numbers)}" for one in own)
        head += [day, *(f"[{numbers[m.id]}] {end}" for m, end in zip(own, ends, strict=True))]
    return "\n".join([*head, CLOSING]), kept, spent


@once
def longest_of(memory: Memory) -> int:
    """Characters that a line tells of a memory."""
    if memory.is_thread:
        return LONGEST_STORY
    size = len(memory.text.encode("utf-8", "surrogatepass"))
    return LONGEST_WIDE if size >= WIDE * len(memory.text) else LONGEST_ITEM


def least_tokens(memory: Memory) -> int:
    """Tokens that its line takes at least; whoever has fewer left need not write it."""
    longest = longest_of(memory)
    each = A_WIDE_TOKEN if longest == LONGEST_WIDE else A_TOKEN
    return min(len(memory.text), longest) // each


def _told_apart(memories: Sequence[Memory], participants: Participants) -> Mapping[Account, str]:
    if not participants.several:
        return {}
    others = [m for m in memories if m.source is not Source.BOT and not _is_askers(m, participants)]
    accounts = {memory.account for memory in others} | {participants.asker}
    here = (m for m in memories if not is_private(m))
    then = {m.account: m.speaker.name for m in here if m.speaker is not None}
    return marks(
        {
            account: Speaker(account[1], participants.names.get(account) or then.get(account, ""))
            for account in accounts
            if account is not None
        }
    )


def _is_askers(memory: Memory, participants: Participants) -> bool:
    # A private memory in a group is one that the asker shares, from whichever account.
    private = is_private(memory)
    own = memory.account is not None and memory.account == participants.asker
    return participants.several and (own or private)


def _who(memory: Memory, style: Style, told_apart: Mapping[Account, str]) -> str:
    """The speaker's name now, with the one at that time if the text holds that one."""
    account, speaker = memory.account, memory.speaker
    if speaker is None or account is None:
        return ""
    if memory.source is Source.BOT and not speaker.name:
        return style.words.bot if style.participants.several else ""
    then, participants = quoted_name(speaker.name, LONGEST_NAME), style.participants
    if participants.several and participants.asker is not None and is_private(memory):
        # A private chat's name is not told in a group, unless by the memory itself.
        account, then = participants.asker, then if _tells_name(memory, then) else ""
    now = quoted_name(participants.names.get(account, ""), LONGEST_NAME) or then
    called = now + told_apart.get(account, "")
    same = now == then or entity_id(then) in ("", entity_id(now))
    if same or not _tells_name(memory, then):
        return called
    return style.words.renamed.format(now=called, then=then)


def _tells_name(memory: Memory, name: str) -> bool:
    return entity_id(name) in entity_id(memory.text)
