"""What one recall did and why: the value that `/memory why`, tests and benchmarks read. Pure."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, cast

from ..model.memory import Memory
from ..scoring.decision import Column, TurnColumn

KEPT_BESIDE, MOST_KEPT, EXPLAINED = 10, 45, 10
"""Candidates that are recorded beside those that were shown, together, and with their hits."""

KEPT_LETTERS = 160
"""Of the query, which stands in the turn as a whole."""


class Leg(StrEnum):
    """One way to find memories."""

    SEMANTIC = "semantic"
    TEXT = "text"
    ENTITY = "entity"
    TIME = "time"
    PROSPECTIVE = "prospective"
    CAUSAL = "causal"


class Intent(StrEnum):
    """What a turn is after. Several may hold at once."""

    FACTUAL = "factual"
    TEMPORAL = "temporal"
    CAUSAL = "causal"
    PROCEDURAL = "procedural"
    EXPLORATORY = "exploratory"
    GENERAL = "general"


class SilenceReason(StrEnum):
    """Why nothing was brought up at all."""

    GREETING = "greeting"
    NOTHING_FOUND = "nothing_found"
    TOO_WEAK = "too_weak"
    LATE = "late"


class LegState(StrEnum):
    """How a leg ended. LATE: cut off by the deadline; FAILED: degraded for this turn."""

    OK = "ok"
    LATE = "late"
    FAILED = "failed"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class LegReport:
    """What a leg returned, how long it took and what went wrong."""

    leg: Leg
    state: LegState
    hits: int = 0
    milliseconds: float = 0.0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class RerankReport:
    """How many of how many candidates the reranker judged, how long it took and what went wrong.

    OFF: there is none, it had nothing to judge, or with a `problem`, it rests after failures.
    """

    state: LegState = LegState.OFF
    asked: int = 0
    judged: int = 0
    milliseconds: float = 0.0
    problem: str = ""


class Drop(StrEnum):
    """Why a candidate was not injected."""

    IRRELEVANT = "irrelevant"
    IN_CONTEXT = "in_context"
    BARE_QUESTION = "bare_question"
    DISTILLED = "distilled"
    DUPLICATE = "duplicate"
    LIMIT = "limit"
    BUDGET = "budget"
    GONE = "gone"
    UNRECORDED = "unrecorded"
    SUPERSEDED = "superseded"
    UNMENTIONED = "unmentioned"


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory found by a leg: rank from 1, raw score and calibrated relevance.

    A relevance is 0 or more: by words at most 1, by meaning beyond 1 where most related texts are
    further off; cut at 1, many that are alike would be as good as each other.
    `via` is the memory that led to it, if the leg goes from one to another; `view` the view of it
    that was nearest, "" for the whole. Not recorded: `rarest`, how rare the rarest word is that
    matches, 0..1, and `nats`, the BM25 itself.
    """

    leg: Leg
    rank: int
    score: float
    relevance: float
    via: str = ""
    view: str = ""
    rarest: float = field(default=0.0, compare=False)
    nats: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Fused:
    """A candidate after fusion. `via` names the evidence that brought a distilled memory,
    `behind` the claim that holds in the place of this one.

    `score`, 0..1, is what orders, moved by `rerank`, the reranker's judgement 0..1 if there is one.
    `reasons` are what spoke most for it and against it, in logits. `columns` is all that is known
    of it, in the order of `Column`; it is not recorded. `rrf` is what reciprocal rank fusion would
    give.
    """

    memory: str
    hits: tuple[Hit, ...]
    score: float
    via: str = ""
    number: int | None = None
    drop: Drop | None = None
    rrf: float = 0.0
    reasons: tuple[tuple[Column, float], ...] = ()
    columns: tuple[float, ...] = field(default=(), compare=False)
    rerank: float | None = None
    behind: str = ""

    @property
    def relevance(self) -> float:
        """The best of its legs."""
        return max((hit.relevance for hit in self.hits), default=0.0)

    def kept(self) -> "Fused":
        """The same candidate as it is recorded."""
        return replace(self, rrf=0.0, hits=tuple(replace(hit, relevance=0.0) for hit in self.hits))

    def dropped(self, reason: Drop) -> "Fused":
        """The same candidate, out, with the reason."""
        if self.drop is reason and self.number is None:
            return self
        # Of each recall hundreds: `replace` would take three times as long.
        found = (self.memory, self.hits, self.score, self.via, None, reason, self.rrf)
        return Fused(*found, self.reasons, self.columns, self.rerank, self.behind)

    def weighed(
        self, score: float, reasons: tuple[tuple[Column, float], ...], columns: tuple[float, ...]
    ) -> "Fused":
        """The same candidate with what the ranking says of it."""
        found = (self.memory, self.hits, score, self.via, self.number, self.drop, self.rrf)
        return Fused(*found, reasons, columns, self.rerank, self.behind)


@dataclass(frozen=True, slots=True)
class Trace:
    """One recall from query to block. Times in milliseconds, `tokens` of the block.

    `intents` have weights that sum to 1; `silence` is None if something could be brought up.
    `later` are the recalls that the model itself asked for in the same turn. `times` are the
    intervals of Unix time asked about. `due` are intentions for that day, shown whatever was asked.
    `worth` is the probability that the turn needs any memory, None if that was not looked at, and
    `numbers` are what it was told by. `left_out` counts the candidates that were not shown, by
    reason, where only some of them are kept.
    """

    query: str
    scopes: tuple[str, ...]
    legs: tuple[LegReport, ...]
    candidates: tuple[Fused, ...] = ()
    tokens: int = 0
    milliseconds: float = 0.0
    later: tuple["Trace", ...] = ()
    intents: tuple[tuple[Intent, float], ...] = ()
    silence: SilenceReason | None = None
    rerank: RerankReport = RerankReport()
    times: tuple[tuple[float, float], ...] = ()
    due: tuple[str, ...] = ()
    worth: float | None = None
    numbers: tuple[tuple[TurnColumn, float], ...] = ()
    left_out: tuple[tuple[Drop, int], ...] = ()

    def kept(self) -> "Trace":
        """What is recorded: what was shown and how the first were found, whose reciprocal ranks
        follow from their hits; why the best of the rest were not shown, and how many there were.
        """
        told = [each for each in self.candidates if each.number is not None]
        shown = [each.kept() for each in told[:EXPLAINED]]
        shown += [Fused(m.memory, (), m.score, number=m.number) for m in told[EXPLAINED:]]
        rest = [each for each in self.candidates if each.number is None]
        best = sorted(rest, key=lambda each: -each.score)
        best = best[: max(0, min(KEPT_BESIDE, MOST_KEPT - len(shown)))]
        counted = Counter(each.drop for each in rest if each.drop is not None)
        return replace(
            self,
            query=self.query[:KEPT_LETTERS],
            candidates=(*shown, *(Fused(b.memory, (), b.score, drop=b.drop) for b in best)),
            later=tuple(later.kept() for later in self.later),
            left_out=tuple(counted.most_common()),
        )


@dataclass(frozen=True, slots=True)
class Recalled:
    """What is put in front of the model: memories by number, the block, and how it came about.

    Where it discloses private memories, `in_common` is what is left without these.
    """

    memories: tuple[Memory, ...]
    block: str
    trace: Trace
    in_common: "Recalled | None" = None

    def followed_by(self, later: "Recalled") -> "Recalled":
        """Both recalls of one turn; the later one's numbers go on after this one's."""
        return Recalled(
            self.memories + later.memories,
            "\n".join(filter(None, (self.block, later.block))),
            replace(self.trace, later=(*self.trace.later, later.trace)),
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
        listed = isinstance(document, list)
        fields: dict[str, Any] = document
        if listed:
            fields = dict(zip(self.fields, cast(list[Any], document), strict=False))
        told: dict[str, Any] = {
            name: self.read[name](each) if name in self.read else each
            for name, each in fields.items()
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
