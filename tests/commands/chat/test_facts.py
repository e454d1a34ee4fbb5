"""What holds, by person and topic, and what cannot both be so: listed and decided."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.conflict.trust import CONTRADICTS, CORROBORATES, trust_of
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Relation
from astrbot_plugin_tidemark.core.model.memory import (
    Kind,
    Memory,
    Source,
    Standing,
    Status,
    Succession,
)
from astrbot_plugin_tidemark.core.records.manual import worded
from astrbot_plugin_tidemark.core.records.opposition import opposed

from ..command_rig import ANN, BEN, DAY, GROUP, NOW, CommandRig, admin, in_group


async def fact(
    rig: CommandRig,
    value: str,
    since: float,
    until: float | None = None,
    *,
    topic: str = "residence",
    subject: str = "@",
    denied: bool = False,
    **changes: object,
) -> Memory:
    end = None if until is None else NOW + until * DAY
    claim = Claim(subject, topic, value, NOW + since * DAY, end, denied)
    at = {"created_at": NOW + since * DAY, "happened_at": NOW + since * DAY}
    return await rig.remember(f"It is {value}", claim=claim, **at, **changes)


async def test_what_holds_is_listed_by_person_and_topic(rig: CommandRig) -> None:
    await fact(rig, "Lyon", -90, -10)
    oslo = await fact(rig, "Oslo", -10)
    job = await fact(rig, "baker", -30, topic="job")
    mother = await fact(rig, "Salthill", -5, subject="@/mother")
    meat = await fact(rig, "meat", -3, topic="like", denied=True)
    assert (await rig.ask("mine", "now")).splitlines() == [
        "4 current facts, page 1 of 1:",
        "Ann:",
        f"  job = baker, since 2025-05-16 · {job.id[:6]}",
        f"  likes: no longer meat, since 2025-06-12 · {meat.id[:6]}",
        f"  home = Oslo, since 2025-06-05 · {oslo.id[:6]}",
        "Ann, mother:",
        f"  home = Salthill, since 2025-06-10 · {mother.id[:6]}",
        "Details: /memory show ID",
    ]
    assert "4 current facts: /memory mine now" in (await rig.ask("mine")).splitlines()
    assert "facts" not in await rig.ask("mine", "2")


async def test_where_nothing_holds_that_is_said_and_in_a_group_whose_it_is(rig: CommandRig) -> None:
    await fact(rig, "Lyon", -90, -10)
    assert await rig.ask("mine", "now") == "No current facts are known here."
    assert (await rig.ask("mine", "now then")).startswith("Usage")
    await fact(rig, "Bergen", -10, subject="dev", scope=GROUP.key)
    assert "dev:" in (await rig.ask("mine", "now", by=in_group(ANN))).splitlines()


async def test_in_a_group_only_what_was_said_there_is_listed(rig: CommandRig) -> None:
    await fact(rig, "Oslo", -10)
    await fact(rig, "Bergen", -10, subject="@901", scope=GROUP.key)
    told = await rig.ask("mine", "now", by=in_group(ANN))
    assert "Bergen" in told
    assert "Oslo" not in told


async def test_the_chain_of_a_slot_is_shown_oldest_first(rig: CommandRig) -> None:
    lyon = await fact(rig, "Lyon", -90, -40)
    paris = await fact(rig, "Paris", -40, -40)
    oslo = await fact(rig, "Oslo", -40)
    await fact(rig, "baker", -30, topic="job")
    lines = (await rig.ask("show", lyon.id)).splitlines()
    start = lines.index("What was said of it:")
    assert set(lines[start + 1 : start + 4]) == {
        f"  2025-03-17 to 2025-05-06: Lyon · {lyon.id[:6]}",
        f"  2025-05-06: Paris · {paris.id[:6]}, was never so",
        f"  2025-05-06: Oslo · {oslo.id[:6]}, holds",
    }
    assert lines[start + 1].endswith(f"Lyon · {lyon.id[:6]}")


async def test_what_somebody_wanted_forgotten_is_no_link_of_the_chain(rig: CommandRig) -> None:
    gone = Standing(Status.BINNED, NOW, "by_hand", NOW + DAY)
    await fact(rig, "Lyon", -90, -40, standing=gone)
    oslo = await fact(rig, "Oslo", -40)
    assert "Lyon" not in await rig.ask("show", oslo.id)


async def test_the_chain_is_not_shown_to_an_admin_who_may_not_read_it(rig: CommandRig) -> None:
    await fact(rig, "Lyon", -90, -40, of=BEN)
    oslo = await fact(rig, "Oslo", -40, of=BEN)
    shown = await rig.ask("show", oslo.id, by=admin(ANN))
    assert "Lyon" not in shown
    assert "Oslo" not in shown


GOSSIP = "Ben is allergic to nuts"
ANN_HERE, BEN_HERE = in_group(ANN), in_group(BEN)


async def gossip(rig: CommandRig, text: str = GOSSIP, **changes: object) -> Memory:
    """What Ann says about Ben, who is known here."""
    await rig.say("Hello everybody", by=BEN_HERE)
    plain = {"scope": GROUP.key, "speaker": Speaker("901", "Ann"), "about": ("Ben",)}
    return await rig.remember(text, **(plain | changes))


async def test_who_it_is_about_is_told_unless_two_bear_the_name(rig: CommandRig) -> None:
    memory = await gossip(rig)
    answer = await rig.ask("mine", "about", by=BEN_HERE)
    assert f"{memory.id[:6]}" in answer
    assert GOSSIP in answer
    assert "Nobody else" in await rig.ask("mine", "about", by=ANN_HERE)
    assert "Nobody else" in await rig.ask("mine", "关于我", by=BEN)
    impostor = replace(BEN_HERE, person="903")
    await rig.say("I am Ben too", by=impostor)
    for caller in (BEN_HERE, impostor):
        await rig.ask("correct", f"{memory.id} Ben eats nuts every day", by=caller)
    assert (await rig.engine.store.get(memory.id)).recallable


@pytest.mark.parametrize(
    "changes",
    [
        {"about": ("BEN",)},
        {"about": (), "claim": Claim("ben", "allergy", "nuts", NOW)},
        {"about": (), "claim": Claim("ben/mother", "allergy", "nuts", NOW)},
        {"about": (), "text": "@Benny(902) is allergic to nuts"},
    ],
)
async def test_they_put_it_right(rig: CommandRig, changes: dict[str, object]) -> None:
    memory = replace(await gossip(rig), id="a1b2c3d4", **changes)
    await rig.engine.store.put([memory])
    answer = await rig.ask("correct", "a1b2c3d4 Ben eats nuts every day", by=BEN_HERE)
    assert "Ben eats nuts every day" in answer
    assert not (await rig.engine.store.get("a1b2c3d4")).recallable


@pytest.mark.parametrize(
    "changes",
    [
        {"about": ("Carol",)},
        {"about": (), "text": "@Bea(9021) is allergic to nuts"},
        {"kind": Kind.EVIDENCE},
    ],
)
async def test_nobody_changes_what_others_said(rig: CommandRig, changes: dict[str, object]) -> None:
    memory = replace(await gossip(rig), id="a1b2c3d4", **changes)
    await rig.engine.store.put([memory])
    answer = await rig.ask("correct", "a1b2c3d4 Ben eats nuts every day", by=BEN_HERE)
    assert "what you said yourself" in answer
    assert (await rig.engine.store.get("a1b2c3d4")).recallable


async def test_it_is_put_right_only_where_it_was_said(rig: CommandRig) -> None:
    memory = await gossip(rig)
    assert "no such memory" in await rig.ask("correct", f"{memory.id} Not so", by=BEN)
    assert "1 memories" in await rig.ask("mine", "about 9", by=BEN_HERE)
    assert "/memory mine" in await rig.ask("mine", "about x", by=BEN_HERE)


async def known(rig: CommandRig) -> list[Memory]:
    kept = [
        await rig.remember("Ann lives in Lyon", claim=Claim("@", "residence", "Lyon", NOW)),
        await rig.remember("Ann keeps a dog", claim=Claim("@", "pet:dog", "dog", NOW)),
    ]
    rig.engine.start()
    await rig.sleep(patience=20.0)
    return kept


async def test_lines_are_shown_with_sources_to_their_person_and_struck(rig: CommandRig) -> None:
    home, dog = await known(rig)
    told = (await rig.ask("me")).splitlines()
    assert told[1:] == [
        "Who you are",
        f"1. Ann lives in Lyon ({home.id[:6]})",
        "People and pets",
        f"2. Ann keeps a dog ({dog.id[:6]})",
    ]
    for caller in (BEN, in_group(BEN), in_group(ANN)):
        assert "no page about you" in await rig.ask("me", by=caller)
        assert "no such line" in await rig.ask("me", "strike 1", by=caller)
    assert "Ann lives in Lyon" in await rig.ask("me", "strike 1")
    assert "Lyon" not in await rig.ask("me")
    assert (await rig.engine.store.get(home.id)).standing.status is Status.BINNED
    assert (await rig.engine.store.get(dog.id)).standing.status is Status.LIVE


async def test_a_line_is_shown_and_struck_in_the_words_that_the_prompt_has(rig: CommandRig) -> None:
    home, _ = await known(rig)
    await rig.engine.store.amend(
        [home.id], lambda memory: worded(memory, "lives in Lyon", memory.text)
    )
    assert f"1. lives in Lyon ({home.id[:6]})" in (await rig.ask("me")).splitlines()
    assert "Ann lives in Lyon" in await rig.ask("show", home.id)
    assert "lives in Lyon" in await rig.ask("me", "strike 1")
    assert "Lyon" not in await rig.ask("me")


@pytest.mark.parametrize("argument", ["strike 0", "strike", "strike x", "1", "strike 1 2"])
async def test_what_is_no_line_strikes_none(rig: CommandRig, argument: str) -> None:
    await known(rig)
    assert "me [strike NUMBER]" in await rig.ask("me", argument)
    assert "no such line" in await rig.ask("me", "strike 9")
    assert "Lyon" in await rig.ask("me")


async def test_what_said_the_same_since_is_struck_too_and_stays_struck(rig: CommandRig) -> None:
    await known(rig)
    again = Claim("@", "residence", "Lyon", NOW + 60.0)
    moved = Claim("@", "residence", "Oslo", NOW - 60.0, valid_to=NOW)
    later = await rig.remember("Lyon is where Ann has her flat", claim=again)
    earlier = await rig.remember("Ann lived in Oslo", claim=moved)
    await rig.ask("me", "strike 1")
    await rig.sleep(patience=20.0)
    assert "Lyon" not in await rig.ask("me")
    assert (await rig.engine.store.get(later.id)).standing.status is Status.BINNED
    assert (await rig.engine.store.get(earlier.id)).standing.status is Status.LIVE


LEEDS, BERGEN = "Ann lives in Leeds", "Ann lives in Bergen"


async def rivals(rig: CommandRig, **changes: object) -> tuple[Memory, Memory]:
    """Two homes of one person since one moment, which contradict each other."""
    ids = ("aaaaaa11-0000-4000-8000-000000000000", "bbbbbb22-0000-4000-8000-000000000000")
    made = [
        await rig.remember(
            text,
            id=own,
            claim=Claim("", "residence", value, NOW),
            relations=(Relation(own, CONTRADICTS, other),),
            **changes,
        )
        for text, value, own, other in ((LEEDS, "Leeds", *ids), (BERGEN, "Bergen", *reversed(ids)))
    ]
    return made[0], made[1]


async def test_what_contradicts_is_listed_under_what_it_is_about(rig: CommandRig) -> None:
    await rig.remember(LEEDS, claim=Claim("", "residence", "Leeds", NOW))
    assert await rig.ask("conflicts") == "Nothing contradicts anything."
    await rivals(rig)
    lines = (await rig.ask("conflicts")).splitlines()
    assert lines[0] == "Conflicts: 1, page 1 of 1"
    assert lines[1] == "home:"
    assert {LEEDS, BERGEN} == {line.rpartition("] ")[2] for line in lines[2:4]}
    assert lines[-1].startswith("To say which one is true: /memory conflicts ID")


async def test_the_most_trusted_comes_first_and_how_far_each_is_is_told(rig: CommandRig) -> None:
    leeds, bergen = await rivals(rig)
    for memory in (bergen, leeds):
        said = [
            Relation(memory.id, CORROBORATES, f"again {n}") for n in range(1 + (memory is leeds))
        ]
        await rig.engine.store.amend(
            [memory.id], lambda m, said=said: replace(m, relations=(*m.relations, *said))
        )
        lines = (await rig.ask("conflicts")).splitlines()[2:4]
        assert lines[0].endswith(memory.text)
        shares = [int(line.partition("%")[0].rpartition(" ")[2]) for line in lines]
        assert shares[0] > shares[1]


async def test_the_other_was_never_so_and_nothing_is_left_to_decide(rig: CommandRig) -> None:
    leeds, bergen = await rivals(rig)
    answer = await rig.ask("conflicts", bergen.id[:6])
    assert answer == "Settled: Ann lives in Bergen (1 more set aside)"
    kept, gone = await rig.engine.store.find([bergen.id, leeds.id])
    assert kept.holds
    assert kept.feedback.accurate is True
    assert not gone.recallable
    assert gone.feedback.accurate is False
    assert (gone.successor.memory, gone.successor.how) == (bergen.id, Succession.CORRECTS)
    assert await rig.ask("conflicts") == "Nothing contradicts anything."
    assert "Nothing contradicts it" in await rig.ask("conflicts", bergen.id)


async def test_nobody_sees_or_decides_what_another_person_said_in_private(rig: CommandRig) -> None:
    _, bergen = await rivals(rig, of=BEN)
    assert await rig.ask("conflicts") == "Nothing contradicts anything."
    assert "no such memory" in await rig.ask("conflicts", bergen.id)
    assert (await rig.engine.store.get(bergen.id)).holds


async def test_in_a_group_the_speaker_decides_and_sleep_lets_both_hold(rig: CommandRig) -> None:
    leeds, bergen = await rivals(rig, of=in_group(BEN), speaker=Speaker(BEN.person, "Ben"))
    assert "Settled" not in await rig.ask("conflicts", bergen.id, by=in_group(ANN))
    assert "Settled" in await rig.ask("conflicts", leeds.id, by=admin(in_group(ANN)))
    likes, denies = await denied(rig)
    await rig.ask("conflicts", f"both {likes.id}")
    first, second = await rig.engine.store.find([likes.id, denies.id])
    assert opposed(likes, denies, 1.0) is not None
    assert opposed(first, second, 1.0) is None


async def test_a_statement_and_its_denial_are_listed_once_sleep_finds_them(rig: CommandRig) -> None:
    likes, denies = await denied(rig)
    lines = (await rig.ask("conflicts")).splitlines()
    assert lines[1] == "the one denies the other:"
    assert {line.rpartition("] ")[2] for line in lines[2:4]} == {likes.text, denies.text}
    answer = await rig.ask("conflicts", likes.id[:6])
    assert answer == "Settled: Ann likes coriander (1 more set aside)"
    assert not (await rig.engine.store.get(denies.id)).recallable
    assert await rig.ask("conflicts") == "Nothing contradicts anything."


async def denied(rig: CommandRig) -> tuple[Memory, Memory]:
    """Two statements that are linked as contradicting each other."""
    ids = ("cccccc11-0000-4000-8000-000000000000", "dddddd22-0000-4000-8000-000000000000")
    made = [
        await rig.remember(
            text,
            id=own,
            kind=Kind.SEMANTIC,
            claim=None,
            relations=(Relation(own, CONTRADICTS, other),),
        )
        for text, own, other in (
            ("Ann likes coriander", *ids),
            ("Ann does not like coriander", *reversed(ids)),
        )
    ]
    return made[0], made[1]


async def test_both_hold_side_by_side_until_that_is_taken_back(rig: CommandRig) -> None:
    leeds, bergen = await rivals(rig)
    answer = await rig.ask("conflicts", f"both {leeds.id[:6]}")
    assert answer.splitlines()[0].startswith("All of these hold.")
    assert {LEEDS, BERGEN} == {line.rpartition("] ")[2] for line in answer.splitlines()[1:]}
    assert await rig.ask("conflicts") == "Nothing contradicts anything."
    store = rig.engine.store
    both = await store.find([leeds.id, bergen.id])
    assert all(memory.holds and memory.successor is None for memory in both)
    assert all(trust_of(memory, NOW) > trust_of(leeds, NOW) for memory in both)
    assert "said to hold beside" in await rig.ask("audit", bergen.id)
    apart = await rig.ask("conflicts", f"both {bergen.id} off")
    assert apart.startswith("Taken back")
    assert (await rig.ask("conflicts")).startswith("Conflicts: 1")
    assert "Nothing contradicts it" in await rig.ask("conflicts", f"both {bergen.id} off")


ASIDE = Standing(Status.QUARANTINED, NOW, "unsaid_number")


async def aside(rig: CommandRig, text: str = "Ann keeps 40 bees", **changes: object) -> Memory:
    return await rig.remember(text, standing=ASIDE, **changes)


async def test_it_is_listed_with_the_reason_and_to_be_decided(rig: CommandRig) -> None:
    assert await rig.ask("quarantine") == "Nothing is in quarantine here."
    memory = await aside(rig)
    answer = await rig.ask("quarantine")
    assert "1 in quarantine" in answer
    assert f"{memory.id[:6]} 2025-06-15 [a number in it was not said] Ann keeps 40 bees" in answer
    memory = await aside(rig)
    assert "In quarantine: a number in it was not said" in await rig.ask("show", memory.id)
    less = await aside(rig, "Ann keeps 50 bees", source=Source.BOT)
    answer = await rig.ask("quarantine")
    assert answer.index(memory.id[:6]) < answer.index(less.id[:6])


@pytest.mark.parametrize("word", ["keep", "KEEP", "保留"])
async def test_what_is_kept_is_live(rig: CommandRig, word: str) -> None:
    memory = await aside(rig)
    assert await rig.ask("quarantine", f"{word} {memory.id[:6]}") == "Kept: Ann keeps 40 bees"
    assert (await rig.engine.store.get(memory.id)).recallable
    assert "not in quarantine" in await rig.ask("quarantine", f"keep {memory.id}")


async def test_what_is_set_aside_is_decided_by_its_speaker_alone(rig: CommandRig) -> None:
    await aside(rig, scope=GROUP.key)
    assert "40 bees" in await rig.ask("quarantine", by=in_group(ANN))
    assert "40 bees" not in await rig.ask("quarantine", by=in_group(BEN))
    assert "40 bees" in await rig.ask("quarantine", by=in_group(admin(BEN)))
    memory = await aside(rig)
    assert await rig.ask("quarantine", by=BEN) == "Nothing is in quarantine here."
    for word in ("keep", "drop"):
        answer = await rig.ask("quarantine", f"{word} {memory.id}", by=BEN)
        assert "bees" not in answer
    kept = await rig.engine.store.get(memory.id)
    assert kept.standing.status is Status.QUARANTINED


@pytest.mark.parametrize("command", ["pin", "important", "restore", "correct"])
async def test_nothing_else_is_done_with_it(rig: CommandRig, command: str) -> None:
    memory = await aside(rig)
    more = " Ann keeps two bees" if command == "correct" else ""
    answer = await rig.ask(command, memory.id + more, by=admin(ANN))
    assert "It is in quarantine" in answer
    assert (await rig.engine.store.get(memory.id)).standing == ASIDE
