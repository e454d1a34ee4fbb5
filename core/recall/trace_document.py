"""A trace as JSON text, as it is kept, and back. Pure."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any, cast

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
    return _text(_TRACE.object(trace))


def recorded(trace: Trace) -> str:
    """JSON text of what is kept of a trace, its numbers as exact as anybody reads them."""
    return _text(json.loads(to_json(trace.kept()), parse_float=_short))


def from_json(text: str) -> Trace:
    """Inverse of `to_json`."""
    return _TRACE.value(json.loads(text))


def readable(text: str) -> Trace | None:
    """The trace that was written; None for a text that is none any more."""
    try:
        return from_json(text)
    except (ValueError, TypeError, LookupError, AttributeError):
        return None


def _text(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), default=_listed)


def _listed(value: object) -> Any:
    """A part of a trace, as it is written."""
    if isinstance(value, Trace):
        return _TRACE.object(value)
    return next(
        form.row(value)
        for form in (_HIT, _FUSED, _LEG, _RERANK)
        if isinstance(value, type(form.empty))
    )


def _short(number: str) -> float:
    """At most three places, yet never 0 for what speaks a little for or against a candidate."""
    value = float(number)
    return round(value, 3 if abs(value) < 10 else 2) or float(f"{value:.1g}")


@dataclass(frozen=True, slots=True)
class _Form[T]:
    """The form of a value in a document: its fields in their order, and how some are read.

    A list of them lacks what is empty at the end, an object all that is.
    """

    empty: T
    fields: Sequence[str]
    read: Mapping[str, Callable[[Any], Any]]

    def row(self, value: object) -> list[Any]:
        told = [getattr(value, name) for name in self.fields]
        blank = [getattr(self.empty, name) for name in self.fields]
        while told and told[-1] == blank[len(told) - 1]:
            told.pop()
        return told

    def object(self, value: object) -> dict[str, Any]:
        told = {name: getattr(value, name) for name in self.fields}
        return {name: each for name, each in told.items() if each != getattr(self.empty, name)}

    def value(self, document: Any) -> T:
        if not isinstance(document, dict):
            document = dict(zip(self.fields, document, strict=False))
        told = {
            name: self.read[name](each) if name in self.read else each
            for name, each in document.items()
        }
        return replace(cast(Any, self.empty), **told)


def _each(read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    return lambda items: tuple(read(item) for item in items)


def _named(kind: type[StrEnum]) -> Callable[[Any], tuple[Any, ...]]:
    """Pairs by a name; of one that another version knew nothing is read."""
    return lambda items: tuple((kind(name), told) for name, told in items if name in kind)


_HIT = _Form(
    Hit(Leg.TEXT, 0, 0.0, 0.0), ("leg", "rank", "score", "relevance", "via", "view"), {"leg": Leg}
)
_FUSED = _Form(
    Fused("", (), 0.0),
    ("memory", "score", "drop", "hits", "number", "reasons", "via", "rerank", "behind", "rrf"),
    {
        "drop": lambda drop: drop and Drop(drop),
        "hits": _each(_HIT.value),
        "reasons": _named(Column),
    },
)
_LEG = _Form(
    LegReport(Leg.TEXT, LegState.OFF),
    ("leg", "state", "hits", "milliseconds", "problem"),
    {"leg": Leg, "state": LegState},
)
_RERANK = _Form(
    RerankReport(), ("state", "asked", "judged", "milliseconds", "problem"), {"state": LegState}
)
_TRACE = _Form(
    Trace("", (), ()),
    tuple(field.name for field in fields(Trace)),
    {
        "scopes": tuple,
        "legs": _each(_LEG.value),
        "candidates": _each(_FUSED.value),
        "later": _each(lambda later: _TRACE.value(later)),
        "intents": _named(Intent),
        "silence": SilenceReason,
        "rerank": _RERANK.value,
        "times": _each(tuple),
        "due": tuple,
        "numbers": _named(TurnColumn),
        "left_out": _named(Drop),
    },
)
