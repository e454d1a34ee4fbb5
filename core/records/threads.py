"""Threads: what was told of one matter over time, as dated lines that name what they rest on.

A thread is a narrative memory. Each line of its text ends in the numbers of the memories it tells,
and behind an arrow of those that it names as the cause: `2026-03-02 I quit [2] ← [1]`. The numbers
count its relations `TELLS`, so whatever is gone takes its lines along, and no others.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from uuid import UUID, uuid5

from ..forgetting.summary import without_parts
from ..graph.communities import CAUSED_BY
from ..model.conversation import Scope, ScopeKind
from ..model.knowledge import Relation
from ..model.memory import TELLS, Access, Extractor, Kind, Memory, Source, Vitality, unmarked
from ..ports import Erasure, Filter, Journal, MemoryRecords
from ..text.quoting import LONGEST_NAME, quoted, quoted_name

LEAST_LINES = 2
LONGEST_LINE = 90
"""Characters that a line keeps of a memory."""

ARROW = "←"
_NUMBERS = r"(?:\[\d{1,3}\])+"
_LINE = re.compile(rf"(?P<said>.*?\S) (?P<told>{_NUMBERS})(?: {ARROW} (?P<causes>{_NUMBERS}))?")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A dated line, the ids of the memories that say it, and of those that it names as causes."""

    said: str
    told: tuple[str, ...]
    causes: tuple[str, ...] = ()


def thread_id(journal: str, scope: str, topic: str) -> str:
    """Id of the thread of a topic in a scope, however it grows."""
    return str(uuid5(UUID(journal), f"thread:{scope}:{topic}"))


def line_of(memory: Memory, date: str) -> StoryLine:
    """A memory as a line: in a group with who said it, and never with the bot's answer."""
    text = quoted(unmarked(memory.said), LONGEST_LINE)
    several = Scope.kind_of(memory.scope) is ScopeKind.GROUP
    name = quoted_name(memory.speaker.name, LONGEST_NAME) if memory.speaker is not None else ""
    said = f"{name}: {text}" if several and name and memory.kind is Kind.EVIDENCE else text
    # An arrow of its own would make a number in its text a citation.
    said = f"{date} {said.replace(ARROW, '-')}".rstrip()
    return StoryLine(said, (memory.id,), causes_of(memory))


def causes_of(memory: Memory) -> tuple[str, ...]:
    """Ids of the memories that it names as its causes."""
    own = (each for each in memory.relations if each.subject == memory.id)
    return tuple(each.object for each in own if each.predicate == CAUSED_BY)


def lines_of(thread: Memory) -> list[StoryLine]:
    """The lines of a thread; one that names what the thread does not tell is none."""
    ids = thread.tells
    found: list[StoryLine] = []
    for match in map(_LINE.fullmatch, thread.text.splitlines()):
        if match is not None:
            told = tuple(_named(match["told"], ids))
            causes = tuple(filter(None, _named(match["causes"] or "", ids)))
            if all(told):
                found.append(StoryLine(match["said"], told, causes))
    return found


def with_lines(thread: Memory, lines: Sequence[StoryLine]) -> Memory:
    """The thread with these lines and no others; a cause that no line tells is not named."""
    ids = list(dict.fromkeys(id for line in lines for id in line.told))
    others = [each for each in thread.relations if each.predicate != TELLS]
    edges = [Relation(thread.id, TELLS, id) for id in ids]
    text = "\n".join(_written(line, ids) for line in lines)
    return replace(thread, text=text, relations=(*others, *edges))


def without(thread: Memory, gone: Set[str]) -> Memory | None:
    """The thread without what rests on these memories; None if no story is left."""
    kept = [line for line in lines_of(thread) if gone.isdisjoint(line.told)]
    return with_lines(thread, kept) if len(kept) >= LEAST_LINES else None


def worded(
    sentences: Iterable[tuple[str, Sequence[int]]], lines: Sequence[StoryLine]
) -> list[StoryLine]:
    """Sentences that cite lines by number, from 1, in the place of these; the others stay.

    A sentence has the day of the first line that it cites, and their causes but those it tells.
    """
    told: dict[int, StoryLine] = {}
    for text, cites in sentences:
        own = sorted({cite - 1 for cite in cites})
        first = min((place for place in own if place not in told), default=None)
        if first is None:
            continue
        cited = [lines[place] for place in own]
        ids = tuple(dict.fromkeys(id for line in cited for id in line.told))
        causes = tuple(dict.fromkeys(id for line in cited for id in line.causes if id not in ids))
        date = lines[first].said.partition(" ")[0]
        line = StoryLine(f"{date} {text.replace(ARROW, '-')}", ids, causes)
        told |= dict.fromkeys(own, line)
    return list(dict.fromkeys(told.get(place, line) for place, line in enumerate(lines)))


def composed(id: str, label: str, told: Sequence[Memory], lines: Sequence[StoryLine]) -> Memory:
    """The thread of these memories of one scope, in the order of time. `label` names its matter."""
    latest = max(memory.created_at for memory in told)
    thread = Memory(
        id=id,
        scope=told[0].scope,
        kind=Kind.NARRATIVE,
        text="",
        summary=label,
        created_at=latest,
        happened_at=min(memory.happened_at for memory in told),
        vitality=Vitality(1),
        access=Access(latest, latest),
        source=Source.INFERRED,
        extractor=Extractor.RULES,
        importance=max(memory.importance for memory in told),
        confidence=min(memory.confidence for memory in told),
        trust=min(memory.trust for memory in told),
    )
    return with_lines(thread, lines)


def retold(thread: Memory, newer: Memory) -> Memory:
    """The kept thread as it is told now; what people did to it stays."""
    return replace(
        thread,
        text=newer.text,
        summary=newer.summary,
        relations=newer.relations,
        created_at=newer.created_at,
        happened_at=newer.happened_at,
        extractor=newer.extractor,
        enrichment=newer.enrichment,
        importance=newer.importance,
        confidence=newer.confidence,
        trust=newer.trust,
    )


async def threads_in(store: MemoryRecords, scopes: frozenset[str] | None) -> list[Memory]:
    """Every thread of these scopes, in any status."""
    return [memory for memory in await _narratives(store, scopes) if memory.is_thread]


async def release(
    store: MemoryRecords,
    journal: Journal,
    scopes: frozenset[str] | None,
    gone: Collection[str],
    *,
    summaries: bool = True,
) -> list[str]:
    """Take what rests on these memories out of what tells many of these scopes (None: of all).

    Of the threads, and of the `summaries` that stand for what lies in the bin. With it go the
    records of what was shown of these: they quote it. What tells nothing any more is deleted. May
    be repeated. Ids of those that told it are returned.
    """
    going = frozenset(gone)
    if not going:
        return []

    def left(memory: Memory) -> Memory | None:
        return without(memory, going) if memory.is_thread else _summing_up(memory, going)

    def tells(memory: Memory) -> bool:
        told = memory.tells or (id for part in memory.parts if summaries for id in part.memories)
        return not going.isdisjoint(told)

    touched = [memory for memory in await _narratives(store, scopes) if tells(memory)]
    ids = [memory.id for memory in touched]
    if touched:
        await journal.erase(Erasure(memories=frozenset(ids)))
        await _leave(store, touched, left)
    return ids


async def unsummarised(store: MemoryRecords, scopes: frozenset[str], back: Collection[str]) -> None:
    """Take what these say, which are live again, out of the summaries that stand for them.

    What sums up nothing any more is deleted. May be repeated.
    """
    returned = frozenset(back)
    every = [memory for memory in await _narratives(store, scopes) if memory.parts]
    changed = [memory for memory in every if _summing_up(memory, returned) != memory]
    await _leave(store, changed, lambda memory: _summing_up(memory, returned))


async def _leave(
    store: MemoryRecords, told: Sequence[Memory], left: Callable[[Memory], Memory | None]
) -> None:
    """Write what is left of these; what tells nothing any more is deleted."""
    await store.amend([memory.id for memory in told], lambda each: left(each) or each)
    over = [memory.id for memory in told if left(memory) is None]
    await store.purge(over, lambda each: left(each) is None)


def _summing_up(summary: Memory, gone: Set[str]) -> Memory | None:
    """The summary without what rests on these memories; None if nothing is left."""
    return without_parts(summary, lambda part: not gone.isdisjoint(part.memories))


async def _narratives(store: MemoryRecords, scopes: frozenset[str] | None) -> list[Memory]:
    where = Filter(scopes, status=None, kinds=frozenset({Kind.NARRATIVE}))
    return [memory async for memory in store.iterate(where)]


def _written(line: StoryLine, ids: Sequence[str]) -> str:
    causes = _cited([id for id in line.causes if id in ids], ids)
    return f"{line.said} {_cited(line.told, ids)}" + (f" {ARROW} {causes}" if causes else "")


def _cited(told: Sequence[str], ids: Sequence[str]) -> str:
    return "".join(f"[{ids.index(id) + 1}]" for id in told)


def _named(numbers: str, ids: Sequence[str]) -> Iterator[str]:
    for number in map(int, _NUMBER.findall(numbers)):
        yield ids[number - 1] if 1 <= number <= len(ids) else ""
