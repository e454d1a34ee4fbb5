"""Verdicts reach TMD, and sleep does the rest: close, learn, decay, bin, purge."""

from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Status
from astrbot_plugin_tidemark.core.sleep.sweep import LAST_SWEEP

from ...kit import item, learnt, until
from ...rig import START, Rig
from ...samples import ANN, ANNS, BEN, GROUP

FACT = "Ann's hives stand behind the chapel"
ASKED = "Where are the hives, behind the chapel?"
CHATTER = "Wow!"


async def judged(rig: Rig, *, useful: bool) -> Memory:
    """One episode in which the fact is injected and judged."""
    recalled, _ = await rig.exchange(ANNS, ASKED, "As ever")
    assert "m1" in [memory.id for memory in recalled.memories]
    number = [memory.id for memory in recalled.memories].index("m1") + 1
    await rig.learn(learnt(useful=[number] if useful else []))
    rig.clock.at += 60
    return await rig.store.get("m1")


async def test_what_was_shown_to_one_of_a_group_is_judged_by_the_answers_to_them(rig: Rig) -> None:
    fact = "The ferry to Lundy leaves from the northern jetty"
    await rig.keep(fact, GROUP)
    anns = await rig.say(GROUP, "When does the ferry leave?", by=ANN)
    assert "m1" in [memory.id for memory in (await rig.ask(GROUP, "ferry", turn=anns)).memories]
    bens = await rig.say(GROUP, "What did they build in the harbour?", by=BEN)
    await rig.answer(GROUP, "They rebuilt the northern jetty, Lundy paid for it", to=bens)
    await rig.answer(GROUP, "At nine, as always", to=anns)
    await rig.learn(learnt(useful=None))
    assert (await rig.store.get("m1")).vitality.useful_count == 0
    assert await rig.journal.verdict_counts() == (0, 1)
    (entry,) = [e for e in await rig.journal.audit_of("m1") if e.key.startswith("judged:")]
    assert entry.key == f"judged:{anns}:m1"


async def test_without_a_model_or_a_reply_words_judge_or_nobody(rig: Rig) -> None:
    await rig.keep(FACT, ANNS)
    seq = await rig.say(ANNS, ASKED)
    await rig.ask(ANNS, ASKED, turn=seq)
    await rig.learn(learnt(useful=None))
    assert await rig.journal.verdict_counts() == (0, 0)
    await rig.keep("Ann's bicycle has a green saddle", ANNS, id="m2")
    await rig.exchange(ANNS, "Ann's hives and Ann's bicycle?", "They stand behind the chapel")
    await rig.learn(learnt(useful=None))
    counts = [(await rig.store.get(id)).vitality.useful_count for id in ("m1", "m2")]
    assert counts == [1, 0]
    assert await rig.journal.verdict_counts() == (1, 1)


async def test_sleep_says_what_it_did_and_what_the_bin_purged(rig: Rig) -> None:
    await rig.keep("old and weak", ANNS, id="old", created_at=START - 40 * DAY)
    await rig.say(ANNS, FACT)
    report = await rig.sleep(patience=20.0)
    assert (report.episodes_closed, report.learnt_all) == (1, True)
    assert (await rig.store.get("old")).standing.status is Status.BINNED
    await rig.sleep(patience=20.0)
    rig.clock.at += 31 * DAY
    await rig.sleep(patience=20.0)
    assert await rig.store.find(["old"]) == []
    assert [e.action for e in await rig.journal.audit_of("old")] == ["purged"]


async def test_a_quiet_episode_is_learnt_from_without_being_asked_to(rig: Rig) -> None:
    await rig.say(ANNS, FACT)
    await rig.settle()
    rig.clock.at += 1800
    rig.engine.wake()

    async def asked() -> bool:
        return bool(rig.model.prompts)

    await until(asked)


async def test_decay_comes_by_itself_every_interval(rig: Rig) -> None:
    async def swept_at(at: float) -> bool:
        return await rig.journal.note(LAST_SWEEP) == repr(at)

    await until(lambda: swept_at(START))
    rig.clock.at += 6 * 3600
    rig.engine.wake()
    await until(lambda: swept_at(rig.clock.at))


async def days_later(rig: Rig, days: float) -> dict[str, Status]:
    rig.clock.at += days * DAY
    rig.model.answers = [learnt()]
    await rig.sleep(patience=20.0)
    return {raw.text: raw.standing.status for raw in await rig.memories(Kind.EVIDENCE)}


async def test_a_raw_turn_that_tells_nothing_fades_what_nothing_says_is_kept(rig: Rig) -> None:
    for text in (FACT, CHATTER):
        await rig.say(ANNS, text)
    assert await days_later(rig, 12) == {FACT: Status.LIVE, CHATTER: Status.BINNED}
    assert (await days_later(rig, 347))[FACT] is Status.LIVE
    assert (await days_later(rig, 2))[FACT] is Status.BINNED


async def test_a_raw_turn_fades_once_what_was_learnt_says_all_of_it(rig: Rig) -> None:
    await rig.say(ANNS, FACT)
    await rig.learn(learnt(item(FACT)))
    [fact] = await rig.memories(Kind.SEMANTIC)
    [raw] = await rig.memories(Kind.EVIDENCE)
    assert (fact.vitality.sole, raw.vitality.sole) == (True, False)
    assert await days_later(rig, 40) == {FACT: Status.BINNED}
    assert (await rig.store.get(fact.id)).standing.status is Status.LIVE


async def test_what_was_learnt_of_a_part_leaves_the_keeping_to_the_raw_turn(rig: Rig) -> None:
    await rig.say(ANNS, f"{FACT}, and the dog is called Bruno")
    await rig.learn(learnt(item(FACT)))
    [fact] = await rig.memories(Kind.SEMANTIC)
    [raw] = await rig.memories(Kind.EVIDENCE)
    assert (fact.vitality.sole, raw.vitality.sole) == (False, True)
