"""What happened to a memory: when, by whom, with which numbers; never as JSON."""

import json
from dataclasses import replace

from astrbot_plugin_tidemark.core.feedback.credit import Verdict, credit
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.model.conversation import Injected
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind, Vitality
from astrbot_plugin_tidemark.core.ports import AuditEntry, Recollection

from ...kit import swept
from ..command_rig import ANN, BEN, DAY, NOW, CommandRig, admin

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
    await rig.engine.curation.pin([memory.id], on=True, by="erased")
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
