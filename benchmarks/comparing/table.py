"""The scoreboard as Markdown: a table for each set, every figure with its interval. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

SHOWN = {
    "evidence@5": "evidence in 5",
    "evidence@10": "in 10",
    "in_1000_tokens": "in 1 000 tokens",
    "served_precision": "served precision",
    "silent_though_found": "silent though found",
    "silent_when_idle": "silent when nothing is needed",
    "abstention_auc": "told apart (AUC)",
    "current_first": "current first",
    "stale_unmarked": "outdated, unmarked",
    "another's@10": "control: another's evidence",
}
"""Axes by the head of their column."""

COSTS = {
    "ms_p50": "ms a question",
    "ms_per_message": "ms a message",
    "model_calls": "model calls",
    "megabytes": "MB",
}
TIGHT = 10
"""Marks of a bar for the figure 1."""


def table(result: Mapping[str, Any]) -> str:
    """Every set's table, one below the other."""
    told = [
        f"Embedder: {result['embedder']}. Seed {result['seed']}. Brackets: 95 of 100 resamples."
    ]
    for name, systems in result["sets"].items():
        told += ["", f"## {name}", "", *_rows(systems)]
    return "\n".join([*told, ""])


def _rows(systems: Mapping[str, Any]) -> Iterator[str]:
    axes = [axis for axis in SHOWN if any(axis in one["axes"] for one in systems.values())]
    heads = [*(SHOWN[axis] for axis in axes), *COSTS.values()]
    yield f"| system | {' | '.join(heads)} |"
    yield "|---|" + "---|" * len(heads)
    for name, figures in systems.items():
        yield f"| {name} | {' | '.join(_cells(figures, axes))} |"
    yield ""
    yield from _bars(systems, "evidence@10" if "evidence@10" in axes else "current_first")


def _cells(figures: Mapping[str, Any], axes: Sequence[str]) -> Iterator[str]:
    for axis in axes:
        figure = figures["axes"].get(axis)
        yield "" if figure is None else f"{_short(figure['value'])} [{_span(figure)}]"
    for cost in COSTS:
        yield f"{figures['costs'][cost]:g}"


def _bars(systems: Mapping[str, Any], axis: str) -> Iterator[str]:
    """One axis as a chart of characters, which every page shows."""
    widest = max(map(len, systems))
    yield "```text"
    yield SHOWN[axis]
    for name, figures in systems.items():
        figure = figures["axes"].get(axis)
        if figure is not None:
            bar = "#" * round(figure["value"] * 4 * TIGHT)
            yield f"{name:<{widest}} {bar} {_short(figure['value'])}"
    yield "```"


def _span(figure: Mapping[str, float]) -> str:
    return f"{_short(figure['low'])}, {_short(figure['high'])}"


def _short(value: float) -> str:
    return f"{value:.3f}".removeprefix("0") if value < 1 else f"{value:.2f}"
