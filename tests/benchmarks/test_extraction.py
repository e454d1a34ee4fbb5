"""The benchmark of extraction, over the model server of the rehearsal."""

import json
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks.datasets.episodes import WRITTEN, episodes_in
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints, NoData
from astrbot_plugin_tidemark.benchmarks.extraction import Outcome, figures, measured
from astrbot_plugin_tidemark.core.capture.reading import Picking
from astrbot_plugin_tidemark.core.endpoints.chat import EndpointChatModel
from astrbot_plugin_tidemark.scripts.hostkit.model_server import MODEL, ModelServer
from astrbot_plugin_tidemark.scripts.rehearsal import respond

EPISODE = {
    "id": "e-001",
    "language": "en",
    "at": "2026-11-10T20:15",
    "turns": [["Ann", "I like jasmine tea"], ["bot", "Nice"], ["Ann", "I live in Bath"]],
    "facts": [{"who": "Ann", "any": ["ann.*jasmine"]}, {"who": "Ann", "any": ["keeps bees"]}],
    "not": ["bath"],
}


async def test_what_is_right_wrong_and_missed_is_told_by_keys(tmp_path: Path) -> None:
    file, outcome = tmp_path / "episodes.jsonl", Outcome()
    file.write_text(json.dumps(EPISODE), "utf-8")
    [episode] = episodes_in(file, Complaints())
    async with ModelServer.running(respond) as server:
        model = EndpointChatModel(server.source.url, "", MODEL, 30.0)
        try:
            await measured(model, episode, outcome, {}, Picking())
        finally:
            await model.aclose()
    found = figures([outcome])
    assert (found["episodes"], found["read_at_first"], found["facts"]) == (1, 1.0, 2)
    assert (found["found"], found["right"], found["wrong"]) == (0.5, 1, 1)
    assert {text.casefold().count("bath") for _, kind, text in outcome.sentences if kind == "wrong"}


def test_the_written_episodes_are_whole(tmp_path: Path) -> None:
    episodes = episodes_in(WRITTEN, Complaints())
    assert [each.language for each in episodes] == ["zh"] * 20 + ["en"] * 20
    for each in episodes:
        names = {turn.speaker.name for turn in each.turns}
        assert {key.who for key in each.keys} <= names - {""}, each.id
    nothing = tmp_path / "nothing.jsonl"
    nothing.touch()
    with pytest.raises(NoData):
        episodes_in(nothing, Complaints())
