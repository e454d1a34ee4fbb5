"""The bin, the forecast, sleep and aliases: for admins, and only about what they may see."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.commands.chat.forgetting import WIDTH, bar
from astrbot_plugin_tidemark.core.forgetting.lifecycle import PURGING
from astrbot_plugin_tidemark.core.model.memory import (
    Kind,
    Memory,
    Standing,
    Status,
    UserFeedback,
    Vitality,
)
from astrbot_plugin_tidemark.core.ports import Filter, WorkKind, WorkState
from astrbot_plugin_tidemark.scripts.nights import drained
from hypothesis import given
from hypothesis import strategies as st

from ..command_rig import ANN, BEN, DAY, NOW, CommandRig, admin, in_group

BOSS = admin(ANN)


def in_bin(reason: str = "decayed", *, since: float = NOW) -> Standing:
    return Standing(Status.BINNED, since, reason, since + 30 * DAY)


# bin and restore


async def test_the_bin_lists_reason_and_day_of_deletion_page_by_page(rig: CommandRig) -> None:
    await rig.remember("alive")
    assert await rig.ask("bin", by=BOSS) == "The bin of this chat is empty."
    memory = await rig.remember("trifle", standing=in_bin())
    assert (await rig.ask("bin", by=BOSS)).splitlines() == [
        "1 in the bin, page 1 of 1:",
        f"{memory.id[:6]} until 2025-07-15 [faded with time] trifle",
    ]
    for number in range(9):
        await rig.remember(f"trifle {number}", standing=in_bin())
    assert "page 2 of 2" in await rig.ask("bin", "2", by=BOSS)
    assert await rig.ask("bin", "x", by=BOSS) == "Usage: /memory bin [PAGE]"


async def test_an_admin_does_not_see_the_bin_of_another_private_chat(rig: CommandRig) -> None:
    memory = await rig.remember("Ben's secret", of=BEN, standing=in_bin())
    assert await rig.ask("bin", by=BOSS) == "The bin of this chat is empty."
    assert "no such memory" in await rig.ask("restore", memory.id, by=admin(in_group(ANN)))
    stored = await rig.engine.store.get(memory.id)
    assert stored.standing.status is Status.BINNED
    assert "Restored" in await rig.ask("restore", memory.id, by=BOSS)


async def test_a_restored_memory_is_alive_what_is_purged_is_not(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees", standing=in_bin(), vitality=Vitality(0))
    answer = await rig.ask("restore", memory.id[:6], by=BOSS)
    assert answer == "Restored with strength 6: Ann keeps bees"
    assert "[fading 6] Ann keeps bees" in await rig.ask("mine")
    memory = await rig.remember("old", standing=Standing(Status.ARCHIVED, NOW, "unused"))
    assert "Restored" in await rig.ask("restore", memory.id, by=BOSS)
    memory = await rig.remember("trifle", standing=in_bin(PURGING))
    answer = await rig.ask("restore", memory.id, by=BOSS)
    assert answer == "It is being deleted for good and cannot be restored: trifle"
    assert "[being deleted for good] trifle" in await rig.ask("bin", by=BOSS)
    memory = await rig.remember("Ann keeps bees")
    assert await rig.ask("restore", memory.id, by=BOSS) == "It is not in the bin: Ann keeps bees"


# decay --preview


async def test_the_forecast_names_what_goes_and_when_soonest_first(rig: CommandRig) -> None:
    late = await rig.remember("later", vitality=Vitality(6))
    soon = await rig.remember("sooner", vitality=Vitality(2))
    await rig.remember("much later", vitality=Vitality(20))
    assert (await rig.ask("decay", "--preview 30", by=BOSS)).splitlines() == [
        "If nothing is judged for 30 days, 2 memories will be forgotten overall, 2 of them here."
        " A forecast: nothing was changed.",
        f"2025-06-21 {soon.id[:6]} sooner",
        f"2025-07-03 {late.id[:6]} later",
    ]


async def test_the_forecast_counts_all_shows_this_chat_and_changes_nothing(rig: CommandRig) -> None:
    await rig.remember("Ben's secret", of=BEN)
    answer = await rig.ask("decay", "--preview 30", by=BOSS)
    assert "1 memories will be forgotten overall, 0 of them here" in answer
    assert "secret" not in answer
    await rig.remember("settled", vitality=Vitality(1, useful_score=3.0))
    await rig.remember("intention", kind=Kind.PROSPECTIVE)
    await rig.remember("important", feedback=UserFeedback(important=True))
    assert "0 of them here" in await rig.ask("decay", "--preview 3650", by=BOSS)
    memory = await rig.remember("trifle", vitality=Vitality(1))
    await rig.ask("decay", "--preview 3650", by=BOSS)
    assert await rig.engine.store.get(memory.id) == memory


# sleep


async def slept(rig: CommandRig) -> str:
    assert (await rig.ask("sleep", by=BOSS)).startswith("Started:")
    rig.engine.start()
    assert await drained(rig.engine.worker, 20.0)
    return await rig.ask("sleep", "status", by=BOSS)


async def test_sleep_answers_at_once_and_the_second_joins_the_first(rig: CommandRig) -> None:
    await rig.say("I am allergic to peanuts")
    assert await rig.ask("sleep", "status", by=BOSS) == (
        "No memories have been put in order yet, or nothing had to be changed."
    )
    # Nobody works yet: it has answered without waiting for anything.
    begun = await rig.ask("sleep", by=BOSS)
    assert begun.startswith("Started: 1 episodes closed, 1 chats to put in order.")
    for argument in ("", "status"):
        assert "1 chats are still to be put in order" in await rig.ask("sleep", argument, by=BOSS)
    assert len(await rig.engine.journal.sleeping()) == 2
    assert "/memory sleep [status]" in await rig.ask("sleep", "now", by=BOSS)


async def test_sleep_tells_what_time_has_worn_although_a_sweep_came_first(rig: CommandRig) -> None:
    await rig.remember("trifle", vitality=Vitality(1), created_at=NOW - 4 * DAY)
    await rig.remember("stronger", vitality=Vitality(9), created_at=NOW - 4 * DAY)
    await rig.engine.jobs.tick()
    assert (await slept(rig)).endswith(": 2 weakened, 1 put into the bin.")


# alias


async def test_aliases_are_listed_by_person_and_separated_by_removal(rig: CommandRig) -> None:
    assert await rig.ask("alias", "list", by=BOSS) == "There are no aliases."
    await rig.ask("alias", "add qq 901 ann", by=BOSS)
    answer = await rig.ask("alias", "add  web   ann  ann", by=BOSS)
    assert answer == "web/ann is ann now; accounts of this person: qq/901, web/ann"
    assert await rig.ask("alias", "list", by=BOSS) == (
        "Accounts that are one person:\nann: qq/901, web/ann"
    )
    assert await rig.ask("alias", "remove qq 1", by=BOSS) == "qq/1 has no alias."
    for number in range(60):
        await rig.ask("alias", f"add qq {'9' * 60}{number} ann", by=BOSS)
    assert len(await rig.ask("alias", "list", by=BOSS)) <= 1_400
    web = replace(ANN, scope=replace(ANN.scope, platform="web", subject="ann"))
    await rig.remember("told on the web", of=web)
    for argument in ("add qq 901 ann", "add web ann ann"):
        await rig.ask("alias", argument, by=BOSS)
    assert "told on the web" in await rig.ask("mine")
    answer = await rig.ask("alias", "remove web ann", by=BOSS)
    assert answer == "web/ann is no longer merged with other accounts."
    assert "told on the web" not in await rig.ask("mine")


@pytest.mark.parametrize("command", ["remove web ann", "add web ann somebody"])
async def test_parting_accounts_takes_back_what_both_heard(rig: CommandRig, command: str) -> None:
    for argument in ("add qq 901 ann", "add web ann ann", "add web ann ann"):
        await rig.ask("alias", argument, by=BOSS)
    unshared = WorkKind.UNSHARE, WorkState.READY
    assert unshared not in await rig.engine.journal.backlog()
    await rig.ask("alias", command, by=BOSS)
    assert (await rig.engine.journal.backlog())[unshared] == 1


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_bar_has_its_width_and_hides_neither_something_nor_a_rest(one: int, rest: int) -> None:
    drawn = bar(one, one + rest)
    assert len(drawn) == WIDTH
    assert drawn == "█" * drawn.count("█") + "░" * drawn.count("░")
    assert ("█" in drawn) is (one > 0)
    assert ("░" in drawn) is (rest > 0 or one == 0)


async def test_tiers_of_this_chat_and_of_everything_are_counted_and_drawn(rig: CommandRig) -> None:
    await rig.remember("soon", vitality=Vitality(1))
    await rig.remember("later", vitality=Vitality(3))
    await rig.remember("kept", vitality=Vitality(1), feedback=UserFeedback(important=True))
    await rig.remember("settled", vitality=Vitality(6, useful_score=5.0))
    await rig.remember("lasting", of=BEN, vitality=Vitality(6, useful_score=10.0))
    assert (await rig.ask("tiers", by=BOSS)).splitlines() == [
        "This chat, 4 memories:",
        "█████████░░░ fading 3",
        "███░░░░░░░░░ settling 1",
        "░░░░░░░░░░░░ lasting 0",
        "1 of them pinned or important, never forgotten",
        "Forgotten within 3/7/14 days unless used: 1/1/2",
        "Left week by week over 12 weeks, unless used: █▆▄▄▄▄▄▄▄▄▄▄▄ 2",
        "Everything, 5 memories:",
        "███████░░░░░ fading 3",
        "██░░░░░░░░░░ settling 1",
        "██░░░░░░░░░░ lasting 1",
    ]


BINNED = Standing(Status.BINNED, NOW, "decayed", NOW + 30 * DAY)


async def left(rig: CommandRig) -> int:
    return await rig.engine.store.count(Filter(status=None))


async def code(rig: CommandRig) -> str:
    return (await rig.ask("purge", "all", by=BOSS)).split()[-1]


async def binned(rig: CommandRig, text: str, **changes: object) -> Memory:
    return await rig.remember(text, standing=BINNED, **changes)


async def test_only_what_lies_in_the_bin_can_be_deleted_for_good(rig: CommandRig) -> None:
    memory = await binned(rig, "trifle")
    answer = await rig.ask("purge", memory.id[:6], by=BOSS)
    assert answer == "Deleted for good, with 0 recorded message(s): trifle"
    assert await left(rig) == 0
    assert (await rig.ask("purge", memory.id[:6], by=BOSS)).startswith("There is no such memory.")
    memory = await rig.remember("Ann keeps bees")
    answer = await rig.ask("purge", memory.id, by=BOSS)
    assert answer == (
        f"It is not in the bin; first run /memory forget {memory.id[:6]}: Ann keeps bees"
    )
    assert await left(rig) == 1


async def test_the_whole_bin_is_deleted_only_with_the_code_that_was_given(rig: CommandRig) -> None:
    for number in range(3):
        await binned(rig, f"trifle {number}")
    await rig.remember("alive")
    answer = await rig.ask("purge", "all", by=BOSS)
    assert answer.startswith("This deletes 3 memories in the bin of this chat for good")
    given = answer.split()[-1]
    assert answer.endswith(f"/memory purge all {given}")
    refusal = await rig.ask("purge", "all WRONG1", by=BOSS)
    assert refusal.startswith("That code is wrong or no longer valid; nothing was deleted.")
    assert await left(rig) == 4
    done = await rig.ask("purge", f"ALL {given.lower()}", by=BOSS)
    assert done == "Deleted for good: 3 memories and 0 recorded messages."
    assert await left(rig) == 1
    assert (await rig.ask("purge", f"all {given}", by=BOSS)).startswith("That code is wrong")


async def test_only_the_bin_of_this_chat_is_emptied_if_anything(rig: CommandRig) -> None:
    await rig.remember("alive")
    assert await rig.ask("purge", "all", by=BOSS) == "The bin of this chat is empty."
    await binned(rig, "trifle")
    of_ben = await binned(rig, "Ben's", of=BEN)
    await rig.ask("purge", f"all {await code(rig)}", by=BOSS)
    assert await rig.engine.store.find([of_ben.id]) == [of_ben]
