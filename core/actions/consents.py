"""What people decide about recording and their memories: pause, share, keep, be forgotten."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import batched

from ..model.consent import GroupRecording, Pause, Unrecorded, person_in
from ..model.conversation import Scope, ScopeKind
from ..privacy.erasure import AT_ONCE, ErasureDelayed
from ..transfer.data_folder import DataFolder
from ..transfer.moving_in import IMPORTED, batch_of
from ..transfer.places import NEIGHBOURS
from .answers import Refusal, Refused
from .context import Context

LEAST_DAYS, MOST_DAYS = 1.0, 36_500.0


@dataclass(frozen=True, slots=True)
class Paused:
    """Whether it had been so already, and who has paused what is said here, if anybody has."""

    already: bool
    left: Pause | None


@dataclass(frozen=True, slots=True)
class Retained:
    """For how many days memories of the scope are kept, None for ever; how many are due now."""

    scope: Scope
    days: float | None
    due: int


@dataclass(frozen=True, slots=True)
class Erased:
    """How many memories and messages were deleted, `delayed` is why not yet; the exports of admins
    that still hold some of it.

    `recorded`: whether what the person says from now on is recorded. `traces`: whether the files
    keep bytes of it until the next start. `beside`: other memory plugins some of it came from.
    """

    memories: int
    turns: int
    delayed: str
    exports: Sequence[str]
    recorded: bool
    traces: bool
    beside: Sequence[str]


async def set_pause(context: Context, *, paused: bool, group: bool, recall: bool = False) -> Paused:
    """Record and recall nothing of the caller any more, or of anybody in this group; or again.

    With `recall` things are recorded all the same.
    """
    caller = context.caller
    if group and caller.scope.kind is not ScopeKind.GROUP:
        raise Refused(Refusal.ONLY_IN_GROUPS)
    if group and not await caller.keeps_group():
        raise Refused(Refusal.ADMINS_ONLY)
    owner = caller.scope if group else _person(context)
    consents, name = context.engine.consents, "silent" if recall else "paused"
    already = getattr(await consents.of(owner), name) is paused
    if not already:
        await consents.change(owner, lambda chosen: replace(chosen, **{name: paused}))
    return Paused(already, await consents.pause(caller.scope, caller.person, recall=recall))


class Choice(StrEnum):
    """A choice of a person, by its name in `Consent`.

    SHARED: private memories may be used in groups, in answers to that person. REMINDED: a message
    comes on the day of what they mean to do. PAUSED: as `set_pause` does it, for them alone.
    """

    SHARED = "shared"
    REMINDED = "reminded"
    PAUSED = "paused"


async def chosen(context: Context, choice: Choice) -> bool:
    """How the caller has it."""
    return getattr(await context.engine.consents.of(_person(context)), choice) is True


async def choose(context: Context, choice: Choice, *, on: bool) -> bool:
    """Have it so; whether that is new. What is shared no more goes from the groups' memories."""
    person, changed = _person(context), await chosen(context, choice) is not on
    if choice is Choice.SHARED and not on:
        # Queued first, and again if it is off already: what an alias joined then may not be now.
        owners = await context.engine.consents.owners(person)
        await context.engine.unsharing.queue(owners, in_groups=True)
        context.engine.wake()
    if changed:
        await context.engine.consents.change(person, lambda one: replace(one, **{choice: on}))
    if choice is Choice.REMINDED:
        await context.services.reschedule()
    return changed


async def retention(context: Context) -> Retained:
    """For how long memories are kept: the caller's private ones, in a group the group's."""
    scope, due = context.caller.scope, 0
    days = (await context.engine.consents.of(scope)).keep_days
    if days is not None:
        due = await context.engine.retention.due(scope, days, context.now)
    return Retained(scope, days, due)


async def set_retention(context: Context, days: float | None) -> Retained:
    """Keep them for LEAST_DAYS to MOST_DAYS, or for ever (None)."""
    owner = context.caller.scope
    if days is not None and not LEAST_DAYS <= days <= MOST_DAYS:
        raise ValueError(f"{days} days")
    if owner.kind is ScopeKind.GROUP and not context.caller.admin:
        raise Refused(Refusal.ADMINS_ONLY)
    await context.engine.consents.change(owner, lambda chosen: replace(chosen, keep_days=days))
    return await retention(context)


async def forget_me(context: Context, code: str = "") -> Erased:
    """Delete everything of the caller for good; first a code."""
    if code:
        context.redeem("forget-me", code)
        return await _erased(context)
    extent = await context.engine.eraser.extent(_person(context))
    if extent.memories == extent.turns == 0:
        raise Refused(Refusal.NOTHING_THERE)
    accounts = sorted(f"{one.platform}/{one.subject}" for one in extent.accounts)
    raise context.code_needed(
        "forget-me", memories=extent.memories, turns=extent.turns, accounts=accounts
    )


async def _erased(context: Context) -> Erased:
    data_folder, person = context.services.data_folder, _person(context)
    accounts = await context.engine.consents.accounts(person)
    exports: list[str] = []
    memories, turns, delayed = 0, 0, ""
    # What was noted of imports goes with the person.
    brought = [] if data_folder is None else await _brought(context, data_folder, accounts)
    try:
        extent = await context.engine.eraser.erase(person)
        memories, turns = extent.memories, extent.turns
    except ErasureDelayed as error:
        delayed = str(error)
    if data_folder is not None:
        owners = [account.owner for account in accounts]
        await asyncio.to_thread(data_folder.places.drop_own, owners)
        found = await asyncio.to_thread(data_folder.places.holding, accounts)
        exports = [*dict.fromkeys(found + [name for name in brought if name not in NEIGHBOURS])]
    context.services.jobs.forget_names()
    paused = (await context.engine.consents.of(person)).paused
    traces = data_folder is not None and await data_folder.traces.left()
    beside = [name for name in brought if name in NEIGHBOURS]
    return Erased(memories, turns, delayed, exports, not paused, traces, beside)


async def _brought(
    context: Context, data_folder: DataFolder, accounts: frozenset[Scope]
) -> list[str]:
    """Files still there from which something of the person was imported, of whatever program."""
    batches = {each.id: each for each in await data_folder.moving_in.batches.every()}
    noted = await context.journal.audit_by_action(frozenset({IMPORTED}))
    owners = {account.owner for account in accounts}
    said = {(account.platform, account.subject) for account in accounts}
    by_id = await asyncio.to_thread(lambda: {e.memory: batches.get(batch_of(e)) for e in noted})
    found: set[str] = set()
    for ids in batched(by_id, AT_ONCE):
        for memory in await context.store.find(list(ids)):
            scope, batch = Scope.parse(memory.scope), by_id[memory.id]
            speaker = "" if memory.speaker is None else memory.speaker.id
            if batch is not None and (scope.owner in owners or (scope.platform, speaker) in said):
                found.add(batch.file)
    there = await asyncio.to_thread(data_folder.places.names)
    return sorted(found.intersection(there))


def _person(context: Context) -> Scope:
    return person_in(context.caller.scope, context.caller.person)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is recorded here, in force for everybody; None in a private chat.

    `own` if the group has chosen it, else it is as the settings say. `refused` is why what the
    caller says to the bot is not recorded all the same.
    """

    group: GroupRecording | None
    own: bool
    refused: Unrecorded | None


async def recording(context: Context) -> Recorded:
    """What is recorded here; pauses are not looked at."""
    caller, admission = context.caller, context.engine.admission
    refused = await admission.refusal(caller.utterance)
    if caller.scope.kind is not ScopeKind.GROUP:
        return Recorded(None, False, refused)
    own = (await context.engine.consents.of(caller.scope)).recording is not None
    return Recorded(await admission.of_group(caller.scope), own, refused)


async def set_recording(context: Context, wanted: GroupRecording | None) -> Recorded:
    """Have this group record that; with None what the settings say."""
    caller = context.caller
    if caller.scope.kind is not ScopeKind.GROUP:
        raise Refused(Refusal.ONLY_IN_GROUPS)
    if not await caller.keeps_group():
        raise Refused(Refusal.ADMINS_ONLY)
    consents = context.engine.consents
    await consents.change(caller.scope, lambda chosen: replace(chosen, recording=wanted))
    return await recording(context)
