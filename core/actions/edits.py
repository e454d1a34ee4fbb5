"""What people change in memories: written, put right, marked, judged, forgotten, brought back,
decided on in quarantine, deleted for good.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..conflict.trust import trust_of
from ..engine.manual_edits import Edit
from ..forgetting.lifecycle import HAND, doomed
from ..model.consent import Pause
from ..model.conversation import Place, Scope, ScopeKind, Speaker
from ..model.memory import Extractor, Memory, Source, Status, Successor
from ..ports import Amendment, Filter
from ..records.learnt import is_quarantined
from ..records.manual import LONGEST_TEXT as LONGEST_TEXT
from ..records.manual import Author, TextProblem, judged, marked, pinned
from ..records.serialisation import tagged, too_many
from ..text.quoting import LONGEST_TAG, MOST_TAGS, tag_of
from .answers import MemoryView, Refusal, Refused
from .context import Context, for_admins
from .listing import scope_of
from .searching import about_caller, find, find_in_use, find_own, in_use, may_change
from .views import PAGE, Page, Replaced, hidden, page_of, replaced, shown, view, views


@dataclass(frozen=True, slots=True)
class Edited:
    """A memory before and after, or the one in its place; `after` is None if nothing changed."""

    before: MemoryView
    after: MemoryView | None


@dataclass(frozen=True, slots=True)
class RememberedMemory:
    """The memory that says it; `new`, or there already and `marked` important now."""

    memory: MemoryView
    new: bool
    marked: bool


async def remember(context: Context, text: str) -> RememberedMemory:
    """A new memory of this chat, kept for good: whoever asks for it says that it matters."""
    caller, curation = context.caller, context.engine.curation
    pause = await context.engine.consents.pause(caller.scope, caller.person)
    if pause is not None:
        raise Refused(Refusal.PAUSED if pause is Pause.PERSON else Refusal.GROUP_PAUSED)
    if await context.engine.admission.refusal(caller.utterance) is not None:
        raise Refused(Refusal.NOT_RECORDED)
    done = await curation.remember(text, author(context, Source.USER), important=True)
    if isinstance(done, TextProblem):
        raise Refused(Refusal(done.value), most=LONGEST_TEXT)
    context.engine.wake()
    kept = await view(context, done.memory)
    if done.new or not may_change(context, done.memory):
        return RememberedMemory(kept, done.new, marked=False)
    noted = await changed(context, done.memory, partial(marked, important=True), "important")
    return RememberedMemory(kept, new=False, marked=noted.after is not None)


async def add(context: Context, owner: str, text: str) -> RememberedMemory:
    """The same for a group, or for the caller where they have another account."""
    scope = await scope_of(context, owner)
    if await hidden(context, [scope.key]):
        raise Refused(Refusal.ONLY_BY_OWNER)
    writer = await _writer(context, scope)
    there = replace(context.caller, scope=scope, person=writer.id, name=writer.name)
    return await remember(replace(context, caller=there), text)


async def correct(context: Context, written: str, text: str) -> Edited | Replaced:
    """A new text in the place of a memory: of one's own, or of what others said of one."""
    old = await find(context, written)
    if not (may_change(context, old) or await about_caller(context, old)):
        raise Refused(Refusal.NOT_YOURS)
    if await hidden(context, [old.scope]):
        raise Refused(Refusal.ONLY_BY_OWNER)
    await in_use(context, old)
    speaker = await _writer(context, Scope.parse(old.scope))
    writer = replace(author(context, Source.CORRECTION), speaker=speaker)
    done = await context.engine.curation.correct(old, text, writer)
    if isinstance(done, TextProblem):
        raise Refused(Refusal(done.value), most=LONGEST_TEXT)
    if isinstance(done, Successor):
        return await replaced(context, old, done)
    context.engine.wake()
    return Edited(await view(context, old), await view(context, done))


async def mark(context: Context, written: str, *, important: bool) -> Edited:
    """Mark a memory as important, which keeps it for good, or no longer."""
    memory = await find_in_use(context, written)
    action = "important" if important else "unimportant"
    return await changed(context, memory, partial(marked, important=important), action)


async def tag(
    context: Context, written: str, added: Sequence[str], removed: Sequence[str]
) -> Edited:
    """Give a memory tags, and take some from it."""
    memory = await find_in_use(context, written)
    if await hidden(context, [memory.scope]):
        raise Refused(Refusal.ONLY_BY_OWNER)
    if not all(map(tag_of, (*added, *removed))):
        raise Refused(Refusal.NO_TAG, longest=LONGEST_TAG)
    if too_many(memory, added, removed):
        raise Refused(Refusal.TOO_MANY_TAGS, most=MOST_TAGS)
    return await changed(context, memory, lambda each, now: tagged(each, added, removed), "tagged")


@for_admins
async def pin(context: Context, written: str, *, on: bool) -> Edited:
    """Keep a memory for good whatever its strength, or let it age again."""
    memory = await find_in_use(context, written)
    return await changed(context, memory, partial(pinned, on=on), "pinned" if on else "unpinned")


@for_admins
async def judge(context: Context, written: str, *, useful: bool) -> Edited:
    """A verdict by hand. A useless one changes nothing where there is no strength to take."""
    memory = await find_in_use(context, written)
    if memory.standing.status is Status.ARCHIVED:
        raise Refused(Refusal.ARCHIVED, await view(context, memory))
    sweeper = context.engine.sweeper
    change = partial(
        judged, useful=useful, policy=sweeper.policy, bin_policy=sweeper.bin_policy, reason=HAND
    )
    return await changed(context, memory, change, "useful" if useful else "useless")


async def forget(context: Context, written: str) -> Edited:
    """One memory to the bin."""
    memory = await find_own(context, written)
    done = await context.engine.curation.forget([memory.id], by=context.by)
    return await edited(context, memory, done)


def author(context: Context, source: Source) -> Author:
    """The caller as who writes a memory here."""
    caller = context.caller
    return Author(
        speaker=Speaker(caller.person, caller.name),
        place=Place(caller.session, "", caller.scope.key),
        source=source,
        extractor=Extractor.COMMAND,
        signature=caller.signature,
    )


async def _writer(context: Context, scope: Scope) -> Speaker:
    """The caller; in private memories of their own the account these belong to.

    By the name they have there, if they have another account, or the name used here is not to be
    told there.
    """
    caller = context.caller
    here = scope.owner in await context.engine.consents.owners(caller.scope)
    own = scope.kind is ScopeKind.PRIVATE and here
    person, name = scope.subject if own else caller.person, caller.name
    if not here or (scope.platform, person) != (caller.scope.platform, caller.person):
        names = await context.engine.people.names([scope.owner])
        name = names.get((scope.platform, person), caller.name if here else "")
    return Speaker(person, name)


async def changed(context: Context, memory: Memory, change: Edit, action: str) -> Edited:
    """The memory before and after a change, noted as this action."""
    done = await context.engine.curation.apply([memory.id], change, action, by=context.by)
    return await edited(context, memory, done)


async def edited(context: Context, memory: Memory, changed: Sequence[Amendment]) -> Edited:
    """The memory before and after this."""
    now = next((done.after for done in changed if done.after.id == memory.id), memory)
    before, after = await views(context, [memory, now])
    return Edited(before, None if now is memory else after)


AT_ONCE = 200

MOST_READ = 1_000
"""Memories in quarantine that a listing looks through."""


@dataclass(frozen=True, slots=True)
class Purged:
    """How many memories went, and how many recorded messages with them; of one, which it was."""

    memories: int
    turns: int
    memory: MemoryView | None = None


async def restore(context: Context, id: str) -> MemoryView:
    """A binned or archived memory back to life, as it is then.

    Anybody may bring back what a policy archived of their own; the bin is for admins.
    """
    memory = await find_own(context, id)
    if memory.standing.status is Status.BINNED and not context.caller.admin:
        raise Refused(Refusal.ADMINS_ONLY)
    if is_quarantined(memory):
        raise Refused(Refusal.QUARANTINED, await view(context, memory))
    changed = await context.engine.curation.restore([memory.id], by=context.by)
    if changed:
        return await view(context, changed[0].after)
    left = await context.store.find([memory.id])
    alive = any(not doomed(each) for each in left)
    reason = Refusal.NOT_GONE if alive else Refusal.BEING_PURGED
    raise Refused(reason, await view(context, memory))


@for_admins
async def purge(context: Context, id: str) -> Purged:
    """Delete one memory of the bin for good, or one record that cannot be read."""
    try:
        memory = await find(context, id)
    except Refused:
        if await _discarded(context, id):
            return Purged(0, 0)
        raise
    shown = await view(context, memory)
    if memory.standing.status is not Status.BINNED:
        raise Refused(Refusal.NOT_BINNED, shown, id=shown.id)
    purged = await context.engine.curation.purge([memory.id], by=context.by)
    return Purged(purged.memories, purged.turns, shown)


@for_admins
async def purge_all(context: Context, code: str = "") -> Purged:
    """Delete everything in the bin of this chat for good; first a code."""
    if not code:
        count = await context.store.count(await _here(context))
        if count == 0:
            raise Refused(Refusal.NOTHING_THERE)
        raise context.code_needed("purge", count=count)
    context.redeem("purge", code)
    where, memories, turns = await _here(context), 0, 0
    while page := await context.store.page(where, limit=AT_ONCE):
        ids = [memory.id for memory in page]
        purged = await context.engine.curation.purge(ids, by=context.by)
        memories += purged.memories
        turns += purged.turns
    return Purged(memories, turns)


async def _discarded(context: Context, id: str) -> bool:
    """Delete the record that cannot be read and has this id, if there is one here."""
    scopes = None if context.caller.sees_everything else await context.readable()
    meant = [
        record
        for record in await context.store.unreadable()
        if record.id == id and (scopes is None or record.scope in scopes)
    ]
    return bool(await context.engine.curation.discard(meant, by=context.by))


async def _here(context: Context) -> Filter:
    return Filter(scopes=await context.readable(), status=Status.BINNED)


async def list_quarantine(context: Context, page: int, size: int = PAGE) -> Page[MemoryView]:
    """What of this chat the caller may decide on, the most trusted first, then the newest."""
    aside = Filter(scopes=await context.readable(), status=Status.QUARANTINED)
    found = await context.store.page(aside, limit=MOST_READ)
    own = [memory for memory in found if may_change(context, memory)]
    own.sort(key=lambda memory: -trust_of(memory, context.now))
    return await shown(context, page_of(own, page, size))


async def keep(context: Context, written: str) -> MemoryView:
    """It is so: into recall, in the place of what it corrects or continues."""
    memory = await _aside(context, written)
    kept = await context.engine.curation.keep([memory.id], by=context.by)
    context.engine.wake()
    return await view(context, kept[0].after if kept else memory)


async def drop(context: Context, written: str) -> MemoryView:
    """It is not so: into the bin. What was said stays."""
    memory = await _aside(context, written)
    dropped = await context.engine.curation.forget([memory.id], by=context.by)
    return await view(context, dropped[0].after if dropped else memory)


async def _aside(context: Context, written: str) -> Memory:
    memory = await find_own(context, written)
    if not is_quarantined(memory):
        raise Refused(Refusal.NOT_QUARANTINED, await view(context, memory))
    return memory
