"""Learning tried out: what would be asked and kept, and that nothing is stored."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Place, Role, Speaker
from astrbot_plugin_tidemark.core.ports import Filter

from ...kit import ScriptedModel, item, learnt
from ..command_rig import ANN, BEN, CommandRig, admin

BOSS = admin(ANN)


async def talk(rig: CommandRig) -> None:
    """Something known, something new, and an answer."""
    await rig.remember("Ann keeps bees behind the chapel", about=("Ann",))
    await rig.say("I keep bees behind the chapel")
    await rig.say("I moved my hives to Wells in spring")
    place = Place(ANN.session, "c1", ANN.scope.key)
    answer = NewTurn(place, Role.ASSISTANT, Speaker("bot", ""), "Lovely", rig.clock.now())
    await rig.engine.observe(answer)


def model_of(rig: CommandRig, monkeypatch: pytest.MonkeyPatch, *answers: object) -> ScriptedModel:
    model = ScriptedModel(list(answers))
    learner = replace(rig.engine.jobs.learner, models=model)
    monkeypatch.setattr(rig.engine, "jobs", replace(rig.engine.jobs, learner=learner))
    return model


async def left_behind(rig: CommandRig) -> list[object]:
    parts = rig.engine.parts
    memories = [memory async for memory in parts.store.iterate(Filter(status=None))]
    return [memories, await parts.journal.backlog(), await parts.journal.statistics()]


async def test_it_is_for_admins(rig: CommandRig) -> None:
    await talk(rig)
    assert "bees" not in await rig.ask("learn", "--dry-run 5")


async def test_it_tells_what_is_known_and_shows_the_prompt(
    rig: CommandRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talk(rig)
    model = model_of(rig, monkeypatch)
    before = await left_behind(rig)
    told = await rig.ask("learn", "--dry-run 3", by=BOSS)
    assert "last 3 messages" in told
    assert "would ask a model" in told
    assert "Known already: “I keep bees behind the chapel” by" in told
    assert "tidemark:learn/" in told
    assert "] Ann: I moved my hives to Wells in spring" in told
    assert model.prompts == []
    assert await left_behind(rig) == before


async def test_with_ask_it_tells_what_would_be_kept_and_keeps_nothing(
    rig: CommandRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talk(rig)
    moved = item("Ann moved her bees behind the chapel to Wells", 2, updates=1)
    wrong = item("Ann has 17 hives", 2)
    model = model_of(rig, monkeypatch, learnt(moved, wrong))
    before = await left_behind(rig)
    told = await rig.ask("learn", "--dry-run 5 --ask", by=BOSS)
    assert "Would be kept: 2" in told
    assert "- Ann moved her bees behind the chapel to Wells [new_behaviour; updated " in told
    assert "- Ann has 17 hives [new_fact; quarantine: number]" in told
    assert len(model.prompts) == 1
    assert await left_behind(rig) == before


@pytest.mark.parametrize(
    ("answer", "said"), [("no JSON", "cannot be read"), (learnt(), "Would be kept: 0")]
)
async def test_whatever_the_model_answers_it_is_told(
    rig: CommandRig, monkeypatch: pytest.MonkeyPatch, answer: object, said: str
) -> None:
    await talk(rig)
    model_of(rig, monkeypatch, answer)
    assert said in await rig.ask("learn", "--dry-run 5 --ask", by=BOSS)


async def test_without_a_model_or_messages_it_says_so(rig: CommandRig) -> None:
    assert "No messages" in await rig.ask("learn", "--dry-run 5", by=BOSS)
    await talk(rig)
    told = await rig.ask("learn", "--dry-run 5 --ask", by=BOSS)
    assert "done by rules here" in told
    assert "no model to ask" in told
    assert "No messages" in await rig.ask("learn", "--dry-run 5", by=admin(BEN))


@pytest.mark.parametrize("argument", ["--dry-run", "--dry-run 0", "--dry-run 61", "--dry-run x"])
async def test_other_numbers_are_refused(rig: CommandRig, argument: str) -> None:
    assert "learn --history" in await rig.ask("learn", argument, by=BOSS)
