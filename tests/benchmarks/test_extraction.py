"""The benchmark of extraction, over the model server of the rehearsal."""

from collections.abc import Sequence

from astrbot_plugin_tidemark.benchmarks.datasets.locomo import Observation
from astrbot_plugin_tidemark.benchmarks.datasets.world import Said, World
from astrbot_plugin_tidemark.benchmarks.extraction_run import figures, measured
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
