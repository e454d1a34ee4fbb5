"""Drawing the charts of forgetting."""

import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.forgetting.catalogue import NAMES
from ..core.simulation.experiment import Experiment
from ..core.simulation.run import Conditions
from ..core.simulation.summary import Summary
from .command import progress
from .forgetting_evaluation import Plan, curve, installed, workloads_of
from .workloads.frontier import Point

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (7.0, 4.2)
"""Inches."""

RESOLUTION = 90
FADED = ("#9ecae1", "#fdae6b", "#31a354")
"""Of the tiers 0, 1, 2."""


def main(arguments: Sequence[str]) -> int:
    """Draw all three; 2 if matplotlib is missing."""
    top = ArgumentParser(prog="benchmarks.charts")
    top.add_argument("--folder", type=Path, default=Path("docs"))
    top.add_argument("--days", type=int, default=800, help="of the workloads of the frontier")
    top.add_argument("--seed", type=int, default=1)
    options = top.parse_args(arguments)
    try:
        import matplotlib.figure as _  # noqa: F401 - only to know whether it is there
    except ImportError:
        print("charts are drawn with matplotlib: pip install matplotlib", file=sys.stderr)
        return 2
    options.folder.mkdir(parents=True, exist_ok=True)
    year = Experiment(Conditions(days=365), seed=options.seed).run()
    save(tiers(year), options.folder / "forgetting-tiers.png")
    save(survival(year), options.folder / "forgetting-survival.png")
    curves = _curves(options.seed, options.days)
    save(frontier(curves), options.folder / "forgetting-frontier.png")
    return 0


def save(figure: "Figure", file: Path) -> None:
    """As PNG, without the date and the version that would change it each time."""
    figure.savefig(file, dpi=RESOLUTION, metadata={"Software": None})
    progress(f"{file}: {file.stat().st_size / 1024:.0f} KB")


def tiers(summary: Summary) -> "Figure":
    """Living memories by tier, day by day."""
    figure, axes = _figure("day", "living memories", "500 calls a day under TMD")
    days = np.arange(1, len(summary.tiers_by_day) + 1)
    labels = [f"tier {tier}" for tier in range(3)]
    axes.stackplot(days, summary.tiers_by_day.T, labels=labels, colors=FADED)
    axes.set_xlim(1, len(days))
    axes.legend(loc="lower right")
    return figure


def survival(summary: Summary, *, days: int = 120) -> "Figure":
    """Share of each profile that lives longer than so many days."""
    figure, axes = _figure("age in days", "share alive", "Survival by profile under TMD")
    for name, shares in summary.survival.items():
        axes.plot(np.arange(len(shares))[:days], shares[:days], label=name)
    axes.set_ylim(0, 1)
    axes.legend()
    return figure


def frontier(curves: Mapping[str, Sequence[Point]]) -> "Figure":
    """Hit rate over storage, a line per policy; the storage axis is logarithmic."""
    figure, axes = _figure(
        "storage: share of all memories kept",
        "hit rate: share of needs met",
        "What is kept and what of the needed is there, 1/6 of recalls judged",
    )
    for number, (name, points) in enumerate(curves.items()):
        storage, hits = zip(*sorted(points), strict=True)
        bold = name in ("tmd", "tmd+")
        style = "-" if number < 6 else "--"
        axes.plot(storage, hits, style, marker="o", ms=3, lw=2.5 if bold else 1.2, label=str(name))
    axes.set_xscale("log")
    axes.set_xlim(0.01, 1)
    axes.set_ylim(0, 1.02)
    axes.legend(fontsize="small", loc="lower right", ncols=2)
    return figure


def _curves(seed: int, days: int) -> dict[str, list[Point]]:
    policies = dict(installed(NAMES))
    plan = Plan(workloads_of([seed], days, 10), Fraction(1, 6), policies)
    return {name: curve(plan, policy) for name, policy in policies.items()}


def _figure(horizontal: str, vertical: str, title: str) -> tuple["Figure", Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    axes.set(xlabel=horizontal, ylabel=vertical, title=title)
    axes.grid(alpha=0.3)
    return figure, axes
