"""What an episode says, held against what was learnt of it."""

from dataclasses import replace

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.model.conversation import Place, Role, Speaker, Turn
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.records.evidence import (
    Compared,
    compared,
    evidence_id,
    needs_rereading,
    overlooked,
    to_read_again,
)

from ...samples import memory

JOURNAL = "6f1c1a52-0c9a-4d0e-9a52-1f0f0f0f0f0f"
ANN, BEN = Speaker("1", "Ann"), Speaker("2", "Ben")
GROUP = "group/qq/5000/%2A"


def turn(seq: int, text: str, role: Role = Role.USER, **changes: object) -> Turn:
    said = Turn(seq, "e", Place("s", "c", GROUP), role, ANN, text, float(seq))
    return replace(said, **changes)


def told(text: str, *learnt: Memory) -> float:
    [only] = compared([turn(1, text)], learnt, {}, {}, JOURNAL)
    return only.told


def known(text: str, speaker: Speaker = ANN) -> Memory:
    return memory(text, scope=GROUP, speaker=speaker)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("I moved to Leeds last spring, at last", "Ann moved to Leeds in spring"),
        ("我妹妹在郊区养了两箱蜜蜂", "安的妹妹养了两箱蜜蜂"),
    ],
)
def test_a_memory_in_the_words_of_a_turn_tells_it(said: str, learnt: str) -> None:
    assert told(said, known(learnt)) >= 0.5
    assert told(said, known("Something else altogether, 完全是另一回事")) == 0.0
    assert told(said) == 0.0


def test_only_what_people_tell_themselves_counts() -> None:
    assert told("I moved to Leeds in spring", known("Ben moved to Leeds in spring", BEN)) == 0.0
    said, learnt = turn(1, "My bicycle was stolen"), known("Jemand nahm ihr Fahrrad mit")
    one = np.array([1.0, 0.0], np.float32)
    vectors = {evidence_id(JOURNAL, 1): one, learnt.id: one}
    [only] = compared([said], [learnt], {}, vectors, JOURNAL)
    assert only.told == 0.5
    turns = [
        turn(1, "What is the weather like?"),
        turn(2, "OK"),
        turn(3, "The weather in Leeds is mild", Role.ASSISTANT),
        turn(4, "My boat sank near Whitby", private_reply=True),
        turn(5, "I keep bees in Leeds"),
    ]
    assert [each.turn.seq for each in compared(turns, [], {}, {}, JOURNAL)] == [5]


def said(*shares: float, weight: float = 1.0) -> list[Compared]:
    return [Compared(turn(n, "x"), weight, share) for n, share in enumerate(shares)]


def test_an_episode_is_read_again_where_more_than_half_of_it_is_told_by_nothing() -> None:
    assert needs_rereading(said(0.0, 0.0, 0.1, 0.2, 0.9, 0.9))
    assert not needs_rereading(said(0.0, 0.0, 0.1, 0.2, 0.9, 0.9, 0.9, 0.9))
    # What says little weighs little.
    assert overlooked([*said(0.0, weight=1.0), *said(1.0, weight=9.0)]) == 0.1
    assert overlooked([]) == 0.0
    assert not needs_rereading(said(0.0, 0.0, 0.0))
    assert [each.seq for each in to_read_again(said(0.0, 0.4, 0.5, 1.0))] == [0, 1]
