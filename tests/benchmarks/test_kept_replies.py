"""A model that is asked nothing twice."""

from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks.comparing.keeping import Keeping
from astrbot_plugin_tidemark.benchmarks.kept_replies import KeptModel
from astrbot_plugin_tidemark.core.model.errors import ModelUnavailable
from astrbot_plugin_tidemark.core.ports import Prompt

from ..kit import DOWN, ScriptedModel

PROMPTS = [Prompt(system, user, {}, "p") for system in "ab" for user in "水x"]


async def test_the_same_prompt_is_asked_once_and_any_other_again(tmp_path: Path) -> None:
    model = ScriptedModel([f"reply {number}" for number in range(9)])
    told: list[str] = []
    for name in ("m", "m", "n"):
        kept = KeptModel(model, name, Keeping(tmp_path, "http://here"))
        told += [(await kept.complete(each, session="s")).text for each in PROMPTS]
        assert kept.spent.calls + kept.spent.kept_calls == len(PROMPTS)
    assert told[:4] == told[4:8] == [f"reply {number}" for number in range(4)]
    assert len(model.prompts) == 8
    assert kept.figures() | {"median_seconds": 0} == {
        "asked": 4,
        "kept": 0,
        "median_tokens": 10,
        "median_seconds": 0,
    }


async def test_a_failure_is_passed_on_and_asked_again(tmp_path: Path) -> None:
    kept = KeptModel(ScriptedModel([DOWN, DOWN, "at last"]), "m", Keeping(tmp_path, "here"))
    with pytest.raises(ModelUnavailable):
        await kept.complete(PROMPTS[0], session="s")
    assert [await kept.reply(PROMPTS[0]) for _ in range(3)] == [None, "at last", "at last"]
