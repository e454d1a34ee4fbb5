"""What happened to a memory: what was done, when, by whom, with which numbers and why."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..forgetting.lifecycle import RETENTION
from ..model.conversation import Scope, ScopeKind
from ..model.memory import Extractor, Memory, Status, Succession
from ..model.sleeping import BY_SLEEP
from ..ports import ERASED, AuditEntry
from ..privacy.revelations import RevelationKind
from .answers import MemoryView
from .context import Context
from .lookup import find
from .removal import Removal, removal
from .signatures import signed_in, told
from .views import view

VERDICTS = ("useful", "useless")
CREATED = "created"
ACTORS = frozenset({"tmd", "bin", RETENTION, "learning", "report", BY_SLEEP, "remember", ERASED})
ACTORS |= {Extractor.RULES.value, Extractor.MODEL.value}
"""Who acts besides people."""

_IN_PRIVATE = frozenset({RevelationKind.REVEALED, RevelationKind.EXPORTED})


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """What was done, and by which of `ACTORS` or which person; "" if nobody noted it.

    `removal` is why a memory was moved away, `reason` why somebody was shown private ones,
    `newer` the id of what took its place; `spent`: this verdict put it into the bin.
    """

    at: float
    action: str
    by: str
    numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    removal: Removal | None = None
    reason: str = ""
    newer: str = ""
    spent: bool = False


@dataclass(frozen=True, slots=True)
class ShownToModel:
    """The model saw it, under this number."""

    at: float
    number: int


@dataclass(frozen=True, slots=True)
class AuditTrail:
    """Everything that happened to a memory, oldest first."""

    memory: MemoryView
    events: Sequence[HistoryEntry | ShownToModel]


async def audit_trail(context: Context, written: str) -> AuditTrail:
    """Created, shown to the model, judged, changed, moved, revealed."""
    memory = await find(context, written)
    noted = await context.journal.audit_of(memory.id)
    noted += await context.engine.revelations.of_memory(memory)
    events: list[HistoryEntry | ShownToModel] = []
    if not any(entry.action == CREATED for entry in noted):
        events.append(HistoryEntry(memory.created_at, CREATED, by=""))
    events += await entries(context, noted, memory)
    showings = await context.journal.showings(memory.id)
    events += [ShownToModel(showing.at, showing.number) for showing in showings]
    return AuditTrail(await view(context, memory), sorted(events, key=lambda event: event.at))


async def revelations(context: Context) -> list[HistoryEntry]:
    """To whom the caller's private memories were shown, when and why; told in private alone."""
    if context.caller.scope.kind is not ScopeKind.PRIVATE:
        return []
    noted = await context.engine.revelations.of(context.caller.scope)
    return await entries(context, noted)


async def entries(
    context: Context, noted: Sequence[AuditEntry], memory: Memory | None = None
) -> list[HistoryEntry]:
    """Notes of the audit log, read; of this memory, if they are of one."""
    return [await _entry(context, each, _detail(each), memory) for each in noted]


async def _entry(
    context: Context, entry: AuditEntry, detail: Mapping[str, Any], memory: Memory | None
) -> HistoryEntry:
    why = detail.get("reason")
    removed = entry.action in ("binned", "archived") and isinstance(why, str)
    replaced = memory if entry.action in frozenset(Succession) else None
    return HistoryEntry(
        entry.at,
        entry.action,
        await _actor(context, entry),
        {name: value for name, value in detail.items() if isinstance(value, int | float)},
        removal(str(why)) if removed else None,
        str(why) if why and entry.action in frozenset(RevelationKind) else "",
        "" if replaced is None else await _newer(context, detail, replaced),
        entry.action in VERDICTS and detail.get("status") == Status.BINNED,
    )


async def _actor(context: Context, entry: AuditEntry) -> str:
    """A part of the plugin, or a person as they are known in the memory's chat.

    Whoever had private memories shown or exported did so in private, and their owner is told in
    full.
    """
    if entry.by in ACTORS or entry.action in _IN_PRIVATE or not entry.scope:
        return told(entry.by)
    return await signed_in(context, entry.by, Scope.parse(entry.scope))


async def _newer(context: Context, detail: Mapping[str, Any], memory: Memory) -> str:
    newer = str(detail.get("by_memory"))
    found = await context.store.find([newer], frozenset({memory.scope}))
    return (await view(context, found[0])).id if found else ""


def _detail(entry: AuditEntry) -> Mapping[str, Any]:
    try:
        detail = json.loads(entry.detail)
    except ValueError:
        return {}
    return detail if isinstance(detail, dict) else {}
