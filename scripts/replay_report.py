"""What a replayed conversation left behind: learnt, recalled, judged, forgotten."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..core.memory import Kind, Memory, Status
from ..core.ports import Filter, Journal, MemoryStore
from ..storage import open_journal, open_store


@dataclass(frozen=True, slots=True)
class Fate:
    """One learnt memory. `recalled` and `useful` are counts; `audit` lists what happened to it."""

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
    verbatim: int
    learnt: tuple[Fate, ...]
    verdicts: tuple[int, int]
    journal: Mapping[str, int]
    commands: Mapping[str, str]

    def with_status(self, status: Status) -> list[Fate]:
        """The learnt memories that stand so."""
        return [fate for fate in self.learnt if fate.status == status.value]

    def to_json(self) -> dict[str, Any]:
        """A document with the same names."""
        return asdict(self)


async def collect(
    folder: Path, *, name: str, played: int, commands: Mapping[str, str]
) -> ReplayReport:
    """Read the plugin's data after the host has stopped."""
    store = await open_store("sqlite", folder)
    try:
        journal = await open_journal(folder)
        try:
            memories = [memory async for memory in store.iterate(Filter(status=None))]
            return await _report(memories, journal, store, name, played, commands)
        finally:
            await journal.close()
    finally:
        await store.close()


async def _report(
    memories: Sequence[Memory],
    journal: Journal,
    store: MemoryStore,
    name: str,
    played: int,
    commands: Mapping[str, str],
) -> ReplayReport:
    learnt = [memory for memory in memories if memory.kind is not Kind.EVIDENCE]
    return ReplayReport(
        name=name,
        played=played,
        verbatim=await store.count(Filter(status=None, kinds=frozenset({Kind.EVIDENCE}))),
        learnt=tuple(
            sorted([await _fate(memory, journal) for memory in learnt], key=lambda f: f.learnt_at)
        ),
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
    """The report for people."""
    useful, useless = report.verdicts
    binned = report.with_status(Status.BINNED)
    yield f"{report.name}: {report.played} messages, {report.verbatim} kept verbatim"
    yield ""
    yield f"Learnt ({len(report.learnt)})"
    yield from (f"  {_day(f.learnt_at)} {f.kind:<11} {f.text}" for f in report.learnt)
    recalled = [fate for fate in report.learnt if fate.recalled]
    yield ""
    yield f"Recalled ({len(recalled)} of them, {sum(f.recalled for f in recalled)} times)"
    yield from (f"  {f.recalled:>3} times, useful {f.useful:>2}: {f.text}" for f in recalled)
    yield ""
    yield f"Judged: {useful} useful, {useless} useless"
    yield ""
    yield f"Forgotten ({len(binned)}, restorable from the bin)"
    yield from (f"  {f.reason:<11} {f.text}" for f in binned)
    for command, answer in report.commands.items():
        yield ""
        yield f"> {command}"
        yield from (f"  {line}" for line in answer.splitlines())


def _day(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d}"
