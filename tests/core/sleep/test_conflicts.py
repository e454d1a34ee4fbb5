"""Conflicts in sleep: ordered by code, judged where code cannot, undone, and never made up."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.conflict.trust import CONTRADICTS, linked, trust_of
from astrbot_plugin_tidemark.core.model.conversation import Injected
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Relation
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Succession, Successor
from astrbot_plugin_tidemark.core.model.sleeping import Deed, Undone
from astrbot_plugin_tidemark.core.ports import Completion, Prompt, Recollection, WorkKind
from astrbot_plugin_tidemark.core.prompts.judge import PairAnswer
from astrbot_plugin_tidemark.core.settings.groups import SleepSettings
from astrbot_plugin_tidemark.core.sleep.pipeline import Steps
from astrbot_plugin_tidemark.core.sleep.steps.conflicts import (
    DONE,
    LEFT,
    MOST,
    ConflictStep,
    Examined,
    near_pairs,
    pair_of,
)

from ...kit import DOWN, ScriptedModel, learnt
from ...rig import Rig, open_rig
from ...samples import ANN, ANNS
from .conftest import PATIENT, decisions, erased_while_asked, killed_anywhere, slept

OWN = (Deed.CONFLICT_FOUND, Deed.CONFLICT_SETTLED, Deed.RELATED)
LEEDS, YORK = "Ann lives in Leeds", "Ann lives in York"
running = pytest.fixture(lambda: False)


async def told(rig: Rig, text: str, id: str, *, turn: int = 1, **changes: Any) -> Memory:
    given = {"kind": Kind.SEMANTIC, "speaker": ANN, "origin": Origin(turns=(turn,)), **changes}
    return await rig.keep(text, ANNS, id=id, **given)


async def two_homes(rig: Rig) -> None:
    """Two homes of one moment; a message, so that the scope has a session to ask in."""
    await rig.say(ANNS, "hello")
    for text, own, other in ((LEEDS, "m1", "m2"), (YORK, "m2", "m1")):
        claim = Claim("@", "residence", text.rpartition(" ")[2], rig.clock.at)
        link = Relation(own, CONTRADICTS, other)
        await told(rig, text, own, claim=claim, relations=(link,))


def judging(answer: str, again: str | None = None) -> Any:
    return {"A": answer, "B": again or PairAnswer(answer).turned}


async def asked(rig: Rig) -> list[Prompt]:
    return [prompt for prompt in rig.model.prompts if prompt.name == "judge"]


async def pair(rig: Rig) -> tuple[Memory, Memory]:
    one, other = await rig.store.find(["m1", "m2"])
    return one, other


async def started(rig: Rig, *answers: Any) -> None:
    """The engine with a judge that answers so; whatever else is asked teaches nothing."""
    judge, complete = ScriptedModel(list(answers)), rig.model.complete
    rig.model.answers = [learnt()]

    async def answered(prompt: Prompt, *, session: str) -> Completion:
        if prompt.name != "judge":
            return await complete(prompt, session=session)
        rig.model.prompts.append(prompt)
        return await judge.complete(prompt, session=session)

    rig.model.complete = answered
    rig.engine.start()
    await rig.embedded()


async def test_what_a_judge_orders_is_settled_and_told_with_ids(rig: Rig) -> None:
    await two_homes(rig)
    await started(rig, judging("second"))
    assert await slept(rig, *OWN) == {Deed.CONFLICT_SETTLED: 1}
    leeds, york = await pair(rig)
    assert leeds.successor == Successor("m2", Succession.UPDATES)
    assert (leeds.holds, york.holds) == (False, True)
    assert linked(york, "supersedes") == {"m1"}
    [decided] = await decisions(rig, *OWN)
    assert decided.decision.memories == ("m2", "m1")
    assert [entry.by for entry in await rig.journal.audit_of("m1")] == ["sleep"]
    assert await slept(rig, *OWN) == {}
    assert len(await asked(rig)) == 1


async def test_undone_it_is_as_it_was_and_is_not_judged_again(rig: Rig) -> None:
    await two_homes(rig)
    await started(rig, judging("second"))
    before = await pair(rig)
    await slept(rig, *OWN)
    [decided] = await decisions(rig, *OWN)
    for _ in range(2):
        assert await rig.engine.pipeline.undo(decided.id) is Undone.DONE
    after = await pair(rig)
    for earlier, now in zip(before, after, strict=True):
        assert (now.claim, now.successor) == (earlier.claim, None)
        assert {*now.relations} == {*earlier.relations}
    assert await slept(rig, *OWN) == {}
    assert len(await asked(rig)) == 1


@pytest.mark.parametrize(
    "answer",
    [
        "no JSON",
        judging("opposed"),
        judging("both"),
        judging("same"),
        # The same word, or the same place, whatever stands there.
        judging("second", "second"),
        judging("same", "both"),
        {"A": "wins", "B": "wins"},
        {"A": "second"},
        {"X": "second", "Y": "first"},
    ],
)
async def test_whatever_else_a_judge_answers_both_are_kept_and_told(rig: Rig, answer: Any) -> None:
    await two_homes(rig)
    await started(rig, answer)
    assert await slept(rig, *OWN) == {Deed.CONFLICT_FOUND: 1}
    assert all(memory.holds and memory.successor is None for memory in await pair(rig))
    # One repair at the most, and not again the next night.
    calls = len(await asked(rig))
    assert calls <= 2
    assert await slept(rig, *OWN) == {}
    assert len(await asked(rig)) == calls


async def test_after_a_reply_that_nobody_can_read_the_next_is_taken(rig: Rig) -> None:
    await two_homes(rig)
    await started(rig, "the second", judging("first"))
    assert await slept(rig, *OWN) == {Deed.CONFLICT_SETTLED: 1}
    assert "could not be read" in (await asked(rig))[1].user


async def test_without_a_model_the_conflict_is_told_and_judged_when_there_is_one(rig: Rig) -> None:
    await two_homes(rig)
    await started(rig, DOWN, judging("first"))
    assert await slept(rig, *OWN) == {Deed.CONFLICT_FOUND: 1}
    assert await slept(rig, *OWN) == {Deed.CONFLICT_SETTLED: 1}


async def test_with_no_calls_allowed_the_conflict_is_only_told(tmp_path: Path) -> None:
    rig = await open_rig(tmp_path, replace(PATIENT, sleep=SleepSettings(calls=0)))
    try:
        await two_homes(rig)
        await started(rig)
        assert await slept(rig, *OWN) == {Deed.CONFLICT_FOUND: 1}
        assert await slept(rig, *OWN) == {}
        assert await asked(rig) == []
    finally:
        await rig.engine.close()


async def test_a_conflict_that_recall_meets_again_is_judged_with_all_of_it(rig: Rig) -> None:
    await two_homes(rig)
    await started(rig, judging("opposed"), judging("first"))
    assert await slept(rig, *OWN) == {Deed.CONFLICT_FOUND: 1}
    await rig.store.amend(["m1"], lambda m: replace(m, feedback=replace(m.feedback, accurate=True)))
    turn = await rig.say(ANNS, "where do I live?")
    shown = tuple(Injected(turn, number, f"m{number}") for number in (1, 2))
    await rig.journal.record_recall(Recollection(turn, rig.clock.at, "{}", "", shown))
    assert await slept(rig, *OWN) == {Deed.CONFLICT_SETTLED: 1}
    assert "confirmed) Ann lives in Leeds" in (await asked(rig))[-1].user


async def test_an_explicit_denial_said_later_holds_without_any_model(rig: Rig) -> None:
    await told(rig, "Ann likes fresh coriander", "m1", turn=1)
    rig.clock.at += 60
    await told(rig, "Ann does not like fresh coriander", "m2", turn=2)
    rig.model.present = False
    await vectored(rig)
    assert await slept(rig, *OWN) == {Deed.CONFLICT_SETTLED: 1}
    likes, denies = await pair(rig)
    assert likes.successor == Successor("m2", Succession.UPDATES)
    assert denies.successor is None
    assert await slept(rig, *OWN) == {}


@pytest.mark.parametrize("back", [False, True])
async def test_what_takes_the_place_of_its_own_value_denies_it_until_undone(
    rig: Rig, back: bool
) -> None:
    """Of "no longer works at Acme" a model names the slot and Acme: it held for ever."""
    claim = Claim("@", "workplace", "Acme", 1.0)
    texts = ["Ann works at Acme", "Ann no longer works at Acme"]
    first, second = reversed(texts) if back else texts
    await told(rig, first, "m1", turn=1, claim=claim)
    rig.clock.at += 60
    await told(rig, second, "m2", turn=2, claim=claim)
    rig.model.present = False
    await vectored(rig)
    assert await slept(rig, *OWN) == {Deed.CONFLICT_SETTLED: 1}
    older, newer = await pair(rig)
    assert (older.holds, newer.claim) == (False, replace(claim, denied=not back))
    [decided] = await decisions(rig, *OWN)
    assert await rig.engine.pipeline.undo(decided.id) is Undone.DONE
    assert [memory.claim for memory in await pair(rig)] == [claim, claim]


@pytest.mark.parametrize("claimed", [1, 2])
async def test_of_opposed_ones_the_later_turn_holds_where_one_denies(
    rig: Rig, claimed: int
) -> None:
    """Of "Sorry, I lied, I'm not allergic", said in one go, both sentences held."""
    claim = Claim("@", "allergy", "peanuts", 1.0)
    await rig.say(ANNS, "hello")
    for n, text in enumerate(("Ann is allergic to peanuts", "Ann is not allergic to peanuts"), 1):
        origin = Origin(episode="e1", turns=(n,))
        await told(rig, text, f"m{n}", claim=claim if n == claimed else None, origin=origin)
    await started(rig, judging("opposed"))
    await vectored(rig, start=False)
    assert await slept(rig, *OWN) == {Deed.CONFLICT_SETTLED: 1}
    older, newer = await pair(rig)
    assert older.successor == Successor("m2", Succession.UPDATES)
    assert newer.claim == (replace(claim, denied=True) if claimed == 2 else None)


async def test_a_denial_of_the_moment_lowers_trust_until_undone(rig: Rig) -> None:
    await told(rig, "Ann likes fresh coriander", "m1")
    await told(rig, "Ann does not like fresh coriander", "m2")
    rig.model.present = False
    await vectored(rig)
    before = [trust_of(memory, rig.clock.at) for memory in await pair(rig)]
    assert await slept(rig, *OWN) == {Deed.CONFLICT_FOUND: 1}
    for earlier, memory in zip(before, await pair(rig), strict=True):
        assert linked(memory, CONTRADICTS)
        assert trust_of(memory, rig.clock.at) < earlier - 0.03
    [decided] = await decisions(rig, *OWN)
    assert await rig.engine.pipeline.undo(decided.id) is Undone.DONE
    assert all(memory.relations == () for memory in await pair(rig))


@pytest.mark.parametrize(
    ("answer", "edge", "deed"),
    [
        ("same", "supports", {Deed.RELATED: 1}),
        ("both", "", {}),
        ("opposed", "contradicts", {Deed.CONFLICT_FOUND: 1}),
    ],
)
async def test_of_what_is_alike_a_judge_tells_what_it_is_and_it_can_be_undone(
    rig: Rig, answer: str, edge: str, deed: dict[Deed, int]
) -> None:
    await exams(rig)
    await started(rig, judging(answer))
    await vectored(rig, start=False)
    assert await slept(rig, *OWN) == deed
    for memory in await pair(rig):
        assert memory.successor is None
        assert {r.predicate for r in memory.relations} == ({edge} if edge else set())
    for decided in await decisions(rig, *OWN):
        assert await rig.engine.pipeline.undo(decided.id) is Undone.DONE
    assert all(memory.relations == () for memory in await pair(rig))


async def test_what_a_judge_finds_the_same_becomes_one_the_same_night(rig: Rig) -> None:
    """Of the four obvious groups of a life none was one for code alone: 喜欢咖啡, 爱喝咖啡."""
    await rig.say(ANNS, "hello")
    await told(rig, "Ann is fond of quinces", "m1", turn=1)
    rig.clock.at += 60
    await told(rig, "Ann loves eating quinces", "m2", turn=2)
    await started(rig, judging("same"))
    await vectored(rig, start=False)
    rig.clock.at += 1
    counts = (await rig.sleep(patience=20.0)).counts
    assert (counts[Deed.RELATED], counts[Deed.MERGED]) == (1, 1)
    [one] = [memory for memory in await rig.memories(Kind.SEMANTIC) if memory.recallable]
    assert {*one.origin.turns} == {1, 2}


@pytest.mark.parametrize(("strangers", "deeds"), [("both", {Deed.RELATED: 3}), ("same", {})])
async def test_one_word_of_several_pairs_is_heard_unless_it_is_said_of_strangers_too(
    rig: Rig, strangers: str, deeds: dict[Deed, int]
) -> None:
    await exams(rig, 3)
    again = dict.fromkeys("ABCEFG", "same") | dict.fromkeys("DH", strangers)
    await started(rig, dict.fromkeys("ABCDEF", "same"), again)
    await vectored(rig, start=False)
    assert await slept(rig, *OWN) == deeds
    assert len(await asked(rig)) == 2


async def test_what_is_alike_beyond_one_sleep_is_asked_about_in_the_next(rig: Rig) -> None:
    await exams(rig, 6)
    rig.clock.at += 8 * 86_400
    await started(rig, *[{"A": "both"}] * 9)
    await vectored(rig, start=False)
    calls = []
    for _ in range(3):
        await slept(rig, *OWN)
        calls.append(len(await asked(rig)))
    # Fifteen pairs, five in a call, ten in a sleep.
    assert calls == [2, 3, 3]


async def test_what_was_said_earlier_supersedes_nothing(rig: Rig) -> None:
    await exams(rig)
    await started(rig, judging("first"))
    await vectored(rig, start=False)
    assert await slept(rig, *OWN) == {Deed.CONFLICT_FOUND: 1}
    assert all(memory.successor is None for memory in await pair(rig))


async def exams(rig: Rig, count: int = 2) -> None:
    await rig.say(ANNS, "hello")
    for number in range(1, count + 1):
        await told(rig, f"The chemistry exam is on {number + 11} May", f"m{number}", turn=number)
        rig.clock.at += 60


async def vectored(rig: Rig, *, start: bool = True) -> None:
    """Both near each other on a scale of the scope's own, as a real embedder has it."""
    if start:
        rig.engine.start()
        await rig.embedded()
    step = rig.engine.pipeline.steps.by_name[ConflictStep.name]
    assert isinstance(step, ConflictStep)
    near = replace(step, similarity=Alike())
    steps = [near if each is step else each for each in rig.engine.pipeline.steps.of_scope]
    pipeline = rig.engine.pipeline
    changed = replace(pipeline, steps=Steps(steps, pipeline.steps.of_installation))
    rig.engine.worker.jobs = {**rig.engine.worker.jobs, WorkKind.SLEEP: changed.work}


class Alike:
    """Every memory is near every other."""

    async def centred(self, scope: str, memories: list[Memory]) -> Any:
        import numpy as np

        return np.ones((len(memories), 1), np.float32)


@pytest.mark.parametrize("after", [False, True])
async def test_killed_anywhere_it_comes_to_the_same(rig: Rig, after: bool) -> None:
    await two_homes(rig)
    rig.model.answers = [judging("second")]
    for turn in await rig.journal.due(
        rig.clock.at, kinds=frozenset(WorkKind), limit=9, skip=frozenset()
    ):
        await rig.journal.finish(turn.id)
    _, attempts = await killed_anywhere(rig, ConflictStep.name, after=after)
    assert attempts > 10
    leeds, york = await pair(rig)
    assert leeds.successor == Successor("m2", Succession.UPDATES)
    assert york.successor is None
    assert len(await decisions(rig, *OWN)) == 1
    assert len(await rig.journal.audit_of("m1")) == 1
    # Killed before it was noted as examined, it is noted all the same: else it were told again.
    mark = await rig.journal.mark(ANNS.key, ConflictStep.name)
    assert Examined.read(mark).pairs == {("m1", "m2"): DONE}


async def test_a_person_erased_while_a_judge_thinks_leaves_nothing(rig: Rig) -> None:
    await two_homes(rig)
    await started(rig, judging("second"))
    await rig.settle()
    await erased_while_asked(rig, "judge")
    assert await rig.journal.mark(ANNS.key, ConflictStep.name) == ""


def test_what_was_examined_is_read_as_written_and_the_newest_are_kept() -> None:
    assert Examined.read("") == Examined()
    examined = Examined(5.0)
    for pair, state in ((pair_of("b", "a"), LEFT), (pair_of("d", "c"), 7), (("a", "b"), DONE)):
        examined.note(pair, state)
    assert Examined.read(examined.written()) == examined
    assert list(examined.pairs.items()) == [(("c", "d"), 7), (("a", "b"), DONE)]
    for number in range(MOST):
        examined.note((f"x{number}", "y"), DONE)
    assert list(Examined.read(examined.written()).pairs) == [(f"x{n}", "y") for n in range(MOST)]


def test_the_nearest_of_a_person_stand_out_among_many_and_known_ones_are_left_out() -> None:
    count = 8
    ids = [f"m{place}" for place in range(count)]
    name, own = np.ones(count + 1), np.eye(count + 1)[:count]
    vectors = np.array([name + 4 * row for row in own])
    vectors[1] = name + 4 * own[0] + own[1]
    unit = np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)
    assert (unit @ unit.T).min() > 0.4
    assert near_pairs(ids, [0], unit).keys() == {("m0", "m1")}
    known = {("m1", "m2")}
    assert near_pairs(ids[:4], [2], unit[:4], known).keys() == {("m0", "m2"), ("m2", "m3")}
