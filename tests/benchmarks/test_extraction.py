"""The benchmark of extraction, over the model server of the rehearsal and with set replies."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks.datasets.locomo import Observation
from astrbot_plugin_tidemark.benchmarks.datasets.world import Said, World
from astrbot_plugin_tidemark.benchmarks.extraction_run import figures, main, measured
from astrbot_plugin_tidemark.core.endpoints.chat import EndpointChatModel
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.scripts.hostkit.model_server import MODEL, ModelServer
from astrbot_plugin_tidemark.scripts.rehearsal import respond

ANN = Speaker("Ann", "Ann")
SAID = (
    Said(ANN, "I like jasmine tea", 1_750_000_000.0, "D1:1"),
    Said(ANN, "I live in Bath and I keep bees", 1_750_000_001.0, "D1:2"),
)
WORLD = World("w", Scope(ScopeKind.GROUP, "locomo", "w"), 1_750_000_010.0, SAID)
OBSERVED: Sequence[Observation] = (
    Observation("Ann", "Ann likes jasmine tea", 1, frozenset({"D1:1"})),
    Observation("Ann", "Ann keeps bees", 1, frozenset({"D1:2"})),
)


async def test_the_rehearsal_model_is_measured_over_http() -> None:
    async with ModelServer.running(respond) as server:
        model = EndpointChatModel(server.source.url, "", MODEL, 30.0)
        try:
            found = figures(await measured(model, [WORLD], {"w": OBSERVED}))
        finally:
            await model.aclose()
    assert (found["episodes"], found["calls"], found["unanswered"]) == (1, 1, 0)
    assert found["observations"] == 2
    assert found["memories"] > 0


def refused(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        main(["--data", ".", "--endpoint", "http://x", "--model", "m", *arguments])
    return capsys.readouterr().err


def a_session(data: Path) -> None:
    """LoCoMo's folder with one short session."""
    said = [{"speaker": "Ann", "dia_id": "D1:1", "text": "I like jasmine tea"}]
    conversation = {
        "speaker_a": "Ann",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": said,
    }
    sample = {"sample_id": "w", "conversation": conversation, "qa": []}
    folder = data / "locomo_dev"
    folder.mkdir(parents=True)
    (folder / "one.json").write_text(json.dumps([sample]), "utf-8")


def test_a_second_run_asks_nothing_and_tells_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_session(tmp_path)

    async def serve_and_run(*runs: Sequence[str]) -> list[dict[str, Any]]:
        async with ModelServer.running(respond) as server:
            command = ["--endpoint", server.source.url, "--model", MODEL, "--key", "secret"]
            command += ["--data", str(tmp_path), "--resume", str(tmp_path / "kept"), "--json"]
            told: list[dict[str, Any]] = []
            for more in runs:
                assert await asyncio.to_thread(main, [*command, *more]) == 0
                told.append(json.loads(capsys.readouterr().out) | {"seen": len(server.requests)})
            return told

    first, second, other = asyncio.run(serve_and_run([], [], ["--model", "other"]))
    assert "error: argument --parameters" in refused(["--parameters", "[]"], capsys)
    assert (first["asked"], first["kept"], first["seen"]) == (1, 0, 1)
    assert (second["asked"], second["kept"], second["seen"]) == (0, 1, 1)
    counts = {"asked", "kept"}
    assert {k: v for k, v in first.items() if k not in counts} == {
        k: v for k, v in second.items() if k not in counts
    }
    assert (other["asked"], other["seen"]) == (1, 2)
    assert "secret" not in "".join(file.read_text() for file in (tmp_path / "kept").iterdir())
