"""The full record of a memory, in words."""

from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.conflict.trust import CORROBORATES
from astrbot_plugin_tidemark.core.feedback.credit import USELESS
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Relation
from astrbot_plugin_tidemark.core.model.memory import (
    Access,
    Kind,
    Memory,
    Mood,
    Origin,
    Sentiment,
    Source,
    Standing,
    Status,
    Succession,
    Successor,
    Vitality,
)
from astrbot_plugin_tidemark.core.ports import AuditEntry
from astrbot_plugin_tidemark.core.records.evidence import evidence_id

from ..command_rig import ANN, BEN, DAY, GROUP, NOW, CommandRig, admin, in_group


async def test_the_record_tells_text_author_source_strength_and_future(rig: CommandRig) -> None:
    memory = await rig.remember(
        "Ann keeps bees",
        origin=Origin(turns=(3, 4)),
        vitality=Vitality(6, useful_count=1, useful_score=2.5),
        access=Access(NOW, NOW, 4),
    )
    assert (await rig.ask("show", memory.id[:6])).splitlines() == [
        f"{memory.id[:6]} · fact",
        "Ann keeps bees",
        "Said by Ann (901), 2025-06-15 15:06",
        "Source: said by a user, extracted by rules, from 2 message(s); trust 60%, confidence 50%",
        "Strength: fading 6; importance 50%; recalled 3 times, judged useful 1 times",
        "Will be forgotten about 2025-07-03 if it is not used",
    ]


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        (Claim("@", "residence", "Bath", NOW - DAY), "Holds: home = Bath, since 2025-06-14"),
        (
            Claim("@", "residence", "Bath", NOW - DAY, NOW),
            "Holds: home = Bath, since 2025-06-14; until 2025-06-15, no longer so",
        ),
        (
            Claim("@", "workplace", "", NOW, None, True),
            "No longer: workplace = (any), since 2025-06-15",
        ),
    ],
)
async def test_what_a_memory_claims_has_its_dates(rig: CommandRig, claim: Claim, line: str) -> None:
    memory = await rig.remember("Ann lives in Bath", claim=claim)
    assert line in (await rig.ask("show", memory.id)).splitlines()


async def test_in_private_an_admin_finds_every_memory_without_its_words(rig: CommandRig) -> None:
    secret = Claim("@", "illness", "gout", NOW)
    memory = await rig.remember("Ann has gout", of=BEN, claim=secret)
    shown = await rig.ask("show", memory.id, by=admin(ANN))
    assert "gout" not in shown
    assert "illness" not in shown
    secret = await rig.remember("Ben's secret", of=BEN)
    told = await rig.ask("show", secret.id[:8], by=admin(ANN))
    assert "Strength: fading 6" in told
    assert "Ben" not in told
    own = await rig.remember("Ann's", id="abcdef11-0000-4000-8000-000000000000")
    await rig.remember("Ben's", of=BEN, id="abcdef22-0000-4000-8000-000000000000")
    assert own.text in await rig.ask("show", "abcdef", by=admin(ANN))
    assert "not shown" in await rig.ask("show", "abcdef22", by=admin(ANN))


async def learnt_from(rig: CommandRig, *seqs: int, **changes: Any) -> Memory:
    """A memory that was learnt from these turns."""
    first = await rig.engine.journal.turn(seqs[0])
    origin = Origin(first.place.session, "c1", first.episode, seqs)
    return await rig.remember("Ann keeps bees in Bath", origin=origin, **changes)


async def test_the_messages_that_a_memory_rests_on_are_shown(rig: CommandRig) -> None:
    said = await rig.say("I keep bees")
    memory = await learnt_from(rig, said, await rig.say("In Bath, of\nall places"))
    assert (await rig.ask("show", memory.id)).splitlines()[4:6] == [
        "  2025-06-15 15:06 “I keep bees”",
        "  2025-06-15 15:06 “In Bath, of all places”",
    ]


async def test_of_many_messages_the_first_and_the_newest_are_shown(rig: CommandRig) -> None:
    seqs = [await rig.say(f"bees, {number}") for number in range(9)]
    lines = (await rig.ask("show", (await learnt_from(rig, *seqs)).id)).splitlines()
    assert [line[-3:-1] for line in lines if "“bees" in line] == [" 0", " 6", " 7", " 8"]


async def test_other_people_s_messages_in_a_group_name_their_speaker(rig: CommandRig) -> None:
    ann, ben = in_group(ANN), in_group(BEN)
    seqs = [await rig.say("I keep bees", by=ann), await rig.say("In Bath!", by=ben)]
    answer = await rig.ask("show", (await learnt_from(rig, *seqs, of=ann)).id, by=ben)
    assert "15:06 “I keep bees”" in answer
    assert "15:06 Ben: “In Bath!”" in answer


async def test_messages_are_shown_only_to_who_sees_the_memory(rig: CommandRig) -> None:
    memory = await learnt_from(rig, await rig.say("I keep bees", by=BEN), of=BEN)
    assert "I keep bees" in await rig.ask("show", memory.id, by=BEN)
    for other in (ANN, admin(ANN), in_group(BEN)):
        assert "I keep bees" not in await rig.ask("show", memory.id, by=other)


@pytest.mark.parametrize("other", ["scope", "episode"])
async def test_a_number_of_another_message_here_shows_nothing(rig: CommandRig, other: str) -> None:
    said = await rig.say("I keep bees", by=BEN if other == "scope" else ANN)
    episode = (await rig.engine.journal.turn(said)).episode
    elsewhere = episode if other == "scope" else "imported"
    memory = await rig.remember("Ann sails", origin=Origin(episode=elsewhere, turns=(said,)))
    assert "bees" not in await rig.ask("show", memory.id)


async def test_a_message_said_again_is_shown_a_forgotten_one_is_not(rig: CommandRig) -> None:
    again = await rig.say("I sail")
    raw = evidence_id(rig.engine.journal.id, again)
    memory = await rig.remember("Ann sails", origin=Origin(episode="before", turns=(again,)))
    await rig.engine.store.amend(
        [memory.id], lambda kept: replace(kept, relations=(Relation(kept.id, CORROBORATES, raw),))
    )
    assert "“I sail”" in await rig.ask("show", memory.id)
    said = await rig.say("I keep bees")
    raw = evidence_id(rig.engine.journal.id, said)
    memory = await learnt_from(rig, said)
    await rig.remember("I keep bees", kind=Kind.EVIDENCE, id=raw, origin=Origin(turns=(said,)))
    await rig.ask("forget", raw)
    assert "I keep bees" not in await rig.ask("show", memory.id)


async def test_a_card_of_one_group_is_not_told_in_another_nor_in_private(rig: CommandRig) -> None:
    ann, ben = in_group(ANN), in_group(BEN)
    here = await rig.remember("I row", of=ann)
    private = await rig.remember("I sail")
    support = replace(GROUP, subject="6000")
    card = replace(
        ann, name="Ann-HIV-support", scope=support, session=f"qq:GroupMessage:{support.subject}"
    )
    there = await rig.remember("I dance", of=replace(card, name="Ann"))
    await rig.say("Good morning", by=card)
    for answer in (
        await rig.ask("show", here.id, by=ben),
        await rig.ask("search", "row", by=ben),
        await rig.ask("show", private.id),
        await rig.ask("show", here.id, by=admin(ANN)),
    ):
        assert "HIV" not in answer
    assert "Ann-HIV-support" in await rig.ask("show", there.id, by=replace(card, person="902"))
    assert "Ann-HIV-support" in await rig.ask("show", there.id, by=admin(ANN))
    assert "HIV" not in await rig.ask("scopes", by=admin(ANN))


async def test_what_time_makes_of_a_memory_is_told(rig: CommandRig) -> None:
    memory = await rig.remember("peanuts", vitality=Vitality(9, useful_score=12.5))
    answer = await rig.ask("show", memory.id)
    assert "Strength: lasting 9" in answer
    assert "Time alone will not make it forgotten" in answer
    memory = await rig.remember("call Ben on friday", kind=Kind.PROSPECTIVE)
    assert "Time alone" in await rig.ask("show", memory.id)
    memory = await rig.remember("trifle", vitality=Vitality(1))
    rig.clock.at += 4 * DAY
    assert "the next sweep puts it into the bin" in await rig.ask("show", memory.id)


async def test_what_is_not_live_tells_why_and_until_when(rig: CommandRig) -> None:
    for reason, words in (("decayed", "faded with time"), (USELESS, "recalled in vain")):
        standing = Standing(Status.BINNED, NOW, reason, NOW + 30 * DAY)
        memory = await rig.remember(f"gone: {reason}", standing=standing)
        answer = await rig.ask("show", memory.id)
        assert f"In the bin since 2025-06-15: {words}; to be deleted for good after" in answer
    memory = await rig.remember("old", standing=Standing(Status.ARCHIVED, NOW, "unused"))
    assert "Archived since 2025-06-15" in await rig.ask("show", memory.id)
    newer = await rig.remember("Ann lives in Rome", source=Source.CORRECTION)
    older = await rig.remember(
        "Ann lives in Paris", successor=Successor(newer.id, Succession.CORRECTS)
    )
    assert f"corrected by {newer.id[:6]}" in await rig.ask("show", older.id)
    memory = await rig.remember("Paris", successor=Successor("gone", Succession.CORRECTS))
    answer = await rig.ask("show", memory.id)
    assert "corrected; what took its place is gone" in answer


async def test_what_is_kept_for_good_says_by_which_mark(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    await rig.ask("important", memory.id)
    answer = await rig.ask("show", memory.id)
    assert "Never forgotten: marked important (by whom: /memory audit)" in answer
    await rig.ask("pin", memory.id, by=admin(ANN))
    answer = await rig.ask("show", memory.id)
    assert "Never forgotten: pinned by an admin · marked important" in answer
    assert "marked important · Ann (901)" in answer


async def test_the_history_is_told_in_words_oldest_first(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    await rig.ask("forget", memory.id)
    rig.clock.at += DAY
    await rig.ask("restore", memory.id, by=admin(ANN))
    assert (await rig.ask("show", memory.id)).splitlines()[-3:] == [
        "History:",
        "  2025-06-15 15:06 put into the bin · Ann (901)",
        "  2025-06-16 15:06 restored · Ann (901)",
    ]


async def test_an_action_of_a_later_version_is_shown_as_written(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    entry = AuditEntry("k", memory.id, memory.scope, "polished", "someone", NOW)
    await rig.engine.journal.audit([entry])
    assert "polished · someone" in await rig.ask("show", memory.id)


async def test_a_long_memory_with_a_long_history_stays_within_one_message(rig: CommandRig) -> None:
    memory = await rig.remember("潮" * 5_000)
    entries = [
        AuditEntry(f"k{n}", memory.id, memory.scope, "useful", "x" * 300, NOW + n)
        for n in range(50)
    ]
    await rig.engine.journal.audit(entries)
    assert len(await rig.ask("show", memory.id)) <= 1_400


async def test_an_id_in_any_case_is_found_but_of_nobody_else(rig: CommandRig) -> None:
    secret = await rig.remember("Ben's secret", of=BEN)
    unknown = await rig.ask("show", "00000000")
    assert unknown.startswith("There is no such memory.")
    assert await rig.ask("show", secret.id) == unknown
    assert await rig.ask("show", secret.id, by=admin(in_group(ANN))) == unknown
    other = replace(ANN, scope=replace(ANN.scope, persona="cat"))
    memory = await rig.remember("told to the cat", of=other)
    assert "no such memory" in await rig.ask("show", memory.id)
    assert "told to the cat" in await rig.ask("show", memory.id, by=other)
    memory = await rig.remember("Ann keeps bees")
    for written in (memory.id, memory.id.upper(), f"  {memory.id[:8]}\n"):
        assert "Ann keeps bees" in await rig.ask("show", written)
    memory = await rig.remember("Ann keeps bees")
    await rig.say("Good morning", by=replace(ANN, name="Annie"))
    answer = await rig.ask("show", memory.id)
    assert "Said by Annie (901), then called Ann, 2025-06-15 15:06" in answer


async def test_a_memory_judged_useful_by_hand_does_not_claim_a_recall(rig: CommandRig) -> None:
    boss = admin(replace(ANN, language="zh"))
    memory = await rig.remember("Ann keeps bees")
    await rig.ask("feedback", f"{memory.id} useful", by=boss)
    told = await rig.ask("show", memory.id, by=boss)
    assert "想起 0 次，判为有用 1 次" in told
    assert "其中" not in told


async def test_mood_and_whom_a_memory_is_about_are_told(rig: CommandRig) -> None:
    felt = await rig.remember("Ann passed the exam", sentiment=Sentiment(Mood.POSITIVE, 0.5))
    plain = await rig.remember("Ann keeps bees")
    assert "Mood: good" in await rig.ask("show", felt.id[:6])
    assert "Mood" not in await rig.ask("show", plain.id[:6])
    own = await rig.remember("Ann keeps bees", about=("Ann",))
    other = await rig.remember("Ben sails", about=("Ben", "Ann"))
    assert "About" not in await rig.ask("show", own.id)
    assert "About: Ben / Ann" in await rig.ask("show", other.id)
    memory = await rig.remember("the sky is blue", speaker=None)
    assert "Said by nobody known" in await rig.ask("show", memory.id)
