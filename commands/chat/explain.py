"""Why the last answer of this chat saw the memories it saw."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import assert_never

from ...core.model.conversation import Scope, ScopeKind
from ...core.model.memory import Memory
from ...core.recall.trace import (
    Drop,
    Fused,
    Hit,
    LegReport,
    LegState,
    RerankReport,
    Trace,
    readable,
)
from ...core.text.quoting import quoted
from .failure_messages import failure
from .records import answer, short_id, with_speaker
from .request import Request

LONGEST_QUERY = 80
EXAMPLES = 3
TIMES = 4
PREFIX = 8
"""Characters of an id that tell which memory led to another."""


async def why(request: Request) -> str:
    """The newest recall of this chat under this persona: what was asked, found, left out."""
    recollection = await request.engine.parts.journal.recollection(
        request.caller.session, await request.readable()
    )
    if recollection is None:
        return request.say("why.nothing")
    if not recollection.trace:
        return request.say("why.emptied")
    first = readable(recollection.trace)
    if first is None:
        return request.say("why.emptied")
    scopes = await _scopes(request, recollection.turn)
    ids = [found.memory for trace in (first, *first.later) for found in trace.candidates]
    found = await request.engine.parts.store.find(ids)
    records = {memory.id: memory for memory in found if memory.scope in scopes}
    hidden = frozenset(m.id for m in found if m.scope not in scopes and _shared(request, m))
    lines = [
        request.say("why.header", time=request.time(recollection.at)),
        request.say("why.query", query=quoted(first.query, LONGEST_QUERY)),
        *await _told(request, first, records, scopes, hidden),
    ]
    for trace in first.later:
        lines.append(request.say("why.looked_up", query=quoted(trace.query, LONGEST_QUERY)))
        lines += await _told(request, trace, records, scopes, hidden)
    return answer(lines)


async def _scopes(request: Request, turn: int) -> frozenset[str]:
    """What may be shown of the recall for a turn: to whom it answered, all that it used."""
    asked = await request.engine.parts.journal.turn(turn)
    caller = request.caller
    own = asked is not None and asked.speaker.id == caller.person
    return await request.engine.access.readable(caller.scope, caller.person if own else None)


async def _told(
    request: Request,
    trace: Trace,
    records: Mapping[str, Memory],
    scopes: frozenset[str],
    hidden: frozenset[str],
) -> list[str]:
    """What one recall of the turn found, showed and left out; of the hidden only how many."""
    shown = sorted(
        (c for c in trace.candidates if c.number is not None), key=lambda c: c.number or 0
    )
    return [
        *_understood(request, trace),
        *(_leg(request, report) for report in trace.legs),
        *reranking(request, trace.rerank),
        _shown_header(request, trace, len(shown)),
        *[await _shown(request, c, records, scopes) for c in shown if c.memory not in hidden],
        *_hidden(request, sum(c.memory in hidden for c in shown)),
        *await _dropped(request, trace.candidates, records, scopes),
    ]


def _understood(request: Request, trace: Trace) -> list[str]:
    """What the turn was taken to be after, and why nothing was brought up if so."""
    lines: list[str] = []
    if trace.intents:
        told = " ".join(request.say(f"intent.{intent}") for intent, _ in trace.intents)
        lines.append(request.say("why.intents", intents=told))
    if trace.times:
        times = ", ".join(f"{request.time(a)} - {request.time(b)}" for a, b in trace.times[:TIMES])
        lines.append(request.say("why.times", times=times))
    if trace.time_alone:
        lines.append(request.say("why.time_alone"))
    if trace.silence is not None:
        reason = request.say(f"silence.{trace.silence}")
        lines.append(request.say("why.silent", reason=reason))
    return lines


def _shared(request: Request, memory: Memory) -> bool:
    """Whether a memory that was used here is a private one of who asked."""
    private = Scope.parse(memory.scope).kind is ScopeKind.PRIVATE
    return private and request.caller.scope.kind is ScopeKind.GROUP


def _hidden(request: Request, count: int) -> list[str]:
    return [request.say("why.hidden", count=count)] if count else []


def _leg(request: Request, report: LegReport) -> str:
    leg = request.say(f"leg.{report.leg}")
    match report.state:
        case LegState.OK:
            took = f"{report.milliseconds:.0f}"
            return request.say("why.leg_ok", leg=leg, hits=report.hits, milliseconds=took)
        case LegState.LATE:
            return request.say("why.leg_late", leg=leg)
        case LegState.FAILED:
            return request.say("why.leg_failed", leg=leg, problem=failure(request, report.problem))
        case LegState.OFF:
            return request.say("why.leg_off", leg=leg)
        case _:
            assert_never(report.state)


def reranking(request: Request, report: RerankReport) -> list[str]:
    """How the reranker did; no line where there is none or it had nothing to do."""
    match report.state:
        case LegState.OK:
            took = f"{report.milliseconds:.0f}"
            counts = {"asked": report.asked, "judged": report.judged}
            return [request.say("why.rerank_ok", **counts, milliseconds=took)]
        case LegState.LATE:
            return [request.say("why.rerank_late")]
        case LegState.FAILED:
            problem = failure(request, report.problem)
            return [request.say("why.rerank_failed", problem=problem)]
        case LegState.OFF:
            return [request.say("why.rerank_resting")] if report.problem else []
        case _:
            assert_never(report.state)


def _shown_header(request: Request, trace: Trace, count: int) -> str:
    if count == 0:
        return request.say("why.none_shown")
    return request.say("why.shown", count=count, tokens=trace.tokens)


async def _shown(
    request: Request, candidate: Fused, records: Mapping[str, Memory], scopes: frozenset[str]
) -> str:
    memory = records.get(candidate.memory)
    if memory is None:
        return request.say("why.shown_gone", number=candidate.number)
    short = await short_id(request, memory.id, scopes)
    text = await with_speaker(request, memory)
    return f"[{candidate.number}] {short} {text}\n    {numbers(request, candidate)}"


def numbers(request: Request, candidate: Fused) -> str:
    """How well it fits, by which legs with which ranks and scores, and what moved it."""
    told = request.say(
        "why.numbers",
        relevance=f"{candidate.relevance:.0%}",
        score=f"{candidate.score:.3f}",
        hits=" ".join(_hit(request, hit) for hit in candidate.hits),
    )
    if candidate.boosts:
        boosts = " ".join(
            f"{request.say(f'boost.{name}')}{value:+.3f}" for name, value in candidate.boosts
        )
        told = f"{told} {request.say('why.boosts', boosts=boosts)}"
    if candidate.rerank is not None:
        told = f"{told} {request.say('why.reranked', score=f'{candidate.rerank:.2f}')}"
    if candidate.behind:
        told += request.say("why.behind", id=candidate.behind[:PREFIX])
    if not candidate.via:
        return told
    return f"{told} {request.say('why.via', id=candidate.via[:PREFIX])}"


def _hit(request: Request, hit: Hit) -> str:
    told = f"{request.say(f'leg.{hit.leg}')}#{hit.rank}={hit.score:.2f}"
    return f"{told}{request.say('why.led_to', id=hit.via[:PREFIX])}" if hit.via else told


async def _dropped(
    request: Request,
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    scopes: frozenset[str],
) -> list[str]:
    by_reason: dict[Drop, list[Fused]] = defaultdict(list)
    for candidate in candidates:
        if candidate.drop is not None:
            by_reason[candidate.drop].append(candidate)
    if not by_reason:
        return []
    lines = [request.say("why.dropped")]
    for reason, dropped in sorted(by_reason.items(), key=lambda item: -len(item[1])):
        known = [c.memory for c in dropped if c.memory in records][:EXAMPLES]
        ids = " ".join([await short_id(request, memory, scopes) for memory in known])
        said, count = request.say(f"drop.{reason}"), len(dropped)
        if ids:
            lines.append(request.say("why.dropped_line", reason=said, count=count, ids=ids))
        else:
            lines.append(request.say("why.dropped_count", reason=said, count=count))
    return lines
