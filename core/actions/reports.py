"""What memory did: reports of sleeps with undo, and all memory at a glance."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ..forgetting.lifecycle import UNDONE
from ..model.conversation import Scope
from ..model.memory import LEARNT, Memory
from ..model.sleeping import INSTALLATION, Decided, Deed, Left, Sleep, Undone
from ..model.times import day_of, zone
from ..ports import AuditEntry, Census, Expense, Filter, Order
from ..records.notes import number_note
from ..simulation.forecast import foretell
from .answers import MemoryView, Owner, Refusal, Refused
from .context import Context, for_admins, over_everybody
from .installation import Spending, spending
from .listing import score_span
from .searching import may_change
from .views import PAGE, Page, masked_by, owners, page_at, page_of, seen, views

BY_ADMINS = frozenset({Deed.BINNED, Deed.SUMMARISED, Deed.PURGED})
"""What only admins take back: the bin is theirs."""


@dataclass(frozen=True, slots=True)
class DecidedView:
    """A decision, and those of its memories that still exist, as the caller may see them."""

    decided: Decided
    memories: Sequence[MemoryView]


@dataclass(frozen=True, slots=True)
class Report:
    """What one sleep did and left, in so many `seconds`; None owns what is of the installation.
    `failed` names steps that failed; `decisions` are a page of what was decided, if it is asked
    for.
    """

    sleep: Sleep
    owner: Owner | None
    deeds: Mapping[Deed, int]
    left: Mapping[Left, int]
    seconds: float
    failed: Sequence[str]
    decisions: Page[DecidedView]


async def list_reports(context: Context, page: int = 1, size: int = PAGE) -> Page[Report]:
    """What sleeps did to what may be seen here, newest first; admins see the installation's too.

    Before all the newest if it changed nothing, and why; of those before nothing is told.
    """
    scopes = await _readable(context)
    total = await context.journal.report_count(scopes)
    asked, skip = page_at(page, size, total)
    found = await context.journal.reports(scopes, limit=size, offset=skip)
    last = await context.journal.last_sleep(scopes) if asked.number == 1 else None
    if last is not None and last.empty and (not found or last.at > found[0].at):
        found, asked = [last, *found], replace(asked, total=total + 1)
    return asked.showing(await _told(context, found))


async def report(context: Context, id: int, page: int = 1, size: int = PAGE) -> Report:
    """One report with its decisions; one of another scope is refused like an unknown one."""
    sleep = await context.journal.sleep(id)
    if sleep is None or sleep.ended_at is None or sleep.scope not in await _readable(context):
        raise Refused(Refusal.UNKNOWN_REPORT)
    asked, skip = page_at(page, size, sum(sleep.decided.values()))
    found = await context.journal.decisions(id, limit=size, offset=skip)
    [told] = await _told(context, [sleep])
    decisions = asked.showing([await _shown(context, each) for each in found])
    return replace(told, decisions=decisions)


async def undo(context: Context, id: int) -> DecidedView:
    """Take a decision back, as long as what it was about exists.

    One's own memories, in a group what one said oneself, everything here for admins.
    """
    decided = await context.journal.decision(id)
    if decided is None or decided.scope not in await _readable(context):
        raise Refused(Refusal.UNKNOWN_DECISION)
    await _permitted(context, decided)
    undone = await context.engine.pipeline.undo(id)
    if undone is not Undone.DONE:
        reason = Refusal.SOURCES_GONE if undone is Undone.GONE else Refusal.NOT_UNDOABLE
        raise Refused(reason)
    by, now = context.by, context.now
    found = await _memories(context, decided)
    entries = [AuditEntry.of(m, f"undone:{id}", UNDONE, by, now, decision=id) for m in found]
    await context.journal.audit(entries)
    context.engine.wake()
    return await _shown(context, await context.journal.decision(id) or decided)


async def _readable(context: Context) -> Collection[str]:
    scopes = await context.reach()
    return scopes | {INSTALLATION} if context.caller.admin else scopes


async def _permitted(context: Context, decided: Decided) -> None:
    if context.caller.admin:
        return
    if decided.decision.deed in BY_ADMINS:
        raise Refused(Refusal.ADMINS_ONLY)
    if not all(may_change(context, memory) for memory in await _memories(context, decided)):
        raise Refused(Refusal.NOT_YOURS)


async def _told(context: Context, sleeps: Sequence[Sleep]) -> list[Report]:
    keys = [Scope.parse(each.scope).owner if each.scope else "" for each in sleeps]
    known = await owners(context, filter(None, keys))
    return [
        Report(
            sleep,
            known.get(key),
            sleep.counts,
            sleep.left,
            sleep.seconds,
            [name for name, state in sleep.steps.items() if state.failures],
            page_of([], 1),
        )
        for sleep, key in zip(sleeps, keys, strict=True)
    ]


async def _memories(context: Context, decided: Decided) -> list[Memory]:
    return await context.store.find(decided.decision.memories, frozenset({decided.scope}))


async def _shown(context: Context, decided: Decided) -> DecidedView:
    return DecidedView(decided, await views(context, await _memories(context, decided)))


WEEK = 7.0
LISTED = 20
PICTURED = (70, 40, 40)
"""Memories of each tier in the picture, the newest."""

SOON = (3.0, 7.0, 14.0)
"""Days of the forecast."""

WEEKS = 12
"""Of the survival."""

NIGHT = 86_400.0
PRICE = "token_price"
REPORTS = 60


@dataclass(frozen=True, slots=True)
class Tide:
    """What there is now.

    `sinking` are the first learnt memories that time alone takes within a week, of
    `sinking_total` with raw messages; `pictured` some of each tier. `learnt` today; `deeds` of the
    sleeps of the last 24 hours.
    """

    tiers: Sequence[int]
    kept: int
    sinking_total: int
    sinking: Sequence[MemoryView]
    pictured: Sequence[MemoryView]
    learnt: int
    deeds: Mapping[Deed, int]
    slept_at: float | None
    spending: Spending
    why_masked: Refusal | None


@dataclass(frozen=True, slots=True)
class TierCounts:
    """Live memories by tier, here and everywhere; of those here, how many are never forgotten.

    `forgotten` within each of `SOON` days if nothing is used, `left` now and after each week.
    """

    here: Sequence[int]
    everywhere: Sequence[int]
    exempt: int
    forgotten: Sequence[int]
    left: Sequence[int]


@dataclass(frozen=True, slots=True)
class TokenLedger:
    """Tokens by month and purpose, and memories by day and tier, the oldest first.

    `price` of a million tokens, in whatever money; 0 where nobody has told it.
    """

    expenses: Sequence[Expense]
    censuses: Sequence[Census]
    price: float


@for_admins
async def ledger(context: Context) -> TokenLedger:
    """Spent on memory, and kept by it, since the beginning."""
    journal = context.journal
    price = await number_note(journal, PRICE) or 0.0
    return TokenLedger(await journal.expenses(), await journal.censuses(), price)


@for_admins
async def set_price(context: Context, thousandths: int) -> TokenLedger:
    """Keep the price of a million tokens, in thousandths of the money."""
    await context.journal.set_note(PRICE, repr(thousandths / 1000))
    return await ledger(context)


@over_everybody
async def tide(context: Context) -> Tide:
    """Of every person and group."""
    store, engine, now = context.store, context.engine, context.now
    scopes = frozenset(await store.scopes())
    policy = engine.sweeper.policy
    told = await foretell(policy, store, scopes, now=now, days=[WEEK], limit=LISTED, named=LEARNT)
    sinking = [each.memory for each in told.soonest]
    pictured = [
        memory
        for tier, most in enumerate(PICTURED)
        for memory in await store.page(
            Filter(kinds=LEARNT, score=score_span(engine.policy, tier), recallable=True),
            order=Order.NEWEST,
            limit=most,
        )
    ]
    midnight, _ = day_of(now, zone(context.timezone))
    before = await store.count(Filter(kinds=LEARNT, created_before=midnight))
    shown = await seen(context, [*sinking, *pictured], "tide")
    deeds, slept_at = await _last_sleeps(context)
    return Tide(
        (await store.tally(engine.policy)).tiers,
        await store.count(Filter(exempt=True)),
        told.counts[0],
        shown[: len(sinking)],
        shown[len(sinking) :],
        await store.count(Filter(kinds=LEARNT)) - before,
        deeds,
        slept_at,
        await spending(context),
        masked_by(context, shown),
    )


@for_admins
async def tier_counts(context: Context) -> TierCounts:
    """Of this chat and of all."""
    engine, store, scopes = context.engine, context.store, await context.readable()
    here = (await store.tally(engine.policy, scopes)).tiers
    everywhere = (await store.tally(engine.policy)).tiers
    exempt = await store.count(Filter(scopes=scopes, exempt=True))
    days = (*SOON, *(7.0 * week for week in range(1, WEEKS + 1)))
    policy = engine.sweeper.policy
    gone = (await foretell(policy, store, scopes, now=context.now, days=days)).counts
    soon, weekly = gone[: len(SOON)], gone[len(SOON) :]
    live = sum(here)
    return TierCounts(here, everywhere, exempt, soon, [live, *(live - n for n in weekly)])


async def _last_sleeps(context: Context) -> tuple[Mapping[Deed, int], float | None]:
    """What the sleeps of the last day did, and when the newest was over."""
    scopes = {*(await context.store.scopes()), INSTALLATION}
    found = await context.journal.reports(scopes, limit=REPORTS, offset=0)
    deeds: dict[Deed, int] = {}
    for sleep in found:
        if (sleep.ended_at or 0.0) > context.now - NIGHT:
            for deed, count in sleep.counts.items():
                deeds[deed] = deeds.get(deed, 0) + count
    return deeds, max((sleep.ended_at or 0.0 for sleep in found), default=None)
