"""A trace as JSON text, as it is kept, and back. Pure."""

import json
from typing import Any

from ..scoring.columns import Column, TurnColumn
from .trace import (
    Drop,
    Fused,
    Hit,
    Intent,
    Leg,
    LegReport,
    LegState,
    RerankReport,
    SilenceReason,
    Trace,
)


def to_json(trace: Trace) -> str:
    """JSON text of a trace."""
    return json.dumps(_trace_document(trace), ensure_ascii=False, separators=(",", ":"))


def recorded(trace: Trace) -> str:
    """JSON text of what is kept of a trace, its numbers as exact as anybody reads them."""
    document = _rounded(_trace_document(trace.kept()))
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


_OPTIONAL = {"via", "number", "drop", "rrf", "rerank", "behind"}


def _rounded(value: Any) -> Any:
    match value:
        case dict():
            told = {key: each for key, each in value.items() if key not in _OPTIONAL or each}
            return {key: _rounded(each) for key, each in told.items()}
        case list() | tuple():
            return [_rounded(each) for each in value]
        case float():
            return round(value, 3)
        case _:
            return value


def from_json(text: str) -> Trace:
    """Inverse of `to_json`."""
    return _trace(json.loads(text))


def readable(text: str) -> Trace | None:
    """The trace that was written; None for a text that is none any more."""
    try:
        return from_json(text)
    except (ValueError, TypeError, LookupError):
        return None


def _trace_document(trace: Trace) -> dict[str, Any]:
    return {
        "query": trace.query,
        "scopes": trace.scopes,
        "legs": [
            {
                "leg": report.leg,
                "state": report.state,
                "hits": report.hits,
                "milliseconds": report.milliseconds,
                "problem": report.problem,
                "calibrated": report.calibrated,
            }
            for report in trace.legs
        ],
        "candidates": [_document(candidate) for candidate in trace.candidates],
        "tokens": trace.tokens,
        "milliseconds": trace.milliseconds,
        "later": [_trace_document(later) for later in trace.later],
        "intents": trace.intents,
        "silence": trace.silence,
        "rerank": _rerank_document(trace.rerank),
        "times": trace.times,
        "due": trace.due,
        "worth": trace.worth,
        "numbers": trace.numbers,
        "left_out": trace.left_out,
    }


def _trace(raw: dict[str, Any]) -> Trace:
    return Trace(
        query=raw["query"],
        scopes=tuple(raw["scopes"]),
        legs=tuple(_leg_report(item) for item in raw["legs"]),
        candidates=tuple(_fused(item) for item in raw["candidates"]),
        tokens=raw["tokens"],
        milliseconds=raw["milliseconds"],
        later=tuple(_trace(later) for later in raw["later"]),
        intents=tuple((Intent(name), weight) for name, weight in raw["intents"]),
        silence=None if raw["silence"] is None else SilenceReason(raw["silence"]),
        rerank=_rerank_report(raw["rerank"]),
        times=tuple((start, end) for start, end in raw.get("times", ())),
        due=tuple(raw["due"]),
        worth=raw["worth"],
        numbers=tuple((TurnColumn(name), each) for name, each in raw["numbers"]),
        left_out=tuple((Drop(reason), count) for reason, count in raw["left_out"]),
    )


def _document(candidate: Fused) -> dict[str, Any]:
    # dataclasses.asdict copies deeply: it cost a tenth of a whole recall.
    return {
        "memory": candidate.memory,
        "hits": [_hit_document(hit) for hit in candidate.hits],
        "score": candidate.score,
        "via": candidate.via,
        "number": candidate.number,
        "drop": candidate.drop,
        "rrf": candidate.rrf,
        "reasons": candidate.reasons,
        "rerank": candidate.rerank,
        "behind": candidate.behind,
    }


def _hit_document(hit: Hit) -> list[Any]:
    told = [hit.leg, hit.rank, hit.score, hit.relevance]
    return [*told, hit.via, hit.view] if hit.via or hit.view else told


def _rerank_document(report: RerankReport) -> dict[str, Any]:
    return {
        "state": report.state,
        "asked": report.asked,
        "judged": report.judged,
        "milliseconds": report.milliseconds,
        "problem": report.problem,
    }


def _rerank_report(item: dict[str, Any]) -> RerankReport:
    state = LegState(item["state"])
    return RerankReport(state, item["asked"], item["judged"], item["milliseconds"], item["problem"])


def _leg_report(item: dict[str, Any]) -> LegReport:
    leg, state = Leg(item["leg"]), LegState(item["state"])
    return LegReport(
        leg, state, item["hits"], item["milliseconds"], item["problem"], item["calibrated"]
    )


def _fused(item: dict[str, Any]) -> Fused:
    hits = tuple(Hit(Leg(leg), *told) for leg, *told in item["hits"])
    drop = None if item.get("drop") is None else Drop(item["drop"])
    return Fused(
        item["memory"],
        hits,
        item["score"],
        item.get("via", ""),
        item.get("number"),
        drop,
        item.get("rrf", 0.0),
        tuple((Column(name), value) for name, value in item["reasons"]),
        rerank=item.get("rerank"),
        behind=item.get("behind", ""),
    )
