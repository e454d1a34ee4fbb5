"""What may be recorded, by the owner's rules and by a group's own choice."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.recording import GroupRecording, Unrecorded, Utterance
from astrbot_plugin_tidemark.core.settings import configure

from ...rig import Rig

GROUP = Scope(ScopeKind.GROUP, "qq", "5000")
SAID, CHATTER = Utterance(GROUP, "901"), Utterance(GROUP, "901", addressed=False)


async def choose(rig: Rig, wanted: GroupRecording | None) -> None:
    await rig.engine.consents.change(GROUP, lambda chosen: replace(chosen, recording=wanted))


async def refusals(rig: Rig) -> tuple[Unrecorded | None, Unrecorded | None]:
    admission = rig.engine.admission
    return await admission.refusal(SAID), await admission.refusal(CHATTER)


async def test_a_group_has_all_recorded_or_what_it_says_to_the_bot_or_nothing(rig: Rig) -> None:
    assert await refusals(rig) == (None, None)
    await choose(rig, GroupRecording.ADDRESSED)
    assert await refusals(rig) == (None, Unrecorded.NOT_ADDRESSED)
    await choose(rig, GroupRecording.NONE)
    assert await refusals(rig) == (Unrecorded.GROUP, Unrecorded.GROUP)
    await choose(rig, None)
    assert await refusals(rig) == (None, None)


async def test_a_groups_choice_is_every_personas_there_and_of_no_other_chat(rig: Rig) -> None:
    await choose(rig, GroupRecording.NONE)
    others = (replace(GROUP, subject="5001"), Scope(ScopeKind.PRIVATE, "qq", "901"))
    for scope in others:
        assert await rig.engine.admission.refusal(Utterance(scope, "901")) is None
    await choose(rig, GroupRecording.NONE)
    said = Utterance(replace(GROUP, persona="nurse"), "901")
    assert await rig.engine.admission.refusal(said) is Unrecorded.GROUP


@pytest.mark.parametrize("name", ["allow", "deny"])
@pytest.mark.parametrize("value", ["grup:5000", 5000, ["group:5000"], "x" * 3000])
def test_rules_that_cannot_be_read_keep_all_from_being_recorded(name: str, value: object) -> None:
    found = configure({"capture": {name: value}})
    (problem,) = found.problems
    assert problem.name == f"capture.{name}"
    rules = found.settings.capture.rules()
    for scope in (GROUP, Scope(ScopeKind.PRIVATE, "tg", "1")):
        assert rules.refuse(Utterance(scope, "1", "nurse"))
