"""A turn whose candidates a reranker judges: what it may change, and what holds without it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.errors import RerankResting
from astrbot_plugin_tidemark.core.model.memory import Succession, Successor
from astrbot_plugin_tidemark.core.recall import trace
from astrbot_plugin_tidemark.core.recall.trace import LegState, RerankReport, from_json
from astrbot_plugin_tidemark.core.scoring.decision import Fitted
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings

from ...kit import FakeReranker
from ...rig import Rig, open_rig
from ...samples import ANNS

HIVES = "Where are my hives?"
CHAPEL, ORCHARD = "the hives are at the chapel", "the hives are in the orchard"
DEADLINE = 600
judge = pytest.fixture(lambda: FakeReranker())


@pytest.fixture
async def rig(tmp_path: Path, judge: FakeReranker, fitted: Fitted) -> AsyncIterator[Rig]:
    recall = RecallSettings(deadline_ms=DEADLINE)
    rig = await open_rig(tmp_path, Settings(recall=recall), reranker=judge, fitted=fitted)
    rig.engine.start()
    yield rig
    await rig.engine.close()


async def keep_both(rig: Rig) -> None:
    for number, text in enumerate((CHAPEL, ORCHARD)):
        await rig.keep(text, ANNS, id=f"hive{number}")


def incident(rig: Rig) -> int:
    found = rig.engine.incidents.snapshot().get("rerank")
    return 0 if found is None else found.count


async def test_its_judgements_are_recorded_with_the_recall(rig: Rig, judge: FakeReranker) -> None:
    await keep_both(rig)
    judge.judgements = {CHAPEL: 0.9, ORCHARD: None}
    seq = await rig.say(ANNS, HIVES)
    recalled = await rig.ask(ANNS, HIVES, turn=seq)
    recorded = await rig.journal.recollection("qq:private:901")
    told = from_json(recorded.trace)
    assert recorded.trace == trace.recorded(recalled.trace)
    assert (told.rerank.state, told.rerank.asked, told.rerank.judged) == (LegState.OK, 2, 1)
    # The turn itself may be indexed by now, and be a candidate too.
    judged = {c.memory: c.rerank for c in told.candidates if c.memory.startswith("hive")}
    assert judged == {"hive0": 0.9, "hive1": None}


@pytest.mark.parametrize("fitted", [FITTED])
@pytest.mark.parametrize("text", ["good morning", "!!!", "Do you like zeppelins?"])
async def test_it_breaks_no_silence(rig: Rig, judge: FakeReranker, text: str) -> None:
    await keep_both(rig)
    judge.otherwise = 1.0
    recalled = await rig.ask(ANNS, text)
    assert recalled.memories == ()
    assert recalled.trace.silence is not None
    assert recalled.trace.rerank == RerankReport()
    assert judge.asked == []


async def test_updates_go_first_and_a_rest_counts_nothing(rig: Rig, judge: FakeReranker) -> None:
    await rig.keep(CHAPEL, ANNS, id="old", successor=Successor("new", Succession.UPDATES))
    await rig.keep(ORCHARD, ANNS, id="new")
    judge.judgements = {CHAPEL: 1.0, ORCHARD: 0.0}
    assert [m.id for m in (await rig.ask(ANNS, HIVES)).memories] == ["new", "old"]
    await keep_both(rig)
    judge.failure = RerankResting("it has failed again and again")
    recalled = await rig.ask(ANNS, HIVES)
    assert len(recalled.memories) == 2
    assert recalled.trace.rerank == RerankReport(problem="it has failed again and again")
    assert incident(rig) == 0


async def test_a_search_by_hand_is_judged_and_no_other_scope(rig: Rig, judge: FakeReranker) -> None:
    await keep_both(rig)
    judge.judgements[ORCHARD] = 0.9
    found = await rig.engine.recall_requests.search(frozenset({ANNS.key}), "hives", limit=5)
    assert found.memories[0].text == ORCHARD
    assert found.trace.rerank.judged == 2
    secret = "Ben's hives are in the cellar"
    await rig.keep(secret, replace(ANNS, subject="902"), id="bens")
    await rig.ask(ANNS, HIVES)
    assert all(secret not in documents for _, documents in judge.asked)
