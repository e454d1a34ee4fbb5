"""The comparison of policies and the charts, at tiny sizes: what is printed and drawn."""

import json

import pytest
from astrbot_plugin_tidemark.benchmarks.forgetting_evaluation import COLUMNS, CURVE, main
from astrbot_plugin_tidemark.core.forgetting.catalogue import NAMES

TINY = ["--days", "12", "--per-day", "3", "--seeds", "5"]


def test_every_policy_is_compared_at_every_judging(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TINY, "--shares", "1/6,1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document["judged"]) == ["1/6", "1"]
    for rows in document["judged"].values():
        assert tuple(rows) == NAMES
        assert all(set(row) == {*COLUMNS, *CURVE} for row in rows.values())
        assert all(0 <= figure <= 1 for row in rows.values() for figure in row.values())
