"""The benchmark of enrichment: asked as sleep asks, and held against what a hand has listed."""

import json
from pathlib import Path

from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.benchmarks.enrichment import WRITTEN, Outcome, asked, figures, keyed_in

from ..kit import ScriptedModel

NOTE = {"letter": "A", "entities": ["Duarte", "Ann's brother"], "event": "exam", "mood": "positive"}
FOUND = {
    "notes": [
        {**NOTE, "asked": ["Which lawyer is in the family?"]},
        {"letter": "B", "entities": ["Crumb"], "cause": "A"},
    ]
}


def written(folder: Path) -> Path:
    lines = [
        {"text": "Ann's brother Duarte studies law in Coimbra", "entities": ["Duarte", "Coimbra"]},
        {"text": "Ann buys at Crumb", "entities": ["Crumb"]},
        {"text": "Ann has a cold", "entities": []},
    ]
    own = {"language": "en", "who": "Ann", "also": []}
    told = [
        {**own, "id": f"en-00{n}", "day": f"2026-01-0{n}", **each}
        for n, each in enumerate(lines, 1)
    ]
    path = folder / "memories.jsonl"
    path.write_text("\n".join(map(json.dumps, told)), "utf-8")
    return path


async def test_what_is_found_is_held_against_the_list(tmp_path: Path) -> None:
    keyed = keyed_in(written(tmp_path), Complaints())
    outcome = await asked(ScriptedModel([FOUND]), keyed, 15)
    found = figures(keyed, outcome)
    assert (found["calls"], found["read"], found["told"], found["memories"]) == (1, 1, 2, 3)
    counts = {"right": 2, "wrong": 1, "missed": 1}
    assert found["entities"]["all"] == {**counts, "precision": 0.667, "recall": 0.667}
    assert found["entities"]["zh"]["right"] == 0
    assert found["notes"][0]["entities"] == [["Duarte", "thing"], ["Ann's brother", "thing"]]


async def test_a_reply_that_cannot_be_read_finds_nothing(tmp_path: Path) -> None:
    keyed = keyed_in(written(tmp_path), Complaints())
    assert await asked(ScriptedModel(["no"]), keyed, 2) == Outcome(calls=2)


def test_the_written_memories_are_a_hundred_and_hold_the_names_that_are_listed() -> None:
    keyed = keyed_in(WRITTEN, Complaints())
    assert [sum(each.language == code for each in keyed) for code in ("zh", "en")] == [50, 50]
    for each in keyed:
        text = each.memory.text.casefold()
        assert all(name in text for name in each.names | each.also), each.memory.id
