"""Joined sessions, and the fit that finds where they meet."""

import json
from pathlib import Path

from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.benchmarks.segmentation_fit import Known, fitted, named
from astrbot_plugin_tidemark.benchmarks.segmentation_run import main
from astrbot_plugin_tidemark.benchmarks.segmentation_stretches import LEAST_KEPT, stretches
from astrbot_plugin_tidemark.core.scoring.boundaries import AGAINST, signals

SESSIONS, TURNS = 6, 12


def data(folder: Path) -> Path:
    """Two people's chats in each set, each session about a thing of its own."""
    locomo = [
        {"sample_id": name, "conversation": _conversation(name), "qa": []}
        for name in ("one", "two")
    ]
    (folder / "locomo_dev").mkdir()
    (folder / "locomo_dev" / "locomo_dev.json").write_text(json.dumps(locomo))
    (folder / "proactive_zh_dev").mkdir()
    for name in ("music", "cooking"):
        sessions = [
            {
                "session_id": number,
                "turns": [
                    {
                        "turn_id": n + 1,
                        "role": "user" if n % 2 == 0 else "assistant",
                        "content": f"{_thing(name, number)} {n}",
                        "timestamp": f"2024-03-{number + 1:02}T10:{n:02}:00",
                    }
                    for n in range(TURNS)
                ],
            }
            for number in range(SESSIONS)
        ]
        file = folder / "proactive_zh_dev" / f"{name}_conversations.json"
        file.write_text(json.dumps(sessions))
        file.with_name(f"{name}_proactive_questions.json").write_text("[]")
    return folder


def _conversation(name: str) -> dict[str, object]:
    told: dict[str, object] = {}
    for number in range(SESSIONS):
        told[f"session_{number + 1}_date_time"] = f"1:56 pm on {number + 1} May, 2023"
        told[f"session_{number + 1}"] = [
            {
                "speaker": "ab"[n % 2],
                "dia_id": f"D{number + 1}:{n + 1}",
                "text": f"{_thing(name, number)} {n}",
            }
            for n in range(TURNS)
        ]
    return told


def _thing(name: str, number: int) -> str:
    return f"{name}{'abcdefgh'[number]} {name}{'stuvwxyz'[number]}"


def test_of_each_session_a_part_is_left_and_the_boundary_is_where_they_meet(tmp_path: Path) -> None:
    drawn = stretches(data(tmp_path), 2, 1, Complaints())
    joined = [each for each in drawn if each.boundary is not None]
    assert len(joined) == len(drawn) / 2 == 2 * 2 * 2 * SESSIONS // 2
    for each in joined:
        sides = each.turns[: each.boundary], each.turns[each.boundary :]
        things = [{turn.text.rpartition(" ")[0] for turn in side} for side in sides]
        assert [len(thing) for thing in things] == [1, 1]
        assert things[0] != things[1]
        for side in sides:
            numbers = [int(turn.text.rpartition(" ")[2]) for turn in side]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
            assert len(numbers) >= LEAST_KEPT
            assert {0, TURNS - 1}.isdisjoint(numbers)
    assert len({len(each.turns) for each in joined}) > 4
    assert drawn == stretches(tmp_path, 2, 1, Complaints())


def test_a_fit_finds_it_and_weighs_nothing_against_its_sense(tmp_path: Path) -> None:
    drawn = stretches(data(tmp_path), 1, 1, Complaints())
    known = [Known(each, signals(each.turns, None)) for each in drawn]
    model = fitted(known, meaning=False)
    assert all(model.weights.get(column, 0.0) <= 0.0 for column in AGAINST)
    joined = [each for each in known if each.stretch.boundary is not None]
    assert all(named(each, model) == each.stretch.boundary for each in joined)
    assert [each.stretch.boundary for each in known] == [
        named(each, model, may_be_none=True) for each in known
    ]


def test_the_figures_are_by_set_and_the_baselines_beside_them(tmp_path: Path, capsys) -> None:
    options = ["--json", "--drawings", "1", "--models", str(tmp_path / "none")]
    assert main(["--data", str(data(tmp_path)), *options]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "missing" in told["meaning"]
    assert told["words"]["f1"].keys() == {"locomo_dev", "proactive_zh_dev", "average"}
    assert told["words"]["f1"]["average"]["mean"] > told["words"]["middle"]["average"]["mean"]
    assert told["words"]["by_conversation"].keys() == {"one", "two", "music", "cooking"}
