"""Where memories go in a request: not into the cached prefix, not into the saved history."""

import json

from astrbot_plugin_tidemark.core.recall.block import OPENING
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import Reply, ToolCall
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import blocks, indexed, is_whole, recalled, released_tools, web, without_block


async def saved_history(webchat: Webchat, session: str) -> str:
    answer = await webchat.api("GET", f"/api/v1/conversations?umo={session}")
    every = answer.json()["data"]["conversations"]
    (conversation,) = [each for each in every if each["user_id"] == session]
    return json.dumps(json.loads(conversation["history"]), ensure_ascii=False)


async def test_memories_leave_the_cached_prefix_and_the_history_as_they_are(
    host: Bench, webchat: Webchat, guests: Webchat
) -> None:
    await guests.chat("我养了一只布偶猫，名字叫芝麻。", session="mei-a", username="mei")
    await guests.chat("芝麻最爱吃冻干鸡肉。", session="mei-a", username="mei")
    await indexed(host)
    host.model.clear()
    await guests.chat("芝麻最爱吃的是什么？", session="mei-b", username="mei")
    await guests.chat("我养了一只什么猫？", session="mei-b", username="mei")
    first, second = host.model.asked()
    for request in (first, second):
        assert len(blocks(request)) == 1
        assert is_whole(request.user_parts[-1])
        assert OPENING not in request.system
    assert [*map(without_block, first.messages)] == [*second.messages[: len(first.messages)]]
    history = await saved_history(webchat, web("mei", "mei-b"))
    assert "芝麻最爱吃的是什么" in history
    assert OPENING not in history
    assert "冻干" not in history


async def test_a_tool_loop_recalls_once_and_every_step_has_the_block_once(
    host: Bench, webchat: Webchat, guests: Webchat
) -> None:
    await guests.chat("My boat is called Kittiwake.", session="tom-a", username="tom")
    await indexed(host)
    host.model.clear()
    host.model.script(
        Reply(tool=ToolCall("probe_wait", {"topic": "Kittiwake"})), Reply("Your boat, of course.")
    )
    asked = guests.chat("What is my boat called?", session="tom-b", username="tom")
    async with released_tools(webchat):
        assert "Your boat, of course." in await asked
    steps = host.model.asked()
    assert len(steps) == 2
    assert [blocks(step) for step in steps] == [blocks(steps[0])] * 2
    assert any("Kittiwake" in memory for memory in recalled(steps[0]))
