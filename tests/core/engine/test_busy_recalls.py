"""Many chats at once on a busy machine: words alone answer, and what was cut off is counted."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from threading import Event, Thread
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.engine.engine import RecallRequest
from astrbot_plugin_tidemark.core.recall.trace import Leg, LegState, Recalled, SilenceReason
from astrbot_plugin_tidemark.core.recall.trace_document import from_json
from astrbot_plugin_tidemark.core.settings import RecallSettings

from ...kit import place
from ...rig import Rig
from ...samples import ANNS

CHATS = 24
FACT = "The hives stand behind the old chapel"
QUESTION = "hives behind the chapel"


@pytest.fixture(params=[(5_000, 0), (300, 3)], ids=["vectors are late", "no processor is free"])
def changes(request: pytest.FixtureRequest) -> Iterator[dict[str, object]]:
    """A deadline, and threads that compute all the while, as those of other plugins may."""
    deadline, threads = request.param
    over = Event()

    def compute() -> None:
        while not over.is_set():
            sum(range(2_000))

    computing = [Thread(target=compute) for _ in range(threads)]
    for thread in computing:
        thread.start()
    yield {"recall": RecallSettings(deadline_ms=deadline)}
    over.set()
    for thread in computing:
        thread.join()


async def asked_by_all(rig: Rig, turns: list[int]) -> list[Recalled | None]:
    """A recall for each turn, all side by side."""
    asks = [RecallRequest(ANNS, QUESTION, turn, place=place(ANNS)) for turn in turns]
    found = await asyncio.gather(*(rig.engine.recall(ask) for ask in asks))
    await rig.engine.recorded()
    return found


async def test_words_alone_answer_while_vectors_are_late_and_what_is_cut_off_is_counted(
    rig: Rig, changes: dict[str, Any]
) -> None:
    await rig.keep(FACT, ANNS)
    await rig.embedded()
    rig.embedder.gate = asyncio.Event()
    turns = [await rig.say(ANNS, QUESTION, session=f"chat {n}") for n in range(CHATS)]
    found = await asked_by_all(rig, turns)
    answered = [each for each in found if each is not None]
    for recalled in answered:
        assert [memory.text for memory in recalled.memories][:1] == [FACT]
        states = {report.leg: report.state for report in recalled.trace.legs}
        assert (states[Leg.SEMANTIC], states[Leg.TEXT]) == (LegState.LATE, LegState.OK)
    if changes["recall"].deadline_ms == 5_000:
        assert len(answered) == CHATS
    traces = [from_json(each.trace) for each in await rig.journal.newest_recollections(limit=100)]
    reasons = Counter(trace.silence for trace in traces)
    assert reasons == Counter({None: len(answered), SilenceReason.LATE: CHATS - len(answered)})
    counted = {name: each.count for name, each in rig.engine.incidents.snapshot().items()}
    assert counted.get("recall", 0) == CHATS - len(answered)
    assert counted.get("semantic leg", 0) == len(answered)
    told = [report for report in rig.reports if report.startswith("recall (failure 1)")]
    assert len(told) == (len(answered) < CHATS)
