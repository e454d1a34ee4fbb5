"""Several people wait for the bot at once: every answer goes to its own question."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.engine.recall_requests import RecallRequest
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.conversation import (
    NewTurn,
    Role,
    Scope,
    ScopeKind,
    Speaker,
    reply_id,
)
from astrbot_plugin_tidemark.core.model.memory import Kind

from ...kit import place
from ...rig import Rig

GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")
BOT = Speaker("bot", "")


async def say(rig: Rig, name: str, text: str, role: Role = Role.USER) -> int:
    turn = NewTurn(place(GROUP), role, Speaker(name, name), text, rig.clock.at)
    return (await rig.engine.observe(turn)).turn.seq


async def answer(rig: Rig, seq: int, text: str) -> None:
    turn = NewTurn(place(GROUP), Role.ASSISTANT, BOT, text, rig.clock.at)
    await rig.engine.observe(replace(turn, message_id=reply_id(seq)))


async def told(rig: Rig) -> dict[str, str]:
    await rig.settle()
    found = await rig.memories(Kind.EVIDENCE)
    return {m.speaker.name: m.text.partition("↳ ")[2] for m in found if m.speaker}


async def test_two_questions_asked_before_the_first_answer_keep_their_own(rig: Rig) -> None:
    ann = await say(rig, "Ann", "Which tide carries the ferry?")
    bob = await say(rig, "Bob", "Which baker sells rye bread?")
    await answer(rig, ann, "The evening flood on Tuesdays")
    await answer(rig, bob, "Only Harrison beside the mill")
    assert await told(rig) == {
        "Ann": "The evening flood on Tuesdays",
        "Bob": "Only Harrison beside the mill",
    }


async def test_an_answer_to_chatter_is_not_given_to_the_question_before_it(rig: Rig) -> None:
    await say(rig, "Ann", "Which tide carries the ferry?")
    chatter = await say(rig, "Bob", "Nobody sells rye bread here", Role.BYSTANDER)
    await answer(rig, chatter, "Harrison does, beside the mill")
    assert await told(rig) == {"Ann": "", "Bob": "Harrison does, beside the mill"}


async def test_who_asks_where_somebody_lives_is_told_of_them_first(rig: Rig) -> None:
    for name, town in (("Ann", "Leeds"), ("Bob", "York")):
        await rig.keep(
            f"{name} lives in {town}",
            GROUP,
            id=name,
            speaker=Speaker(name, name),
            claim=Claim(f"@{name}", "residence", town, 0.0),
        )
        await say(rig, name, "Good morning to everybody")

    async def shown(text: str) -> list[str]:
        seq = await say(rig, "Ann", text)
        recalled = await rig.engine.recall(RecallRequest(GROUP, text, seq, asker="Ann"))
        assert recalled is not None
        assert all(each.text in recalled.block for each in recalled.memories)
        return [memory.id for memory in recalled.memories]

    for name, other in (("Ann", "Bob"), ("Bob", "Ann")):
        ranked = await shown(f"Where does {name} live?")
        assert name in ranked
        assert other not in ranked or ranked.index(name) < ranked.index(other)
