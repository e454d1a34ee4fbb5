"""The nearest benchmark at a tiny size: it finds what it should, and says why if it does not."""

import json

import pytest
from astrbot_plugin_tidemark.benchmarks import nearest, nearest_run

TINY = ["--worlds", "2x6x1,1x12x4", "--questions", "6", "--json"]


@pytest.mark.parametrize("embedder", ["hashed", "given"])
def test_every_key_is_documented_and_own_words_are_found(
    embedder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert nearest_run.main([*TINY, "--embedder", embedder]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [(each["memories"], each["alike"]) for each in printed["worlds"]] == [(12, 1), (12, 4)]
    for world in printed["worlds"]:
        assert world["own_words@1"] == 1.0
        assert world["nearest@10"] >= world["nearest@1"]
        assert round(world["questions"] * (1 - world["nearest@10"])) == sum(world["lost"].values())
    every = {*printed, *printed["worlds"][0], *printed["worlds"][0]["stages"]}
    assert [key for key in every if f"`{key}`" not in (nearest.__doc__ or "")] == []
