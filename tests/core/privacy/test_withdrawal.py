"""Turns that no longer exist on their platform go, with what was learnt from them alone."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.conversation import (
    NewTurn,
    Role,
    Scope,
    ScopeKind,
    reply_id,
)
from astrbot_plugin_tidemark.core.model.memory import Origin, Standing, Status, Succession
from astrbot_plugin_tidemark.core.records.evidence import evidence_id
from astrbot_plugin_tidemark.core.records.learnt import replaced_by
from astrbot_plugin_tidemark.core.settings import Settings

from ...kit import person, place
from ...rig import Rig, open_rig

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "default")


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    made = await open_rig(tmp_path, Settings())
    made.engine.start()
    yield made
    await made.engine.close()


async def test_a_withdrawn_turn_takes_what_rests_on_it_alone(rig: Rig) -> None:
    before = await rig.say(ANN, "I have a tortoise called Bertha")
    wrong = await rig.say(ANN, "My password is Quokkaberg")
    await rig.engine.observe(_answer(rig, wrong))
    after = await rig.say(ANN, "And a cat called Moss")
    await rig.settle()
    await rig.keep("Password: Quokkaberg", ANN, id="alone", origin=Origin(turns=(wrong,)))
    await rig.keep("Bertha and Moss", ANN, id="both", origin=Origin(turns=(before, wrong, after)))
    old = await rig.keep("Her password is tea", ANN, id="old", origin=Origin(turns=(before,)))
    how = Succession.CORRECTS
    await rig.store.amend(["old"], lambda m: replaced_by(m, "alone", how, "Quokkaberg", 9.0))
    for _ in range(2):
        await rig.engine.eraser.withdraw({wrong})
        await rig.settle()
    every = await rig.memories()
    assert "Quokkaberg" not in repr(every)
    assert {m.id for m in every} == {
        "both",
        "old",
        evidence_id(rig.journal.id, before),
        evidence_id(rig.journal.id, after),
    }
    assert (await rig.store.get("both")).origin.turns == (before, after)
    again = await rig.store.get("old")
    assert (again.successor, again.feedback) == (None, old.feedback)
    session = place(ANN).session
    assert [turn.seq for turn in await rig.journal.last_turns(session, 9)] == [before, after]


async def test_what_its_turns_do_not_bear_out_goes_with_any_turn_of_its_episode(rig: Rig) -> None:
    canoe = await rig.say(ANN, "My canoe is green")
    wrong = await rig.say(ANN, "My password is Quokkaberg-7291")
    await rig.settle()
    [turn, _] = await rig.journal.last_turns(place(ANN).session, 2)
    here, aside = Origin(turns=(canoe,), episode=turn.episode), Standing(Status.QUARANTINED)
    await rig.keep("Password: Quokkaberg-7291", ANN, id="doubted", origin=here, standing=aside)
    await rig.keep("A green canoe", ANN, id="borne_out", origin=here)
    there = Origin(turns=(canoe,), episode="another")
    await rig.keep("A blue canoe", ANN, id="elsewhere", origin=there, standing=aside)
    await rig.engine.eraser.withdraw({wrong})
    await rig.settle()
    left = {memory.id for memory in await rig.memories()}
    assert left == {"borne_out", "elsewhere", evidence_id(rig.journal.id, canoe)}


def _answer(rig: Rig, asked: int) -> NewTurn:
    text = "Noted: Quokkaberg"
    speaker = person(ANN, Role.ASSISTANT)
    return NewTurn(place(ANN), Role.ASSISTANT, speaker, text, rig.clock.at, reply_id(asked))
