"""Why the last answer of this chat saw the memories it saw."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import assert_never

from ..core.memory import Memory
from ..core.recall.trace import Drop, Fused, Hit, LegReport, LegState, Trace, from_json
from ..core.text.quoting import quoted
from .records import answer, one_line, short_id
from .request import Request
from .troubles import trouble

LONGEST_QUERY = 80
EXAMPLES = 3


async def why(request: Request) -> str:
    """The newest recall of this session: what was asked, found, shown and left out."""
    recollection = await request.engine.parts.journal.recollection(request.caller.session)
    if recollection is None:
        return request.say("why.nothing")
    trace = from_json(recollection.trace)
    scopes = await request.readable()
    ids = [candidate.memory for candidate in trace.candidates]
    found = await request.engine.parts.store.find(ids, scopes)
    records = {memory.id: memory for memory in found}
    shown = sorted(
        (c for c in trace.candidates if c.number is not None), key=lambda c: c.number or 0
    )
    return answer(
        [
            request.say("why.header", time=request.time(recollection.at)),
            request.say("why.query", query=quoted(trace.query, LONGEST_QUERY)),
            *(_leg(request, report) for report in trace.legs),
            _shown_header(request, trace, len(shown)),
            *[await _shown(request, candidate, records, scopes) for candidate in shown],
            *await _dropped(request, trace.candidates, records, scopes),
        ]
    )


def _leg(request: Request, report: LegReport) -> str:
    leg = request.say(f"leg.{report.leg}")
    match report.state:
        case LegState.OK:
            took = f"{report.milliseconds:.0f}"
            return request.say("why.leg_ok", leg=leg, hits=report.hits, milliseconds=took)
        case LegState.LATE:
            return request.say("why.leg_late", leg=leg)
        case LegState.FAILED:
            return request.say("why.leg_failed", leg=leg, problem=trouble(request, report.problem))
        case LegState.OFF:
            return request.say("why.leg_off", leg=leg)
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
    return f"[{candidate.number}] {short} {one_line(memory)}\n    {numbers(request, candidate)}"


def numbers(request: Request, candidate: Fused) -> str:
    """How well it fits, by which legs with which ranks and scores, and what it came with."""
    told = request.say(
        "why.numbers",
        relevance=f"{candidate.relevance:.0%}",
        score=f"{candidate.score:.3f}",
        hits=" ".join(_hit(request, hit) for hit in candidate.hits),
    )
    return f"{told} {request.say('why.via')}" if candidate.via else told


def _hit(request: Request, hit: Hit) -> str:
    return f"{request.say(f'leg.{hit.leg}')}#{hit.rank}={hit.score:.2f}"


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
        count = f"{len(dropped)} ({ids})" if ids else str(len(dropped))
        lines.append(f"  {request.say(f'drop.{reason}')}: {count}")
    return lines
