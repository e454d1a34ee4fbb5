"""What is planned, what is due, and closing by hand."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.knowledge import Intention, IntentionStatus, IntentionType
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Standing, Status
from astrbot_plugin_tidemark.core.records.threads import composed, line_of, thread_id
from astrbot_plugin_tidemark.core.text.quoting import MOST_TAGS

from ..command_rig import ANN, BEN, DAY, NOW, CommandRig, admin, in_group
from ..web.page import data


async def intend(rig: CommandRig, text: str, **changes: object) -> Memory:
    intention = Intention(**changes)
    return await rig.remember(text, kind=Kind.PROSPECTIVE, intention=intention)


async def test_open_plans_are_listed_with_their_sort_and_day(rig: CommandRig) -> None:
    trip = await intend(rig, "Ann plans to go to Rome", due_at=NOW + 3 * DAY)
    await intend(rig, "Ann wonders whether to move", type=IntentionType.QUESTION)
    await rig.remember("Ann keeps bees")
    told = await rig.ask("plans")
    assert told.startswith("2 open, page 1 of 1:")
    assert f"{trip.id[:6]} 2025-06-15 [plan · for 2025-06-18 15:06] Ann plans to go to Rome" in told
    assert "[question] Ann wonders whether to move" in told
    assert told.endswith("Open 2, due 0, done 0, not heard of for long 0")


async def test_what_is_due_is_for_today_or_earlier(rig: CommandRig) -> None:
    await intend(rig, "Ann plans to go to Rome", due_at=NOW - 3 * DAY)
    await intend(rig, "Ann will see the dentist", due_at=NOW + 60)
    await intend(rig, "Ann plans to go to Oslo", due_at=NOW + 2 * DAY)
    told = await rig.ask("plans", "due")
    assert told.startswith("2 due up to today")
    assert "Oslo" not in told


async def test_what_is_over_is_listed_apart_also_once_it_is_archived(rig: CommandRig) -> None:
    over = {"status": IntentionStatus.CLOSED, "closed_at": NOW}
    await intend(rig, "Ann plans to go to Rome", **over)
    dropped = await intend(rig, "Ann plans to go to Oslo", given_up=True, **over)
    await rig.engine.store.amend(
        [dropped.id], lambda m: replace(m, standing=Standing(Status.ARCHIVED, NOW))
    )
    stale = await intend(rig, "Ann plans to learn Greek", status=IntentionStatus.STALE)
    told = await rig.ask("plans", "closed")
    assert told.startswith("2 done or given up")
    assert "[plan · done 2025-06-15] Ann plans to go to Rome" in told
    assert "[plan · given up 2025-06-15] Ann plans to go to Oslo" in told
    assert stale.text in await rig.ask("plans", "搁置")
    assert await rig.ask("plans") == (
        "Nothing is planned or left open here.\nOpen 0, due 0, done 2, not heard of for long 1"
    )


async def test_thousands_of_open_ones_come_page_by_page(rig: CommandRig) -> None:
    for number in range(30):
        await intend(rig, f"Ann plans to visit city {number}")
    assert (await rig.ask("plans", "2")).startswith("30 open, page 2 of 4:")
    assert (await rig.ask("plans", "open 9")).startswith("30 open, page 4 of 4:")


@pytest.mark.parametrize("argument", ["nonsense", "0", "due -1", "open 1 2", "1 due"])
async def test_what_is_no_list_tells_how_to_ask(rig: CommandRig, argument: str) -> None:
    assert "plans [open|due|closed|stale] [PAGE]" in await rig.ask("plans", argument)


async def test_a_plan_is_done_and_open_again(rig: CommandRig) -> None:
    plan = await intend(rig, "Ann plans to go to Rome", due_at=NOW)
    assert await rig.ask("done", plan.id[:8]) == "Done: Ann plans to go to Rome"
    assert "That was over already" in await rig.ask("done", plan.id)
    kept = await rig.engine.store.get(plan.id)
    assert kept.intention.closed_at == NOW
    assert "Open again" in await rig.ask("done", f"{plan.id} off")
    assert "still open" in await rig.ask("done", f"{plan.id} off")
    assert (await rig.engine.store.get(plan.id)).due_at == NOW
    assert "reported done · Ann (901)" in await rig.ask("audit", plan.id)


async def test_what_was_archived_comes_back_when_it_is_meant_again(rig: CommandRig) -> None:
    plan = await intend(rig, "Ann plans to learn Greek", status=IntentionStatus.STALE)
    await rig.engine.store.amend(
        [plan.id], lambda m: replace(m, standing=Standing(Status.ARCHIVED, NOW))
    )
    await rig.ask("done", f"{plan.id} off")
    assert (await rig.engine.store.get(plan.id)).recallable
    assert "Greek" in await rig.ask("plans")


async def test_a_fact_and_what_others_mean_to_do_cannot_be_done(rig: CommandRig) -> None:
    fact = await rig.remember("Ann keeps bees")
    assert "no plan" in await rig.ask("done", fact.id)
    theirs = await rig.remember(
        "Ben plans to fly", of=in_group(BEN), kind=Kind.PROSPECTIVE, intention=Intention()
    )
    await rig.ask("done", theirs.id, by=in_group(ANN))
    await rig.ask("done", theirs.id)
    assert (await rig.engine.store.get(theirs.id)).intention == Intention()
    assert "Ben plans to fly" not in await rig.ask("plans")
    assert "Ben plans to fly" in await rig.ask("plans", by=in_group(ANN))


SAID = ("Ann applied at the bakery", "Ann was asked to the bakery", "Ann works at the bakery")


async def told(rig: CommandRig) -> tuple[Memory, list[Memory]]:
    """A thread, and what it tells."""
    kept = [await rig.remember(text) for text in SAID]
    journal = rig.engine.journal.id
    id = thread_id(journal, ANN.scope.key, "entity:bakery")
    thread = composed(id, "bakery", kept, [line_of(each, "2025-06-15") for each in kept])
    await rig.engine.store.put([thread])
    return thread, kept


async def test_a_thread_is_shown_line_by_line_and_named_by_its_memories(rig: CommandRig) -> None:
    thread, kept = await told(rig)
    shown = (await rig.ask("show", thread.id)).splitlines()
    assert shown[2:5] == [f"  2025-06-15 {each.text} ({each.id[:6]})" for each in kept]
    thread, kept = await told(rig)
    assert thread.id[:6] in await rig.ask("show", kept[0].id)
    assert thread.id[:6] in await rig.ask("search", "bakery")
    thread, _ = await told(rig)
    assert "kept for good" not in await rig.ask("show", thread.id)


async def test_a_thread_loses_what_is_forgotten_and_hides_from_others(rig: CommandRig) -> None:
    thread, kept = await told(rig)
    assert thread.id[:6] not in await rig.ask("search", "bakery", by=BEN)
    shown = await rig.ask("show", thread.id, by=admin(BEN))
    assert not any(text in shown for text in SAID)
    assert kept[0].id[:6] not in shown
    await rig.ask("forget", kept[1].id)
    shown = await rig.ask("show", thread.id)
    assert SAID[1] not in shown
    assert SAID[2] in shown
    thread, kept = await told(rig)
    await rig.ask("correct", f"{kept[2].id} Ann works at the mill")
    assert SAID[2] not in await rig.ask("show", thread.id)


async def test_the_page_has_a_thread_as_a_dated_timeline_and_the_way_back(rig: CommandRig) -> None:
    thread, kept = await told(rig)
    hidden = await data(rig, "GET memories/<id>", id=thread.id)
    assert (hidden["story"], hidden["memory"]["masked"]) == ([], True)
    shown = await data(rig, "GET memories/<id>", id=thread.id, reveal="to look after it")
    assert [each["said"] for each in shown["story"]] == [f"2025-06-15 {said}" for said in SAID]
    assert [[m["id"] for m in each["memories"]] for each in shown["story"]] == [
        [each.id] for each in kept
    ]
    one = await data(rig, "GET memories/<id>", id=kept[0].id, reveal="to look after it")
    assert [each["id"] for each in one["threads"]] == [thread.id]


BOSS = admin(ANN)


async def test_a_memory_is_given_tags_and_loses_them(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    assert await rig.ask("tag", memory.id[:6]) == "No tags: Ann keeps bees"
    answer = await rig.ask("tag", f"{memory.id} #Hobby 养蜂")
    assert answer == "#hobby #养蜂: Ann keeps bees"
    assert await rig.ask("tag", f"{memory.id} -HOBBY") == "#养蜂: Ann keeps bees"
    assert "Tags: #养蜂" in await rig.ask("show", memory.id)
    assert "tags changed" in await rig.ask("audit", memory.id)


async def test_what_has_a_tag_is_found_by_it(rig: CommandRig) -> None:
    bees = await rig.remember("Ann keeps bees", tags=("hobby",))
    chess = await rig.remember("Ann plays chess", tags=("hobby",))
    await rig.remember("Ann is a nurse", tags=("work",))
    every = await rig.ask("search", "--tag Hobby")
    assert bees.text in every
    assert chess.text in every
    assert "nurse" not in every
    assert "#hobby" in every
    some = await rig.ask("search", "--tag hobby chess")
    assert chess.text in some
    assert bees.text not in some
    assert await rig.ask("search", "--tag none") == "No memory here has the tag none."
    assert "2 memories" in await rig.ask("list", "tag=hobby", by=BOSS)
    assert "1 memories" in await rig.ask("list", "标签=WORK", by=BOSS)


@pytest.mark.parametrize("word", ["x" * 41, "x" * 3_900, "-", "#", "-" + "y" * 60])
async def test_what_is_no_tag_changes_nothing(rig: CommandRig, word: str) -> None:
    memory = await rig.remember("Ann keeps bees", tags=("hobby",))
    assert (await rig.ask("tag", f"{memory.id} ok {word}")).startswith("That is no tag")
    assert (await rig.engine.store.get(memory.id)).tags == ("hobby",)


async def test_a_memory_has_few_tags_and_none_in_the_bin(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    many = " ".join(f"t{n}" for n in range(900))
    assert f"{MOST_TAGS} tags at most" in await rig.ask("tag", f"{memory.id} {many}")
    assert (await rig.engine.store.get(memory.id)).tags == ()
    memory = await rig.remember("Ann keeps bees", tags=("hobby",))
    await rig.ask("forget", memory.id)
    assert (await rig.engine.store.get(memory.id)).standing.status is Status.BINNED
    assert await rig.ask("search", "--tag hobby") == "No memory here has the tag hobby."


async def test_one_tags_ones_own_in_a_group_and_learns_nothing_by_tags(rig: CommandRig) -> None:
    own, other = [
        await rig.remember(text, of=in_group(who))
        for text, who in (("Ann keeps bees", ANN), ("Ben keeps goats", BEN))
    ]
    ann = in_group(ANN)
    assert "#hobby" in await rig.ask("tag", f"{own.id} hobby", by=ann)
    assert "hobby" not in await rig.ask("tag", f"{other.id} hobby", by=ann)
    assert (await rig.engine.store.get(other.id)).tags == ()
    secret = await rig.remember("Ben is ill", of=BEN, tags=("health",))
    await rig.ask("scopes", by=BOSS)
    assert "No memory fits" in await rig.ask("list", f"{BEN.scope.key} tag=health", by=BOSS)
    assert "1 memories" in await rig.ask("list", BEN.scope.key, by=BOSS)
    for words in ("", " health", " -health", " new"):
        answer = await rig.ask("tag", secret.id + words, by=BOSS)
        assert "Only the person themselves" in answer
    assert (await rig.engine.store.get(secret.id)).tags == ("health",)
