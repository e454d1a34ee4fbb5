"""Whatever a model replies: what was said stays, what is sound is kept, what is made up waits."""

import json
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind, Memory, Status, Succession
from astrbot_plugin_tidemark.core.model.times import utc_day
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.ports.models import MOST_TOKENS
from astrbot_plugin_tidemark.core.text.token_count import estimate_tokens

from ...kit import item, learnt
from ...rig import START, Rig
from ...samples import ANNS, DAY

SAID = "我叫小林，我喜欢抹茶"
GOOD = item("小林喜欢抹茶", 1)

UNREADABLE: dict[str, Any] = {
    "not json": "好的，我记住了！",
    "a list": "[1, 2, 3]",
    "a number": "1e999",
    "cut in its first memory": "```json\n" + json.dumps(learnt(GOOD))[:45] + "\n```",
    "another shape": {"remember": ["tea"]},
    "memories of text": {"memories": "tea"},
    "empty records": {"facts": [{}, {"words": "我喜欢抹茶"}]},
    "ten megabytes": "x" * 10_000_000,
    "ten megabytes of json": '{"memories": [' + "[[]," * 2_500_000,
    "nested": '{"memories": ' + "[" * 90_000 + "]" * 90_000 + "}",
}


@pytest.mark.parametrize("what", UNREADABLE)
async def test_an_unreadable_reply_leaves_the_raw_turn_and_the_rules(rig: Rig, what: str) -> None:
    await rig.say(ANNS, SAID)
    learned = await rig.learn(UNREADABLE[what])
    assert learned
    assert {memory.extractor for memory in learned} == {Extractor.RULES}
    assert [memory.text for memory in await rig.memories(Kind.EVIDENCE)] == [SAID]
    assert len(rig.model.prompts) == 2
    assert len(rig.model.prompts[1].user) < 50_000
    assert await rig.journal.dead() == []
    assert "抹茶" in (await rig.ask(ANNS, "我喜欢抹茶吗")).block


@pytest.mark.parametrize(
    ("billed", "counted"),
    [*((none, None) for none in (None, "12", 1.5, [], -5, 0)), (10**30, MOST_TOKENS), (7, 7)],
)
async def test_a_senseless_bill_does_not_undo_its_call_which_is_estimated(
    rig: Rig, billed: Any, counted: int | None
) -> None:
    rig.model.tokens = billed
    await rig.say(ANNS, SAID)
    learned = await rig.learn(learnt(GOOD))
    assert [memory.extractor for memory in learned] == [Extractor.MODEL]
    [prompt], usage = rig.model.prompts, await rig.journal.usage(utc_day(START))
    least = estimate_tokens(prompt.system + prompt.user)
    assert usage.calls == 1
    assert usage.tokens == counted if counted else least < usage.tokens < least + 500


TOLD = "I keep two bee hives in Bath"
MADE_UP = "Ann keeps 40 bee hives in Bath"


async def only(rig: Rig, text: str) -> Memory:
    (found,) = [memory for memory in await rig.memories() if memory.text == text]
    return found


async def made_up(rig: Rig) -> Memory:
    await rig.say(ANNS, TOLD)
    await rig.learn(learnt(item(MADE_UP, 1)))
    return await only(rig, MADE_UP)


async def test_what_was_not_said_is_set_aside_and_never_recalled(rig: Rig) -> None:
    memory = await made_up(rig)
    assert (memory.standing.status, memory.standing.reason) == (Status.QUARANTINED, "unsaid_number")
    (note,) = [
        each for each in await rig.journal.audit_of(memory.id) if each.action == "quarantined"
    ]
    assert MADE_UP not in note.detail
    kept = await rig.keep("Ann keeps bees", ANNS, kind=Kind.SEMANTIC)
    seq = await rig.say(ANNS, TOLD)
    await rig.ask(ANNS, "bees", turn=seq)
    await rig.say(ANNS, "Two, as I said")
    await rig.learn(learnt(item(MADE_UP, 1, corrects=1)))
    assert MADE_UP not in await rig.texts(ANNS, "how many bee hives does Ann keep in Bath?")
    (after,) = await rig.store.find([kept.id])
    assert after.successor is None
    assert after.recallable


async def test_it_takes_no_place_and_goes_into_the_bin_undecided(rig: Rig) -> None:
    await made_up(rig)
    (raw,) = await rig.memories(Kind.EVIDENCE)
    assert raw.recallable
    assert raw.vitality.sole
    rig.clock.at += 31 * DAY
    await rig.engine.retention.apply_in(ANNS.key, rig.clock.at)
    memory = await only(rig, MADE_UP)
    assert (memory.standing.status, memory.standing.reason) == (Status.BINNED, "undecided")


async def test_what_is_kept_is_recalled_and_follows_what_it_corrects(rig: Rig) -> None:
    kept = await rig.keep("Ann keeps ten bee hives", ANNS, kind=Kind.SEMANTIC)
    seq = await rig.say(ANNS, TOLD)
    await rig.ask(ANNS, "bee hives", turn=seq)
    await rig.learn(learnt(item(MADE_UP, 1, corrects=1)))
    memory = await only(rig, MADE_UP)
    await rig.engine.curation.keep([memory.id], by="qq:901")
    (older,) = await rig.store.find([kept.id])
    assert older.successor.how is Succession.CORRECTS
    assert (await only(rig, MADE_UP)).recallable
    assert await rig.engine.curation.keep([memory.id], by="qq:901") == []


async def test_what_is_dropped_takes_nothing_along_that_was_said(rig: Rig) -> None:
    memory = await made_up(rig)
    await rig.engine.curation.forget([memory.id], by="qq:901")
    assert (await only(rig, MADE_UP)).standing.status is Status.BINNED
    (raw,) = await rig.memories(Kind.EVIDENCE)
    assert raw.recallable


async def test_learning_done_again_leaves_alone_what_was_decided(rig: Rig) -> None:
    memory = await made_up(rig)
    await rig.engine.curation.keep([memory.id], by="qq:901")
    extraction = await rig.journal.extraction(memory.origin.episode)
    episode = await rig.journal.episode(memory.origin.episode)
    assert extraction is not None
    assert episode is not None
    await rig.engine.jobs.capture.apply(extraction, episode)
    assert (await only(rig, MADE_UP)).recallable
    assert await rig.store.count(Filter(status=Status.QUARANTINED)) == 0
