"""What the bot says that it will do is its own plan; nothing else of its lines is anybody's."""

import json

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.model.memory import Kind, Source

from ...rig import Rig
from ...samples import ANNS

type Plans = list[tuple[str, str]]


def told(words: str, kind: str = "promise") -> dict[str, object]:
    return {"words": words, "who": "bot", "fact": words, "kind": kind, "slot": None, "value": None}


async def plans(rig: Rig, said: str, reply: str, *facts: dict[str, object]) -> Plans:
    await rig.exchange(ANNS, said, reply)
    learnt = await rig.learn(json.dumps({"facts": facts}))
    return [(m.text, m.source) for m in learnt if m.kind is Kind.PROSPECTIVE]


@pytest.mark.parametrize(
    ("said", "reply", "words", "text"),
    [
        (
            "Which trains run on the holiday?",
            "No idea yet. I'll send you the train times tomorrow morning.",
            "I'll send you the train times tomorrow morning",
            "(bot: I'll send you the train times tomorrow morning)",
        ),
        (
            "哪天有演出",
            "我查查，明天告诉你演出的日子",
            "明天告诉你演出的日子",
            "（机器人：明天告诉你演出的日子）",
        ),
    ],
)
async def test_a_promise_with_a_time_is_kept_in_the_bots_own_words(
    rig: Rig, said: str, reply: str, words: str, text: str
) -> None:
    assert await plans(rig, said, reply, told(words)) == [(text, Source.BOT)]
    [plan] = await rig.memories(Kind.PROSPECTIVE)
    [bot] = [t for t in await rig.journal.turns_of(plan.origin.episode) if t.role is Role.ASSISTANT]
    assert (plan.speaker, plan.origin.turns, plan.claim) == (bot.speaker, (bot.seq,), None)
    assert plan.intention is not None
    assert rig.clock.at < (plan.due_at or 0.0) + 86_400.0 < rig.clock.at + 3 * 86_400.0


@pytest.mark.parametrize(
    ("reply", "words", "kind"),
    [
        ("I'll send you the train times", "I'll send you the train times", "promise"),
        ("I sent you the train times yesterday", "I sent you the train times yesterday", "promise"),
        ("I'll write tomorrow", "I'll send you the train times tomorrow", "promise"),
        ("I'll send the times tomorrow", "I'll send the times tomorrow", "plan"),
        ("Drink hot milk tomorrow", "Drink hot milk tomorrow", "health"),
    ],
    ids=["no time", "over", "not said", "another kind", "advice"],
)
async def test_what_is_no_promise_is_not_kept(rig: Rig, reply: str, words: str, kind: str) -> None:
    assert await plans(rig, "Which trains run?", reply, told(words, kind)) == []
    assert not [m for m in await rig.memories(Kind.SEMANTIC) if m.recallable]


async def test_what_a_person_says_is_no_promise_and_a_wish_one_plan(rig: Rig) -> None:
    words = "I will call my aunt in the morning"
    found = await plans(rig, f"{words}, maybe", "Good idea", told("I will call my aunt"))
    assert ("(bot: I will call my aunt)", Source.BOT) not in found
    asked = {**told("I have to pay the rent on Friday", "plan"), "who": "Ann"}
    found = await plans(
        rig,
        "I have to pay the rent on Friday",
        "I'll remind you on Friday",
        {**asked, "fact": "Ann has to pay the rent on Friday"},
        told("I'll remind you on Friday"),
    )
    assert len(found) == 1
    assert found[0][1] is Source.USER
