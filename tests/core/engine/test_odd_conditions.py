"""Questions of any length and script, a life of one memory, and a clock that is set back."""

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.memory import Kind, Status

from ...kit import learnt
from ...rig import START, Rig
from ...samples import ANNS

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
    await rig.engine.sleep(patience=20.0)
    [raw] = await rig.memories(Kind.EVIDENCE)
    assert raw.standing.status is Status.LIVE
    assert FACT in await rig.texts(ANNS, "Where does Ann keep the bees behind the chapel?")
    rig.clock.at = START + forward * DAY
    await rig.engine.sleep(patience=20.0)
    [late] = await rig.memories(Kind.EVIDENCE)
    assert late.standing.status is Status.BINNED
    assert late.created_at == raw.created_at > START - back * DAY
