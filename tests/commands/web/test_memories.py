"""The page's memories: what an owner sees of whom, changes, takes back, and what is noted of it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.commands.web.catalogue import ROUTES, Asked, respond
from astrbot_plugin_tidemark.commands.web.request import LONGEST_TEXT, MOST_AT_ONCE, as_sent
from astrbot_plugin_tidemark.core.actions.context import LOOK
from astrbot_plugin_tidemark.core.actions.web_requests import REQUESTED
from astrbot_plugin_tidemark.core.embedding.local.model import LocalEmbedder
from astrbot_plugin_tidemark.core.model.conversation import ANY_PERSONA, Scope
from astrbot_plugin_tidemark.core.model.memory import LEARNT, Kind, Memory, Origin, Standing, Status
from astrbot_plugin_tidemark.core.privacy.unsharing import RevelationKind

from ..command_rig import ANN, BEN, DAY, GROUP, CommandRig, in_group
from .page import asked, data

HOSTILE = "<img src=x onerror=alert(1)>\u202e{{constructor}}" + "x" * 3_000


async def status_of(rig: CommandRig, memory: Memory) -> Status:
    return (await rig.engine.store.get(memory.id)).standing.status


async def noted(rig: CommandRig, *actions: str) -> list[tuple[str, str]]:
    entries = await rig.engine.journal.audit_by_action(frozenset(actions))
    return [(entry.memory, entry.by) for entry in entries]


EVERYDAY = (
    "The printer is jammed again, somebody copied it by hand",
    "The wedding of Nina is in Dujiangyan",
    "Once a month the group climbs a hill, and meets at eight at Longjing",
    "小雨在成都一家设计工作室做插画",
    "老王在杭州开网约车，开了八年",
    "笑死，刚看到一只柯基被自己的屁吓跑",
    "Everybody is suddenly an expert on interest rates",
    "三点的凌晨是另一个国家",
    "Merry Christmas Eve Eve!",
    "醉驾的标准是血液里酒精多少毫克",
)


async def test_private_memories_say_nothing_and_are_not_found_by_words(rig: CommandRig) -> None:
    await rig.remember("Ann hides her diary under the stairs")
    await rig.remember("The group meets at eight", of=in_group(BEN))
    page = await data(rig, "GET memories")
    told = {each["owner"]["kind"]: each for each in page["page"]["entries"]}
    assert (told["private"]["text"], told["private"]["masked"]) == ("", True)
    assert told["group"]["text"] == "The group meets at eight"
    assert page["why_masked"] == "reason_needed"
    assert "stairs" not in str(page)
    hidden = await data(rig, "GET memories", text="diary under the stairs")
    assert (hidden["page"]["total"], hidden["left_out"]) == (0, 1)
    shown = await data(rig, "GET memories", text="diary under the stairs", reveal="she asked")
    assert [each["masked"] for each in shown["page"]["entries"]] == [False]


async def test_a_showing_is_noted_for_its_owner_before_it_happens(rig: CommandRig) -> None:
    kept = await rig.remember("Ann hides her diary under the stairs")
    page = await data(rig, "GET memories", reveal="she asked me to")
    assert page["page"]["entries"][0]["text"] == kept.text
    owner = Scope.parse(kept.scope).owner
    assert await noted(rig, RevelationKind.REVEALED) == [(owner, "owner (dashboard/owner)")]


async def test_of_a_look_one_entry_is_noted_for_each_person(rig: CommandRig) -> None:
    """Bug: each load of the list noted each of its rows again."""
    for of in (ANN, BEN):
        for number in range(3):
            await rig.remember(f"{of.name} has secret {number}", of=of)
    for page in range(3):
        await data(rig, "GET memories", reveal="she asked me to", page=page + 1)
        await data(rig, "GET recalls", reveal="she asked me to")
    assert len(await noted(rig, RevelationKind.REVEALED)) == 2
    rig.clock.at += 60
    later = await rig.remember("Ann has another secret")
    assert "shown to an admin" in await rig.ask("audit", later.id[:8])
    rig.clock.at += LOOK
    await data(rig, "GET memories", reveal="she asked me to")
    assert len(await noted(rig, RevelationKind.REVEALED)) == 4


async def test_an_owner_who_forbids_sees_nothing_whatever_the_reason(rig: CommandRig) -> None:
    await rig.remember("Ann hides her diary under the stairs")
    settings = rig.engine.settings
    forbidden = replace(settings.privacy, admin_reveal=False)
    rig.engine.settings = replace(settings, privacy=forbidden)
    answer = await asked(rig, "GET memories", reveal="curious")
    assert answer == {"status": "error", "message": "refused.not_revealed", "data": None}
    assert await noted(rig, RevelationKind.REVEALED) == []


async def test_forgotten_memories_come_back_as_they_were(rig: CommandRig) -> None:
    kept = [await rig.remember(f"The group likes tea number {n}", of=in_group(ANN)) for n in (1, 2)]
    ids = [memory.id for memory in kept]
    assert (await data(rig, "POST memories/forget", ids=ids))["done"] == ids
    assert {await status_of(rig, memory) for memory in kept} == {Status.BINNED}
    bin_ = await data(rig, "GET memories", status="binned")
    assert {each["id"] for each in bin_["page"]["entries"]} == set(ids)
    assert (await data(rig, "POST memories/restore", ids=ids))["done"] == ids
    assert {await status_of(rig, memory) for memory in kept} == {Status.LIVE}


async def test_what_cannot_be_done_to_one_is_told_and_when_a_memory_sinks(rig: CommandRig) -> None:
    kept = await rig.remember("The group likes tea", of=in_group(ANN))
    [row] = (await data(rig, "GET memories"))["page"]["entries"]
    assert row["sinks_at"] > rig.clock.at
    done = await data(rig, "POST memories/important", ids=[kept.id, "nosuch-memory"], on=True)
    refused = {"nosuch-memory": "unknown_memory"}
    assert (done["done"], done["refused"]) == ([kept.id], refused)
    [row] = (await data(rig, "GET memories"))["page"]["entries"]
    assert (row["sinks_at"], row["feedback"]["important"]) == (None, True)


async def test_only_its_person_puts_a_private_memory_right(rig: CommandRig) -> None:
    old = await rig.remember("Ann is forty")
    answer = await asked(rig, "POST memories/write", id=old.id, text="Ann is thirty")
    assert answer["message"] == "refused.only_by_owner"
    assert (await data(rig, "GET memories/<id>", id=old.id))["editable"] is False


async def test_a_search_lists_raw_words_first_and_ends_where_nothing_fits(rig: CommandRig) -> None:
    """Bug: what was said word for word was not found, and what had nothing to do with it was."""
    group = in_group(ANN)
    raw = await rig.remember("my locker code is 7777", of=group, kind=Kind.EVIDENCE)
    learnt = await rig.remember("Ann's locker code is 7777", of=group, origin=Origin(raw.id))
    near = await rig.remember("The locker is at the gym", of=group)
    for number in range(20):
        await rig.remember(f"The heron flew over pond {number}", of=group)
    await rig.engine.backfill.once()
    found = await data(rig, "GET memories", text="locker code 7777")
    ids = [each["id"] for each in found["page"]["entries"]]
    assert (set(ids[:2]), found["literal"]) == ({raw.id, learnt.id}, 2)
    assert set(ids[2:]) <= {near.id}
    assert (await data(rig, "GET memories", text="quantum zebra"))["page"]["total"] == 0
    only = await data(rig, "GET memories", text="locker code 7777", kinds="semantic,episodic")
    assert raw.id not in {each["id"] for each in only["page"]["entries"]}


async def test_nothing_is_like_what_means_nothing(rig: CommandRig, models_folder: Path) -> None:
    """Bug: by meaning some memories are nearest to any letters, and were listed as alike."""
    rig.embedders.embedder = LocalEmbedder(models_folder)
    for text in EVERYDAY:
        await rig.remember(text, of=in_group(ANN))
    while await rig.engine.backfill.once():
        pass
    for text in ("xyzzyqq", "7777", "qwerty 12345"):
        assert (await data(rig, "GET memories", text=text))["page"]["total"] == 0, text
    found = await data(rig, "GET memories", text="打印机")
    assert found["page"]["entries"][0]["text"] == EVERYDAY[0]
    await rig.embedders.embedder.aclose()


async def test_a_memory_is_written_for_a_group_or_oneself_only(rig: CommandRig) -> None:
    await rig.remember("The group meets at eight", of=in_group(BEN))
    await rig.remember("Ann keeps bees")
    group, ann = in_group(BEN).scope.owner, ANN.scope.owner
    text = "The group sings on Mondays"
    written = await data(rig, "POST memories/add", owner=group, text=text)
    row = written["memory"]
    assert (row["text"], row["owner"]["key"]) == (text, group)
    assert row["feedback"]["important"]
    assert not (await data(rig, "POST memories/add", owner=group, text=text))["new"]
    refused = await asked(rig, "POST memories/add", owner=ann, text="Ann likes tea")
    assert refused["message"] == "refused.only_by_owner"
    await rig.ask("link", (await data(rig, "POST me/code"))["answer"])
    own = (await data(rig, "POST memories/add", owner=ann, text="I like tea"))["memory"]
    [memory] = await rig.engine.store.find([own["id"]])
    assert (memory.speaker.id, memory.scope) == ("901", ANN.scope.key)
    gone = await asked(rig, "POST memories/add", owner="group/qq/1/*", text="Nobody is here")
    assert gone["message"] == "refused.unknown_scope"


async def test_several_are_tagged_at_once_and_found_by_the_tag(rig: CommandRig) -> None:
    kept = [await rig.remember(f"The group likes tea {n}", of=in_group(ANN)) for n in (1, 2)]
    secret = await rig.remember("Ann owes 40 crowns", tags=("tea",))
    ids = [memory.id for memory in kept]
    done = await data(rig, "POST memories/tag", ids=[*ids, secret.id], added="tea #home")
    assert (done["done"], done["refused"]) == (ids, {secret.id: "only_by_owner"})
    found = await data(rig, "GET memories", tag="tea")
    assert {each["id"] for each in found["page"]["entries"]} == set(ids)
    assert found["page"]["entries"][0]["tags"] == ["tea", "home"]
    assert found["left_out"] == 1
    await data(rig, "POST memories/tag", ids=ids[:1], removed="tea")
    assert (await data(rig, "GET memories", tag="tea"))["page"]["total"] == 1


async def test_what_was_put_right_is_shown_with_what_it_said_and_goes_back(rig: CommandRig) -> None:
    old = await rig.remember("The group meets at eight", of=in_group(ANN))
    new = "The group meets at nine"
    written = await data(rig, "POST memories/write", id=old.id, text=new)
    shown = await data(rig, "GET memories/<id>", id=written["after"]["id"])
    assert [each["text"] for each in shown["corrected"]] == [old.text]
    back = await data(rig, "POST memories/write", id=written["after"]["id"], text=old.text)
    assert back["after"]["successor"] is None
    live = await data(rig, "GET memories")
    replaced = {each["text"]: each["successor"] for each in live["page"]["entries"]}[new]
    assert replaced["how"] == "corrects"


async def test_pages_and_filters(rig: CommandRig) -> None:
    for number in range(5):
        await rig.remember(
            f"Fact number {number} of the group", of=in_group(ANN), created_at=rig.clock.at + number
        )
    await rig.remember("raw words", of=in_group(ANN), kind=Kind.EVIDENCE)
    found = await data(rig, "GET memories", size=2, page=2, kinds=",".join(LEARNT), order="oldest")
    page = found["page"]
    assert [each["text"][:13] for each in page["entries"]] == ["Fact number 2", "Fact number 3"]
    assert (page["number"], page["pages"], page["total"]) == (2, 3, 5)
    group, ann = in_group(ANN).scope.owner, ANN.scope.owner
    assert (await data(rig, "GET memories", owner=group))["page"]["total"] == 6
    assert (await data(rig, "GET memories", owner=ann))["page"]["total"] == 0
    assert (await data(rig, "GET memories", kinds="evidence", tier="0"))["page"]["total"] == 1


async def test_a_persona_and_a_hostile_text_are_sent_as_they_are(rig: CommandRig) -> None:
    await rig.remember("any", of=in_group(ANN), scope=replace(GROUP, persona=ANY_PERSONA).key)
    await rig.remember("one", of=in_group(ANN), scope=replace(GROUP, persona="小 助手/二").key)
    page = await data(rig, "GET memories")
    scopes = {each["text"]: Scope.parse(each["scope"]) for each in page["page"]["entries"]}
    assert {text: scope.persona for text, scope in scopes.items()} == {
        "any": ANY_PERSONA,
        "one": "小 助手/二",
    }
    kept = await rig.remember(HOSTILE, of=in_group(ANN))
    assert (await data(rig, "GET memories/<id>", id=kept.id))["memory"]["text"] == HOSTILE


async def test_people_and_groups_are_named(rig: CommandRig) -> None:
    await rig.say("hello")
    await rig.say("hi all", by=in_group(BEN), chat_name="Hikers")
    await rig.remember("Ann likes tea")
    await rig.remember("The group likes tea", of=in_group(BEN))
    told = await data(rig, "GET owners")
    assert {(each["kind"], each["name"]) for each in told["owners"]} == {
        ("private", "Ann"),
        ("group", "Hikers"),
    }


async def test_who_looks_whose_memories_there_are_need_not_wait_to_search(rig: CommandRig) -> None:
    await rig.remember("Ann likes tea")
    store = rig.engine.store
    assert (rig.engine.prepared, store.in_memory.terms.loaded) == (None, ())
    await data(rig, "GET owners")
    assert rig.engine.prepared is not None
    await rig.engine.prepared
    assert len(store.in_memory.terms.loaded) == 1
    read = rig.engine.prepared
    await data(rig, "GET owners")
    assert rig.engine.prepared is read


@pytest.mark.parametrize(
    ("name", "params", "wrong"),
    [
        ("GET memories", {"page": "0"}, "page"),
        ("GET memories", {"page": "x" * 10_000_000}, "page"),
        ("GET memories", {"size": True}, "size"),
        ("GET memories", {"kinds": "semantic,nosuch"}, "kinds"),
        ("GET memories", {"text": "y" * (LONGEST_TEXT + 1)}, "text"),
        ("GET memories", {"text": ["a"]}, "text"),
        ("POST memories/forget", {}, "ids"),
        ("POST memories/forget", {"ids": "all"}, "ids"),
        ("POST memories/forget", {"ids": [None]}, "ids"),
        ("POST memories/forget", {"ids": ["a"] * (MOST_AT_ONCE + 1)}, "ids"),
        ("POST memories/pin", {"ids": ["abcdef"], "on": "maybe"}, "on"),
        ("POST memories/write", {"id": "abcdef"}, "text"),
    ],
)
async def test_a_request_that_makes_no_sense_is_refused_by_the_name_of_what_is_wrong(
    rig: CommandRig, name: str, params: dict[str, Any], wrong: str
) -> None:
    answer = await asked(rig, name, **params)
    assert answer == {"status": "error", "message": f"bad_request.{wrong}", "data": None}


async def test_every_change_is_noted_and_looking_once_a_day(rig: CommandRig) -> None:
    kept = await rig.remember("The group likes tea", of=in_group(ANN))
    for _ in range(3):
        await data(rig, "GET memories")
    for on in (True, False):
        await data(rig, "POST memories/pin", ids=[kept.id], on=on)
    rig.clock.at += DAY
    await data(rig, "GET memories")
    asked_for = [about for about, _ in await noted(rig, REQUESTED)]
    assert sorted(asked_for) == [
        "web:GET memories",
        "web:GET memories",
        "web:POST memories/pin",
        "web:POST memories/pin",
    ]


async def test_while_memory_is_closed_the_page_is_told_so(rig: CommandRig) -> None:
    answer = await respond(ROUTES[0], Asked("owner", {}), None, rig.services)
    assert answer["message"] == "closed"


async def test_what_waits_in_quarantine_is_listed_accepted_or_dropped(rig: CommandRig) -> None:
    aside = Standing(Status.QUARANTINED, rig.clock.at, "number")
    one, other = [
        await rig.remember(f"The group has {n} bees", of=in_group(ANN), standing=aside)
        for n in (40, 50)
    ]
    waiting = await data(rig, "GET memories", status="quarantined")
    assert {each["id"] for each in waiting["page"]["entries"]} == {one.id, other.id}
    assert (await data(rig, "POST memories/accept", ids=[one.id]))["done"] == [one.id]
    assert (await data(rig, "POST memories/drop", ids=[other.id]))["done"] == [other.id]
    assert await status_of(rig, one) is Status.LIVE
    assert await status_of(rig, other) is Status.BINNED
    again = await data(rig, "POST memories/accept", ids=[one.id])
    assert again["refused"] == {one.id: "not_quarantined"}


def test_half_a_character_or_an_endless_number_is_sent_as_json_has_it() -> None:
    sent = as_sent({"name": "Ann \ud800", "due": [float("inf")], "at": 1.5})
    assert sent == {"name": "Ann ?", "due": [None], "at": 1.5}
