"""What waits for a person, by the page: of everybody, and nothing of what is private to others."""

from astrbot_plugin_tidemark.core.model.intentions import Intention
from astrbot_plugin_tidemark.core.model.memory import Kind, Status, Vitality

from ..chat.test_conflicts import BERGEN, LEEDS, rivals
from ..command_rig import ANN, DAY, GROUP, NOW, CommandRig, in_group
from .page import asked, data


async def test_conflicts_of_everybody_are_listed_masked_and_decided(rig: CommandRig) -> None:
    _, bergen = await rivals(rig)
    hidden = await data(rig, "GET conflicts")
    assert (hidden["page"]["total"], hidden["why_masked"]) == (1, "reason_needed")
    assert LEEDS not in str(hidden)
    shown = await data(rig, "GET conflicts", reveal="to decide")
    [conflict] = shown["page"]["entries"]
    assert conflict["attribute"] == "residence"
    assert {each["text"] for each in conflict["claims"]} == {LEEDS, BERGEN}
    assert (await data(rig, "POST conflicts/decide", id=bergen.id))["withdrawn"] == 1
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
    await rig.engine.sleep(patience=20.0)
    [sleep] = (await data(rig, "GET reports"))["entries"]
    assert (sleep["place"], sleep["deeds"]) == (GROUP.key, {"weakened": 1, "binned": 1})
    report = await data(rig, "GET reports/<number>", number=sleep["id"])
    [binned] = [each for each in report["decisions"]["entries"] if each["deed"] == "binned"]
    assert [each["text"] for each in binned["memories"]] == ["trifle"]
    undone = await data(rig, "POST reports/undo", decision=binned["id"])
    assert undone["undone_at"] is not None
    assert (await rig.engine.parts.store.get(lost.id)).standing.status is Status.LIVE
    nothing = await asked(rig, "POST reports/undo", decision=9_999)
    assert nothing["message"] == "refused.unknown_decision"
