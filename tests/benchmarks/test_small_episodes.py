"""The benchmark of small episodes: asked as learning asks, kept as learning keeps."""

from typing import Any

from astrbot_plugin_tidemark.benchmarks.small_episodes_run import learnt

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
