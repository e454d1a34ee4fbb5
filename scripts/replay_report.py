"""What a replayed conversation left behind: learnt, recalled, judged, forgotten."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..core.model.memory import Kind, Memory, Status
from ..core.ports import Filter, Journal
from ..core.text.quoting import quoted
from ..storage import open_journal, open_store

_LONGEST_LINE = 160
_MOST_LINES = 20


@dataclass(frozen=True, slots=True)
class Fate:
    """One memory. `recalled` and `useful` are counts; `audit` lists what happened to it."""

    id: str
    scope: str
    text: str
    kind: str
    learnt_at: float
    by: str
    recalled: int
    useful: int
    strength: int
    status: str
    reason: str
    audit: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """`verdicts` are (useful, useless) over the whole replay; `journal` counts its rows."""

    name: str
    played: int
    memories: tuple[Fate, ...]
    verdicts: tuple[int, int]
    journal: Mapping[str, int]
    commands: Mapping[str, str]

    @property
    def learnt(self) -> list[Fate]:
        """Memories that were made from episodes; the others are messages kept verbatim."""
        return [fate for fate in self.memories if fate.kind != Kind.EVIDENCE.value]

    @property
    def recalled(self) -> list[Fate]:
        """Memories shown to the model in an episode that has been judged."""
        return [fate for fate in self.memories if fate.recalled]

    @property
    def forgotten(self) -> list[Fate]:
        """Memories in the bin."""
        return [fate for fate in self.memories if fate.status == Status.BINNED.value]

    def to_json(self) -> dict[str, Any]:
        """A document with the same names."""
        return asdict(self)


async def collect(
    folder: Path, *, name: str, played: int, commands: Mapping[str, str]
) -> ReplayReport:
    """Read the plugin's data after the host has stopped."""
    async with AsyncExitStack() as stack:
        store = await open_store("sqlite", folder)
        stack.push_async_callback(store.close)
        journal = await open_journal(folder)
        stack.push_async_callback(journal.close)
        memories = [memory async for memory in store.iterate(Filter(status=None))]
        fates = [await _fate(memory, journal) for memory in memories]
        return ReplayReport(
            name=name,
            played=played,
            memories=tuple(sorted(fates, key=lambda fate: fate.learnt_at)),
            verdicts=await journal.verdict_counts(),
            journal=dict(await journal.statistics()),
            commands=commands,
        )


async def _fate(memory: Memory, journal: Journal) -> Fate:
    entries = await journal.audit_of(memory.id)
    return Fate(
        id=memory.id,
        scope=memory.scope,
        text=memory.text,
        kind=memory.kind.value,
        learnt_at=memory.created_at,
        by=memory.extractor.value,
        recalled=memory.access.count - 1,
        useful=memory.vitality.useful_count,
        strength=memory.vitality.strength,
        status=memory.standing.status.value,
        reason=memory.standing.reason,
        audit=tuple(f"{_day(entry.at)} {entry.action} by {entry.by}" for entry in entries),
    )


def lines(report: ReplayReport) -> Iterator[str]:
    """The report for people: long sections are cut, the JSON document is not."""
    useful, useless = report.verdicts
    verbatim = len(report.memories) - len(report.learnt)
    yield f"{report.name}: {report.played} messages played, {verbatim} kept verbatim"
    yield from _section(
        f"Learnt ({len(report.learnt)})",
        (f"{_day(fate.learnt_at)} {fate.kind} {fate.text}" for fate in report.learnt),
    )
    yield from _section(
        f"Recalled ({len(report.recalled)})",
        (f"{f.recalled} times, useful {f.useful}: {f.text}" for f in report.recalled),
    )
    yield from _section(f"Judged: {useful} useful, {useless} useless", ())
    yield from _section(
        f"Forgotten ({len(report.forgotten)}, restorable from the bin)",
        (f"{fate.reason}: {fate.text}" for fate in report.forgotten),
    )
    for command, answer in report.commands.items():
        yield from _section(f"> {command}", answer.splitlines())


def _section(title: str, entries: Iterable[str]) -> Iterator[str]:
    listed = [*entries]
    yield ""
    yield title
    for entry in listed[:_MOST_LINES]:
        yield "  " + quoted(entry, _LONGEST_LINE)
    if len(listed) > _MOST_LINES:
        yield f"  ... and {len(listed) - _MOST_LINES} more"


def _day(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d}"
