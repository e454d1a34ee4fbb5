"""Odd questions, clocks and outages; what a recall keeps; turns found by their neighbours."""

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.memory import Kind, Status
from astrbot_plugin_tidemark.core.recall.trace import EXPLAINED, KEPT_BESIDE, MOST_KEPT, from_json
from astrbot_plugin_tidemark.scripts.nights import drained
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, folder

from ...kit import learnt, until
from ...rig import START, Rig, open_rig
from ...samples import ANNS
from .conftest import PATIENT

FACT = "Ann keeps bees behind the chapel"
CLAUSES = ("今天下雨", "今天下雨喔天氣很差", "the tram was late", "雨が降った", "😀😀", "", "٣ قطط")


@pytest.mark.parametrize("asked_at", [0, 199])
async def test_a_question_of_200_clauses_finds_what_one_names(rig: Rig, asked_at: int) -> None:
    await rig.keep(FACT, ANNS)
    clauses = [CLAUSES[number % len(CLAUSES)] for number in range(200)]
    clauses[asked_at] = "where are the bees that Ann keeps behind the chapel"
    recalled = await rig.ask(ANNS, "，".join(clauses) + "？")
    assert "m1" in {candidate.memory for candidate in recalled.trace.candidates}


async def test_a_life_of_one_memory_finds_it_and_keeps_it_from_who_greets(rig: Rig) -> None:
    await rig.keep(FACT, ANNS)
    while await rig.engine.backfill.once():
        pass
    assert await rig.texts(ANNS, "Where does Ann keep the bees?") == [FACT]
    assert await rig.texts(ANNS, "Good morning") == []


@pytest.mark.parametrize(("back", "forward"), [(400, 400), (730, 3_650)])
async def test_a_clock_set_back_loses_and_renews_nothing(rig: Rig, back: int, forward: int) -> None:
    await rig.say(ANNS, FACT)
    await rig.settle()
    rig.clock.at = START - back * DAY
    rig.model.answers = [learnt()]
    await rig.sleep(patience=20.0)
    [raw] = await rig.memories(Kind.EVIDENCE)
    assert raw.standing.status is Status.LIVE
    assert FACT in await rig.texts(ANNS, "Where does Ann keep the bees behind the chapel?")
    rig.clock.at = START + forward * DAY
    await rig.sleep(patience=20.0)
    [late] = await rig.memories(Kind.EVIDENCE)
    assert late.standing.status is Status.BINNED
    assert late.created_at == raw.created_at > START - back * DAY


SAID = [f"My sloop number {n} is called Petrel" for n in range(8)]


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await open_rig(tmp_path, PATIENT, store=await ChromaStore.open(tmp_path))
    rig.engine.start()
    yield rig
    await rig.engine.close()


async def test_turns_said_while_chromas_process_is_gone_are_indexed_once_when_another_is_there(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: folder.Folder = rig.store._client.api
    monkeypatch.setattr(folder, "PAUSES", (1.0,))
    first = opened.process
    os.kill(first.pid, signal.SIGKILL)
    for text in SAID:
        await rig.say(ANNS, text)
    await until(lambda: bool(rig.reports))
    assert opened.process is first
    now = rig.clock.at
    # The clock stands still: what a back-off has put off would never be due.
    await until(lambda: opened.process is not first, seconds=60.0)
    assert await drained(rig.engine.worker, 60.0)
    assert rig.clock.at == now
    assert [memory.text for memory in await rig.memories(Kind.EVIDENCE)] == SAID


MANY = 120
LARGEST = 4_096
"""Bytes of JSON; 3 900 or so with more than 30 shown."""


async def test_a_recorded_recall_holds_what_was_shown_and_the_best_of_the_rest(rig: Rig) -> None:
    for number in range(MANY):
        await rig.keep(
            f"tea {number}, garden {number}", ANNS, id=str(uuid5(NAMESPACE_URL, f"{number}"))
        )
    await rig.embedded()
    seq = await rig.say(ANNS, "which tea comes from the garden?")
    recalled = await rig.ask(ANNS, "which tea comes from the garden?", turn=seq)
    recorded = await rig.journal.recollection_of(seq)
    kept = from_json(recorded.trace)
    shown = [each.memory for each in kept.candidates if each.number is not None]
    assert shown == [memory.id for memory in recalled.memories]
    assert len(kept.candidates) == min(MOST_KEPT, len(shown) + KEPT_BESIDE)
    dropped = [each for each in recalled.trace.candidates if each.drop is not None]
    assert sum(count for _, count in kept.left_out) == len(dropped) > 10
    best = max(each.score for each in dropped)
    assert max(each.score for each in kept.candidates if each.drop is not None) == pytest.approx(
        best, abs=1e-3
    )
    assert len(shown) > 30
    assert [bool(each.hits) for each in kept.candidates].count(True) == EXPLAINED
    assert len(recorded.trace.encode()) <= LARGEST
