"""Joined sessions, and the fit that finds where they meet."""

import json
from pathlib import Path

from astrbot_plugin_tidemark.benchmarks.segmentation_run import main

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
            {"session_id": number, "turns": [_turn(name, number, n) for n in range(TURNS)]}
            for number in range(SESSIONS)
        ]
        file = folder / "proactive_zh_dev" / f"{name}_conversations.json"
        file.write_text(json.dumps(sessions))
        file.with_name(f"{name}_proactive_questions.json").write_text("[]")
    return folder


def _turn(name: str, number: int, n: int) -> dict[str, object]:
    role, at = ("user", "assistant")[n % 2], f"2024-03-{number + 1:02}T10:{n:02}:00"
    said = f"{_thing(name, number)} {n}"
    return {"turn_id": n + 1, "role": role, "content": said, "timestamp": at}


def _conversation(name: str) -> dict[str, object]:
    told: dict[str, object] = {}
    for number in range(SESSIONS):
        told[f"session_{number + 1}_date_time"] = f"1:56 pm on {number + 1} May, 2023"
        thing, place = _thing(name, number), f"D{number + 1}"
        told[f"session_{number + 1}"] = [
            {"speaker": "ab"[n % 2], "dia_id": f"{place}:{n + 1}", "text": f"{thing} {n}"}
            for n in range(TURNS)
        ]
    return told


def _thing(name: str, number: int) -> str:
    return f"{name}{'abcdefgh'[number]} {name}{'stuvwxyz'[number]}"


def test_the_figures_are_by_set_and_the_baselines_beside_them(tmp_path: Path, capsys) -> None:
    options = ["--json", "--drawings", "1", "--models", str(tmp_path / "none")]
    assert main(["--data", str(data(tmp_path)), *options]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "missing" in told["meaning"]
    assert told["words"]["f1"].keys() == {"locomo_dev", "proactive_zh_dev", "average"}
    assert told["words"]["f1"]["average"]["mean"] > told["words"]["middle"]["average"]["mean"]
    assert told["words"]["by_conversation"].keys() == {"one", "two", "music", "cooking"}
