"""What a search finds, and why the last answer of a chat saw the memories it saw."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..model.conversation import Scope, ScopeKind
from ..model.memory import Memory
from ..ports import Recollection
from ..recall.trace import Drop, Fused, Trace
from ..recall.trace_document import readable
from .answers import MemoryView, Refusal, Refused
from .context import Context
from .stories import threads_telling
from .views import PAGE, views

EXAMPLES = 3
"""Memories that are named of those left out for one reason."""

CLAUSES = 2
DUE = "due"


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
class Block:
    """What was put in front of the model in one turn: its text, "" for nothing or no longer kept,
    and how many memories it showed.
    """

    at: float
    text: str
    shown: int


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What a search found, best first, and how; and the threads that tell any of it."""

    memories: Sequence[tuple[Fused, MemoryView]]
    trace: Trace
    threads: Sequence[MemoryView] = ()


async def search(context: Context, text: str, *, limit: int = PAGE) -> SearchAnswer:
    """Memories of this chat about the text, as recall would find them."""
    recalled = await context.engine.search(await context.readable(), text, limit=limit)
    candidates = {candidate.memory: candidate for candidate in recalled.trace.candidates}
    seen = await views(context, recalled.memories)
    found = [(candidates[view.memory.id], view) for view in seen]
    threads = await threads_telling(context, recalled.memories)
    return SearchAnswer(found, replace(recalled.trace, candidates=()), threads)


async def explain(context: Context) -> Explanation | None:
    """The newest recall of this chat under this persona; None if there was none."""
    recollection = await _recollection(context)
    if recollection is None:
        return None
    first = readable(recollection.trace)
    if first is None:
        return Explanation(recollection.at, ())
    scopes = await _scopes(context, recollection.turn)
    traces = (first, *first.later)
    ids = [candidate.memory for trace in traces for candidate in trace.candidates]
    found = await context.store.find(ids)
    told = [memory for memory in found if memory.scope in scopes]
    known = {view.memory.id: view for view in await views(context, told, whole=True)}
    hidden = frozenset(m.id for m in found if m.scope not in scopes and _shared(context, m))
    return Explanation(recollection.at, [explained(trace, known, hidden) for trace in traces])


async def last_block(context: Context) -> Block:
    """The words that the last answer of this chat was given, exactly, as far as they are kept.

    Refused where they hold somebody's private memories that are not to be told here.
    """
    recollection = await _recollection(context)
    if recollection is None:
        raise Refused(Refusal.NOTHING_RECALLED)
    scopes = await _scopes(context, recollection.turn)
    shown = await context.store.find([each.memory for each in recollection.injected])
    if any(memory.scope not in scopes for memory in shown):
        raise Refused(Refusal.PRIVATE_BLOCK)
    return Block(recollection.at, recollection.block, len(recollection.injected))


async def _recollection(context: Context) -> Recollection | None:
    return await context.journal.recollection(context.caller.session, await context.readable())


async def _scopes(context: Context, turn: int) -> frozenset[str]:
    """What may be shown of the recall for a turn: to whom it answered, all that it used."""
    asked = await context.journal.turn(turn)
    caller = context.caller
    own = asked is not None and asked.speaker.id == caller.person
    return await context.engine.access.readable(caller.scope, caller.person if own else None)


def _shared(context: Context, memory: Memory) -> bool:
    """Whether a memory that was used here is a private one of who asked."""
    private = Scope.kind_of(memory.scope) is ScopeKind.PRIVATE
    return private and context.caller.scope.kind is ScopeKind.GROUP


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
