"""Why an answer recalled what it did, from the recall that really took place."""

from dataclasses import replace

from astrbot_plugin_tidemark.commands.chat.caller import ChatCaller
from astrbot_plugin_tidemark.core.engine.engine import Ask
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
    Trace,
    to_json,
)

from ..command_rig import ANN, BEN, NOW, Desk, in_group

OFF = RerankReport()
QUESTION = "What is Ann allergic to, peanuts?"


async def recalled(desk: Desk) -> None:
    """A turn of Ann's that recalls."""
    turn = await desk.say(QUESTION)
    await desk.engine.recall(Ask(ANN.scope, QUESTION, turn))
    await desk.engine.recorded()


async def recorded(
    desk: Desk,
    *candidates: Fused,
    legs: tuple[LegReport, ...] = (),
    rerank: RerankReport = OFF,
    by: ChatCaller = ANN,
) -> None:
    """A recall of Ann's with exactly these candidates."""
    turn = await desk.say(QUESTION, by=by)
    trace = Trace(
        QUESTION,
        (ANN.scope.key,),
        legs,
        candidates,
        tokens=40,
        milliseconds=9.0,
        rerank=rerank,
    )
    shown = tuple(Injected(turn, c.number, c.memory) for c in candidates if c.number is not None)
    await desk.engine.parts.journal.record_recall(
        Recollection(turn, NOW, to_json(trace), "", shown)
    )


async def test_before_the_first_recall_there_is_nothing_to_explain(desk: Desk) -> None:
    assert await desk.ask("why") == "Nothing has been recalled in this chat yet."


async def test_the_explanation_shows_query_legs_and_each_memory_with_its_ranks(desk: Desk) -> None:
    memory = await desk.remember("Ann is allergic to peanuts")
    await desk.engine.backfill.once()
    await recalled(desk)
    lines = (await desk.ask("why")).splitlines()
    assert lines[0] == "Last recall: 2025-06-15 15:06"
    assert lines[1] == f"Query: {QUESTION}"
    assert lines[2] == "Asked for: a fact"
    header = next(at for at, line in enumerate(lines) if line.startswith("1 shown to the model, "))
    ways = {line.split(":")[0] for line in lines[3:header]}
    assert ways >= {"By words", "By meaning", "By intentions"}
    shown, numbers = lines[header + 1 : header + 3]
    assert shown == f"[1] {memory.id[:6]} Ann is allergic to peanuts"
    assert "words#1=" in numbers
    assert "meaning#1=" in numbers
    assert "recent+0.0" in numbers


async def test_the_explanation_says_why_nothing_was_brought_up(desk: Desk) -> None:
    turn = await desk.say("good morning")
    await desk.engine.recall(Ask(ANN.scope, "good morning", turn))
    await desk.engine.recorded()
    assert "Brought up nothing: a greeting needs nothing" in await desk.ask("why")


async def test_a_memory_brought_by_a_raw_message_says_so(desk: Desk) -> None:
    said = await desk.remember("I am allergic to peanuts", kind=Kind.EVIDENCE)
    learnt = await desk.remember("She cannot eat nuts")
    hits = (Hit(Leg.TEXT, 1, 0.5, 0.5),)
    await recorded(
        desk,
        Fused(said.id, hits, 0.1, drop=Drop.DISTILLED),
        Fused(learnt.id, hits, 0.1, via=said.id, number=1),
    )
    assert (await desk.ask("why")).splitlines()[-4:] == [
        f"[1] {learnt.id[:6]} She cannot eat nuts",
        f"    relevance 50%, score 0.100, words#1=0.50 (brought along by {said.id[:8]})",
        "Left out:",
        f"  represented by what was learnt from it: 1 ({said.id[:6]})",
    ]


async def test_the_older_of_two_that_contradict_each_other_says_so(desk: Desk) -> None:
    old, new = await desk.remember("Ann lives in Graz"), await desk.remember("Ann lives in Linz")
    hits = (Hit(Leg.TEXT, 1, 0.5, 0.5),)
    await recorded(
        desk,
        Fused(new.id, hits, 0.1, number=1),
        Fused(old.id, hits, 0.2, number=2, behind=new.id),
    )
    assert (
        (await desk.ask("why"))
        .splitlines()[-1]
        .endswith(f"words#1=0.50, contradicted by the newer {new.id[:8]} and put behind it")
    )


async def test_dropped_candidates_are_grouped_by_reason_most_frequent_first(desk: Desk) -> None:
    memories = [await desk.remember(f"fact {number}") for number in range(6)]
    hits = (Hit(Leg.TEXT, 1, 0.5, 0.5),)
    reasons = [Drop.IRRELEVANT] * 5 + [Drop.DUPLICATE]
    await recorded(
        desk,
        *(
            Fused(memory.id, hits, 0.1, drop=reason)
            for memory, reason in zip(memories, reasons, strict=True)
        ),
    )
    lines = (await desk.ask("why")).splitlines()
    ids = " ".join(memory.id[:6] for memory in memories[:3])
    assert lines[-4:] == [
        "No memory was shown to the model",
        "Left out:",
        f"  too little to do with it: 5 ({ids})",
        f"  says the same as another: 1 ({memories[5].id[:6]})",
    ]


async def test_every_reason_to_drop_a_memory_has_words(desk: Desk) -> None:
    await recorded(desk, *(Fused(f"m-{drop}", (), 0.1, drop=drop) for drop in Drop))
    answer = await desk.ask("why")
    assert answer.count(": 1") == len(Drop)


async def test_the_state_of_every_leg_is_told(desk: Desk) -> None:
    legs = (
        LegReport(Leg.TEXT, LegState.LATE),
        LegReport(Leg.SEMANTIC, LegState.FAILED, problem="EmbeddingUnavailable: no answer"),
    )
    await recorded(desk, legs=legs)
    answer = await desk.ask("why")
    assert "By words: too late" in answer
    assert "By meaning: failed (embeddings not available: “no answer”)" in answer


async def test_a_leg_that_is_switched_off_is_named(desk: Desk) -> None:
    desk.embedders.embedder = None
    await recalled(desk)
    assert "By meaning: switched off" in await desk.ask("why")


async def test_a_memory_that_may_no_longer_be_seen_is_not_shown(desk: Desk) -> None:
    secret = await desk.remember("Ben's secret", of=BEN)
    await recorded(desk, Fused(secret.id, (), 0.3, number=1), Fused("x", (), 0.1, drop=Drop.GONE))
    answer = await desk.ask("why")
    assert "[1] this memory is not here any more" in answer
    assert "secret" not in answer
    assert secret.id[:6] not in answer


async def test_each_session_explains_its_own_recall(desk: Desk) -> None:
    await recalled(desk)
    assert "Nothing has been recalled" in await desk.ask("why", by=BEN)
    assert "Nothing has been recalled" in await desk.ask("why", by=in_group(ANN))


async def test_a_recall_of_many_memories_stays_within_one_message(desk: Desk) -> None:
    hits = (Hit(Leg.TEXT, 1, 0.5, 0.5), Hit(Leg.SEMANTIC, 1, 0.5, 0.5))
    memories = [await desk.remember(f"{number} " + "潮" * 300) for number in range(20)]
    await recorded(
        desk, *(Fused(m.id, hits, 0.1, number=n) for n, m in enumerate(memories, start=1))
    )
    answer = await desk.ask("why")
    assert len(answer) <= 1_400
    assert answer.endswith("…")


async def test_what_the_model_looked_up_itself_is_told_after_the_recall(desk: Desk) -> None:
    memory = await desk.remember("Ann is allergic to peanuts")
    turn = await desk.say(QUESTION)
    earlier = await desk.engine.recall(Ask(ANN.scope, QUESTION, turn))
    await desk.engine.recall(Ask(ANN.scope, "peanuts", turn, earlier=earlier))
    await desk.engine.recorded()
    lines = (await desk.ask("why")).splitlines()
    assert lines[1] == f"Query: {QUESTION}"
    after = lines[lines.index("The model also looked up: peanuts") :]
    assert f"[2] {memory.id[:6]} Ann is allergic to peanuts" in after


async def test_in_a_group_a_memory_of_another_person_comes_with_the_current_name(
    desk: Desk,
) -> None:
    ann, ben = in_group(ANN), in_group(BEN)
    own = await desk.remember("I row", of=ann, kind=Kind.EVIDENCE)
    other = await desk.remember("I sail", of=ben, kind=Kind.EVIDENCE)
    await desk.say("Good morning", by=replace(ben, name="Benedict"))
    await recorded(
        desk, *(Fused(m.id, (), 0.1, number=n) for n, m in enumerate((own, other), 1)), by=ann
    )
    answer = await desk.ask("why", by=ann)
    assert f"[1] {own.id[:6]} I row" in answer
    assert f"[2] {other.id[:6]} Benedict said: I sail" in answer


async def test_a_card_of_another_group_is_not_in_the_explanation(desk: Desk) -> None:
    ann, ben = in_group(ANN), in_group(BEN)
    memory = await desk.remember("I row", of=ann, kind=Kind.EVIDENCE)
    support = replace(ann, scope=replace(ann.scope, subject="6000"), session="qq:GroupMessage:6000")
    await desk.say("Good morning", by=replace(support, name="Ann-HIV-support"))
    await recorded(desk, Fused(memory.id, (), 0.1, number=1), by=ben)
    assert "Ann said: I row" in await desk.ask("why", by=ben)


async def test_a_question_typed_under_another_persona_of_the_chat_is_not_shown(
    desk: Desk,
) -> None:
    cook = replace(ANN, scope=replace(ANN.scope, persona="cook"))
    await recorded(desk)
    await recorded(desk, by=cook)
    assert QUESTION in await desk.ask("why")
    turn = await desk.say("Is my diagnosis curable?", by=cook)
    told = Trace("Is my diagnosis curable?", (cook.scope.key,), ())
    await desk.engine.parts.journal.record_recall(Recollection(turn, NOW, to_json(told), "", ()))
    assert "diagnosis" not in await desk.ask("why")
    assert QUESTION in await desk.ask("why")
    assert "diagnosis" in await desk.ask("why", by=cook)
    baker = replace(ANN, scope=replace(ANN.scope, persona="baker"))
    assert "Nothing has been recalled" in await desk.ask("why", by=baker)
