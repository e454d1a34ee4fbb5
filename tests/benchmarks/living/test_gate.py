"""The gate's comparison of two runs: what moved out of its interval, and what is worse for it."""

from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks.comparing.gate import compared
from astrbot_plugin_tidemark.benchmarks.datasets.reading import NoData


def run(**values: float) -> dict[str, Any]:
    axes = {
        axis.replace("_at_", "@"): {"n": 9, "value": value, "low": value - 0.1, "high": value + 0.1}
        for axis, value in values.items()
    }
    systems = {"tidemark": {"axes": axes}, "words": {"axes": axes}}
    return {"fast": True, "seed": 1, "sets": {"locomo": systems}, "changes": {}}


def test_what_stays_in_its_interval_has_not_moved() -> None:
    told = compared(run(evidence_at_5=0.55), run(evidence_at_5=0.5))
    assert told == {"moved": [], "worse": []}


@pytest.mark.parametrize(
    ("axis", "before", "after", "worse"),
    [
        ("evidence_at_5", 0.5, 0.7, False),
        ("evidence_at_5", 0.5, 0.3, True),
        ("silent_though_found", 0.1, 0.4, True),
        ("tokens_when_idle", 90.0, 20.0, False),
        ("silent_when_idle", 0.9, 0.6, True),
    ],
)
def test_what_moves_is_named_and_so_is_what_is_worse(
    axis: str, before: float, after: float, worse: bool
) -> None:
    told = compared(run(**{axis: after}), run(**{axis: before}))
    assert [line.partition(":")[0] for line in told["moved"]] == [
        f"locomo, tidemark, {axis.replace('_at_', '@')}"
    ]
    assert bool(told["worse"]) is worse


def test_runs_of_different_samples_are_not_compared() -> None:
    with pytest.raises(NoData):
        compared(run() | {"seed": 2}, run())
