"""The benchmark of extraction, over the model server of the rehearsal and with set replies."""

import json
from collections.abc import Sequence

from astrbot_plugin_tidemark.benchmarks.datasets.locomo import Observation
from astrbot_plugin_tidemark.benchmarks.datasets.world import Said, World
from astrbot_plugin_tidemark.benchmarks.extraction_run import figures, measured
from astrbot_plugin_tidemark.core.endpoints.chat import EndpointChatModel
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.scripts.hostkit.model_server import MODEL, ModelServer
from astrbot_plugin_tidemark.scripts.rehearsal import respond

from ..kit import DOWN, ScriptedModel, item, learnt

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


async def test_only_what_is_borne_out_covers() -> None:
    replies = ScriptedModel(
        [
            "no JSON",
            json.dumps(
                learnt(item("Ann likes jasmine tea", 1), item("Ann keeps bees in 40 hives", 2))
            ),
        ]
    )
    found = figures(await measured(replies, [WORLD], {"w": OBSERVED}))
    assert (found["calls"], found["malformed"], found["tokens"]) == (2, 1, 20)
    assert (found["coverage"], found["grounded"]) == (0.5, 0.5)
    assert found["doubted_for"] == {"number": 1}


async def test_a_model_that_is_down_covers_nothing() -> None:
    found = figures(await measured(ScriptedModel([DOWN]), [WORLD], {"w": OBSERVED}))
    assert (found["unanswered"], found["coverage"], found["grounded"]) == (1, 0.0, None)
