"""Forgetting by the page: what goes under one policy and another, and settings that say so."""

from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.knowledge import Intention
from astrbot_plugin_tidemark.core.model.memory import Kind, Source, Status, Vitality
from astrbot_plugin_tidemark.core.settings import Configuration, configure

from ..chat.test_facts import BERGEN, LEEDS, rivals
from ..command_rig import ANN, BEN, DAY, GROUP, NOW, CommandRig, in_group
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
    heron = await rig.remember("The group saw a heron", kind=Kind.EPISODIC, source=Source.BOT)
    await rig.engine.journal.record_verdicts([(1, heron.id)], useful=True, source="model", at=NOW)
    told = await data(rig, "GET forgetting")
    assert (told["policy"], "ebbinghaus" in told["names"]) == ("tmd", True)
    [[kind], [source]] = told["rates"], told["by_source"]
    assert (kind.pop("sort"), source.pop("sort")) == ("episodic", "bot")
    assert (
        kind
        == source
        == {"mean": pytest.approx(2 / 3), "deviation": pytest.approx(0.236, abs=1e-3), "judged": 1}
    )
    told = await data(rig, "POST forgetting/simulate", years=1)
    [life] = told["lives"]
    assert (life["policy"], len(life["overall"]["monthly_survivors"])) == ("tmd", 12)
    assert (told["conditions"]["days"], told["complete"]) == (365, False)


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
    written: dict[str, Any] = {"learning": {"endpoint_key": SECRET}, "backup": {"keep": 900}}

    async def reconfigure() -> Configuration:
        found = configure(written, await rig.engine.journal.overrides())
        rig.services = replace(rig.services, configuration=found)
        return found

    rig.services = replace(rig.services, configuration=configure(written), reconfigure=reconfigure)
    return written


async def setting(rig: CommandRig, name: str) -> dict[str, Any]:
    listed = (await data(rig, "GET settings"))["settings"]
    [found] = [each for each in listed if each["name"] == name]
    return found


async def test_a_setting_is_changed_and_back(rig: CommandRig, document: dict[str, Any]) -> None:
    name = "recall.eagerness"
    done = await data(rig, "POST settings/change", name=name, value="quiet")
    changed = await setting(rig, name)
    assert (done["answer"], changed["value"]) == ("", "quiet")
    assert (changed["origin"], changed["by"]) == ("override", "owner (owner)")
    await data(rig, "POST settings/reset", name=name)
    assert (await setting(rig, name))["origin"] == "default"
    again = await asked(rig, "POST settings/reset", name=name)
    assert again["message"].startswith("refused.not_changed ")


async def test_a_preset_changes_several_at_once(rig: CommandRig, document: dict[str, Any]) -> None:
    before = (await data(rig, "GET settings"))["preset"]
    await data(rig, "POST settings/preset", name="listen")
    assert (before, (await data(rig, "GET settings"))["preset"]) == ("balanced", "listen")
    assert (await setting(rig, "recall.enabled"))["value"] is False
    await data(rig, "POST settings/preset", name=before)
    assert (await setting(rig, "recall.enabled"))["origin"] == "default"
    wrong = await asked(rig, "POST settings/preset", name="loud")
    assert wrong["message"] == "bad_request.name"


async def test_an_unfit_value_changes_nothing(rig: CommandRig, document: dict[str, Any]) -> None:
    for name, value, problem in (
        ("backup.keep", 900, "unfit"),
        ("recall.enabled", "perhaps", "unfit"),
        ("storage.backend", "chroma", "fixed"),
        ("nosuch", 1, "unknown_setting"),
    ):
        done = await asked(rig, "POST settings/change", name=name, value=value)
        assert done["message"].split()[0] == f"refused.{problem}"
    assert (await setting(rig, "backup.keep"))["problem"] == "900"


async def test_a_secret_is_never_sent(rig: CommandRig, document: dict[str, Any]) -> None:
    listed = await data(rig, "GET settings")
    assert SECRET not in str(listed)
    assert (await setting(rig, "learning.endpoint_key"))["value"] is True
    done = await data(rig, "POST settings/change", name="learning.endpoint_key", value=SECRET + "2")
    assert SECRET not in str(done)


async def test_conflicts_of_everybody_are_listed_masked_and_decided(rig: CommandRig) -> None:
    _, bergen = await rivals(rig)
    hidden = await data(rig, "GET conflicts")
    assert (hidden["page"]["total"], hidden["why_masked"]) == (1, "reason_needed")
    assert LEEDS not in str(hidden)
    shown = await data(rig, "GET conflicts", reveal="to decide")
    [conflict] = shown["page"]["entries"]
    assert conflict["attribute"] == "residence"
    assert {each["text"] for each in conflict["claims"]} == {LEEDS, BERGEN}
    assert (await data(rig, "POST conflicts/decide", id=bergen.id))["answer"][1:]
    assert (await data(rig, "GET conflicts"))["page"]["total"] == 0
    again = await asked(rig, "POST conflicts/decide", id=bergen.id)
    assert again["message"] == "refused.no_conflict"


async def test_plans_of_everybody_are_closed_and_meant_again(rig: CommandRig) -> None:
    plan = {"kind": Kind.PROSPECTIVE, "intention": Intention(due_at=NOW - DAY)}
    trip = await rig.remember("The group goes to Rome", of=in_group(ANN), **plan)
    await rig.remember("Ann sees the dentist", of=ANN, **plan)
    told = await data(rig, "GET plans", which="due")
    assert (told["page"]["total"], told["counts"]["open"], "dentist" in str(told)) == (2, 2, False)
    meant = [each["intention"] for each in told["page"]["entries"]]
    assert sorted(each["due_at"] for each in meant if each) == [NOW - DAY]
    assert (await data(rig, "POST plans/close", ids=[trip.id], on=True))["done"] == [trip.id]
    [closed] = (await data(rig, "GET plans", which="closed"))["page"]["entries"]
    assert (closed["id"], closed["intention"]["closed_at"]) == (trip.id, NOW)
    await data(rig, "POST plans/close", ids=[trip.id], on=False)
    assert (await data(rig, "GET plans", which="closed"))["page"]["total"] == 0


async def test_a_decision_of_sleep_is_taken_back(rig: CommandRig) -> None:
    lost = await rig.remember(
        "trifle", of=in_group(ANN), vitality=Vitality(1), created_at=NOW - 4 * DAY
    )
    rig.engine.start()
    await rig.sleep(patience=20.0)
    [told] = (await data(rig, "GET reports"))["entries"]
    assert (told["sleep"]["scope"], told["deeds"]) == (GROUP.key, {"weakened": 1, "binned": 1})
    report = await data(rig, "GET reports/<number>", number=told["sleep"]["id"])
    made = {each["decided"]["decision"]["deed"]: each for each in report["decisions"]["entries"]}
    binned = made["binned"]
    assert [each["text"] for each in binned["memories"]] == ["trifle"]
    undone = await data(rig, "POST reports/undo", decision=binned["decided"]["id"])
    assert undone["decided"]["undone_at"] is not None
    assert (await rig.engine.store.get(lost.id)).standing.status is Status.LIVE
    nothing = await asked(rig, "POST reports/undo", decision=9_999)
    assert nothing["message"] == "refused.unknown_decision"
