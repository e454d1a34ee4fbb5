"""Why the last answer of this chat saw the memories it saw."""

from ...core.actions import explanation
from ...core.actions.explanation import ExplainedMemory, ExplainedRecall
from ...core.recall.trace import Fused, Hit, LegReport, LegState, RerankReport, SilenceReason
from ...core.text.quoting import quoted
from .listing import answer, said
from .request import Request, WrongArguments, failure

BLOCK, NUMBERS = "--block", "--numbers"
LONGEST_QUERY = 80
TIMES = 4
CLAUSES = 2
LEAST_TOLD = 0.01
PREFIX = 8
"""Characters of an id that tell which memory led to another."""


async def why(request: Request) -> str:
    """The newest recall of this chat under this persona: in a sentence, and what was shown.

    With `--numbers` how it was found and left out, with `--block` the words the model was given.
    """
    if request.argument == BLOCK:
        return await _block(request)
    if request.argument not in ("", NUMBERS):
        raise WrongArguments
    told = _told if request.argument else _in_short
    found = await explanation.explain(request.context)
    if not found.recalls:
        return request.say("why.emptied")
    first, *later = found.recalls
    gist, *rest = told(request, first)
    lines = [
        gist,
        request.say("why.header", time=request.time(found.at)),
        request.say("why.query", query=quoted(first.trace.query, LONGEST_QUERY)),
        *rest,
    ]
    for recall in later:
        query = quoted(recall.trace.query, LONGEST_QUERY)
        lines += [request.say("why.looked_up", query=query), *told(request, recall)]
    return answer([*lines, *([] if request.argument else [request.say("why.more")])])


async def _block(request: Request) -> str:
    """The block as it was, line by line: it is not folded, or it would not be the block."""
    found = await explanation.last_block(request.context)
    time = request.time(found.at)
    if found.block:
        return f"{request.say('why.block', time=time)}\n{found.block}"
    return request.say("why.block_gone" if found.injected else "why.block_empty", time=time)


def _in_short(request: Request, recall: ExplainedRecall) -> list[str]:
    """One recall of the turn in a sentence, and what it showed."""
    lines = [
        f"[{each.candidate.number}] {each.memory.id} {said(request, each.memory)}"
        for each in recall.shown
        if each.memory is not None
    ]
    return [_gist(request, recall), *_hidden(request, recall), *lines]


def _gist(request: Request, recall: ExplainedRecall) -> str:
    """How many were brought up and what for, and how many were not; as the page says it."""
    count, silence = len(recall.shown) + recall.hidden, recall.trace.silence
    joined = request.say("why.and").join
    because = joined(request.say(f"because.{each}") for each in recall.because)
    beside = joined(
        request.say("why.each", count=each.count, reason=request.say(f"drop.{each.reason}"))
        for each in recall.left_out[:CLAUSES]
    )
    if count == 0:
        if silence or not beside:
            beside = request.say(f"silence.{silence or SilenceReason.NOTHING_FOUND}")
        return request.say("why.silent", reason=beside)
    told = request.say("why.brought", count=count)
    told += request.say("why.because", because=because) if because else ""
    return told + (request.say("why.beside", beside=beside) if beside else "")


def _hidden(request: Request, recall: ExplainedRecall) -> list[str]:
    return [request.say("why.hidden", count=recall.hidden)] if recall.hidden else []


def _told(request: Request, recall: ExplainedRecall) -> list[str]:
    """What one recall of the turn found, showed and left out; of the hidden only how many."""
    trace, count = recall.trace, len(recall.shown) + recall.hidden
    return [
        _gist(request, recall),
        *_understood(request, recall),
        *(_leg(request, report) for report in trace.legs),
        *reranking(request, trace.rerank),
        request.say("why.shown" if count else "why.none_shown", count=count, tokens=trace.tokens),
        *_due(request, recall),
        *(_shown(request, each) for each in recall.shown),
        *_hidden(request, recall),
        *_left_out(request, recall),
    ]


def _understood(request: Request, recall: ExplainedRecall) -> list[str]:
    """What the turn was taken to be after, and how likely it needs a memory."""
    trace, lines = recall.trace, list[str]()
    if trace.intents:
        told = " ".join(request.say(f"intent.{intent}") for intent, _ in trace.intents)
        lines.append(request.say("why.intents", intents=told))
    if trace.times:
        times = ", ".join(f"{request.time(a)} - {request.time(b)}" for a, b in trace.times[:TIMES])
        lines.append(request.say("why.times", times=times))
    if trace.worth is not None:
        # Never 0 % beside a line that is shown all the same.
        worth = f"{trace.worth:.0%}" if trace.worth >= LEAST_TOLD else f"< {LEAST_TOLD:.0%}"
        lines.append(request.say("why.worth", worth=worth))
    if trace.numbers:
        numbers = ", ".join(
            f"{request.say(f'turn.{name}')} {value:.2f}" for name, value in trace.numbers
        )
        lines.append(request.say("why.turn", numbers=numbers))
    return lines


def _leg(request: Request, report: LegReport) -> str:
    return request.say(
        f"leg_did.{report.state}",
        leg=request.say(f"leg.{report.leg}"),
        hits=report.hits,
        milliseconds=f"{report.milliseconds:.0f}",
        problem=failure(request, report.problem),
    )


def reranking(request: Request, report: RerankReport) -> list[str]:
    """How the reranker did; no line where there is none or it had nothing to do."""
    if report.state is LegState.OFF and not report.problem:
        return []
    took, problem = f"{report.milliseconds:.0f}", failure(request, report.problem)
    counts = {"asked": report.asked, "judged": report.judged, "milliseconds": took}
    return [request.say(f"reranker_did.{report.state}", problem=problem, **counts)]


def _due(request: Request, recall: ExplainedRecall) -> list[str]:
    """Which of them were shown because they are for that day."""
    due = [each.candidate for each in recall.shown if each.candidate.memory in recall.trace.due]
    numbers = " ".join(f"[{candidate.number}]" for candidate in due)
    return [request.say("why.due", numbers=numbers)] if due else []


def _shown(request: Request, shown: ExplainedMemory) -> str:
    candidate, view = shown.candidate, shown.memory
    if view is None:
        return request.say("why.shown_gone", number=candidate.number)
    told = numbers(request, candidate)
    ids = " ".join(id[:PREFIX] for id in view.memory.tells)
    story = " " + request.say("why.story", ids=ids) if ids else ""
    return f"[{candidate.number}] {view.id} {said(request, view)}\n    {told}{story}"


def numbers(request: Request, candidate: Fused) -> str:
    """How well it fits, by which legs with which ranks and scores, and what moved it."""
    told = request.say(
        "why.numbers",
        score=f"{candidate.score:.3f}",
        hits=" ".join(_hit(request, hit) for hit in candidate.hits),
    )
    if candidate.reasons:
        reasons = ", ".join(_reason(request, *reason) for reason in candidate.reasons)
        told = f"{told} {request.say('why.reasons', reasons=reasons)}"
    if candidate.rerank is not None:
        told = f"{told} {request.say('why.reranked', score=f'{candidate.rerank:.2f}')}"
    if candidate.behind:
        told += request.say("why.behind", id=candidate.behind[:PREFIX])
    if not candidate.via:
        return told
    return f"{told} {request.say('why.via', id=candidate.via[:PREFIX])}"


def _reason(request: Request, column: str, logit: float) -> str:
    reason = request.say(f"column.{column}")
    return request.say("why.for" if logit > 0.0 else "why.against", reason=reason)


def _hit(request: Request, hit: Hit) -> str:
    told = f"{request.say(f'leg.{hit.leg}')}#{hit.rank}={hit.score:.2f}"
    if number := hit.view.partition(" ")[2]:
        told += request.say("view.part", number=number)
    return f"{told}{request.say('why.led_to', id=hit.via[:PREFIX])}" if hit.via else told


def _left_out(request: Request, recall: ExplainedRecall) -> list[str]:
    if not recall.left_out:
        return []
    lines = [request.say("why.dropped")]
    for left_out in recall.left_out:
        reason, count = request.say(f"drop.{left_out.reason}"), left_out.count
        ids = " ".join(view.id for view in left_out.examples)
        told = {"reason": reason, "count": count, "ids": ids}
        lines.append(request.say("why.dropped_line" if ids else "why.dropped_count", **told))
    return lines
