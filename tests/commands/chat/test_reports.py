"""What sleep did: each sees the reports of what may be seen here, and takes back what is theirs."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.memory import Status, Vitality
from astrbot_plugin_tidemark.core.model.sleeping import Decision, Deed, SleepCause
from astrbot_plugin_tidemark.core.ports import Erasure

from ..command_rig import ANN, BEN, DAY, NOW, CommandRig, admin, in_group

BOSS = admin(ANN)
OLD = {"vitality": Vitality(1), "created_at": NOW - 4 * DAY}


async def slept(rig: CommandRig) -> None:
    rig.engine.start()
    await rig.sleep(patience=20.0)


async def number_of(rig: CommandRig, *, of: str) -> int:
    [sleep, *_] = await rig.engine.journal.reports([of])
    return (await rig.engine.journal.decisions(sleep.id))[-1].id


async def test_a_sleep_that_changed_nothing_says_why_only_the_last_does(rig: CommandRig) -> None:
    assert "Nothing has been done" in await rig.ask("reports")
    await rig.remember("trifle", created_at=NOW)
    for _ in range(3):
        await slept(rig)
        rig.clock.at += 60
        told = await rig.ask("reports")
        assert told.startswith("1 reports, page 1 of 1")
        assert "by command: nothing had to be changed: 1 memories looked at" in told
    number = told.splitlines()[1].split(" ")[0]
    assert "0 model calls, 0 tokens" in await rig.ask("reports", number)


async def test_a_report_tells_what_was_decided_why_and_of_which_memory(rig: CommandRig) -> None:
    memory = await rig.remember("trifle", **OLD)
    await slept(rig)
    listed = await rig.ask("reports")
    assert listed.startswith("1 reports, page 1 of 1")
    assert "by command: 1 weakened, 1 put into the bin" in listed
    number = listed.splitlines()[1].split(" ")[0]
    told = await rig.ask("reports", number)
    assert "0 model calls, 0 tokens" in told
    assert "1 put into the bin (decayed): " + memory.id[:6] in told
    assert "trifle" in told


async def test_nobody_sees_another_scopes_report_or_takes_anything_back(rig: CommandRig) -> None:
    await rig.remember("trifle", of=BEN, **OLD)
    await slept(rig)
    number = await number_of(rig, of=BEN.scope.key)
    for caller in (ANN, BOSS, in_group(ANN), in_group(BEN)):
        assert "trifle" not in await rig.ask("reports", by=caller)
        for id in range(1, 5):
            assert "trifle" not in await rig.ask("reports", str(id), by=caller)
        assert "no such decision" in await rig.ask("undo", str(number), by=caller)
    assert "trifle" in await rig.ask("reports", "2", by=BEN)


async def test_the_installation_s_own_report_is_for_admins(rig: CommandRig) -> None:
    gone = await rig.remember("trifle", **OLD)
    await slept(rig)
    rig.clock.at += 31 * DAY
    await rig.sleep(patience=20.0)
    assert await rig.engine.store.find([gone.id]) == []
    assert "deleted for good" in await rig.ask("reports", by=BOSS)
    assert "deleted for good" not in await rig.ask("reports", by=ANN)


async def test_what_went_to_the_bin_an_admin_brings_back_by_its_number(rig: CommandRig) -> None:
    memory = await rig.remember("trifle", **OLD)
    await slept(rig)
    number = await number_of(rig, of=ANN.scope.key)
    assert "only admins" in (await rig.ask("undo", str(number))).lower()
    assert "Taken back" in await rig.ask("undo", f"#{number}", by=BOSS)
    assert (await rig.engine.store.get(memory.id)).standing.status is Status.LIVE
    assert "decision of sleep taken back" in await rig.ask("audit", memory.id, by=BOSS)
    assert "(taken back)" in await rig.ask("reports", "2", by=BOSS)


async def test_nothing_is_taken_back_once_it_is_deleted_for_good(rig: CommandRig) -> None:
    memory = await rig.remember("trifle", **OLD)
    await slept(rig)
    number = await number_of(rig, of=ANN.scope.key)
    await rig.engine.store.purge([memory.id])
    assert "no longer exists" in await rig.ask("undo", str(number), by=BOSS)


async def test_in_a_group_one_takes_back_what_is_about_one_s_own_words(rig: CommandRig) -> None:
    ann, ben = in_group(ANN), in_group(BEN)
    theirs = [await rig.remember(f"from {who.name}", of=who) for who in (ann, ben)]
    journal = rig.engine.journal
    [id] = await journal.begin_sleeps([ann.scope.key], SleepCause.COMMAND, at=NOW)
    both = Decision("both", Deed.ARCHIVED, tuple(memory.id for memory in theirs))
    await journal.decide(id, "decay", [both], at=NOW)
    number = (await journal.decisions(id))[0].id
    assert "said yourself" in await rig.ask("undo", str(number), by=ann)


async def test_a_report_loses_the_lines_about_what_is_erased_only(rig: CommandRig) -> None:
    gone = await rig.remember("trifle", **OLD)
    await rig.remember("bagatelle", **OLD)
    await slept(rig)
    await rig.engine.journal.erase(Erasure(memories=frozenset({gone.id})))
    told = await rig.ask("reports", "2")
    assert "bagatelle" in told
    assert gone.id[:6] not in told


async def test_old_reports_go_and_what_was_undone_stays_undone(rig: CommandRig) -> None:
    await rig.remember("trifle", **OLD)
    await slept(rig)
    number = await number_of(rig, of=ANN.scope.key)
    await rig.ask("undo", str(number), by=BOSS)
    journal = rig.engine.journal
    refused = await journal.refused(ANN.scope.key, "decay")
    assert len(refused) == 1
    assert await journal.trim_reports(NOW + 1) > 0
    assert await rig.ask("reports") == await rig.ask("reports", by=replace(ANN, name="Anna"))
    assert await journal.refused(ANN.scope.key, "decay") == refused


@pytest.mark.parametrize("argument", ["x", "0", "1 2", "page=x", "page=", "-1", "9" * 30])
async def test_reports_and_undo_take_numbers(rig: CommandRig, argument: str) -> None:
    assert "/memory reports [NUMBER]" in await rig.ask("reports", argument)
    assert "/memory reports undo NUMBER" in await rig.ask("undo", argument)
