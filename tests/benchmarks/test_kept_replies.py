"""A model that is asked nothing twice."""

from pathlib import Path

from astrbot_plugin_tidemark.benchmarks.comparing.keeping import Keeping
from astrbot_plugin_tidemark.benchmarks.kept_replies import KeptModel
from astrbot_plugin_tidemark.core.ports import Prompt

from ..kit import ScriptedModel

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
