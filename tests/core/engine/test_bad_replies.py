"""Whatever a model replies: what was said stays, and what is sound in a reply is kept."""

import json
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind
from astrbot_plugin_tidemark.core.model.times import utc_day
from astrbot_plugin_tidemark.core.ports.models import MOST_TOKENS
from astrbot_plugin_tidemark.core.text.token_count import estimate_tokens

from ...kit import item, learnt
from ...rig import START, Rig
from ...samples import ANNS

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
