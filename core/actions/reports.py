"""Reports of sleeps on the memories that somebody may see, and undoing single decisions."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ..forgetting.lifecycle import UNDONE
from ..model.conversation import Scope
from ..model.memory import Memory
from ..model.sleeping import INSTALLATION, Decided, Deed, Left, Sleep, SleepCause, Undone
from ..ports import AuditEntry
from .answers import MemoryView, Refusal, Refused
from .context import Context
from .lookup import may_change
from .views import PAGE, Page, owner_names, page_at, views

BY_ADMINS = frozenset({Deed.BINNED, Deed.SUMMARISED, Deed.PURGED})
"""What only admins take back: the bin is theirs."""


@dataclass(frozen=True, slots=True)
class DecidedView:
    """A decision about so many memories, and those of them that still exist, as the caller may see
    them. `undone_at` is None as long as it holds.
    """

    id: int
    deed: Deed
    reason: str
    count: int
    memories: Sequence[MemoryView]
    undone_at: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """What one sleep did and left, in so many `seconds`; `place` is the scope, "" for the
    installation, `failed` names steps that failed.
    """

    id: int
    at: float
    cause: SleepCause
    place: str
    place_name: str
    deeds: Mapping[Deed, int]
    left: Mapping[Left, int]
    calls: int
    tokens: int
    seconds: float
    failed: Sequence[str]


@dataclass(frozen=True, slots=True)
class SleepView:
    """A report, and a page of what was decided."""

    sleep: Report
    decisions: Page[DecidedView]


async def list_reports(
    context: Context, page: int = 1, size: int = PAGE, *, everywhere: bool = False
) -> Page[Report]:
    """What sleeps did to what may be seen here, newest first; admins see the installation's too.

    Before all the newest if it changed nothing, and why; of those before nothing is told.
    """
    scopes = await _readable(context, everywhere)
    total = await context.journal.report_count(scopes)
    asked, skip = page_at(page, size, total)
    found = await context.journal.reports(scopes, limit=size, offset=skip)
    last = await context.journal.last_sleep(scopes) if asked.number == 1 else None
    if last is not None and last.empty and (not found or last.at > found[0].at):
        found, asked = [last, *found], replace(asked, total=total + 1)
    return asked.showing(await _told(context, found))


async def report(
    context: Context, id: int, page: int = 1, size: int = PAGE, *, everywhere: bool = False
) -> SleepView:
    """One report with its decisions; one of another scope is refused like an unknown one."""
    sleep = await context.journal.sleep(id)
    if (
        sleep is None
        or sleep.ended_at is None
        or sleep.scope not in await _readable(context, everywhere)
    ):
        raise Refused(Refusal.UNKNOWN_REPORT)
    asked, skip = page_at(page, size, sum(sleep.decided.values()))
    found = await context.journal.decisions(id, limit=size, offset=skip)
    [told] = await _told(context, [sleep])
    return SleepView(told, asked.showing([await _shown(context, each) for each in found]))


async def undo(context: Context, id: int, *, everywhere: bool = False) -> DecidedView:
    """Take a decision back, as long as what it was about exists.

    One's own memories, in a group what one said oneself, everything here for admins.
    """
    decided = await context.journal.decision(id)
    if decided is None or decided.scope not in await _readable(context, everywhere):
        raise Refused(Refusal.UNKNOWN_DECISION)
    await _permitted(context, decided)
    undone = await context.engine.pipeline.undo(id)
    if undone is not Undone.DONE:
        reason = Refusal.SOURCES_GONE if undone is Undone.GONE else Refusal.NOT_UNDOABLE
        raise Refused(reason)
    await _note(context, decided)
    context.engine.wake()
    return await _shown(context, await context.journal.decision(id) or decided)


async def _readable(context: Context, everywhere: bool) -> Collection[str]:
    scopes = await context.reach(everywhere=everywhere)
    return scopes | {INSTALLATION} if context.caller.admin else scopes


async def _permitted(context: Context, decided: Decided) -> None:
    if context.caller.admin:
        return
    if decided.decision.deed in BY_ADMINS:
        raise Refused(Refusal.ADMINS_ONLY)
    if not all(may_change(context, memory) for memory in await _memories(context, decided)):
        raise Refused(Refusal.NOT_YOURS)


async def _told(context: Context, sleeps: Sequence[Sleep]) -> list[Report]:
    owners = [Scope.parse(each.scope).owner if each.scope else "" for each in sleeps]
    names = await owner_names(context, filter(None, owners))
    return [
        Report(
            sleep.id,
            sleep.at,
            sleep.cause,
            sleep.scope,
            names.get(owner, ""),
            sleep.counts,
            sleep.left,
            sleep.calls,
            sleep.tokens,
            sleep.seconds,
            [name for name, state in sleep.steps.items() if state.failures],
        )
        for sleep, owner in zip(sleeps, owners, strict=True)
    ]


async def _memories(context: Context, decided: Decided) -> list[Memory]:
    return await context.store.find(decided.decision.memories, frozenset({decided.scope}))


async def _shown(context: Context, decided: Decided) -> DecidedView:
    made, found = decided.decision, await _memories(context, decided)
    memories = await views(context, found)
    return DecidedView(
        decided.id, made.deed, made.reason, len(made.memories), memories, decided.undone_at
    )


async def _note(context: Context, decided: Decided) -> None:
    detail = json.dumps({"decision": decided.id})
    by, now = context.by, context.now
    await context.journal.audit(
        [
            AuditEntry(
                f"undone:{decided.id}:{each.id}", each.id, each.scope, UNDONE, by, now, detail
            )
            for each in await _memories(context, decided)
        ]
    )
