"""What stands beside a raw turn in its talk."""

from typing import Any

import numpy as np
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin
from astrbot_plugin_tidemark.core.recall.columns import REACH, near_by
from hypothesis import given
from hypothesis import strategies as st

from ...samples import memory


def said(seq: int, episode: str = "e1", **changes: Any) -> Memory:
    origin = Origin("phone", "c1", episode, (seq,))
    return memory(id=f"turn{seq}", kind=Kind.EVIDENCE, origin=origin, **changes)


def beside(own: list[Memory], told: list[float], lifts: list[bool] | None = None) -> list[float]:
    free = np.array(lifts or [True] * len(own), np.bool_)
    found = near_by(own, np.array(told, np.float32), free)
    return [round(value, 4) for value in found.tolist()]


def test_a_turn_has_what_the_better_one_near_it_in_its_talk_tells_more() -> None:
    assert beside([said(3), said(1), said(2)], [0.2, 0.9, 0.5]) == [0.7, 0.0, 0.4]
    own = [said(seq) for seq in range(1, REACH + 3)]
    assert beside(own, [1.0] + [0.0] * (REACH + 1)) == [0.0, *[1.0] * REACH, 0.0]
    other = said(2, "e2")
    learnt = memory(id="learnt", origin=Origin("phone", "c1", "e2", (2,)))
    assert beside([said(1), other, learnt], [0.9, 0.1, 0.1]) == [0.0, 0.0, 0.0]
    assert beside([said(1, ""), said(2, "")], [0.9, 0.1]) == [0.0, 0.0]
    assert beside([said(1), said(2)], [0.9, 0.1], [False, True]) == [0.0, 0.0]


@given(st.lists(st.tuples(st.integers(1, 40), st.floats(-2, 3)), unique_by=lambda one: one[0]))
def test_nothing_is_lifted_above_the_best_beside_it(given_turns: list[tuple[int, float]]) -> None:
    own = [said(seq) for seq, _ in given_turns]
    told = [value for _, value in given_turns]
    lifted = near_by(own, np.array(told, np.float32), np.ones(len(own), np.bool_))
    assert (lifted >= 0.0).all()
    best = max(told, default=0.0)
    assert all(
        up == 0.0 or up <= best - max(0.0, value) + 1e-5
        for up, value in zip(lifted.tolist(), told, strict=True)
    )
