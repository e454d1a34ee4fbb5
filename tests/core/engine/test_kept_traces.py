"""The record of a recall stays small, however many memories it looked at."""

from uuid import NAMESPACE_URL, uuid5

import pytest
from astrbot_plugin_tidemark.core.recall.trace import EXPLAINED, KEPT_BESIDE, MOST_KEPT
from astrbot_plugin_tidemark.core.recall.trace_document import from_json

from ...rig import Rig
from ...samples import ANNS

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
    assert recorded is not None
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
