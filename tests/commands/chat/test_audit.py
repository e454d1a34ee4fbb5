"""What happened to a memory and what sleep decided: when, by whom, why; and how it is undone."""

import json
from dataclasses import replace
from functools import partial

import pytest
from astrbot_plugin_tidemark.core.feedback.credit import Verdict, credit
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.model.conversation import Injected
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind, Status, Vitality
from astrbot_plugin_tidemark.core.model.sleeping import Decision, Deed, SleepCause
from astrbot_plugin_tidemark.core.ports import AuditEntry, Erasure, Recollection
from astrbot_plugin_tidemark.core.records.manual import pinned

from ...kit import swept
from ..command_rig import ANN, BEN, DAY, NOW, CommandRig, admin, in_group

BOSS = admin(ANN)


async def note(
    rig: CommandRig, memory: str, action: str, by: str = "tmd", detail: str = "{}"
) -> None:
    entry = AuditEntry(f"{action}:{by}:{detail}", memory, ANN.scope.key, action, by, NOW, detail)
    await rig.engine.journal.audit([entry])


async def judged(rig: CommandRig, memory: str, turn: int, *, useful: bool) -> None:
    await credit(
        [Verdict(memory, turn, useful)],
        store=rig.engine.store,
        journal=rig.engine.journal,
        policy=rig.engine.sweeper.policy,
        bin_policy=BinPolicy(),
        source=Extractor.MODEL,
        now=rig.clock.now(),
    )


async def test_a_life_is_told_in_order_with_who_and_how_much(rig: CommandRig) -> None:
    answer = await rig.ask("remember", "I keep bees")
    short = answer.split("(")[1][:6]
    (memory,) = await rig.engine.store.resolve(short, None)
    rig.clock.at += DAY
    seq = await rig.say("what do I keep?")
    shown = Recollection(seq, rig.clock.at, "{}", "", (Injected(seq, 1, memory),))
    await rig.engine.journal.record_recall(shown)
    rig.clock.at += DAY
    await judged(rig, memory, seq, useful=True)
    for command, argument in (
        ("feedback", f"{short} useful"),
        ("pin", short),
        ("important", f"{short} off"),
        ("forget", short),
        ("restore", short),
    ):
        rig.clock.at += DAY
        await rig.ask(command, argument, by=BOSS)
    assert (await rig.ask("audit", short)).splitlines() == [
        f"History of {short}: I keep bees",
        "2025-06-15 15:06 remembered · Ann (901) · importance 80%, strength 7",
        "2025-06-16 15:06 shown to the model · as number 1",
        "2025-06-17 15:06 judged useful · a model · strength 8, useful score 2.5",
        "2025-06-18 15:06 judged useful · Ann (901) · strength 9, useful score 5",
        "2025-06-19 15:06 pinned · Ann (901)",
        "2025-06-20 15:06 no longer important · Ann (901)",
        "2025-06-21 15:06 put into the bin · Ann (901)",
        "2025-06-22 15:06 restored · Ann (901) · strength 9",
    ]


async def test_a_correction_is_told_on_both_sides(rig: CommandRig) -> None:
    old = await rig.remember("Ann lives in Paris")
    answer = await rig.ask("correct", f"{old.id} Ann lives in Rome")
    new = answer.split("(")[1][:6]
    last = (await rig.ask("audit", old.id)).splitlines()[-1]
    assert last == f"2025-06-15 15:06 corrected · Ann (901) · the newer one is {new}"
    assert "remembered · Ann (901)" in await rig.ask("audit", new)


async def test_time_and_verdicts_tell_why_it_went_to_the_bin(rig: CommandRig) -> None:
    faded = await rig.remember("trifle", vitality=Vitality(1), created_at=NOW - 4 * DAY)
    vain = await rig.remember("in vain", vitality=Vitality(1, useful_score=3.0))
    await judged(rig, vain.id, 7, useful=False)
    await swept(rig.engine.sweeper, NOW + 1)
    assert (await rig.ask("audit", faded.id)).endswith(
        "put into the bin · the forgetting policy · reason: faded with time · "
        "4 days old, useful score 0"
    )
    assert (await rig.ask("audit", vain.id)).endswith(
        "judged useless · a model · strength 0, useful score 3 · put into the bin"
    )


async def test_what_nobody_noted_is_told_and_odd_details_never(rig: CommandRig) -> None:
    raw = await rig.remember("I keep bees", kind=Kind.EVIDENCE, extractor=Extractor.TURN)
    (_, line) = (await rig.ask("audit", raw.id)).splitlines()
    assert line == "2025-06-15 15:06 remembered · recorded as said"
    memory = await rig.remember("Ann keeps bees")
    strange = ["[1]", "{", '"x"', '{"importance": "{}", "strength": null}', '{"reason": 7}']
    for detail in strange:
        for action in ("created", "useful", "binned", "restored", "corrects", "polished"):
            await note(rig, memory.id, action, detail=detail)
    answer = await rig.ask("audit", memory.id)
    assert not set('{}[]"') & set(answer)


async def test_a_long_life_shows_its_end_and_how_much_is_left_out(rig: CommandRig) -> None:
    memory = await rig.remember("潮" * 500)
    detail = json.dumps({"strength": 7, "useful_score": 2.5, "status": "live"})
    for number in range(40):
        await note(rig, memory.id, "useful", by=f"{number:02} " + "x" * 40, detail=detail)
    answer = await rig.ask("audit", memory.id)
    lines = answer.splitlines()
    assert len(answer) <= 1_400
    assert lines[-1].split(" · ")[1].startswith("39 ")
    assert lines[1] == f"({41 - len(lines) + 2} earlier ones are left out)"


async def test_in_chinese_no_part_of_the_plugin_has_an_english_name(rig: CommandRig) -> None:
    memory = await rig.remember("安喜欢蜜蜂")
    for by in ("tmd", "bin", "retention", "learning", "rules", "model", "remember"):
        await note(rig, memory.id, "useful", by=by)
    lines = (await rig.ask("audit", memory.id, by=replace(ANN, language="zh"))).splitlines()
    assert not [line for line in lines[1:] if any(c.isascii() and c.isalpha() for c in line)]


async def test_neither_anothers_history_nor_who_was_forgotten_is_told(rig: CommandRig) -> None:
    secret = await rig.remember("Ben's secret", of=BEN)
    assert (await rig.ask("audit", secret.id)).startswith("There is no such memory.")
    told = await rig.ask("audit", secret.id, by=BOSS)
    assert "remembered" in told
    assert "Ben's secret" not in told
    memory = await rig.remember("I keep bees")
    await rig.engine.curation.apply([memory.id], partial(pinned, on=True), "pinned", by="erased")
    for command in ("audit", "show"):
        assert "somebody who was forgotten for good" in await rig.ask(command, memory.id)


async def test_no_card_of_another_chat_signs_a_memorys_history(rig: CommandRig) -> None:
    answer = await rig.ask("remember", "I keep bees")
    short = answer.split("(")[1][:6]
    (memory,) = await rig.engine.store.resolve(short, None)
    await note(rig, memory, "pinned", by="Choir of the ill (qq/900)")
    for told in (await rig.ask("audit", short), await rig.ask("show", short)):
        assert "pinned · 900" in told
        assert "Choir" not in told
    memory = await rig.remember("I keep bees")
    await note(rig, memory.id, "pinned", by="Choir of the ill (qq/901)")
    for command in ("audit", "show"):
        told = await rig.ask(command, memory.id)
        assert "pinned · Ann (901)" in told
        assert "Choir" not in told


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
