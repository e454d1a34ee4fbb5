"""What cannot both be so: listed for those it is about, and decided by one of them."""

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
from astrbot_plugin_tidemark.core.records.opposition import opposed

from ..command_rig import ANN, BEN, GROUP, NOW, CommandRig, admin, in_group

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
