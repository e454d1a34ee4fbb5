"""What the model calls are told: by `/memory prompts` and on the page."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.actions.configuration import CHANGED
from astrbot_plugin_tidemark.core.engine.engine import RecallRequest
from astrbot_plugin_tidemark.core.model.memory import LEARNT
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.prompts.instructions import LONGEST, catalogue
from astrbot_plugin_tidemark.tests.kit import ScriptedModel

from ...commands.web.page import asked, data
from ..command_rig import ANN, CommandRig
from .test_config import BOSS, CHEF, Office

KEPT = {"words": "I keep bees", "who": "Ann", "fact": "Ann keeps bees", "kind": "like"}
MINE = "Tell it as sentences,\neach a text that cites its lines"


@pytest.fixture
async def office(rig: CommandRig) -> Office:
    office = Office(rig)
    await office.reconfigure()
    return office


async def prompts(office: Office, argument: str = "") -> str:
    return await office.rig.ask("prompts", argument, by=BOSS)


async def test_every_call_is_listed_and_a_former_text_is_told(office: Office) -> None:
    lines = (await prompts(office)).splitlines()
    assert [line.partition(" ")[0] for line in lines[1:]] == [*catalogue()]
    assert lines[1].startswith("learn.zh · picks facts from a conversation · ours · ")
    in_chinese = await office.rig.ask("prompts", "", by=CHEF)
    assert "story.zh · 把一件事讲成一段经过 · 原样 · " in in_chinese
    await office.journal.set_override("prompt.story.en", '{"value": "Old", "by": "Ann", "at": 5}')
    await office.reconfigure()
    assert "story.en · tells one matter as a story · changed, but not usable: ours holds" in (
        await prompts(office)
    )
    assert (await prompts(office, "show story.en")).endswith(catalogue()["story.en"].text)
    assert office.rig.engine.settings.learning.prompts.of("story", "en") != "Old"


async def test_a_text_is_shown_in_full_changed_and_given_back(office: Office) -> None:
    assert (await prompts(office, "show learn.zh")).endswith(catalogue()["learn.zh"].text)
    done = await prompts(office, f"set story.en {MINE}")
    assert done.splitlines()[1].startswith("story.en · tells one matter as a story · changed · ")
    learning = office.rig.engine.settings.learning
    assert learning.prompts.of("story", "en") == MINE
    shown = await prompts(office, "show STORY.EN")
    by, needed, *text = shown.splitlines()[1:]
    assert (by, needed) == (
        "Changed by Ann (901), 2025-06-15 15:06",
        "Has to name: sentences, text, cites",
    )
    assert "\n".join(text) == f"\n{MINE}"
    assert (await prompts(office, "reset story.en")).splitlines()[0] == "In force now:"
    assert await office.journal.overrides() == {}
    assert await prompts(office, "reset story.en") == "Nothing of that was changed."


async def test_what_cannot_be_used_is_refused_with_its_reason(office: Office) -> None:
    assert await prompts(office, "set story.en Tell sentences") == (
        "Nothing was changed: it does not name text, cites"
    )
    long = await prompts(office, f"set story.en {MINE}{'x' * LONGEST}")
    assert long == "Nothing was changed: it is longer than 3 900 characters"
    assert "no call has that name" in await prompts(office, "set poem of mine")
    assert "no call has that name" in await prompts(office, "show poem")
    assert "prompts [show NAME" in await prompts(office, "set story")
    assert await office.journal.overrides() == {}


async def test_all_are_given_back_and_settings_are_left_alone(office: Office) -> None:
    await office.config("set backup.keep 3")
    await prompts(office, f"set story.en {MINE}")
    await prompts(office, "set rewording.en Put the lines short: number and text")
    assert len((await prompts(office, "reset all")).splitlines()) == 3
    assert [*await office.journal.overrides()] == ["backup.keep"]
    await prompts(office, f"set story.en {MINE}")
    await office.config("reset all")
    assert [*await office.journal.overrides()] == ["prompt.story.en"]


async def test_who_changed_what_is_in_the_audit_log(office: Office) -> None:
    await prompts(office, f"set story.en {MINE}")
    await prompts(office, "reset story.en")
    noted = await office.journal.audit_by_action(frozenset({CHANGED}))
    assert [(each.memory, "Ann" in each.by) for each in noted] == [("prompt:story.en", True)] * 2


async def test_the_page_reads_changes_and_gives_back(office: Office) -> None:
    listed = (await data(office.rig, "GET prompts"))["prompts"]
    assert [each["name"] for each in listed] == [*catalogue()]
    done = await data(office.rig, "POST prompts/change", name="story.en", text=MINE)
    [story] = done["prompts"]
    assert (story["text"], story["changed"], story["by"]) == (MINE, True, "owner (owner)")
    refused = await data(office.rig, "POST prompts/change", name="story.en", text="sentences")
    assert (refused["fault"], refused["lacking"]) == ("lacking", ["text", "cites"])
    unknown = await data(office.rig, "POST prompts/reset", name="poem")
    assert unknown["fault"] == "unknown"
    back = await data(office.rig, "POST prompts/reset", name="all")
    assert [(each["name"], each["changed"]) for each in back["prompts"]] == [("story.en", False)]


async def test_a_learning_text_is_tried_and_nothing_is_kept(office: Office) -> None:
    rig, model = office.rig, ScriptedModel([{"facts": [KEPT]}, "no JSON"])
    assert (await asked(rig, "POST prompts/try", text=MINE))["message"] == "refused.nothing_there"
    turn = await rig.say("I keep bees")
    await rig.engine.recall(RecallRequest(ANN.scope, "I keep bees", turn, frozenset()))
    await rig.engine.recorded()
    learner = replace(rig.engine.jobs.learner, models=model)
    rig.engine.jobs = replace(rig.engine.jobs, learner=learner)
    masked = await asked(rig, "POST prompts/try", text=MINE)
    assert (masked["message"], model.prompts) == ("refused.reason_needed", [])
    tried = await data(rig, "POST prompts/try", text=MINE, reveal="to tune it")
    assert (tried["facts"], tried["problem"]) == (["Ann keeps bees"], "")
    assert MINE in model.prompts[0].system
    assert await rig.engine.store.find([]) == []
    assert [each async for each in rig.engine.store.iterate(Filter(kinds=LEARNT))] == []
    failed = await data(rig, "POST prompts/try", text=MINE, reveal="to tune it")
    assert (failed["facts"], bool(failed["problem"])) == ([], True)
