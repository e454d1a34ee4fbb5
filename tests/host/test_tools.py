"""Memory as tools of the chat model: what it is offered, what a call brings, who it belongs to."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from astrbot_plugin_tidemark.core.actions.tools import KNOWN, NOTHING_FOUND, ToolRefusal
from astrbot_plugin_tidemark.core.recall.block import OPENING
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import (
    ChatRequest,
    Reply,
    ToolCall,
    text_of,
)
from astrbot_plugin_tidemark.scripts.hostkit.root import PLUGIN
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import ADMIN, indexed, is_whole, private, recalled, switched_in, until
from .in_process import host_classes

OURS = {"recall_memory", "remember", "forget_memory"}


def offered(request: ChatRequest) -> dict[str, Mapping[str, Any]]:
    return {tool["function"]["name"]: tool["function"] for tool in request.body.get("tools", [])}


def result(request: ChatRequest) -> str:
    return text_of([m for m in request.messages if m["role"] == "tool"][-1]["content"])


async def used(
    host: Bench,
    user: int,
    tool: str,
    arguments: Mapping[str, Any],
    *,
    group: int | None = None,
    said: str = "Please see to it",
) -> str:
    host.model.script(Reply(tool=ToolCall(tool, arguments)), Reply("All right."))
    await host.chat.ask(user, said, group=group, mention=group is not None)
    return result(host.model.asked()[-1])


@asynccontextmanager
async def setting(host: Bench, name: str, value: str) -> AsyncIterator[None]:
    await host.chat.ask(ADMIN, f"/memory config set {name} {value}")
    try:
        yield
    finally:
        await host.chat.ask(ADMIN, f"/memory config reset {name}")
        host.model.clear()


async def test_the_tools_are_offered_and_the_same_in_every_turn(host: Bench) -> None:
    for text in ("Good morning to you", "And a good evening"):
        await host.chat.ask(2601, text)
    first, second = (request.body["tools"] for request in host.model.asked())
    assert first == second
    found = offered(host.model.asked()[0])
    assert found.keys() >= OURS
    assert list(found["recall_memory"]["parameters"]["properties"]) == ["query"]
    assert list(found["remember"]["parameters"]["properties"]) == ["text"]
    assert list(found["forget_memory"]["parameters"]["properties"]) == ["about"]


async def test_a_tool_is_called_with_the_event_or_what_holds_it(tmp_path: Path) -> None:
    with host_classes(tmp_path):
        from astrbot.core.platform.astr_message_event import AstrMessageEvent
        from astrbot_plugin_tidemark.core.host.tools import event_of

        event = object.__new__(AstrMessageEvent)
        wrapped: Any = SimpleNamespace(context=SimpleNamespace(event=event))
        assert event_of(event) is event_of(wrapped) is event


async def test_a_lookup_brings_a_block_that_is_explained_afterwards(host: Bench) -> None:
    await host.chat.ask(2602, "My telescope is called Sirius")
    await host.chat.ask(2602, "/new")
    await indexed(host)
    told = await used(host, 2602, "recall_memory", {"query": "name of the telescope"})
    assert is_whole(told)
    assert "My telescope is called Sirius" in told
    why = await host.chat.ask(2602, "/memory why")
    assert "name of the telescope" in why
    assert "Sirius" in why


async def test_what_the_model_remembers_is_listed_and_recalled(host: Bench) -> None:
    told = await used(host, 2604, "remember", {"text": "The user's ferry leaves at nine"})
    short = told.removeprefix("Remembered as ").rstrip(".")
    assert short in await host.chat.ask(2604, "/memory mine")
    await host.chat.ask(2604, "When does the ferry leave?")
    assert any("leaves at nine" in memory for memory in recalled(host.model.asked()[-1]))
    again = await used(host, 2604, "remember", {"text": "The user's ferry leaves at nine"})
    assert again == KNOWN.format(id=short)


async def test_the_model_forgets_what_the_message_names_and_nothing_else(host: Bench) -> None:
    await host.chat.ask(2615, "My lucky number is forty-one")
    await indexed(host)
    unasked = await used(host, 2615, "forget_memory", {"about": "lucky number"})
    assert unasked == ToolRefusal.NOT_ASKED
    tool = ToolCall("forget_memory", {"about": "lucky number"})
    host.model.script(Reply(tool=tool), Reply("All right."))
    seen = len(host.chat.sent)
    heard = await host.chat.ask(2615, "I would rather you did not know my lucky number any more")
    # By code and at once, whatever the model says of it.
    assert heard.splitlines()[0] == "Moved to the bin, from where an admin can bring it back:"
    assert "My lucky number is forty-one" in heard
    await host.chat.next_reply(seen, user=2615, containing="All right.")
    assert "My lucky number is forty-one" in result(host.model.asked()[-1])


async def test_in_a_group_a_tool_works_for_the_group_and_the_speaker(host: Bench) -> None:
    await host.chat.ask(2605, "My private locker is number 88")
    await indexed(host)
    told = await used(host, 2605, "recall_memory", {"query": "locker number"}, group=6401)
    assert "88" not in told
    kept = await used(host, 2605, "remember", {"text": "Choir meets in hall six"}, group=6401)
    short = kept.removeprefix("Remembered as ").rstrip(".")
    assert "Choir" in await host.chat.ask(2606, "/memory mine", group=6401)
    assert "(2605)" in await host.chat.ask(2606, f"/memory show {short}", group=6401)
    assert "Choir" not in await host.chat.ask(2605, "/memory mine")


async def test_values_of_another_type_are_taken_for_text(host: Bench) -> None:
    told = await used(host, 2609, "remember", {"text": ["tea", "coffee"], "importance": 11})
    assert told.startswith("Remembered as ")
    assert await used(host, 2609, "recall_memory", {"query": 7.5}) == NOTHING_FOUND
    for arguments in ({"query": None}, {"q": "tea", "n": 3}):
        assert await used(host, 2609, "recall_memory", arguments) == ToolRefusal.NO_QUERY


async def test_a_tool_that_is_switched_off_is_not_in_the_request(host: Bench) -> None:
    async with setting(host, "capture.enabled", "false"):
        await host.chat.ask(2610, "Good morning to you")
        assert offered(host.model.asked()[-1]).keys() & OURS == OURS - {"remember"}
    async with setting(host, "recall.enabled", "false"):
        await host.chat.ask(2610, "Good evening to you")
        assert offered(host.model.asked()[-1]).keys() & OURS == OURS - {"recall_memory"}
    await host.chat.ask(2610, "And good night then")
    assert offered(host.model.asked()[-1]).keys() & OURS == OURS


async def test_where_the_plugin_is_off_neither_is_offered(host: Bench, webchat: Webchat) -> None:
    await switched_in(webchat, private(2611), on=False)
    await host.chat.ask(2611, "Good morning to you")
    found = offered(host.model.asked()[-1])
    assert not found.keys() & OURS
    assert "probe_wait" in found, "the tools of other plugins stay"
    await switched_in(webchat, private(2611), on=True)
    await host.chat.ask(2611, "Good evening to you")
    assert offered(host.model.asked()[-1]).keys() & OURS == OURS


async def test_the_tools_come_and_go_with_the_plugin(host: Bench, webchat: Webchat) -> None:
    path = f"/api/v1/plugins/{PLUGIN}/enabled"
    await webchat.api("PATCH", path, {"enabled": False})
    await host.chat.ask(2612, "Good morning to you")
    assert not offered(host.model.asked()[-1]).keys() & OURS
    for _ in range(2):
        await webchat.api("PATCH", path, {"enabled": True})
    await host.chat.ask(2612, "Good evening to you")
    names = [tool["function"]["name"] for tool in host.model.asked()[-1].body["tools"]]
    assert sorted(set(names) & OURS) == sorted(name for name in names if name in OURS)
    assert OPENING not in await used(host, 2612, "recall_memory", {"query": "a canoe"})
    await until(lambda: bool(host.chat.sent))


async def test_what_the_bot_did_is_recalled_without_its_credentials(host: Bench) -> None:
    secret = "tide-s3cr3t-0042"
    asked = "Please deploy the harbour shop"
    arguments = {"target": "shop.example", "token": secret}
    host.model.script(Reply(tool=ToolCall("probe_deploy", arguments)), Reply("It is deployed."))
    assert "It is deployed." in await host.chat.ask(2640, asked)
    await host.chat.ask(2640, "/new")
    await indexed(host)
    await host.chat.ask(2640, "How did we deploy the harbour shop last time?")
    told = "\n".join(recalled(host.model.asked()[-1]))
    assert "probe_deploy(target=shop.example, token=***) → deployed to https://***@" in told
    assert "version 42" in told
    assert secret not in told
    mine = await host.chat.ask(2640, "/memory mine")
    assert secret not in mine
