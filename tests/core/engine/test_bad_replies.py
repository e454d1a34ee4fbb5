"""Whatever a model replies: what was said stays, the rules read it, and it costs two calls."""

import json
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind
from astrbot_plugin_tidemark.core.model.times import utc_day
from astrbot_plugin_tidemark.core.ports.models import MOST_TOKENS

from ...kit import item, learnt
from ...rig import START, Rig
from ...samples import ANNS

SAID = "我叫小林，我喜欢抹茶"
GOOD = item("小林喜欢抹茶", 1)

BAD: dict[str, Any] = {
    "not json": "好的，我记住了！",
    "a list": "[1, 2, 3]",
    "a number": "1e999",
    "truncated": json.dumps(learnt(GOOD))[:-40],
    "fenced and truncated": "```json\n" + json.dumps(learnt(GOOD))[:45] + "\n```",
    "another shape": {"remember": ["tea"]},
    "memories of text": {"memories": "tea"},
    "memories of numbers": {"memories": [1, None, [], "tea"]},
    "numbers as text": learnt(item("x", 1, importance="0.9")),
    "turns as text": learnt({**GOOD, "turns": ["1"]}),
    "a turn never shown": learnt(item("x", 7)),
    "turn zero": learnt(item("x", 0)),
    "a fraction of a turn": learnt({**GOOD, "turns": [1.5]}),
    "too important": learnt(item("x", 1, importance=1.01)),
    "not a number": learnt(item("x", 1, importance=float("nan"))),
    "endless": json.dumps(learnt(item("x", 1, confidence=8.75))).replace("8.75", "1e999"),
    "below nothing": learnt(item("x", 1, confidence=-1e-9)),
    "true": learnt(item("x", 1, importance=True)),
    "a memory never shown": learnt(item("x", 1, corrects=3)),
    "a date of text": learnt(item("x", 1, happened_at="next Tuesday")),
    "a date beyond time": learnt(item("x", 1, happened_at="99999-01-01")),
    "useful text": learnt(GOOD, useful=None) | {"useful": "all"},
    "ten megabytes": "x" * 10_000_000,
    "ten megabytes of json": '{"memories": [' + "[[]," * 2_500_000,
    "nested": '{"memories": ' + "[" * 90_000 + "]" * 90_000 + "}",
    "many wrong things": '{"memories": [{"entities": [' + "{}," * 60_000 + "{}]}]}",
    "a long number": '{"memories": ' + "9" * 100_000 + "}",
}


@pytest.mark.parametrize("what", BAD)
async def test_a_reply_that_does_not_fit_leaves_the_raw_turn_and_what_the_rules_read(
    rig: Rig, what: str
) -> None:
    await rig.say(ANNS, SAID)
    learned = await rig.learn(BAD[what])
    assert learned
    assert {memory.extractor for memory in learned} == {Extractor.RULES}
    assert [memory.text for memory in await rig.memories(Kind.EVIDENCE)] == [SAID]
    assert len(rig.model.prompts) == 2
    assert len(rig.model.prompts[1].user) < 50_000
    assert await rig.journal.dead() == []
    assert "抹茶" in (await rig.ask(ANNS, "我喜欢抹茶吗")).block


@pytest.mark.parametrize(
    ("billed", "counted"),
    [(None, 0), ("12", 0), (1.5, 0), ([], 0), (-5, 0), (10**30, MOST_TOKENS), (7, 7)],
)
async def test_a_bill_that_makes_no_sense_does_not_undo_the_call_it_is_for(
    rig: Rig, billed: Any, counted: int
) -> None:
    rig.model.tokens = billed
    await rig.say(ANNS, SAID)
    learned = await rig.learn(learnt(GOOD))
    assert [memory.extractor for memory in learned] == [Extractor.MODEL]
    usage = await rig.journal.usage(utc_day(START))
    assert (usage.calls, usage.tokens) == (1, counted)


async def test_a_memory_of_text_that_nothing_can_store_is_stored_without_it(rig: Rig) -> None:
    await rig.say(ANNS, SAID)
    (memory,) = await rig.learn(learnt(item("mat\0cha \ud83d", 1, about=["\0", "Ann\ud800"])))
    assert memory.text == "matcha"
    assert memory.about == ("Ann",)
