"""Scopes, and the memories of one of them, for admins."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.conversation import ANY_PERSONA, Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.memory import Kind, Standing, Status, UserFeedback, Vitality

from ..command_rig import ANN, BEN, DAY, GROUP, NOW, CommandRig, admin, in_group

BOSS = admin(ANN)
CHINESE = replace(BOSS, language="zh")


def texts(answer: str) -> list[str]:
    """What the lines of a listing are about."""
    return [line.split("] ", 1)[1] for line in answer.splitlines() if "] " in line]


async def furnish(rig: CommandRig) -> None:
    """Six memories of Ann's that differ in every way one can filter by."""
    for number, (text, changes) in enumerate(
        {
            "fading": {"vitality": Vitality(2)},
            "settling": {"vitality": Vitality(9, useful_score=3.0)},
            "lasting": {"vitality": Vitality(5, useful_score=10.0)},
            "raw": {"kind": Kind.EVIDENCE, "vitality": Vitality(1)},
            "binned": {"standing": Standing(Status.BINNED, NOW, "decayed", NOW + DAY)},
            "pinned": {"vitality": Vitality(3, pinned=True)},
        }.items()
    ):
        changes = {"happened_at": NOW + number * DAY, **changes}
        await rig.remember(text, created_at=NOW - number * DAY, **changes)


async def test_the_list_has_the_live_memories_of_this_chat_newest_first(rig: CommandRig) -> None:
    await furnish(rig)
    await rig.remember("Ben's secret", of=BEN)
    answer = await rig.ask("list", by=BOSS)
    assert answer.splitlines()[0] == "5 memories, newest first, page 1 of 1:"
    assert texts(answer) == ["fading", "settling", "lasting", "raw", "pinned"]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ("tier=0", ["fading", "raw", "pinned"]),
        ("tier=1", ["settling"]),
        ("层级=长存", ["lasting"]),
        ("tier=lasting", ["lasting"]),
        ("status=binned", ["binned"]),
        ("状态：回收站", ["binned"]),
        ("status=all", ["fading", "settling", "lasting", "raw", "binned", "pinned"]),
        ("状态=全部 tier=0", ["fading", "raw", "binned", "pinned"]),
        ("kind=evidence", ["raw"]),
        ("类型＝原话", ["raw"]),
        ("KIND=Semantic sort=oldest", ["pinned", "lasting", "settling", "fading"]),
        ("pinned", ["pinned"]),
        ("固定", ["pinned"]),
        ("sort=strongest", ["settling", "lasting", "pinned", "fading", "raw"]),
        ("sort=latest", ["pinned", "raw", "lasting", "settling", "fading"]),
        ("排序=最近发生 kind=evidence", ["raw"]),
        ("排序=最早 页=1", ["pinned", "raw", "lasting", "settling", "fading"]),
    ],
)
async def test_a_filter_lets_through_what_it_names_in_either_language(
    rig: CommandRig, filters: str, found: list[str]
) -> None:
    await furnish(rig)
    for caller in (BOSS, CHINESE):
        assert texts(await rig.ask("list", filters, by=caller)) == found


async def test_what_is_important_is_among_the_pinned(rig: CommandRig) -> None:
    await rig.remember("peanuts", feedback=UserFeedback(important=True))
    assert texts(await rig.ask("list", "pinned", by=BOSS)) == ["peanuts"]


async def test_every_page_together_lists_each_memory_once(rig: CommandRig) -> None:
    for number in range(17):
        await rig.remember(f"fact {number:02}", vitality=Vitality(number))
    pages = [await rig.ask("list", f"sort=strongest page={n}", by=BOSS) for n in (1, 2, 3)]
    found = [text for page in pages for text in texts(page)]
    assert found == [f"fact {number:02}" for number in reversed(range(17))]
    assert "page 3 of 3" in await rig.ask("list", "page=99", by=BOSS)


# scopes


async def test_scopes_are_numbered_with_owners_and_how_many_live_there(rig: CommandRig) -> None:
    await rig.say("hello", by=BEN)
    await rig.remember("of Ann")
    await rig.remember("told to the cat", scope=replace(ANN.scope, persona="cat").key)
    await rig.remember("of Ben", of=BEN)
    await rig.remember("of the group", of=in_group(BEN))
    web = Scope(ScopeKind.PRIVATE, "web", "a/b <c>", ANY_PERSONA)
    await rig.remember("of somebody", scope=web.key)
    bin_ = Standing(Status.BINNED, NOW, "decayed", NOW + DAY)
    await rig.remember("gone", of=BEN, standing=bin_)
    assert (await rig.ask("scopes", by=BOSS)).splitlines() == [
        "5 scopes, page 1 of 1:",
        "1. group qq/5000: 1",
        "2. private qq/901 · persona “cat”: 1",
        "3. private qq/901: 1",
        "4. private Ben: 1",
        "5. private web/a/b ‹c› · any persona: 1",
        "List one of them: /memory list NUMBER",
    ]


async def test_a_group_is_listed_with_the_name_it_last_had(rig: CommandRig) -> None:
    await rig.remember("of the group", of=in_group(ANN))
    await rig.say("hello", by=in_group(ANN), chat_name="Rowers")
    await rig.say("hello", by=in_group(BEN), chat_name="Harbour\n<crew>")
    await rig.say("hello", by=in_group(BEN))
    assert "1. group Harbour ‹crew›: 1" in await rig.ask("scopes", by=BOSS)
    listed = await rig.ask("list", "1", by=BOSS)
    assert listed.startswith("group Harbour ‹crew›\n")
    assert texts(listed) == ["of the group"]


async def test_a_scope_is_listed_by_its_number_and_by_its_key_page_by_page(rig: CommandRig) -> None:
    await rig.remember("of Ann")
    await rig.remember("of the group", of=in_group(ANN))
    for name in ("1", GROUP.key):
        assert texts(await rig.ask("list", f"{name} tier=0", by=BOSS)) == ["of the group"]
    for number in range(20):
        scope = replace(ANN.scope, subject=f"9{number:02}")
        await rig.remember(f"of {number}", scope=scope.key)
    assert "page 3 of 3" in await rig.ask("scopes", "3", by=BOSS)
    assert await rig.ask("scopes", "x", by=BOSS) == "Usage: /memory list scopes [PAGE]"


async def test_an_id_from_a_list_can_be_used(rig: CommandRig) -> None:
    memory = await rig.remember("of Ben", of=BEN)
    short = (await rig.ask("list", "1", by=BOSS)).splitlines()[1].split()[0]
    await rig.ask("pin", short, by=BOSS)
    pinned = await rig.engine.store.get(memory.id)
    assert pinned is not None
    assert pinned.vitality.pinned


@pytest.mark.parametrize("scope", ["7", "private/qq/999/default"])
async def test_a_scope_that_is_not_there_is_not_listed(rig: CommandRig, scope: str) -> None:
    await rig.remember("of Ann")
    answer = await rig.ask("list", scope, by=BOSS)
    assert answer == "There is no such scope; numbers are in /memory scopes."


async def test_in_a_group_nothing_of_another_scope_is_listed(rig: CommandRig) -> None:
    await rig.remember("of the group", of=in_group(BEN))
    await rig.remember("Ann's secret")
    boss = admin(in_group(ANN))
    refusal = "In a group only the group's own memories are listed; ask in a private chat"
    assert texts(await rig.ask("list", by=boss)) == ["Ben said: of the group"]
    assert texts(await rig.ask("list", "1", by=boss)) == ["Ben said: of the group"]
    assert texts(await rig.ask("list", GROUP.key, by=boss)) == ["Ben said: of the group"]
    for other in ("2", "3", ANN.scope.key, "private/qq/999/default"):
        assert (await rig.ask("list", other, by=boss)).startswith(refusal)
    lines = (await rig.ask("scopes", by=boss)).splitlines()
    assert lines[:2] == ["1 scopes, page 1 of 1:", "1. group qq/5000: 1"]
    assert "901" not in "".join(lines)


async def test_a_listing_tells_that_nothing_fits_or_is_not_live(rig: CommandRig) -> None:
    assert await rig.ask("scopes", by=BOSS) == "There are no memories yet."
    assert await rig.ask("list", "tier=2", by=BOSS) == "No memory fits that."
    await furnish(rig)
    assert "[fading 6 · binned] binned" in await rig.ask("list", "status=all", by=BOSS)


async def test_lists_of_a_group_tell_who_said_what_a_persons_nobody(rig: CommandRig) -> None:
    await rig.remember("mondays are hard", of=in_group(BEN))
    await rig.remember("hives by the chapel", of=in_group(ANN))
    binned = Standing(Status.BINNED, NOW, "decayed", NOW + 30 * DAY)
    await rig.remember("mondays were harder", of=in_group(BEN), standing=binned)
    boss = admin(in_group(ANN))
    for command, argument in (
        ("mine", ""),
        ("list", ""),
        ("search", "mondays"),
        ("search", "--explain mondays"),
        ("decay", "--preview 60"),
        ("bin", ""),
    ):
        told = await rig.ask(command, argument, by=boss)
        assert "Ben said: mondays" in told, command
        assert "said: hives" not in told, command
    await rig.remember("Ann keeps bees")
    assert "said:" not in await rig.ask("mine")
