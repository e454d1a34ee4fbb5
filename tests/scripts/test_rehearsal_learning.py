"""The rehearsal model as the learner: real learning prompts in, replies the parser accepts out."""

from collections.abc import Sequence
from datetime import UTC, datetime

import httpx
from astrbot_plugin_tidemark.core.capture.citing import cited
from astrbot_plugin_tidemark.core.model.conversation import Place, Role, Speaker, Turn
from astrbot_plugin_tidemark.core.model.lesson import Candidate
from astrbot_plugin_tidemark.core.model.memory import (
    Access,
    Extractor,
    Kind,
    Memory,
    Source,
    Vitality,
)
from astrbot_plugin_tidemark.core.ports import Prompt
from astrbot_plugin_tidemark.core.prompts import learn, verdict
from astrbot_plugin_tidemark.scripts.hostkit.model_server import ModelServer
from astrbot_plugin_tidemark.scripts.rehearsal import respond
from astrbot_plugin_tidemark.scripts.rehearsal_learning import notes_in

PLACE = Place("qq:FriendMessage:1", "c", "private/qq/1/*")
DAY = datetime(2025, 6, 26, 12, tzinfo=UTC).timestamp()


def turn(seq: int, role: Role, text: str, name: str = "小雨") -> Turn:
    return Turn(seq, "e", PLACE, role, Speaker("1", name), text, DAY)


def memory(text: str) -> Memory:
    return Memory(
        id="m",
        scope=PLACE.scope,
        kind=Kind.SEMANTIC,
        text=text,
        summary=text,
        created_at=DAY,
        happened_at=DAY,
        vitality=Vitality(5),
        access=Access(DAY, DAY),
        source=Source.USER,
        extractor=Extractor.MODEL,
        speaker=Speaker("1", "小雨"),
    )


def shown(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()


async def answered(prompt: Prompt) -> str:
    """The rehearsal model's reply to a whole call over HTTP."""
    messages = [
        {"role": "system", "content": prompt.system},
        {"role": "user", "content": prompt.user},
    ]
    async with ModelServer.running(respond) as server, httpx.AsyncClient(trust_env=False) as http:
        url = f"{server.source.url}/chat/completions"
        answer = await http.post(url, json={"model": "rehearsal", "messages": messages})
    return answer.json()["choices"][0]["message"]["content"]


async def learnt(turns: Sequence[Turn]) -> list[Candidate]:
    prompt = learn.build(turns, shown_time=shown, language="zh")
    return cited(learn.parse(await answered(prompt)), turns, UTC)


async def test_what_somebody_says_of_themselves_is_learnt() -> None:
    (told,) = await learnt([turn(1, Role.USER, "我对花生过敏。"), turn(2, Role.ASSISTANT, "好的")])
    assert "花生" in told.text
    assert (told.turns, told.doubt) == ((1,), "")


async def test_memories_the_answer_drew_on_are_useful_and_others_are_not() -> None:
    notes = {1: memory("小雨对花生过敏"), 2: memory("小雨养了一只叫团子的猫")}
    turns = [
        turn(1, Role.USER, "晚饭吃什么好？"),
        turn(2, Role.ASSISTANT, "避开花生就好，你对花生过敏。"),
    ]
    prompt = verdict.build(turns, notes, shown_time=shown, language="zh")
    assert notes_in(prompt.user) == {"A": "小雨对花生过敏", "B": "小雨养了一只叫团子的猫"}
    assert verdict.parse(await answered(prompt), notes, frozenset(notes)).used == {1}
