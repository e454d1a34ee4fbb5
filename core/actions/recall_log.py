"""The last turns of all chats and what each recalled, and a recall by way of trial."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..engine.engine import RecallRequest
from ..model.conversation import Scope, ScopeKind
from ..model.memory import Memory
from ..recall.trace import SilenceReason, Trace
from ..recall.trace_document import readable
from .answers import Refusal, Refused
from .browsing import owner_names, scope_of
from .context import Context, for_admins
from .explanation import ExplainedRecall, explained
from .masking import still_hidden, why_masked
from .views import hidden, views

NEWEST = 40
"""Turns that are listed."""

PATIENCE = 10.0
"""Seconds that a trial may take."""

type Eagerness = Literal["quiet", "balanced", "eager"]


@dataclass(frozen=True, slots=True)
class RecalledTurn:
    """A turn and what came of it; of others' private ones the `text` is "" and `masked`."""

    turn: int
    at: float
    owner: str
    owner_name: str
    owner_kind: ScopeKind
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
    owner: str
    owner_name: str
    owner_kind: ScopeKind
    recalls: Sequence[ExplainedRecall]
    block: str
    why_masked: Refusal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A question asked as `owner`, under settings of recall that may differ from those in force."""

    owner: str
    text: str
    eagerness: Eagerness
    budget_tokens: int
    max_items: int


@for_admins
async def recent_recalls(context: Context) -> RecalledTurns:
    """The newest turns that recalled something or might have."""
    found = await context.journal.newest_recollections(limit=NEWEST)
    turns = [(each, await context.journal.turn(each.turn)) for each in found]
    scopes = {turn.place.scope for _, turn in turns if turn is not None}
    others = await still_hidden(context, scopes)
    names = await owner_names(context, {Scope.parse(scope).owner for scope in scopes})
    listed: list[RecalledTurn] = []
    for each, turn in turns:
        trace = readable(each.trace)
        if turn is None or trace is None:
            continue
        masked, scope = turn.place.scope in others, Scope.parse(turn.place.scope)
        listed.append(
            RecalledTurn(
                each.turn,
                each.at,
                scope.owner,
                names[scope.owner],
                scope.kind,
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
    scope, traces = asked.place.scope, (first, *first.later)
    ids = [candidate.memory for trace in traces for candidate in trace.candidates]
    found = await context.store.find(ids)
    at, block = recollection.at, recollection.block
    return await _report(context, scope, asked.text, at, traces, found, block)


@for_admins
async def try_recall(context: Context, trial: Trial) -> RecallReport:
    """What a turn would be shown, asked now by this person or in this group; not recorded.

    Others' private memories are asked for a reason alone: what is found would tell of them.
    """
    scope = await scope_of(context, trial.owner)
    if context.reveal is None and await hidden(context, [scope.key]):
        raise Refused(why_masked(context))
    settings = context.settings
    recall = replace(
        settings.recall,
        eagerness=trial.eagerness,
        budget_tokens=trial.budget_tokens,
        max_items=trial.max_items,
    )
    requests = replace(context.engine.recall_requests, settings=replace(settings, recall=recall))
    asker = scope.subject if scope.kind is ScopeKind.PRIVATE else None
    recalled = await requests.recall(RecallRequest(scope, trial.text, None, asker=asker), PATIENCE)
    ids = [candidate.memory for candidate in recalled.trace.candidates]
    found = await context.store.find(ids)
    traces, now = (recalled.trace,), context.now
    return await _report(context, scope.key, trial.text, now, traces, found, recalled.block)


async def _report(
    context: Context,
    scope: str,
    question: str,
    at: float,
    traces: Sequence[Trace],
    found: Sequence[Memory],
    block: str,
) -> RecallReport:
    keys = {scope, *(memory.scope for memory in found)}
    others = await still_hidden(context, keys)
    seen = await views(context, found, whole=not others)
    known = {view.memory.id: view for view in seen}
    owner = Scope.parse(scope)
    names = await owner_names(context, [owner.owner])
    return RecallReport(
        "" if scope in others else question,
        at,
        owner.owner,
        names[owner.owner],
        owner.kind,
        [explained(replace(trace, query="", times=()), known, frozenset()) for trace in traces],
        "" if others else block,
        why_masked(context) if others else None,
    )
