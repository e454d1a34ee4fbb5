"""The comparison of policies and the charts, at tiny sizes: what is printed and drawn."""

import json
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks import chart_drawing
from astrbot_plugin_tidemark.benchmarks.forgetting_evaluation import COLUMNS, CURVE, main
from astrbot_plugin_tidemark.core.forgetting.catalogue import NAMES

TINY = ["--days", "12", "--per-day", "3", "--seeds", "5"]


def test_every_policy_is_compared_at_every_share_of_judging(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*TINY, "--shares", "1/6,1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document["judged"]) == ["1/6", "1"]
    for rows in document["judged"].values():
        assert tuple(rows) == NAMES
        assert all(set(row) == {*COLUMNS, *CURVE} for row in rows.values())
        assert all(0 <= figure <= 1 for row in rows.values() for figure in row.values())


def test_chosen_policies_are_printed_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TINY, "--shares", "1", "--policies", "lru,tmd"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 of recalls judged:"
    assert [line.split()[0] for line in lines[2:]] == ["lru", "tmd"]


@pytest.mark.parametrize(
    "option",
    [
        "--days=0",
        "--per-day=x",
        "--seeds=1,,2",
        "--shares=2",
        "--shares=1/0",
        "--policies=tmd,magic",
    ],
)
def test_what_cannot_be_compared_is_refused(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([option])
    assert ended.value.code == 2
    assert option.removeprefix("--").partition("=")[0] in capsys.readouterr().err


def test_three_small_pictures_are_drawn(tmp_path: Path) -> None:
    assert chart_drawing.main(["--folder", str(tmp_path / "new"), "--days", "8"]) == 0
    drawn = sorted((tmp_path / "new").iterdir())
    assert [file.name for file in drawn] == [
        "forgetting-frontier.png",
        "forgetting-survival.png",
        "forgetting-tiers.png",
    ]
    for file in drawn:
        assert file.read_bytes().startswith(b"\x89PNG")
        assert file.stat().st_size < 100_000
