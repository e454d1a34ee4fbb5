"""What an episode has taught is held against what its person said before, as its work ends."""

import json
from copy import copy
from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Succession
from astrbot_plugin_tidemark.core.model.sleeping import Deed, SleepCause
from astrbot_plugin_tidemark.core.ports import Completion, Prompt, WorkKind
from astrbot_plugin_tidemark.core.prompts.judge import PairAnswer

from ...kit import Fragile, Fuse, Interruption, item, learnt, until
from ...rig import Rig
from ...samples import ANNS, DAY

LIKES, NOT = "Ann likes coriander on her noodles", "Ann doesn't like coriander on her noodles"
HILL, SEA = "Ann wants to spend her summers in the hills", "Ann spends her summers by the sea"


async def episode(rig: Rig, said: str, fact: str) -> None:
    """An episode that teaches this, its work done; no sleep has begun."""
    await rig.say(ANNS, said)
    rig.model.answers = [learnt(item(fact, 1))]
    await rig.pass_time()


async def before(rig: Rig, said: str, fact: str) -> None:
    """An episode of some days ago, with the sleep after it."""
    await episode(rig, said, fact)
    await rig.embedded()
    rig.engine.backfill.wake()
    identity = await rig.embedder.identity()
    await until(lambda: rig.engine.calibrator.tells_apart(identity.fingerprint))
    rig.clock.at += 3 * DAY
    await rig.sleep(patience=20.0)


async def facts(rig: Rig) -> list[Memory]:
    return await rig.memories(Kind.SEMANTIC)


async def decided(rig: Rig) -> list[tuple[Deed, tuple[str, ...]]]:
    every = [*await rig.journal.reports([ANNS.key]), *await rig.journal.sleeping()]
    found = [each for sleep in every for each in await rig.journal.decisions(sleep.id)]
    return [(each.decision.deed, each.decision.memories) for each in found]


async def test_what_denies_an_earlier_fact_holds_when_its_episodes_work_is_done(rig: Rig) -> None:
    await before(rig, "I like coriander on my noodles", LIKES)
    await episode(rig, "I don't like coriander on my noodles", NOT)
    older, newer = await facts(rig)
    assert (older.successor.memory, older.successor.how) == (newer.id, Succession.UPDATES)
    assert await decided(rig) == [(Deed.CONFLICT_SETTLED, (newer.id, older.id))]
    causes = {sleep.cause for sleep in await rig.journal.sleeping() if sleep.scope == ANNS.key}
    assert causes <= {SleepCause.QUIET, SleepCause.INTERVAL}
    await rig.sleep(patience=20.0)
    assert len(await decided(rig)) == 1


async def test_what_is_near_is_asked_about_once_by_then_and_not_again(rig: Rig) -> None:
    judge = await judging(rig)
    await before(rig, "I want to spend my summers in the hills", HILL)
    await episode(rig, "I spend my summers by the sea now", SEA)
    older, newer = await facts(rig)
    assert len(judge) == 1
    assert older.successor.memory == newer.id
    await rig.sleep(patience=20.0)
    assert len(judge) == 1


async def test_an_embedder_that_is_down_delays_nothing_and_the_night_does_it(rig: Rig) -> None:
    await before(rig, "I like coriander on my noodles", LIKES)
    rig.embedder.down = True
    await episode(rig, "I don't like coriander on my noodles", NOT)
    older, _ = await facts(rig)
    assert older.successor is None
    rig.embedder.down = False
    rig.engine.backfill.pause = 0.01
    await rig.engine.stop()
    rig.engine.start()
    await rig.embedded()
    await rig.sleep(patience=20.0)
    older, newer = await facts(rig)
    assert older.successor.memory == newer.id


@pytest.mark.parametrize("after", [False, True], ids=["before a write", "after it"])
async def test_killed_anywhere_and_done_again_it_comes_to_the_same(rig: Rig, after: bool) -> None:
    await before(rig, "I like coriander on my noodles", LIKES)
    await rig.engine.stop()
    await rig.say(ANNS, "I don't like coriander on my noodles")
    rig.clock.at += 1_801.0
    rig.model.answers = [learnt(item(NOT, 1))]
    await rig.engine.jobs.tick()
    due = await rig.journal.due(
        rig.clock.at, kinds=frozenset(WorkKind) - {WorkKind.SLEEP}, limit=9, skip=frozenset()
    )
    for work in due:
        if work.kind is WorkKind.INDEX_TURN:
            await rig.engine.jobs.index_turn(work)
    [learning] = [work for work in due if work.kind is WorkKind.LEARN]
    conflicts, blown = rig.engine.jobs.conflicts, 0
    while True:
        blown += 1
        fuse = Fuse(blown, after)
        jobs = replaced(rig, Fragile(conflicts.store, fuse), Fragile(conflicts.journal, fuse))
        try:
            await jobs.learn(learning)
        except Interruption:
            continue
        break
    older, newer = await facts(rig)
    assert blown > 5
    assert older.successor.memory == newer.id
    assert await decided(rig) == [(Deed.CONFLICT_SETTLED, (newer.id, older.id))]


def replaced(rig: Rig, store: Any, journal: Any) -> Any:
    jobs = copy(rig.engine.jobs)
    jobs.conflicts = replace(jobs.conflicts, store=store, journal=journal)
    jobs.pipeline = replace(jobs.pipeline, journal=journal)
    return jobs


async def judging(rig: Rig) -> list[Prompt]:
    asked, complete = list[Prompt](), rig.model.complete

    async def answered(prompt: Prompt, *, session: str) -> Completion:
        if prompt.name != "judge":
            return await complete(prompt, session=session)
        asked.append(prompt)
        later = prompt.user.index(HILL) < prompt.user.index(SEA)
        told = PairAnswer.SECOND if later else PairAnswer.FIRST
        return Completion(json.dumps({"A": told, "B": told.turned}), 10)

    rig.model.complete = answered
    return asked
