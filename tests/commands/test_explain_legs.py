"""What `why`, `search` and `health` tell of legs and of a reranker."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.graph.communities import CAUSED_BY
from astrbot_plugin_tidemark.core.model.errors import RerankResting, RerankUnavailable
from astrbot_plugin_tidemark.core.model.knowledge import Relation
from astrbot_plugin_tidemark.core.recall.trace import LegState, RerankReport

from ..kit import FakeReranker
from ..samples import DAY
from .chat.test_explain import recorded
from .command_rig import ANN, NOW, CommandRig


async def why(rig: CommandRig, question: str) -> list[str]:
    turn = await rig.say(question)
    await rig.engine.recalls.recall(RecallRequest(ANN.scope, question, turn))
    await rig.engine.recalls.recorded()
    return (await rig.ask("why", "--numbers")).splitlines()


async def test_the_time_that_was_asked_about_is_told(rig: CommandRig) -> None:
    await rig.remember("Goats in the kitchen", created_at=NOW - DAY, happened_at=NOW - DAY)
    lines = await why(rig, "What did we talk about yesterday?")
    day = datetime.fromtimestamp(NOW - DAY, UTC).date().isoformat()
    (told,) = [line for line in lines if line.startswith("Time asked about: ")]
    assert day in told
    assert any(line.startswith("By time: 1 hits") for line in lines)
    assert any("Goats in the kitchen" in line for line in lines)
    lines = await why(rig, "What is Ann allergic to, peanuts?")
    assert not any(line.startswith(("Time asked about", "By time")) for line in lines)


async def test_a_cause_names_the_memory_that_led_to_it(rig: CommandRig) -> None:
    flood = await rig.remember("Water everywhere")
    text = "Ann moved the hives behind the chapel"
    moved = await rig.remember(
        text, relations=(Relation("moved", CAUSED_BY, flood.id),), id="moved"
    )
    lines = await why(rig, "Why did Ann move the hives behind the chapel?")
    (cause,) = [line for line in lines if "causes#1" in line]
    assert f"(from {moved.id})" in cause


BOSS = replace(ANN, admin=True)
QUESTION = "Where are my hives?"
reranker = pytest.fixture(lambda: FakeReranker(otherwise=0.25))


@pytest.fixture
async def hives(rig: CommandRig, reranker: FakeReranker) -> CommandRig:
    """A rig with two memories that answer the question alike."""
    for where in ("chapel", "orchard"):
        await rig.remember(f"the hives are at the {where}")
    reranker.judgements = {"the hives are at the orchard": 0.875}
    return rig


async def why_judged(rig: CommandRig) -> str:
    turn = await rig.say(QUESTION)
    await rig.engine.recalls.recall(RecallRequest(ANN.scope, QUESTION, turn))
    await rig.engine.recalls.recorded()
    return await rig.ask("why", "--numbers")


async def test_why_tells_what_was_judged_and_each_judgement(hives: CommandRig) -> None:
    lines = (await why_judged(hives)).splitlines()
    assert any(line.startswith("Reranker: judged 2 of 2 in ") for line in lines)
    first = next(place for place, line in enumerate(lines) if line.startswith("[1] "))
    assert "orchard" in lines[first]
    assert lines[first + 1].endswith("reranker 0.88")
    assert lines[first + 3].endswith("reranker 0.25")


async def test_a_reranker_that_is_down_is_named(hives: CommandRig, reranker: FakeReranker) -> None:
    reranker.failure = RerankUnavailable("no answer")
    answer = await why_judged(hives)
    assert "Reranker: failed (reranker not available: “no answer”)" in answer
    assert "reranker 0" not in answer
    health = await hives.ask("health", by=BOSS)
    assert "reranking" in health
    assert "reranker not available: “no answer”" in health


async def test_a_search_tells_of_the_reranker(hives: CommandRig, reranker: FakeReranker) -> None:
    lines = (await hives.ask("search", "--explain hives")).splitlines()
    assert lines[2].endswith("reranker 0.88")
    assert lines[-1].startswith("Reranker: judged 2 of 2 in ")
    reranker.failure = RerankResting("five failures")
    assert "Reranker: left alone for a while" in await why_judged(hives)
    assert "rerank" not in await hives.ask("health", by=BOSS)


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
