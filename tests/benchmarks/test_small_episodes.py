"""The benchmark of small episodes: asked as learning asks, kept as learning keeps."""

import json
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks.small_episodes_run import learnt, main

from ..kit import ScriptedModel

EPISODE: dict[str, Any] = {
    "name": "two",
    "lang": "en",
    "turns": [["Lena", "I'm a baker in Graz, off to Rome on 30 May"], ["bot", "Eat at Gino's"]],
    "gold": ["Lena is a baker in Graz", "Lena goes to Rome on 30 May"],
}
REPLY = {
    "facts": [
        {"words": "I'm a baker in Graz", "who": "Lena", "fact": "Lena is a baker", "kind": "work"},
        {"words": "off to Rome on 30 May", "fact": "Lena goes to Rome on 30 May", "kind": "plan"},
        {"words": "Eat at Gino's", "fact": "Lena eats at Gino's", "kind": "plan"},
    ]
}
MAY = 1_746_360_000.0


async def test_what_is_kept_is_told_beside_the_gold() -> None:
    found = await learnt(ScriptedModel([REPLY]), EPISODE, MAY)
    assert found["gold"] == EPISODE["gold"]
    assert [(each["text"], each["kind"], each["due"]) for each in found["facts"]] == [
        ("Lena is a baker", "semantic", None),
        ("Lena goes to Rome on 30 May", "plan", "2025-05-30"),
    ]


async def test_a_reply_that_cannot_be_read_is_told() -> None:
    assert (await learnt(ScriptedModel(["no"]), EPISODE, MAY))["facts"] is None


def test_an_endpoint_that_is_down_reads_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "episodes.json"
    file.write_text(json.dumps([EPISODE]), "utf-8")
    given = ["--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--resume", str(tmp_path)]
    assert main([str(file), *given]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["read"], printed["facts"], printed["wanted"]) == (0, 0, 2)
