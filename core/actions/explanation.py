"""What a search finds, why an answer saw the memories it saw, and a recall by way of trial."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..engine.recalls import RecallRequest
from ..model.conversation import Scope, ScopeKind
from ..model.memory import Memory
from ..ports import Recollection
from ..recall.trace import Drop, Fused, SilenceReason, Trace, readable
from .answers import MemoryView, Owner, Refusal, Refused
from .context import Context, for_admins
from .details import threads_telling
from .listing import scope_of
from .views import PAGE, hidden, owners, still_hidden, views, why_masked

EXAMPLES = 3
"""Memories that are named of those left out for one reason."""

CLAUSES = 2
DUE = "due"

NEWEST = 40
"""Turns that are listed."""

PATIENCE = 10.0
"""Seconds that a trial may take."""

type Eagerness = Literal["quiet", "balanced", "eager"]
EAGERNESS: tuple[Eagerness, ...] = ("quiet", "balanced", "eager")


@dataclass(frozen=True, slots=True)
class ExplainedMemory:
    """How a memory was found; None for a memory that is gone, or not to be told of here."""

    candidate: Fused
    memory: MemoryView | None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many candidates were left out for one reason, and some of them."""

    reason: Drop
    count: int
    examples: Sequence[MemoryView]


@dataclass(frozen=True, slots=True)
class ExplainedRecall:
    """One recall: what it understood and asked, what it showed by number, what it left out.

    Of what is `hidden` only the number is told: private memories of who asked, in a group. The
    candidates of the `trace` are in `shown` and `left_out` alone. `because` is what spoke most for
    those that were shown: columns, after `DUE` where any is for that day.
    """

    trace: Trace
    shown: Sequence[ExplainedMemory]
    hidden: int
    left_out: Sequence[LeftOut]
    because: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """The recalls of one turn, the model's own after the first; none if the record was emptied."""

    at: float
    recalls: Sequence[ExplainedRecall]


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What a search found, best first, and how; and the threads that tell any of it."""

    memories: Sequence[tuple[Fused, MemoryView]]
    trace: Trace
    threads: Sequence[MemoryView] = ()


async def search(context: Context, text: str, *, limit: int = PAGE) -> SearchAnswer:
    """Memories of this chat about the text, as recall would find them."""
    recalled = await context.engine.recall_requests.search(
        await context.readable(), text, limit=limit
    )
    candidates = {candidate.memory: candidate for candidate in recalled.trace.candidates}
    seen = await views(context, recalled.memories)
    found = [(candidates[view.memory.id], view) for view in seen]
    threads = await threads_telling(context, recalled.memories)
    return SearchAnswer(found, replace(recalled.trace, candidates=()), threads)


async def explain(context: Context) -> Explanation:
    """The newest recall of this chat under this persona."""
    recollection = await _recollection(context)
    first = readable(recollection.trace)
    if first is None:
        return Explanation(recollection.at, ())
    scopes = await _scopes(context, recollection.turn)
    traces = (first, *first.later)
    found = await _candidates(context, traces)
    told = [memory for memory in found if memory.scope in scopes]
    known = {view.memory.id: view for view in await views(context, told, whole=True)}
    # In a group: private ones of who asked, that were used here.
    group = context.caller.scope.kind is ScopeKind.GROUP
    shared = (m for m in found if group and Scope.kind_of(m.scope) is ScopeKind.PRIVATE)
    hidden = frozenset(memory.id for memory in shared if memory.scope not in scopes)
    return Explanation(recollection.at, [explained(trace, known, hidden) for trace in traces])


async def last_block(context: Context) -> Recollection:
    """With the words that the last answer of this chat was given, exactly, as far as they are kept.

    Refused where they hold somebody's private memories that are not to be told here.
    """
    recollection = await _recollection(context)
    scopes = await _scopes(context, recollection.turn)
    shown = await context.store.find([each.memory for each in recollection.injected])
    if any(memory.scope not in scopes for memory in shown):
        raise Refused(Refusal.PRIVATE_BLOCK)
    return recollection


async def _recollection(context: Context) -> Recollection:
    journal, scopes = context.journal, await context.readable()
    found = await journal.recollection(context.caller.session, scopes)
    if found is None:
        raise Refused(Refusal.NOTHING_RECALLED)
    return found


async def _scopes(context: Context, turn: int) -> frozenset[str]:
    """What may be shown of the recall for a turn: to whom it answered, all that it used."""
    asked = await context.journal.turn(turn)
    caller = context.caller
    own = asked is not None and asked.speaker.id == caller.person
    return await context.engine.access.readable(caller.scope, caller.person if own else None)


async def _candidates(context: Context, traces: Sequence[Trace]) -> list[Memory]:
    return await context.store.find([each.memory for trace in traces for each in trace.candidates])


def explained(
    trace: Trace, known: Mapping[str, MemoryView], hidden: frozenset[str]
) -> ExplainedRecall:
    """A recall with the memories that may be known of; of the hidden ones only the number."""
    numbered = [candidate for candidate in trace.candidates if candidate.number is not None]
    shown = sorted(numbered, key=lambda candidate: candidate.number or 0)
    return ExplainedRecall(
        replace(trace, candidates=(), later=()),
        [ExplainedMemory(c, known.get(c.memory)) for c in shown if c.memory not in hidden],
        sum(candidate.memory in hidden for candidate in shown),
        _left_out(trace, known),
        _because(trace, shown),
    )


def _because(trace: Trace, shown: Sequence[Fused]) -> list[str]:
    # Each logit is beside the usual candidate's: the best of those shown count most.
    told: dict[str, float] = defaultdict(float)
    for candidate in shown:
        for column, logit in candidate.reasons:
            told[column] += candidate.score * logit
    best = sorted((c for c, logit in told.items() if logit > 0.0), key=lambda c: -told[c])
    due = [DUE] if any(candidate.memory in trace.due for candidate in shown) else []
    return [*due, *best][:CLAUSES]


def _left_out(trace: Trace, known: Mapping[str, MemoryView]) -> list[LeftOut]:
    by_reason: dict[Drop, list[Fused]] = defaultdict(list)
    for candidate in trace.candidates:
        if candidate.drop is not None:
            by_reason[candidate.drop].append(candidate)
    counts = dict(trace.left_out) or {reason: len(each) for reason, each in by_reason.items()}
    return [
        LeftOut(
            reason,
            count,
            [known[c.memory] for c in by_reason[reason] if c.memory in known][:EXAMPLES],
        )
        for reason, count in sorted(counts.items(), key=lambda item: -item[1])
    ]


@dataclass(frozen=True, slots=True)
class RecalledTurn:
    """A turn and what came of it; of others' private ones the `text` is "" and `masked`."""

    turn: int
    at: float
    owner: Owner
    asker: str
    text: str
    masked: bool
    shown: int
    silence: SilenceReason | None
    milliseconds: float


@dataclass(frozen=True, slots=True)
class RecalledTurns:
    """The newest turns; `why_masked` as in `Browsed`."""

    turns: Sequence[RecalledTurn]
    why_masked: Refusal | None


@dataclass(frozen=True, slots=True)
class RecallReport:
    """The recalls of a turn, and the block exactly as the model was shown it.

    With a `why_masked` the block and the question are "" and private memories say nothing.
    """

    question: str
    at: float
    owner: Owner
    recalls: Sequence[ExplainedRecall]
    block: str
    why_masked: Refusal | None


@for_admins
async def recent_recalls(context: Context) -> RecalledTurns:
    """The newest turns that recalled something or might have."""
    found = await context.journal.newest_recollections(limit=NEWEST)
    turns = [(each, await context.journal.turn(each.turn)) for each in found]
    scopes = {turn.place.scope for _, turn in turns if turn is not None}
    others = await still_hidden(context, scopes)
    known = await owners(context, {Scope.parse(scope).owner for scope in scopes})
    listed: list[RecalledTurn] = []
    for each, turn in turns:
        trace = readable(each.trace)
        if turn is None or trace is None:
            continue
        masked = turn.place.scope in others
        listed.append(
            RecalledTurn(
                each.turn,
                each.at,
                known[Scope.parse(turn.place.scope).owner],
                turn.speaker.name,
                "" if masked else turn.text,
                masked,
                len(each.injected),
                trace.silence,
                trace.milliseconds,
            )
        )
    return RecalledTurns(listed, why_masked(context) if others else None)


@for_admins
async def recall_of(context: Context, turn: int) -> RecallReport:
    """What one turn recalled."""
    recollection = await context.journal.recollection_of(turn)
    asked = await context.journal.turn(turn)
    first = None if recollection is None else readable(recollection.trace)
    if recollection is None or asked is None or first is None:
        raise Refused(Refusal.NOTHING_THERE)
    at, traces, block = recollection.at, (first, *first.later), recollection.block
    return await _report(context, asked.place.scope, asked.text, at, traces, block)


@for_admins
async def try_recall(
    context: Context, owner: str, text: str, eagerness: Eagerness, budget_tokens: int
) -> RecallReport:
    """What a turn would be shown, asked now by this person or in this group; not recorded.

    Others' private memories are asked for a reason alone: what is found would tell of them.
    """
    scope = await scope_of(context, owner)
    if context.reveal is None and await hidden(context, [scope.key]):
        raise Refused(why_masked(context))
    settings = context.settings
    recall = replace(settings.recall, eagerness=eagerness, budget_tokens=budget_tokens)
    requests = context.engine.recall_requests.with_settings(replace(settings, recall=recall))
    asker = scope.subject if scope.kind is ScopeKind.PRIVATE else None
    recalled = await requests.recall(RecallRequest(scope, text, None, asker=asker), PATIENCE)
    traces, block = (recalled.trace,), recalled.block
    return await _report(context, scope.key, text, context.now, traces, block)


async def _report(
    context: Context, scope: str, question: str, at: float, traces: Sequence[Trace], block: str
) -> RecallReport:
    found = await _candidates(context, traces)
    keys = {scope, *(memory.scope for memory in found)}
    others = await still_hidden(context, keys)
    seen = await views(context, found, whole=not others)
    known = {view.memory.id: view for view in seen}
    owner = Scope.parse(scope).owner
    return RecallReport(
        "" if scope in others else question,
        at,
        (await owners(context, [owner]))[owner],
        [explained(replace(trace, query="", times=()), known, frozenset()) for trace in traces],
        "" if others else block,
        why_masked(context) if others else None,
    )
