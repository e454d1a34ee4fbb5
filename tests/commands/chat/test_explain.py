"""Why an answer recalled what it did, from the recall that really took place."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from astrbot_plugin_tidemark.commands.chat.request import ChatCaller
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.model.conversation import Injected
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.ports import Recollection
from astrbot_plugin_tidemark.core.recall.trace import (
    Drop,
    Fused,
    Hit,
    Leg,
    LegReport,
    LegState,
    RerankReport,
    SilenceReason,
    Trace,
    to_json,
)
from astrbot_plugin_tidemark.core.recall.trace import recorded as written
from astrbot_plugin_tidemark.core.scoring.decision import Column

from ..command_rig import ANN, BEN, NOW, CommandRig, admin, in_group

OFF = RerankReport()
QUESTION = "What is Ann allergic to, peanuts?"


async def recalled(rig: CommandRig) -> None:
    turn = await rig.say(QUESTION)
    await rig.engine.recalls.recall(RecallRequest(ANN.scope, QUESTION, turn))
    await rig.engine.recalls.recorded()


async def recorded(
    rig: CommandRig,
    *candidates: Fused,
    legs: tuple[LegReport, ...] = (),
    rerank: RerankReport = OFF,
    by: ChatCaller = ANN,
    block: str = "",
    written: Callable[[Trace], str] = to_json,
    **told: Any,
) -> None:
    """A recall of Ann's with exactly these candidates."""
    turn = await rig.say(QUESTION, by=by)
    trace = Trace(
        QUESTION,
        (ANN.scope.key,),
        legs,
        candidates,
        tokens=40,
        milliseconds=9.0,
        rerank=rerank,
        **told,
    )
    shown = tuple(Injected(turn, c.number, c.memory) for c in candidates if c.number is not None)
    record = Recollection(turn, NOW, written(trace), block, shown)
    await rig.engine.journal.record_recall(record)


async def test_each_session_explains_its_own_recalls_or_why_there_is_none(rig: CommandRig) -> None:
    assert "Nothing has been recalled" in await rig.ask("why", "--numbers")
    await recalled(rig)
    assert "Nothing has been recalled" in await rig.ask("why", by=BEN)
    assert "Nothing has been recalled" in await rig.ask("why", by=in_group(ANN))
    turn = await rig.say("good morning")
    await rig.engine.recalls.recall(RecallRequest(ANN.scope, "good morning", turn))
    await rig.engine.recalls.recorded()
    assert "Brought up nothing: " in await rig.ask("why", "--numbers")


async def test_the_explanation_shows_query_legs_and_memories_with_ranks(rig: CommandRig) -> None:
    memory = await rig.remember("Ann is allergic to peanuts")
    await rig.engine.backfill.once()
    await recalled(rig)
    lines = (await rig.ask("why", "--numbers")).splitlines()
    assert lines[0].startswith("Brought up 1: ")
    assert lines[1] == "Last recall: 2025-06-15 15:06"
    assert lines[2] == f"Query: {QUESTION}"
    assert lines[3] == "Asked for: a fact"
    header = next(at for at, line in enumerate(lines) if line.startswith("1 shown to the model, "))
    ways = {line.split(":")[0] for line in lines[4:header]}
    assert ways >= {"By words", "By meaning", "By intentions"}
    shown, numbers = lines[header + 1 : header + 3]
    assert shown == f"[1] {memory.id[:6]} Ann is allergic to peanuts"
    assert "words#1=" in numbers
    assert "meaning#1=" in numbers
    assert "because of: " in numbers


async def test_the_first_line_says_in_a_sentence_what_came_up_and_what_for(rig: CommandRig) -> None:
    """Bug: a line that was shown stood beside a need of 0 % and below "brought up nothing"."""
    nuts, cat, dog = [await rig.remember(f"Ann has {it}") for it in ("nuts", "a cat", "a dog")]
    hits = (Hit(Leg.TEXT, 1, 0.5, 0.5),)
    reasons = ((Column.WORDS, 1.5), (Column.MEANING, 2.5), (Column.SIDE, -3.0))
    await recorded(
        rig,
        Fused(nuts.id, hits, 0.2, number=1, reasons=reasons),
        *(Fused(each.id, hits, 0.0, drop=Drop.IRRELEVANT) for each in (cat, dog)),
        silence=SilenceReason.TOO_WEAK,
        worth=0.0004,
    )
    gist = "Brought up 1: closest in meaning, the same words. Left out: 2 (too little to do with"
    first, *rest = (await rig.ask("why")).splitlines()
    assert first.startswith(gist)
    assert rest[2] == f"[1] {nuts.id[:6]} Ann has nuts"
    chinese = await rig.ask("why", by=replace(ANN, language="zh"))
    assert chinese.startswith("想起 1 条：意思最接近、用词相同；另外 2 条不够接近\n")
    numbers = await rig.ask("why", "--numbers")
    assert numbers.startswith(gist)
    assert "Probability that the turn needs any: < 1%" in numbers
    assert "Brought up nothing" not in numbers


async def test_a_memory_brought_by_a_raw_message_says_so(rig: CommandRig) -> None:
    said = await rig.remember("I am allergic to peanuts", kind=Kind.EVIDENCE)
    learnt = await rig.remember("She cannot eat nuts")
    hits = (Hit(Leg.TEXT, 1, 0.5, 0.5),)
    await recorded(
        rig,
        Fused(said.id, hits, 0.1, drop=Drop.DISTILLED),
        Fused(learnt.id, hits, 0.1, via=said.id, number=1),
    )
    assert (await rig.ask("why", "--numbers")).splitlines()[-4:] == [
        f"[1] {learnt.id[:6]} She cannot eat nuts",
        f"    fit 0.100, words#1=0.50 (brought along by {said.id[:8]})",
        "Left out:",
        f"  represented by what was learnt from it: 1 ({said.id[:6]})",
    ]


async def test_what_held_before_says_what_holds_now(rig: CommandRig) -> None:
    old, new = await rig.remember("Ann lives in Graz"), await rig.remember("Ann lives in Linz")
    hits = (Hit(Leg.TEXT, 1, 0.5, 0.5),)
    await recorded(
        rig, Fused(new.id, hits, 0.1, number=1), Fused(old.id, hits, 0.2, number=2, behind=new.id)
    )
    last = (await rig.ask("why", "--numbers")).splitlines()[-1]
    assert last.endswith(f"words#1=0.50, now {new.id[:8]} holds in its place")


async def test_dropped_candidates_are_grouped_by_reason_commonest_first(rig: CommandRig) -> None:
    memories = [await rig.remember(f"fact {number}") for number in range(6)]
    hits = (Hit(Leg.TEXT, 1, 0.5, 0.5),)
    reasons = [Drop.IRRELEVANT] * 5 + [Drop.DUPLICATE]
    await recorded(
        rig,
        *(
            Fused(memory.id, hits, 0.1, drop=reason)
            for memory, reason in zip(memories, reasons, strict=True)
        ),
    )
    lines = (await rig.ask("why", "--numbers")).splitlines()
    ids = " ".join(memory.id[:6] for memory in memories[:3])
    assert lines[-4:] == [
        "No memory was shown to the model",
        "Left out:",
        f"  too little to do with it: 5 ({ids})",
        f"  says the same as another: 1 ({memories[5].id[:6]})",
    ]


async def test_every_reason_to_drop_a_memory_has_words(rig: CommandRig) -> None:
    await recorded(rig, *(Fused(f"m-{drop}", (), 0.1, drop=drop) for drop in Drop))
    answer = await rig.ask("why", "--numbers")
    assert answer.count(": 1\n") + answer.endswith(": 1") == len(Drop)


async def test_the_state_of_every_leg_is_told(rig: CommandRig) -> None:
    legs = (
        LegReport(Leg.TEXT, LegState.LATE),
        LegReport(Leg.SEMANTIC, LegState.FAILED, problem="EmbeddingUnavailable: no answer"),
    )
    await recorded(rig, legs=legs)
    answer = await rig.ask("why", "--numbers")
    assert "By words: too late" in answer
    assert "By meaning: failed (embeddings not available: “no answer”)" in answer
    rig.embedders.embedder = None
    await recalled(rig)
    assert "By meaning: switched off" in await rig.ask("why", "--numbers")


async def test_what_is_not_for_here_is_not_shown(rig: CommandRig) -> None:
    secret = await rig.remember("Ben's secret", of=BEN)
    await recorded(rig, Fused(secret.id, (), 0.3, number=1), Fused("x", (), 0.1, drop=Drop.GONE))
    answer = await rig.ask("why", "--numbers")
    assert "[1] this memory is not here any more" in answer
    assert "secret" not in answer
    assert secret.id[:6] not in answer
    ann, ben = in_group(ANN), in_group(BEN)
    memory = await rig.remember("I row", of=ann, kind=Kind.EVIDENCE)
    support = replace(ann, scope=replace(ann.scope, subject="6000"), session="qq:GroupMessage:6000")
    await rig.say("Good morning", by=replace(support, name="Ann-HIV-support"))
    await recorded(rig, Fused(memory.id, (), 0.1, number=1), by=ben)
    assert "Ann said: I row" in await rig.ask("why", by=ben)


async def test_a_recall_of_many_memories_stays_within_one_message(rig: CommandRig) -> None:
    hits = (Hit(Leg.TEXT, 1, 0.5, 0.5), Hit(Leg.SEMANTIC, 1, 0.5, 0.5))
    memories = [await rig.remember(f"{number} " + "潮" * 300) for number in range(20)]
    await recorded(
        rig, *(Fused(m.id, hits, 0.1, number=n) for n, m in enumerate(memories, start=1))
    )
    answer = await rig.ask("why", "--numbers")
    assert len(answer) <= 1_400
    assert re.search(r"\n… \(\+\d+\)$", answer)


async def test_the_block_of_the_last_turn_is_shown_exactly_if_any(rig: CommandRig) -> None:
    await recorded(rig, block="")
    assert "was given no memories" in await rig.ask("why", "--block")
    hits = (Hit(Leg.TEXT, 1, 0.5, 0.5),)
    kept = await rig.remember("Ann keeps bees")
    block = "<tidemark>\n[1] 2025-06-15 Ann keeps bees  \n" + "x" * 2_000 + "\n</tidemark>"
    await recorded(rig, Fused(kept.id, hits, 0.1, number=1), block=block)
    head, _, told = (await rig.ask("why", "--block")).partition("\n")
    assert head == "Given to the model at 2025-06-15 15:06, word for word:"
    assert told == block
    assert "Nothing has been recalled" in await rig.ask("why", "--block", by=BEN)


async def test_in_a_group_nobody_sees_a_block_with_anothers_private_memory(rig: CommandRig) -> None:
    hits = (Hit(Leg.TEXT, 1, 0.5, 0.5),)
    secret = await rig.remember("Ann fears dogs")
    fused = Fused(secret.id, hits, 0.1, number=1)
    await recorded(rig, fused, block="Ann fears dogs", by=in_group(ANN))
    for caller in (in_group(BEN), in_group(admin(BEN))):
        told = await rig.ask("why", "--block", by=caller)
        assert "Ann fears dogs" not in told
        assert "private memories" in told


async def test_what_the_model_looked_up_itself_is_told_after_the_recall(rig: CommandRig) -> None:
    memory = await rig.remember("Ann is allergic to peanuts")
    turn = await rig.say(QUESTION)
    earlier = await rig.engine.recalls.recall(RecallRequest(ANN.scope, QUESTION, turn))
    await rig.engine.recalls.recall(RecallRequest(ANN.scope, "peanuts", turn, earlier=earlier))
    await rig.engine.recalls.recorded()
    lines = (await rig.ask("why", "--numbers")).splitlines()
    assert lines[2] == f"Query: {QUESTION}"
    after = lines[lines.index("The model also looked up: peanuts") :]
    assert f"[2] {memory.id[:6]} Ann is allergic to peanuts" in after


async def test_in_a_group_anothers_memory_comes_with_the_current_name(rig: CommandRig) -> None:
    ann, ben = in_group(ANN), in_group(BEN)
    own = await rig.remember("I row", of=ann, kind=Kind.EVIDENCE)
    other = await rig.remember("I sail", of=ben, kind=Kind.EVIDENCE)
    await rig.say("Good morning", by=replace(ben, name="Benedict"))
    await recorded(
        rig, *(Fused(m.id, (), 0.1, number=n) for n, m in enumerate((own, other), 1)), by=ann
    )
    answer = await rig.ask("why", by=ann)
    assert f"[1] {own.id[:6]} I row" in answer
    assert f"[2] {other.id[:6]} Benedict said: I sail" in answer


async def test_a_question_typed_under_another_persona_is_not_shown(rig: CommandRig) -> None:
    cook = replace(ANN, scope=replace(ANN.scope, persona="cook"))
    await recorded(rig)
    await recorded(rig, by=cook)
    assert QUESTION in await rig.ask("why", "--numbers")
    turn = await rig.say("Is my diagnosis curable?", by=cook)
    told = Trace("Is my diagnosis curable?", (cook.scope.key,), ())
    await rig.engine.journal.record_recall(Recollection(turn, NOW, to_json(told), "", ()))
    assert "diagnosis" not in await rig.ask("why", "--numbers")
    assert QUESTION in await rig.ask("why", "--numbers")
    assert "diagnosis" in await rig.ask("why", by=cook)
    baker = replace(ANN, scope=replace(ANN.scope, persona="baker"))
    assert "Nothing has been recalled" in await rig.ask("why", by=baker)


async def test_what_is_kept_of_a_trace_is_explained_as_the_whole_would_be(rig: CommandRig) -> None:
    kept = [await rig.remember(f"Ann eats {number} peanuts") for number in range(30)]
    hits = (Hit(Leg.TEXT, 1, 7.125, 0.5), Hit(Leg.CAUSAL, 2, 0.25, 0.5, kept[1].id))
    reasons = ((Column.WORDS, 0.00021), (Column.MEANING, -1.23456))
    shown = [
        Fused(m.id, hits, 0.91234, kept[2].id, n, None, 0.03, reasons)
        for n, m in enumerate(kept[:3], 1)
    ]
    left = [Fused(m.id, hits, 0.5, drop=Drop.LIMIT, reasons=reasons) for m in kept[16:]]
    judged = RerankReport(LegState.OK, 3, 2, 12.3456)
    legs = (LegReport(Leg.TEXT, LegState.OK, 80, 12.3456), LegReport(Leg.SEMANTIC, LegState.LATE))
    await recorded(rig, *shown, *left, legs=legs, rerank=judged)
    whole = await rig.ask("why", "--numbers")
    await recorded(rig, *shown, *left, legs=legs, rerank=judged, written=written)
    assert await rig.ask("why", "--numbers") == whole
    assert f"14 ({' '.join(memory.id[:6] for memory in kept[16:19])})" in whole
