"""Forgetting by the page: what goes under one policy and another, and settings that say so."""

from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind, Vitality
from astrbot_plugin_tidemark.core.settings import Configuration, configure

from ..command_rig import ANN, BEN, DAY, CommandRig, in_group
from .page import asked, data

SECRET = "sk-live-abcdef"


async def test_two_policies_are_told_side_by_side_on_the_same_memories(rig: CommandRig) -> None:
    weak = await rig.remember(
        "The group saw a heron", of=in_group(ANN), kind=Kind.EPISODIC, vitality=Vitality(1)
    )
    await rig.remember("Ann hides her diary", kind=Kind.EPISODIC, vitality=Vitality(40))
    await rig.remember("ping", of=in_group(BEN), kind=Kind.EVIDENCE, vitality=Vitality(1))
    told = await data(rig, "GET forgetting/foresight", within=7, other="tmd+")
    assert (told["live"], told["kept"], told["comparable"]) == (3, 0, True)
    usual, other = told["policies"]
    assert (usual["policy"], other["policy"]) == ("tmd", "tmd+")
    assert usual["left"][0] == other["left"][0] == 3
    assert all(a >= b for a, b in zip(usual["left"], usual["left"][1:], strict=False))
    [going] = usual["first"]
    assert (usual["going"], going["memory"]["id"]) == (2, weak.id)
    assert going["elsewhere"] < going["at"] <= told["now"] + 7 * DAY
    assert "diary" not in str(told)
    alone = await data(rig, "GET forgetting/foresight", within=7, owner=ANN.scope.owner)
    assert (alone["live"], len(alone["policies"])) == (1, 1)


async def test_the_policies_and_what_verdicts_say_are_told(rig: CommandRig) -> None:
    told = await data(rig, "GET forgetting")
    assert told["policy"] == "tmd"
    assert "ebbinghaus" in told["names"]


async def test_a_year_is_simulated_and_nothing_is_changed(rig: CommandRig) -> None:
    told = await data(rig, "POST forgetting/simulate", years=1)
    [life] = told["lives"]
    assert (life["policy"], len(life["overall"]["monthly_survivors"])) == ("tmd", 12)
    assert (told["years"], told["complete"]) == (1.0, False)


@pytest.mark.parametrize(
    ("name", "params", "wrong"),
    [
        ("GET forgetting/foresight", {"within": 0}, "within"),
        ("GET forgetting/foresight", {"other": "nosuch"}, "other"),
        ("POST forgetting/simulate", {"years": 1000}, "years"),
        ("POST settings/change", {"name": "recall.rerank_provider", "value": "x" * 3_000}, "value"),
    ],
)
async def test_what_makes_no_sense_is_refused_by_its_name(
    rig: CommandRig, name: str, params: dict[str, Any], wrong: str
) -> None:
    assert (await asked(rig, name, **params))["message"] == f"bad_request.{wrong}"


@pytest.fixture
def document(rig: CommandRig) -> dict[str, Any]:
    """The host's config, put into force whenever a setting is changed."""
    written: dict[str, Any] = {"learning": {"endpoint_key": SECRET}, "recall": {"max_items": 900}}

    async def reconfigure() -> Configuration:
        found = configure(written, await rig.engine.parts.journal.overrides())
        rig.services = replace(rig.services, configuration=found)
        return found

    rig.services = replace(rig.services, configuration=configure(written), reconfigure=reconfigure)
    return written


async def setting(rig: CommandRig, name: str) -> dict[str, Any]:
    listed = (await data(rig, "GET settings"))["settings"]
    [found] = [each for each in listed if each["name"] == name]
    return found


async def test_a_setting_is_changed_at_once_and_given_back_to_the_file(
    rig: CommandRig, document: dict[str, Any]
) -> None:
    name = "recall.eagerness"
    done = await data(rig, "POST settings/change", name=name, value="quiet")
    assert (done["missing"], done["settings"][0]["value"]) == ("", "quiet")
    changed = await setting(rig, name)
    assert (changed["origin"], changed["by"]) == ("override", "owner (owner)")
    await data(rig, "POST settings/reset", name=name)
    assert (await setting(rig, name))["origin"] == "default"
    again = await asked(rig, "POST settings/reset", name=name)
    assert again["message"].startswith("refused.not_changed ")


async def test_a_preset_changes_several_at_once(rig: CommandRig, document: dict[str, Any]) -> None:
    before = (await data(rig, "GET settings"))["preset"]
    done = await data(rig, "POST settings/preset", name="listen")
    assert (before, done["preset"]) == ("balanced", "listen")
    assert {each["name"]: each["value"] for each in done["settings"]}["recall.enabled"] is False
    await data(rig, "POST settings/preset", name=before)
    assert (await setting(rig, "recall.enabled"))["origin"] == "default"
    wrong = await asked(rig, "POST settings/preset", name="loud")
    assert wrong["message"] == "bad_request.name"


async def test_what_a_setting_does_not_take_changes_nothing(
    rig: CommandRig, document: dict[str, Any]
) -> None:
    for name, value, problem in (
        ("recall.max_items", 900, "unfit"),
        ("recall.enabled", "perhaps", "unfit"),
        ("storage.backend", "chroma", "fixed"),
        ("nosuch", 1, "unknown_setting"),
    ):
        done = await asked(rig, "POST settings/change", name=name, value=value)
        assert done["message"].split()[0] == f"refused.{problem}"
    assert (await setting(rig, "recall.max_items"))["problem"] == "900"


async def test_a_secret_is_never_sent(rig: CommandRig, document: dict[str, Any]) -> None:
    listed = await data(rig, "GET settings")
    assert SECRET not in str(listed)
    assert (await setting(rig, "learning.endpoint_key"))["value"] is True
    done = await data(rig, "POST settings/change", name="learning.endpoint_key", value=SECRET + "2")
    assert SECRET not in str(done)
