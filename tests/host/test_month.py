"""A tiny life played through a host of its own; what was played is not played again."""

from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks.lived import playing
from astrbot_plugin_tidemark.benchmarks.lived.life import read
from astrbot_plugin_tidemark.benchmarks.month import report

LIFE = """at 2025-09-01 Asia/Shanghai\n# day 1\n08:00 小雨: 记住，我喜欢吃草莓。\n+ f1 小雨: 草莓
08:00 bot: 好的。\n08:01 小雨: 早\n# day 2\n12:00 小雨: 我喜欢吃什么水果？\n? f1"""


async def test_a_life_is_played_day_by_day_and_goes_on_after_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "TURNS", 1)
    life, learner = read("zh_tiny", LIFE), playing.Learner(None)
    runs = [
        await playing.played(life, learner, tmp_path, days=days, models=tmp_path)
        for days in (1, 2, 2)
    ]
    assert runs[0] == runs[1][:1]
    assert runs[1] == runs[2]
    figures = report([life], {life.name: runs[2]})
    assert [day["learnt"] for day in figures["lives"]["zh_tiny"]["days"]] == [1, 0]
    assert figures["totals"]["answered"]["value"] == 1.0
