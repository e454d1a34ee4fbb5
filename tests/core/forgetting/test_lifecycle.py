"""Archive, bin and restore: what each move keeps, and which moves are none."""

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import (
    DAY,
    BinPolicy,
    accessed,
    archived,
    restored,
    to_bin,
)
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.memory import Access, Memory, Standing, Status, Vitality

from ...samples import memory

BIN = BinPolicy(30.0)


def binned(**changes: object) -> Memory:
    return to_bin(memory(**changes), now=100.0, reason="decayed", policy=BIN)


def test_only_the_binned_with_its_reason_is_restored_and_ages_anew() -> None:
    assert binned().standing == Standing(Status.BINNED, 100.0, "decayed", 100.0 + 30 * DAY)
    stored = archived(memory(), now=5.0, reason="old")
    assert to_bin(stored, now=6.0, reason="x", policy=BIN).standing.status is Status.BINNED
    assert to_bin(binned(), now=900.0, reason="again", policy=BIN) == binned()
    assert archived(memory(), now=5.0, reason="old").standing == Standing(
        Status.ARCHIVED, 5.0, "old"
    )
    assert archived(binned(), now=5.0, reason="old") == binned()
    assert restored(memory(), now=9.0, reason="by ann", strength=8) == memory()
    later = 400 * DAY
    again = restored(binned(vitality=Vitality(0)), now=later, reason="by ann", strength=4)
    assert Tmd().plan.faded(again, now=later + 1).strength == 4
    assert Tiered(Tmd()).forgotten_at(again) == later + 12 * DAY
    seen = accessed(accessed(memory(), now=50.0), now=20.0)
    assert seen.access == Access(0.0, 50.0, 3)


@pytest.mark.parametrize(("left", "given", "after"), [(0, 4, 4), (7, 4, 7)])
def test_a_restored_memory_has_the_strength_given(left: int, given: int, after: int) -> None:
    again = restored(binned(vitality=Vitality(left)), now=9.0, reason="by ann", strength=given)
    assert again.standing == Standing(Status.LIVE, 9.0, "by ann")
    assert again.vitality.strength == after
