"""Memories as somebody may see them: named, dated, masked, page by page."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..model.conversation import Account, Scope, ScopeKind
from ..model.memory import Memory, Status, Succession, Successor, UserFeedback
from ..ports import Filter, Order
from ..privacy.unsharing import Justification, RevelationKind
from ..records.serialisation import short_id
from ..text.quoting import quoted
from .answers import MemoryView, Owner, Refusal, Refused
from .context import Context, PrivateLook

PAGE = 8
"""Entries of a page, if it is not said how many."""

TOLD_OF_MASKED = (
    *("id", "scope", "kind", "created_at", "happened_at", "vitality", "access", "source"),
    *("extractor", "standing", "facet", "importance", "confidence", "trust"),
    "successor",
)
"""That it is there and how it is held; of a field that is not named here nothing is told."""


@dataclass(frozen=True, slots=True)
class Page[T]:
    """One page of a listing; `number` counts from 1, `total` over all pages."""

    entries: Sequence[T]
    number: int
    pages: int
    total: int

    def showing[U](self, entries: Sequence[U]) -> "Page[U]":
        """The same page with these in the place of its entries."""
        return Page(entries, self.number, self.pages, self.total)


def page_at(number: int, size: int, total: int) -> tuple[Page[Any], int]:
    """The page of this number, still empty, and how many entries come before it.

    The last one if there are not so many.
    """
    pages = max(1, -(-total // size))
    number = min(number, pages)
    return Page((), number, pages, total), (number - 1) * size


def page_of[T](entries: Sequence[T], number: int, size: int = PAGE) -> Page[T]:
    """A page of what is at hand as a whole; the last page if there are not so many."""
    page, skip = page_at(number, size, len(entries))
    return page.showing(entries[skip : skip + size])


async def memories_page(
    context: Context,
    parts: Sequence[Filter],
    number: int,
    *,
    order: Order = Order.NEWEST,
    size: int = PAGE,
) -> Page[Memory]:
    """A page of the parts one after another; the last page if there are not so many."""
    counts = [await context.store.count(part) for part in parts]
    asked, skip = page_at(number, size, sum(counts))
    found = list[Memory]()
    for part, count in zip(parts, counts, strict=True):
        if skip < count and len(found) < size:
            limit = size - len(found)
            found += await context.store.page(part, order=order, limit=limit, offset=skip)
        skip = max(0, skip - count)
    return asked.showing(found)


async def hidden(context: Context, keys: Iterable[str]) -> frozenset[str]:
    """Those of the scopes whose contents are not shown here: private ones of others."""
    return await context.engine.revelations.foreign(context.caller.scope, keys)


async def views(
    context: Context, memories: Sequence[Memory], *, whole: bool = False
) -> list[MemoryView]:
    """The memories as the caller may see them; `whole` where they have been revealed."""
    keys = {memory.scope for memory in memories}
    masked = frozenset[str]() if whole else await hidden(context, keys)
    readable = await context.readable()
    known = await owners(context, {Scope.parse(key).owner for key in keys})
    names = {key: await context.engine.people.names([key]) for key in known}
    policy, found = context.engine.sweeper.policy, list[MemoryView]()
    for memory in memories:
        among = readable if memory.scope in readable else None
        shown = _masked(memory) if memory.scope in masked else memory
        owner, live = Scope.parse(memory.scope).owner, memory.standing.status is Status.LIVE
        view = MemoryView(
            memory=shown,
            id=await short_id(context.store, memory.id, among),
            owner=known[owner],
            tier=context.engine.policy.tier(memory.vitality.useful_score),
            speaker_name=_speaker_name(shown, names[owner]),
            sinks_at=policy.forgotten_at(memory) if live else None,
            masked=memory.scope in masked,
        )
        found.append(view)
    return found


async def shown(context: Context, page: Page[Memory]) -> Page[MemoryView]:
    """A page as the caller may see it."""
    return page.showing(await views(context, page.entries))


async def view(context: Context, memory: Memory) -> MemoryView:
    """One memory as the caller may see it."""
    return (await views(context, [memory]))[0]


async def owners(context: Context, keys: Iterable[str]) -> Mapping[str, Owner]:
    """Each group, or person, as it is called now."""
    chats = await context.journal.chat_names()
    aliases = await context.journal.aliases()
    found: dict[str, Owner] = {}
    for key in keys:
        scope, name = Scope.parse(key), chats.get(key, "")
        if scope.kind is ScopeKind.PRIVATE:
            account = (scope.platform, scope.subject)
            names = await context.engine.people.names([key])
            name = names.get(account) or aliases.get(account, "")
        found[key] = Owner(key, scope.kind, scope.platform, scope.subject, name)
    return found


def _speaker_name(memory: Memory, names: Mapping[Account, str]) -> str:
    """What the speaker goes by in the memory's chat now, else at that time."""
    if memory.speaker is None or memory.account is None:
        return ""
    return names.get(memory.account) or memory.speaker.name


def _masked(memory: Memory) -> Memory:
    told = {name: getattr(memory, name) for name in TOLD_OF_MASKED}
    marked = UserFeedback(important=memory.feedback.important)
    return Memory(text="", summary="", feedback=marked, **told)


@dataclass(frozen=True, slots=True)
class Replaced:
    """How a memory was replaced, and by which, if that is still there."""

    how: Succession
    newer: MemoryView | None


async def replaced(context: Context, old: Memory, link: Successor) -> Replaced:
    """What took the memory's place."""
    found = await context.store.find([link.memory], frozenset({old.scope}))
    return Replaced(link.how, await view(context, found[0]) if found else None)


LONGEST_REASON = 200


def why_masked(context: Context) -> Refusal:
    """Whether a reason is all that is missing to have masked memories revealed."""
    allowed = context.settings.privacy.admin_reveal
    return Refusal.REASON_NEEDED if allowed else Refusal.NOT_REVEALED


async def seen(context: Context, memories: Sequence[Memory], request: str) -> list[MemoryView]:
    """The memories with what the caller may see of them; all of it for a reason and a code.

    `context.reveal` is the reason, with the code after it once one was given for this `request`.
    """
    others = await hidden(context, {memory.scope for memory in memories})
    if not others or context.reveal is None:
        return await views(context, memories)
    justification = justified(context, request, context.reveal)
    if context.look is not None:
        await _note_look(context, context.look, others, justification)
    else:
        by_owner: dict[str, list[str]] = {}
        for memory in memories:
            if memory.scope in others:
                by_owner.setdefault(Scope.parse(memory.scope).owner, []).append(memory.id)
        told = {owner: {"count": len(ids), "memories": ids} for owner, ids in by_owner.items()}
        await context.engine.revelations.note(RevelationKind.REVEALED, justification, told)
    return await views(context, memories, whole=True)


def masked_by(context: Context, shown: Iterable[MemoryView]) -> Refusal | None:
    """Why some of these are masked, None if none is."""
    return why_masked(context) if any(view.masked for view in shown) else None


async def still_hidden(context: Context, keys: Iterable[str]) -> frozenset[str]:
    """Those of the scopes whose contents are not shown; none in a look, which is noted for them."""
    others = await hidden(context, keys)
    if not others or context.look is None:
        return others
    await _note_look(context, context.look, others, justified(context, "", context.look.reason))
    return frozenset()


async def _note_look(
    context: Context, look: PrivateLook, scopes: Iterable[str], given: Justification
) -> None:
    """Once for each owner of a look, before the first of theirs is shown."""
    async with look.noting:
        owners = {Scope.parse(scope).owner for scope in scopes} - look.noted
        told = {owner: {"count": 0, "until": look.until} for owner in owners}
        await context.engine.revelations.note(RevelationKind.REVEALED, given, told)
        look.noted.update(owners)


async def note_exported(context: Context, held: Mapping[str, int], request: str) -> None:
    """For whom of these scopes' owners they are private: that they leave, and for which reason."""
    others = await hidden(context, held)
    if not others:
        return
    if context.reveal is None:
        raise Refused(why_masked(context))
    justification, counts = justified(context, request, context.reveal), Counter[str]()
    for key in others:
        counts[Scope.parse(key).owner] += held[key]
    told = {owner: {"count": count} for owner, count in counts.items()}
    await context.engine.revelations.note(RevelationKind.EXPORTED, justification, told)


def justified(context: Context, request: str, reveal: str) -> Justification:
    """The reason for which others' private memories may be shown or handed out, if confirmed."""
    if not context.caller.admin:
        raise Refused(Refusal.ADMINS_ONLY)
    missing = why_masked(context)
    reason = quoted(reveal, LONGEST_REASON)
    if missing is Refusal.NOT_REVEALED or not reason:
        raise Refused(missing)
    caller, confirmations = context.caller, context.services.confirmations
    if context.look is not None:
        return Justification(caller.signature, reason)
    # The code is taken off before a long reason is cut.
    *words, code = reveal.split()
    said = quoted(" ".join(words), LONGEST_REASON)
    if said and confirmations.redeem(caller, f"{request} {said}", code, now=context.now):
        return Justification(caller.signature, said)
    raise context.code_needed(f"{request} {reason}", reason=reason)
