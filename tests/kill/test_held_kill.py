"""Killed while episodes are held for the next call: each is learnt from once, and judged once."""

import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.ports import Filter, WorkKind, WorkState
from astrbot_plugin_tidemark.storage import open_journal, open_store

from ..strength import strength
from .conftest import Fork, Forking
from .holder import CEDAR, PLACE, furnish, text_of

KILLS = strength(5, 12, "TIDEMARK_KILLS")
LONGEST_LIFE = 100
MOST_HEARD = 4
LONGEST_WAIT = 0.08
"""Seconds between a word and the kill: longer than a call takes."""

ALL = 10_000


def life(process: Forking, folder: Path, first: int, chance: random.Random | None) -> int:
    """One life from an episode on, killed by `chance`; the number of the next episode."""
    child = process.begin(folder, first, first if chance is None else first + LONGEST_LIFE)
    left = -1 if chance is None else chance.randint(0, MOST_HEARD)
    while True:
        if chance is not None and left == 0:
            time.sleep(chance.uniform(0.0, LONGEST_WAIT))
            os.kill(child, signal.SIGKILL)
        left -= 1
        word, rest = process.hear()
        if word == "ended":
            return first
        assert process.reports == []
        if word == "said":
            first = int(rest) + 1


async def held(folder: Path) -> int:
    journal = await open_journal(folder)
    found = (await journal.backlog()).get((WorkKind.LEARN, WorkState.HELD), 0)
    await journal.close()
    return found


async def test_what_was_held_is_learnt_from_once_however_often_it_is_killed(
    fork: Fork, tmp_path: Path
) -> None:
    await furnish(tmp_path)
    holder = fork("holder.py")
    chance, said, most_held = random.Random(20_261_123), 0, 0
    for _ in range(KILLS):
        said = life(holder, tmp_path, said, chance)
        most_held = max(most_held, await held(tmp_path))
    life(holder, tmp_path, said, None)
    assert most_held > 0
    assert said > KILLS
    await nothing_lost_or_doubled(tmp_path, said)


async def nothing_lost_or_doubled(folder: Path, said: int) -> None:
    store, journal = await open_store("sqlite", folder), await open_journal(folder)
    turns = Counter(turn.text for turn in await journal.last_turns(PLACE.session, ALL))
    assert [n for n in range(said) if turns[text_of(n)] != 1] == []
    assert [each for each in (await journal.backlog()).items() if each[1]] == []
    memories = [memory async for memory in store.iterate(Filter(status=None))]
    learnt = Counter(m.origin.episode for m in memories if m.kind is not Kind.EVIDENCE)
    assert {count for episode, count in learnt.items() if episode} <= {1}
    for memory in memories:
        history = await journal.audit_of(memory.id, limit=ALL)
        noted = sum(entry.action == "useful" for entry in history)
        assert noted == memory.vitality.useful_count
    (cedar,) = await store.find([CEDAR])
    assert cedar.vitality.useful_count > 0
    await store.close()
    await journal.close()
