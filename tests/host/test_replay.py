"""A recorded conversation through a host of its own, from file to report."""

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.scripts import replay

USER, BOT = "user_1", "robot_1"
TALK = (
    ("2025-06-26T08:00:00Z", USER, "记住，我喜欢吃草莓。"),
    ("2025-06-26T08:00:20Z", BOT, "好的，我记住了。"),
    ("2025-06-27T12:00:00Z", USER, "我喜欢吃什么水果？"),
    ("2025-06-27T12:00:20Z", BOT, "你喜欢吃草莓，我这就去买草莓。"),
)


def recording(folder: Path) -> Path:
    entries = [
        {"create_time": at, "sender": sender, "type": "text", "content": text}
        for at, sender, text in TALK
    ]
    people = {
        USER: {"full_name": "小雨", "role": "user"},
        BOT: {"full_name": "助手", "role": "assistant"},
    }
    meta = {"name": "fruit", "user_details": people}
    file = folder / "talk.json"
    file.write_text(json.dumps({"session_meta": meta, "conversation_list": entries}), "utf-8")
    return file


async def played(
    folder: Path, capsys: pytest.CaptureFixture[str], **options: Any
) -> dict[str, Any]:
    defaults = {"fast_forward": 0.0, "ask_every": 20, "limit": None, "json": True, "keep": False}
    arguments = Namespace(file=recording(folder), **(defaults | options))
    assert await replay.main(arguments, folder / "workspace") == 0
    return json.loads(capsys.readouterr().out)


def learnt(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [fate for fate in report["memories"] if fate["kind"] != "evidence"]


async def test_what_was_said_is_learnt_recalled_judged_and_at_last_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    report = await played(tmp_path, capsys, fast_forward=400.0)
    (taste,) = [fate for fate in learnt(report) if "草莓" in fate["text"]]
    assert taste["by"] == "model"
    assert taste["recalled"] >= 1
    assert taste["useful"] == 1
    assert report["verdicts"][0] >= 1
    # A taste is so until it is said to be over; the words it was told in fade.
    assert taste["status"] == "live"
    fates = {(f["status"], f["reason"]) for f in report["memories"] if f["kind"] == "evidence"}
    assert ("binned", "decayed") in fates
    assert [kept.name for kept in (tmp_path / "workspace").iterdir()] == ["models"]


async def test_a_file_that_is_no_recording_is_refused_before_a_host_is_started(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "talk.json"
    file.write_text("[]")
    arguments = Namespace(file=file, keep=False, json=False, limit=None, ask_every=20)
    assert await replay.main(arguments, tmp_path / "workspace") == 1
    assert "file must be an object" in capsys.readouterr().err
