"""The full record of a memory, in words."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.feedback.credit import USELESS
from astrbot_plugin_tidemark.core.model.memory import (
    Access,
    Kind,
    Origin,
    Source,
    Standing,
    Status,
    Succession,
    Successor,
    Vitality,
)
from astrbot_plugin_tidemark.core.ports import AuditEntry

from ..command_rig import ANN, BEN, DAY, GROUP, NOW, Desk, admin, in_group


async def test_the_record_tells_text_author_source_strength_and_future(desk: Desk) -> None:
    memory = await desk.remember(
        "Ann keeps bees",
        origin=Origin(turns=(3, 4)),
        vitality=Vitality(6, useful_count=1, useful_score=2.5),
        access=Access(NOW, NOW, 4),
    )
    assert (await desk.ask("show", memory.id[:6])).splitlines() == [
        f"{memory.id[:6]} · fact",
        "Ann keeps bees",
        "Said by Ann (901), 2025-06-15 15:06",
        "Source: said by a user, extracted by rules, from 2 message(s); trust 60%, confidence 50%",
        "Strength: fading 6; importance 50%; recalled 3 times, judged useful 1 times",
        "Will be forgotten about 2025-07-03 if it is not used",
    ]


async def test_a_card_of_one_group_is_not_told_in_another_nor_in_private(desk: Desk) -> None:
    ann, ben = in_group(ANN), in_group(BEN)
    here = await desk.remember("I row", of=ann)
    private = await desk.remember("I sail")
    support = replace(GROUP, subject="6000")
    card = replace(
        ann, name="Ann-HIV-support", scope=support, session=f"qq:GroupMessage:{support.subject}"
    )
    there = await desk.remember("I dance", of=replace(card, name="Ann"))
    await desk.say("Good morning", by=card)
    for answer in (
        await desk.ask("show", here.id, by=ben),
        await desk.ask("search", "row", by=ben),
        await desk.ask("show", private.id),
        await desk.ask("show", here.id, by=admin(ANN)),
    ):
        assert "HIV" not in answer
    assert "Ann-HIV-support" in await desk.ask("show", there.id, by=replace(card, person="902"))
    assert "Ann-HIV-support" in await desk.ask("show", there.id, by=admin(ANN))
    assert "HIV" not in await desk.ask("scopes", by=admin(ANN))


async def test_a_lasting_memory_is_not_forgotten_by_time(desk: Desk) -> None:
    memory = await desk.remember("peanuts", vitality=Vitality(9, useful_score=12.5))
    answer = await desk.ask("show", memory.id)
    assert "Strength: lasting 9" in answer
    assert "Time alone will not make it forgotten" in answer


async def test_an_intention_does_not_fade(desk: Desk) -> None:
    memory = await desk.remember("call Ben on friday", kind=Kind.PROSPECTIVE)
    assert "Time alone" in await desk.ask("show", memory.id)


async def test_a_spent_memory_says_that_the_next_sweep_takes_it(desk: Desk) -> None:
    memory = await desk.remember("trifle", vitality=Vitality(1))
    desk.clock.at += 4 * DAY
    assert "the next sweep puts it into the bin" in await desk.ask("show", memory.id)


async def test_a_binned_memory_tells_why_and_until_when(desk: Desk) -> None:
    for reason, words in (("decayed", "faded with time"), (USELESS, "recalled in vain")):
        standing = Standing(Status.BINNED, NOW, reason, NOW + 30 * DAY)
        memory = await desk.remember(f"gone: {reason}", standing=standing)
        answer = await desk.ask("show", memory.id)
        assert f"In the bin since 2025-06-15: {words}; to be deleted for good after" in answer


async def test_an_archived_memory_says_so(desk: Desk) -> None:
    memory = await desk.remember("old", standing=Standing(Status.ARCHIVED, NOW, "unused"))
    assert "Archived since 2025-06-15" in await desk.ask("show", memory.id)


async def test_a_replaced_memory_names_its_successor(desk: Desk) -> None:
    newer = await desk.remember("Ann lives in Rome", source=Source.CORRECTION)
    older = await desk.remember(
        "Ann lives in Paris", successor=Successor(newer.id, Succession.CORRECTS)
    )
    assert f"corrected by {newer.id[:6]}" in await desk.ask("show", older.id)


async def test_a_successor_that_is_gone_is_told_without_an_id(desk: Desk) -> None:
    memory = await desk.remember("Paris", successor=Successor("gone", Succession.CORRECTS))
    answer = await desk.ask("show", memory.id)
    assert "corrected; what took its place is gone" in answer


async def test_a_memory_nobody_said_says_nobody(desk: Desk) -> None:
    memory = await desk.remember("the sky is blue", speaker=None)
    assert "Said by nobody known" in await desk.ask("show", memory.id)


async def test_what_is_kept_for_good_says_by_which_mark(desk: Desk) -> None:
    memory = await desk.remember("Ann keeps bees")
    await desk.ask("important", memory.id)
    answer = await desk.ask("show", memory.id)
    assert "Never forgotten: marked important (by whom: /memory audit)" in answer
    await desk.ask("pin", memory.id, by=admin(ANN))
    answer = await desk.ask("show", memory.id)
    assert "Never forgotten: pinned by an admin · marked important" in answer
    assert "marked important · Ann (901)" in answer


async def test_parts_of_the_plugin_are_named_in_the_history_in_the_callers_language(
    desk: Desk,
) -> None:
    memory = await desk.remember("Ann keeps bees")
    entry = AuditEntry("k", memory.id, memory.scope, "binned", "tmd", NOW)
    await desk.engine.parts.journal.audit([entry])
    answer = await desk.ask("show", memory.id, by=replace(ANN, language="zh"))
    assert answer.endswith("放进回收站 · 遗忘规则")


async def test_the_history_is_told_in_words_oldest_first(desk: Desk) -> None:
    memory = await desk.remember("Ann keeps bees")
    await desk.ask("forget", memory.id)
    desk.clock.at += DAY
    await desk.ask("restore", memory.id, by=admin(ANN))
    assert (await desk.ask("show", memory.id)).splitlines()[-3:] == [
        "History:",
        "  2025-06-15 15:06 put into the bin · Ann (901)",
        "  2025-06-16 15:06 restored · Ann (901)",
    ]


async def test_an_action_of_a_later_version_is_shown_as_written(desk: Desk) -> None:
    memory = await desk.remember("Ann keeps bees")
    entry = AuditEntry("k", memory.id, memory.scope, "polished", "someone", NOW)
    await desk.engine.parts.journal.audit([entry])
    assert "polished · someone" in await desk.ask("show", memory.id)


async def test_a_long_memory_with_a_long_history_stays_within_one_message(desk: Desk) -> None:
    memory = await desk.remember("潮" * 5_000)
    entries = [
        AuditEntry(f"k{n}", memory.id, memory.scope, "useful", "x" * 300, NOW + n)
        for n in range(50)
    ]
    await desk.engine.parts.journal.audit(entries)
    assert len(await desk.ask("show", memory.id)) <= 1_400


async def test_a_memory_of_somebody_else_is_answered_like_an_unknown_one(desk: Desk) -> None:
    secret = await desk.remember("Ben's secret", of=BEN)
    unknown = await desk.ask("show", "00000000")
    assert unknown.startswith("There is no such memory.")
    assert await desk.ask("show", secret.id) == unknown
    assert await desk.ask("show", secret.id, by=admin(in_group(ANN))) == unknown


async def test_in_a_private_chat_every_memory_is_there_for_an_admin_without_what_it_says(
    desk: Desk,
) -> None:
    secret = await desk.remember("Ben's secret", of=BEN)
    told = await desk.ask("show", secret.id[:8], by=admin(ANN))
    assert "Strength: fading 6" in told
    assert "Ben" not in told


async def test_an_admins_own_memory_is_meant_before_one_of_somebody_else(desk: Desk) -> None:
    own = await desk.remember("Ann's", id="abcdef11-0000-4000-8000-000000000000")
    await desk.remember("Ben's", of=BEN, id="abcdef22-0000-4000-8000-000000000000")
    assert own.text in await desk.ask("show", "abcdef", by=admin(ANN))
    assert "not shown" in await desk.ask("show", "abcdef22", by=admin(ANN))


async def test_a_memory_of_another_persona_is_answered_like_an_unknown_one(desk: Desk) -> None:
    other = replace(ANN, scope=replace(ANN.scope, persona="cat"))
    memory = await desk.remember("told to the cat", of=other)
    assert "no such memory" in await desk.ask("show", memory.id)
    assert "told to the cat" in await desk.ask("show", memory.id, by=other)


async def test_an_id_may_be_written_in_capitals_and_in_full(desk: Desk) -> None:
    memory = await desk.remember("Ann keeps bees")
    for written in (memory.id, memory.id.upper(), f"  {memory.id[:8]}\n"):
        assert "Ann keeps bees" in await desk.ask("show", written)


async def test_who_has_a_new_name_is_called_by_it_and_by_the_one_at_that_time(desk: Desk) -> None:
    memory = await desk.remember("Ann keeps bees")
    await desk.say("Good morning", by=replace(ANN, name="Annie"))
    answer = await desk.ask("show", memory.id)
    assert "Said by Annie (901), then called Ann, 2025-06-15 15:06" in answer


async def test_whom_a_memory_is_about_is_told_where_it_is_not_just_the_speaker(desk: Desk) -> None:
    own = await desk.remember("Ann keeps bees", about=("Ann",))
    other = await desk.remember("Ben sails", about=("Ben", "Ann"))
    assert "About" not in await desk.ask("show", own.id)
    assert "About: Ben / Ann" in await desk.ask("show", other.id)


async def test_a_memory_judged_useful_by_hand_does_not_claim_to_have_been_recalled_for_it(
    desk: Desk,
) -> None:
    boss = admin(replace(ANN, language="zh"))
    memory = await desk.remember("Ann keeps bees")
    await desk.ask("feedback", f"{memory.id} useful", by=boss)
    told = await desk.ask("show", memory.id, by=boss)
    assert "想起 0 次，判为有用 1 次" in told
    assert "其中" not in told


@pytest.mark.parametrize(
    "command", ["show", "forget", "important", "pin", "unpin", "restore", "purge"]
)
async def test_without_an_id_the_usage_is_told(desk: Desk, command: str) -> None:
    told = await desk.ask(command, by=admin(ANN))
    assert told.startswith(f"Usage: /memory {command} ")
