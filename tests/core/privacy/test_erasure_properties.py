"""Whoever talks wherever: who is erased is nowhere, and of everybody else nothing is lost."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from astrbot_plugin_tidemark.core.model.consent import person_in
from astrbot_plugin_tidemark.core.model.conversation import Scope
from astrbot_plugin_tidemark.core.model.memory import Memory
from hypothesis import given
from hypothesis import strategies as st

from .erasure_rig import (
    ANN,
    ANN_ELSEWHERE,
    BEN,
    GROUP,
    POET,
    STRANGE_GROUP,
    STRANGER,
    TG_GROUP,
    ErasureRig,
    erasure_rig,
)

SPOKEN = [
    *((scope, scope.subject) for scope in (ANN, POET, ANN_ELSEWHERE, BEN, STRANGER)),
    *((GROUP, user) for user in ("901", "902")),
    *((TG_GROUP, user) for user in ("ann", "902")),
    (STRANGE_GROUP, "901"),
]
"""Who may say something where."""


@dataclass(frozen=True)
class Said:
    """One turn, whether it is answered, whether everything queued is done after it, and whether
    two memories of the same are learnt from it.
    """

    scope: Scope
    user: str
    answered: bool
    worked: bool
    again: bool


turns = st.builds(
    lambda where, *how: Said(*where, *how),
    st.sampled_from(SPOKEN),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@given(
    st.lists(turns, max_size=9),
    st.sampled_from([ANN, ANN_ELSEWHERE, BEN]),
    st.booleans(),
    st.booleans(),
)
def test_who_is_erased_is_nowhere_and_nobody_else_loses_anything(
    said: list[Said], person: Scope, joined: bool, slept: bool
) -> None:
    async def check() -> None:
        with TemporaryDirectory() as folder:
            here = await erasure_rig(Path(folder))
            try:
                await _check(here, said, person, joined, slept)
            finally:
                await here.close()

    asyncio.run(check())


async def _check(
    here: ErasureRig, said: list[Said], person: Scope, joined: bool, slept: bool
) -> None:
    if joined:
        await here.joined()
    words = [(turn, f"mimosa{number:03}") for number, turn in enumerate(said)]
    for turn, word in words:
        reply = f"{word}, says the bot" if turn.answered else ""
        seq = await here.say(turn.scope, turn.user, f"I love {word} tea", reply)
        if turn.again:
            await here.said_twice(turn.scope, turn.user, word, (seq, seq))
        if turn.worked:
            await here.work()
    if slept:
        await here.sleep()
    going = {word for turn, word in words if _is(turn, person, joined)}
    before = await here.kept()
    await here.rig.engine.eraser.erase(person_in(person, person.subject))
    for word in going:
        assert await here.mentions(word) == []
    expected = {m.id: m for m in before.values() if not any(word in m.text for word in going)}
    after = await here.kept()
    assert _bare(after) == _bare(expected)
    for memory in after.values():
        lost = set(expected[memory.id].cues) - set(memory.cues)
        assert all(any(word in cue for word in going) for cue in lost)
    await here.work()
    for turn, word in words:
        assert word in going or await here.mentions(word), turn


def _is(turn: Said, person: Scope, joined: bool) -> bool:
    anns = {("qq", "901"), ("tg", "ann")}
    account = (person.platform, person.subject)
    accounts = anns if joined and account in anns else {account}
    return (turn.scope.platform, turn.user) in accounts


def _bare(memories: dict[str, Memory]) -> dict[str, Memory]:
    return {key: replace(memory, cues=()) for key, memory in memories.items()}
