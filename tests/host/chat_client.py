"""What tests of the host have in common: blocks in requests, learning replies, the journal."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from astrbot_plugin_tidemark.core.model.conversation import Role, Turn
from astrbot_plugin_tidemark.core.ports import Journal, WorkKind, WorkState
from astrbot_plugin_tidemark.core.recall.block import CLOSING, OPENING
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import (
    ChatRequest,
    ModelServer,
    Purpose,
    Reply,
    echo,
    text_parts,
)
from astrbot_plugin_tidemark.scripts.hostkit.root import PLUGIN
from astrbot_plugin_tidemark.scripts.hostkit.sleeping import slept
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat
from astrbot_plugin_tidemark.storage import open_journal

from ..kit import until

ADMIN = 900
SAILOR = 2201
"""Has a sloop called Petrel, where a host has a disk of its own."""

PROBE = "/api/v1/plugins/extensions/astrbot_plugin_probe"
NOTHING = json.dumps({"facts": []})
NOT_USED = json.dumps({"used": []})


def calm(request: ChatRequest) -> Reply:
    """A model that repeats what it is told and learns nothing."""
    match request.purpose:
        case Purpose.LEARN:
            return Reply(NOTHING)
        case Purpose.VERDICT:
            return Reply(NOT_USED)
        case _:
            return echo(request)


def blocks(request: ChatRequest) -> list[str]:
    parts = (part for message in request.messages for part in text_parts(message.get("content")))
    return [part for part in parts if OPENING in part]


def recalled(request: ChatRequest) -> list[str]:
    """The memories in the request's block, without their numbers; none without a block."""
    found = blocks(request)
    assert len(found) <= 1
    lines = found[0].splitlines() if found else []
    return [line.partition(" ")[2] for line in lines if line.startswith("[")]


def without_block(message: Any) -> Any:
    content = message["content"]
    if not isinstance(content, list):
        return message
    return {**message, "content": [p for p in content if OPENING not in p.get("text", "")]}


def is_whole(block: str) -> bool:
    """Whether the block is opened and closed once, at its ends."""
    ends = block.startswith(OPENING) and block.endswith(CLOSING)
    return ends and block.count(OPENING) == 1 and block.count(CLOSING) == 1


def memory(text: str, **changes: Any) -> dict[str, Any]:
    plain = {
        "fact": text,
        "summary": text,
        "turns": [1],
        "kind": "semantic",
        "importance": 0.6,
        "confidence": 0.9,
    }
    return plain | changes


def lesson(*memories: dict[str, Any]) -> str:
    return json.dumps({"facts": list(memories)})


def teach(model: ModelServer, marker: str, *replies: str) -> None:
    """Answer learning calls about episodes that hold `marker` by these replies, then by nothing.

    Calls about other episodes teach nothing: `/memory sleep` closes those of every chat.
    """
    queue = list(replies)

    def respond(request: ChatRequest) -> Reply:
        if request.purpose is Purpose.LEARN and marker in request.user and queue:
            return Reply(queue.pop(0))
        return calm(request)

    model.respond = respond


def learning_calls(model: ModelServer, marker: str) -> list[ChatRequest]:
    return [request for request in model.asked(Purpose.LEARN) if marker in request.user]


async def release(webchat: Webchat) -> None:
    await webchat.api("POST", f"{PROBE}/release")


@asynccontextmanager
async def released_tools(webchat: Webchat) -> AsyncIterator[None]:
    """Within the block the probe's tool returns soon after it is called."""

    async def releasing() -> None:
        while True:
            await release(webchat)
            await asyncio.sleep(0.1)

    task = asyncio.create_task(releasing())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def journal(host: Bench) -> AsyncIterator[Journal]:
    """The plugin's journal, beside the running host."""
    opened = await open_journal(host.root.plugin_data)
    try:
        yield opened
    finally:
        await opened.close()


async def indexed(host: Bench, *, seconds: float = 60.0) -> None:
    """Wait until whatever has been recorded can be recalled."""
    async with journal(host) as opened:

        async def done() -> bool:
            return not (await opened.backlog()).get((WorkKind.INDEX_TURN, WorkState.READY))

        await until(done, seconds=seconds)


async def turns(host: Bench, session: str) -> list[Turn]:
    async with journal(host) as opened:
        return await opened.last_turns(session, 100)


async def heard(host: Bench, session: str, words: str = "", *, count: int = 1) -> None:
    """Wait until so many turns of the session that hold the words are on record."""

    async def on_record() -> bool:
        return sum(words in text for _, text in await said(host, session)) >= count

    await until(on_record)


async def said(host: Bench, session: str) -> list[tuple[Role, str]]:
    return [(turn.role, turn.text) for turn in await turns(host, session)]


def private(user: int) -> str:
    return f"qq:FriendMessage:{user}"


def group(number: int) -> str:
    return f"qq:GroupMessage:{number}"


def web(username: str, session: str) -> str:
    return f"webchat:FriendMessage:webchat!{username}!{session}"


async def sleep(host: Bench) -> str:
    """Let the memory sleep; what is told when it is over."""
    return await slept(host.chat, ADMIN, timeout=90.0)


async def switched(owner: Webchat, *, on: bool) -> None:
    """The plugin is on, or off, for everybody."""
    answer = await owner.api("PATCH", f"/api/v1/plugins/{PLUGIN}/enabled", {"enabled": on})
    assert answer.json()["status"] == "ok", answer.text


async def switched_in(webchat: Webchat, session: str, *, on: bool) -> None:
    """The plugin is on, or off, in one chat."""
    config = {"enabled_plugins": [PLUGIN] if on else [], "disabled_plugins": [] if on else [PLUGIN]}
    body = {"umo": session, "rule_key": "session_plugin_config", "rule_value": config}
    answer = await webchat.api("POST", "/api/v1/sessions/rules", body)
    assert answer.json()["status"] == "ok", answer.text


async def knows_the_sloop(host: Bench) -> bool:
    await host.chat.ask(SAILOR, "/new")
    await host.chat.ask(SAILOR, "What is my sloop called?")
    return any("Petrel" in memory for memory in recalled(host.model.asked()[-1]))
