"""What `why`, `search` and `health` tell of a reranker."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.engine.engine import RecallRequest
from astrbot_plugin_tidemark.core.model.errors import RerankResting, RerankUnavailable
from astrbot_plugin_tidemark.core.recall.trace import LegState, RerankReport, Trace

from ..kit import FakeReranker
from .chat.test_explain import recorded
from .command_rig import ANN, CommandRig

BOSS = replace(ANN, admin=True)
QUESTION = "Where are my hives?"


@pytest.fixture
def reranker() -> FakeReranker:
    return FakeReranker(otherwise=0.25)


@pytest.fixture
async def hives(rig: CommandRig, reranker: FakeReranker) -> CommandRig:
    """A rig with two memories that answer the question alike."""
    for where in ("chapel", "orchard"):
        await rig.remember(f"the hives are at the {where}")
    reranker.judgements = {"the hives are at the orchard": 0.875}
    return rig


async def why(rig: CommandRig) -> str:
    turn = await rig.say(QUESTION)
    await rig.engine.recall(RecallRequest(ANN.scope, QUESTION, turn))
    await rig.engine.recorded()
    return await rig.ask("why", "--numbers")


async def test_why_tells_what_was_judged_and_each_judgement(hives: CommandRig) -> None:
    lines = (await why(hives)).splitlines()
    assert any(line.startswith("Reranker: judged 2 of 2 in ") for line in lines)
    first = next(place for place, line in enumerate(lines) if line.startswith("[1] "))
    assert "orchard" in lines[first]
    assert lines[first + 1].endswith("reranker 0.88")
    assert lines[first + 3].endswith("reranker 0.25")


async def test_why_and_health_name_a_reranker_that_is_down(
    hives: CommandRig, reranker: FakeReranker
) -> None:
    reranker.failure = RerankUnavailable("no answer")
    answer = await why(hives)
    assert "Reranker: failed (reranker not available: “no answer”)" in answer
    assert "reranker 0" not in answer
    health = await hives.ask("health", by=BOSS)
    assert "reranking" in health
    assert "reranker not available: “no answer”" in health


async def test_why_says_that_a_reranker_rests(hives: CommandRig, reranker: FakeReranker) -> None:
    reranker.failure = RerankResting("five failures")
    assert "Reranker: left alone for a while" in await why(hives)
    assert "rerank" not in await hives.ask("health", by=BOSS)


async def test_an_explained_search_tells_of_the_reranker(hives: CommandRig) -> None:
    lines = (await hives.ask("search", "--explain hives")).splitlines()
    assert lines[2].endswith("reranker 0.88")
    assert lines[-1].startswith("Reranker: judged 2 of 2 in ")


async def test_a_plain_search_tells_what_failed(hives: CommandRig, reranker: FakeReranker) -> None:
    assert "eranker" not in await hives.ask("search", "hives")
    reranker.failure = RerankUnavailable("no answer")
    answer = await hives.ask("search", "hives")
    assert answer.endswith("(the reranker did not answer; the order is that of the search)")


@pytest.mark.parametrize("state", LegState)
async def test_every_state_has_words_or_none(rig: CommandRig, state: LegState) -> None:
    report = RerankReport(state, 20, 20, 9.0)
    await recorded(rig, rerank=report)
    told = [
        line
        for line in (await rig.ask("why", "--numbers")).splitlines()
        if line.startswith("Reranker:")
    ]
    assert len(told) == (state is not LegState.OFF)


async def test_without_a_reranker_nothing_is_said_of_one(rig: CommandRig) -> None:
    assert Trace("", (), ()).rerank == RerankReport(LegState.OFF)
    await recorded(rig)
    assert "eranker" not in await rig.ask("why", "--numbers")
