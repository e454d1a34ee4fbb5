"""What a million memories cost is told as its documentation says, from two sizes."""

import argparse
from pathlib import Path

from astrbot_plugin_tidemark.benchmarks.scale_cost import measure

from .conftest import documented, keys

SPREAD = {"n", "p5", "p50", "p95", "p99", "max"}


async def test_the_slope_between_two_sizes_is_told(tmp_path: Path) -> None:
    asked = argparse.Namespace(
        sizes=(40, 120), scope=40, queries=6, backends=("sqlite",), seed=1, folder=tmp_path
    )
    told = await measure(asked)
    assert keys(told) - SPREAD - {"sqlite"} <= documented("scale")
    small, large = told["measured"]
    assert (small["memories"], large["memories"], large["scopes"]) == (40, 120, 3)
    assert large["recall_ms"]["n"] == 6
    assert set(told["per_million"]["sqlite"]) == {
        "disk_gb",
        "fill_hours",
        "decay_minutes",
    }
