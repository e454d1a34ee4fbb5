"""The chart of the scoreboard: one axis of every set, a bar for each system."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..chart_drawing import save

AXES = ("evidence@10", "both_sides", "current_first")
"""A set is drawn by the first of these that it has."""

NAMES = {
    "evidence@10": "of what is needed, among the first ten",
    "both_sides": "both sides of a contradiction",
    "current_first": "the present after a change first",
}
COLOURS = (
    "#bdbdbd",
    "#9ecae1",
    "#6baed6",
    "#31a354",
    "#fdae6b",
    "#756bb1",
    "#e377c2",
    "#8c6d31",
    "#17becf",
)
HEIGHT = 0.24
"""Inches of a bar."""


def draw(file: Path, sets: Mapping[str, Any]) -> None:
    """As PNG. Raises ImportError without matplotlib."""
    from matplotlib.figure import Figure

    rows = [(name, axis) for name, systems in sets.items() if (axis := _axis(systems))]
    bars = sum(len(sets[name]) + 2 for name, _ in rows)
    figure = Figure(figsize=(7.0, max(2.0, bars * HEIGHT)), layout="constrained")
    plots = figure.subplots(
        len(rows),
        sharex=True,
        squeeze=False,
        height_ratios=[len(sets[name]) + 1 for name, _ in rows],
    )
    for (name, axis), (plot,) in zip(rows, plots, strict=True):
        _bars(plot, sets[name], axis)
        plot.set_title(f"{name}: {NAMES[axis]}", fontsize="medium", loc="left")
    save(figure, file)


def _axis(systems: Mapping[str, Any]) -> str | None:
    return next((a for a in AXES if any(a in one["axes"] for one in systems.values())), None)


def _bars(plot: Any, systems: Mapping[str, Any], axis: str) -> None:
    told = [(name, one["axes"][axis]) for name, one in systems.items() if axis in one["axes"]]
    names, figures = zip(*told, strict=True)
    values = [figure["value"] for figure in figures]
    errors = [
        [figure["value"] - figure["low"] for figure in figures],
        [figure["high"] - figure["value"] for figure in figures],
    ]
    colours = [COLOURS[number % len(COLOURS)] for number in range(len(names))]
    plot.barh(names, values, xerr=errors, color=colours, ecolor="#444444", capsize=2)
    plot.invert_yaxis()
    plot.set_xlim(0, 1)
    plot.grid(axis="x", alpha=0.3)
