"""The tide, recalls and people of the page, and forgetting by it: what is told of whom."""

from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.commands.chat.request import ChatCaller
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Intention, Relation
from astrbot_plugin_tidemark.core.model.memory import Community, Kind, Source, Status, Vitality
from astrbot_plugin_tidemark.core.privacy.unsharing import RevelationKind
from astrbot_plugin_tidemark.core.settings import Configuration, configure

from ..chat.test_facts import BERGEN, LEEDS, rivals
from ..command_rig import ANN, BEN, DAY, GROUP, NOW, CommandRig, in_group
from .page import asked, data

TEA = "Ann drinks jasmine tea every morning"


async def recalled(rig: CommandRig, text: str, *, by: ChatCaller = ANN) -> int:
    turn = await rig.say(text, by=by)
    await rig.engine.recalls.recall(RecallRequest(by.scope, text, turn, asker=by.person))
    await rig.engine.recalls.recorded()
    return turn


async def revelations(rig: CommandRig) -> int:
    kind = frozenset({RevelationKind.REVEALED})
    return len(await rig.engine.journal.audit_by_action(kind))


async def test_what_sinks_this_week_is_named_and_can_be_kept(rig: CommandRig) -> None:
    weak = await rig.remember(
        "The group saw a heron", of=in_group(ANN), kind=Kind.EPISODIC, vitality=Vitality(1)
    )
    await rig.remember("The group likes tea", of=in_group(ANN), vitality=Vitality(12))
    tide = await data(rig, "GET tide")
    assert [each["id"] for each in tide["sinking"]] == [weak.id]
    assert 0 < tide["sinking"][0]["sinks_at"] - tide["now"] <= 7 * DAY
    await data(rig, "POST memories/important", ids=[weak.id], on=True)
    tide = await data(rig, "GET tide")
    assert (tide["sinking"], tide["kept"], sum(tide["tiers"])) == ([], 1, 2)


async def test_what_was_spent_and_kept_is_told_over_time(rig: CommandRig) -> None:
    await rig.remember(TEA)
    await recalled(rig, "What tea do I drink every morning?")
    rig.engine.start()
    await rig.sleep(patience=20.0)
    told = await data(rig, "GET ledger")
    [block], [night] = told["expenses"], told["censuses"]
    assert (block["purpose"], block["calls"]) == ("block", 1)
    assert block["tokens"] > len(TEA.split())
    assert night["tiers"] == (await data(rig, "GET tide"))["tiers"]
    assert sum(night["tiers"]) > 0
    priced = await data(rig, "POST ledger/price", price=2500)
    assert (told["price"], priced["price"]) == (0.0, 2.5)
    assert (await data(rig, "GET ledger"))["price"] == 2.5


async def test_a_masked_memory_tells_the_same_future_as_a_shown_one(rig: CommandRig) -> None:
    await rig.remember(TEA, kind=Kind.EPISODIC)
    [hidden] = (await data(rig, "GET memories"))["page"]["entries"]
    [shown] = (await data(rig, "GET memories", reveal="checking"))["page"]["entries"]
    assert (hidden["masked"], shown["masked"]) == (True, False)
    assert hidden["sinks_at"] == shown["sinks_at"]


async def test_turns_of_others_are_listed_and_shown_for_a_noted_reason(rig: CommandRig) -> None:
    await rig.remember(TEA)
    turn = await recalled(rig, "What tea do I drink every morning?")
    listed = await data(rig, "GET recalls")
    assert [(each["turn"], each["text"], each["masked"]) for each in listed["turns"]] == [
        (turn, "", True)
    ]
    report = await data(rig, "GET recalls/<turn>", turn=str(turn))
    assert (report["question"], report["block"], report["why_masked"]) == ("", "", "reason_needed")
    assert "jasmine" not in str(report)
    assert await revelations(rig) == 0
    report = await data(rig, "GET recalls/<turn>", turn=turn, reveal="she asked why")
    kept = await rig.engine.journal.recollection_of(turn)
    assert report["block"] == kept.block
    assert "jasmine" in report["block"]
    [first] = report["recalls"][0]["shown"]
    assert (first["candidate"]["number"], first["memory"]["text"]) == (1, TEA)
    assert await revelations(rig) == 1


async def test_a_trial_changes_nothing_and_needs_a_reason_in_private(rig: CommandRig) -> None:
    await rig.remember(TEA)
    trial = {"owner": ANN.scope.owner, "text": "What tea do I drink every morning?"}
    answer = await asked(rig, "POST recalls/trial", **trial)
    assert answer["message"] == "refused.reason_needed"
    report = await data(rig, "POST recalls/trial", **trial, reveal="trying")
    assert "jasmine" in report["block"]
    none = await data(rig, "POST recalls/trial", **trial, reveal="trying", budget_tokens=50)
    assert len(none["block"]) <= len(report["block"])
    assert (await data(rig, "GET recalls"))["turns"] == []


async def test_a_trial_in_a_group_sees_the_group_alone(rig: CommandRig) -> None:
    await rig.remember(TEA)
    await rig.remember("The group drinks oolong tea on Sundays", of=in_group(BEN))
    report = await data(
        rig, "POST recalls/trial", owner=GROUP.owner, text="What tea is drunk on Sundays?"
    )
    assert "oolong" in report["block"]
    assert "jasmine" not in str(report)
    answer = await asked(rig, "POST recalls/trial", owner="private/qq/1/*", text="who?")
    assert answer["message"] == "refused.unknown_scope"


async def test_a_person_is_told_with_choices_and_accounts(rig: CommandRig) -> None:
    await rig.say("hello")
    await rig.remember(TEA)
    await rig.ask("share", "on")
    person = await data(rig, "GET person", owner=ANN.scope.owner)
    assert person["owner"]["name"] == "Ann"
    assert (person["consent"]["shared"], person["consent"]["paused"]) == (True, False)
    assert person["kinds"]["semantic"] == 1
    assert "jasmine" not in str(person)
    joined = await data(rig, "POST accounts/join", platform="qq", user="901", person="Ann W")
    assert joined["answer"] == [["qq", "901"]]
    await data(rig, "POST accounts/join", platform="qq", user="902", person="Ann W")
    person = await data(rig, "GET person", owner=ANN.scope.owner)
    assert [each["subject"] for each in person["accounts"]] == ["901", "902"]
    await data(rig, "POST accounts/part", platform="qq", user="902")
    person = await data(rig, "GET person", owner=ANN.scope.owner)
    assert [each["subject"] for each in person["accounts"]] == ["901"]


async def test_health_tells_what_is_wanted_and_what_went_wrong(rig: CommandRig) -> None:
    health = await data(rig, "GET health")
    assert health["embedder"]["offered"]
    assert (health["no_model"], health["incidents"]) == (True, {})
    begun = await data(rig, "POST embedder/install")
    assert begun["answer"] is True
    rig.engine.incidents.record("recall", TimeoutError("too late"), rig.clock.at)
    health = await data(rig, "GET health")
    failed = health["incidents"]["recall"]
    assert (failed["count"], failed["text"]) == (1, "TimeoutError: too late")
    await data(rig, "POST embedder/later")
    assert not (await data(rig, "GET health"))["embedder"]["offered"]


def about(*names: str) -> tuple[Entity, ...]:
    return tuple(Entity(name, name) for name in names)


async def filled(rig: CommandRig) -> None:
    group = in_group(ANN)
    told = (Relation("rex", "belongs to", "lena"),)
    await rig.remember("Lena walks Rex", of=group, entities=about("Lena", "Rex"), relations=told)
    await rig.remember(
        "Lena is in Kiel", of=group, entities=about("Lena", "Kiel"), community=Community("c1")
    )
    await rig.remember("Lena?", of=group, entities=about("Lena", "Raw"), kind=Kind.EVIDENCE)
    await rig.remember("Ann fears Mallory", entities=about("Mallory", "Lena"))


async def test_names_are_joined_where_a_memory_speaks_of_both(rig: CommandRig) -> None:
    await filled(rig)
    graph = await data(rig, "GET graph")
    counts = {each["name"]: each["count"] for each in graph["nodes"]}
    assert counts == {"Ann": 2, "Lena": 2, "Rex": 1, "Kiel": 1}
    assert {each["name"] for each in graph["nodes"] if each["person"]} == {"Ann"}
    [link] = [each for each in graph["links"] if {each["one"], each["other"]} == {"lena", "rex"}]
    assert (link["count"], link["predicates"]) == (1, ["belongs to"])
    near = await data(rig, "GET graph", focus="kiel")
    assert [each["name"] for each in near["nodes"]] == ["Kiel", "Ann", "Lena"]
    assert [each["text"] for each in near["memories"]] == ["Lena is in Kiel"]


async def test_the_most_mentioned_names_are_drawn_others_found(rig: CommandRig) -> None:
    group = in_group(ANN)
    for number in range(70):
        entities = about(f"Person {number}", "Lena", *["Kiel"] * (number < 3))
        await rig.remember(f"Lena met person {number}", of=group, entities=entities)
    graph = await data(rig, "GET graph")
    assert (len(graph["nodes"]), graph["names"]) == (60, 73)
    assert [each["name"] for each in graph["nodes"][:3]] == ["Ann", "Lena", "Kiel"]
    found = await data(rig, "GET graph", text="PERSON 69")
    assert [(each["id"], each["count"]) for each in found["nodes"]] == [("person 69", 1)]
    near = await data(rig, "GET graph", focus="person 69")
    assert {each["name"] for each in near["nodes"]} == {"Person 69", "Lena", "Ann"}


async def test_private_names_appear_for_a_reason_alone_and_that_is_noted(rig: CommandRig) -> None:
    await filled(rig)
    for focus in ("", "mallory"):
        graph = await data(rig, "GET graph", focus=focus)
        assert "mallory" not in str(graph).lower()
        assert (graph["left_out"], graph["why_masked"]) == (1, "reason_needed")
    shown = await data(rig, "GET graph", focus="mallory", reveal="she asked")
    assert [each["text"] for each in shown["memories"]] == ["Ann fears Mallory"]
    kind = frozenset({RevelationKind.REVEALED})
    assert len(await rig.engine.journal.audit_by_action(kind)) == 1


LOGIN = ["dashboard", "owner"]


async def test_a_code_said_in_chat_makes_login_and_account_one_person(rig: CommandRig) -> None:
    await rig.say("hello")
    own = await rig.remember("Ann hides her diary under the stairs")
    await rig.remember("Ben owes 40 crowns", of=BEN)
    code = (await data(rig, "POST me/code"))["answer"]
    answer = await rig.ask("link", code.lower())
    assert "dashboard/owner" in answer
    assert "qq/901" in answer
    me = await data(rig, "GET me")
    assert [(each["platform"], each["subject"]) for each in me["accounts"]] == [("qq", "901")]
    shown = (await data(rig, "GET memories"))["page"]["entries"]
    assert {each["text"] for each in shown} == {own.text, ""}
    written = await data(rig, "POST memories/write", id=own.id, text="Ann hides it in the attic")
    [memory] = await rig.engine.store.find([written["after"]["id"]])
    assert (memory.speaker.id, memory.speaker.name, memory.scope) == ("901", "Ann", own.scope)
    assert "attic" in await rig.ask("mine")
    assert await rig.engine.journal.audit_by_action(frozenset({RevelationKind.REVEALED})) == []


async def test_a_code_is_good_once_and_only_in_private(rig: CommandRig) -> None:
    code = (await data(rig, "POST me/code"))["answer"]
    assert "private chat" in await rig.ask("link", code, by=in_group(ANN))
    assert "wrong or too old" in await rig.ask("link", "ABCDEF")
    await rig.ask("link", code)
    assert "wrong or too old" in await rig.ask("link", code, by=BEN)
    assert ("qq", "902") not in await rig.engine.journal.aliases()
    late = (await data(rig, "POST me/code"))["answer"]
    rig.clock.at += 301
    assert "wrong or too old" in await rig.ask("link", late, by=BEN)


async def test_the_owner_is_forgotten_on_the_page_with_all_accounts(rig: CommandRig) -> None:
    own, other = await rig.remember("Ann hides a key"), await rig.remember("Ben rows", of=BEN)
    await rig.ask("link", (await data(rig, "POST me/code"))["answer"])
    for name, command in (("reminded", "remind"), ("shared", "share")):
        assert (await data(rig, "POST me/choose", name=name, on=True))["answer"]
        assert (await data(rig, "GET me"))["consent"][name]
        assert " on" in await rig.ask(command)
    for on in (True, False):
        await data(rig, "POST me/choose", name="paused", on=on)
        assert (await data(rig, "GET me"))["consent"]["paused"] is on
    assert (await asked(rig, "POST me/choose", name="bold", on=True))["message"] == (
        "bad_request.name"
    )
    first = await data(rig, "POST me/forget")
    assert (first["memories"], await rig.engine.store.find([own.id])) == (1, [own])
    wrong = await asked(rig, "POST me/forget", code="WRONG2")
    assert wrong["message"] == "refused.wrong_code"
    code = (await data(rig, "POST me/forget"))["code"]
    assert (await data(rig, "POST me/forget", code=code))["memories"] == 1
    assert await rig.engine.store.find([own.id, other.id]) == [other]


async def test_accounts_stay_one_person_and_namesakes_do_not_become_one(rig: CommandRig) -> None:
    await rig.engine.journal.set_alias("telegram", "7", "Annie")
    await rig.engine.journal.set_alias("qq", "901", "Annie")
    for by in (BEN, ANN):
        await rig.ask("link", (await data(rig, "POST me/code"))["answer"], by=by)
    assert len(set((await rig.engine.journal.aliases()).values())) == 1
    me = await data(rig, "GET me")
    assert {each["subject"] for each in me["accounts"]} == {"7", "901", "902"}
    await rig.engine.journal.set_alias("telegram", "7", "Ann")
    await rig.ask("link", (await data(rig, "POST me/code"))["answer"])
    people = await rig.engine.journal.aliases()
    assert people["qq", "901"] == people["dashboard", "owner"] != people["telegram", "7"]


async def test_the_web_account_of_the_same_login_is_linked_by_a_click(rig: CommandRig) -> None:
    assert (await data(rig, "GET me"))["webchat"] is None
    scope = Scope(ScopeKind.PRIVATE, "webchat", "owner", "default")
    web = replace(ANN, scope=scope, session="webchat:1", person="owner", name="owner")
    await rig.remember("The owner keeps parrots", of=web)
    assert (await data(rig, "GET me"))["webchat"]["subject"] == "owner"
    joined = await data(rig, "POST me/webchat")
    assert sorted(joined["answer"]) == [LOGIN, ["webchat", "owner"]]
    [row] = (await data(rig, "GET memories"))["page"]["entries"]
    assert row["text"] == "The owner keeps parrots"
    assert (await data(rig, "GET me"))["webchat"] is None


async def test_a_key_handed_to_a_program_is_nobodys_login(rig: CommandRig) -> None:
    for name in ("POST me/code", "POST me/webchat"):
        answer = await asked(rig, name, by="api_key:7")
        assert answer["message"] == "refused.not_by_key"


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
