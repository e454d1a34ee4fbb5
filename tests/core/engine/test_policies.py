"""The policy that the settings name decides, and what goes beyond TMD is off until it is set."""

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.memory import Kind, Status, Vitality
from astrbot_plugin_tidemark.core.model.sleeping import Deed
from astrbot_plugin_tidemark.core.settings import ForgettingSettings

from ...kit import learnt
from ...rig import Rig
from ...samples import ANNS

FACT = "Ann's hives stand behind the chapel"
ASKED = "Where are the hives, behind the chapel?"


@pytest.fixture
def changes(forgetting: ForgettingSettings) -> dict[str, object]:
    return {"forgetting": forgetting}


def with_settings(**chosen: object) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("forgetting", [ForgettingSettings(**chosen)], ids=[""])


@with_settings(policy="differential")
async def test_sleep_lets_go_by_the_policy_of_the_settings(rig: Rig) -> None:
    await rig.keep(FACT, ANNS, kind=Kind.EPISODIC)
    rig.clock.at += 29 * DAY
    assert (await rig.sleep()).counts[Deed.BINNED] == 0
    rig.clock.at += DAY
    assert (await rig.sleep()).counts[Deed.BINNED] == 1
    assert (await rig.store.get("m1")).standing.reason == "policy differential"


@with_settings(policy="decay_score")
async def test_a_restored_memory_is_embedded_and_found_again(rig: Rig) -> None:
    await rig.keep(FACT, ANNS, kind=Kind.EPISODIC)
    await rig.embedded()
    rig.clock.at += 40 * DAY
    assert (await rig.sleep()).counts[Deed.ARCHIVED] == 1
    assert await rig.texts(ANNS, ASKED) == []
    await rig.engine.curation.restore(["m1"], by="Ann")
    await rig.embedded()
    assert FACT in await rig.texts(ANNS, ASKED)
    assert (await rig.sleep()).counts[Deed.ARCHIVED] == 0


@with_settings(policy="tmd+")
async def test_with_demotion_a_memory_unused_for_long_fades_again(rig: Rig) -> None:
    await rig.keep(FACT, ANNS, vitality=Vitality(2, useful_score=5.0))
    rig.clock.at += 31 * DAY
    await rig.sleep()
    kept = await rig.store.get("m1")
    assert rig.policy.tier(kept.vitality.useful_score) == 0
    rig.clock.at += 6 * DAY
    await rig.sleep()
    assert (await rig.store.get("m1")).standing.status is Status.BINNED


HIVES = (
    "The hives behind the chapel hum loudly today",
    "The hives behind the chapel need new frames soon",
    "The chapel keeper wants the hives moved a bit",
)


@with_settings(policy="hybrid", patience=1.0)
@pytest.mark.parametrize("present", [True, False], ids=["by a model", "without one"])
async def test_fading_turns_of_one_episode_become_a_model_s_story(rig: Rig, present: bool) -> None:
    for text in HIVES:
        await rig.say(ANNS, text)
    await rig.learn()
    rig.clock.at += 20 * DAY
    assert not (await rig.sleep()).counts.get(Deed.BINNED)
    told = "The hives behind the chapel hum and need new frames"
    rig.model.present = present
    rig.model.answers = [{"sentences": [{"text": told, "cites": [1, 2]}]} | learnt()]
    rig.clock.at += 90 * DAY
    report = await rig.sleep()
    assert report.counts[Deed.SUMMARISED] == len(HIVES)
    [summary] = await rig.memories(Kind.NARRATIVE)
    assert (told == summary.text) is present
    assert {id for part in summary.parts for id in part.memories} <= {
        memory.id for memory in await rig.memories(Kind.EVIDENCE)
    }
    assert len(await rig.memories(Kind.EVIDENCE)) == len(HIVES)
