"""Learning, verdicts and forgetting, end to end: from what is said to what is kept."""

import json

import pytest_asyncio
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind, Memory
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import (
    ChatRequest,
    Purpose,
    Reply,
    ToolCall,
)
from astrbot_plugin_tidemark.storage import open_store

from .chat_client import ADMIN, calm, learning_calls, lesson, memory, recalled, sleep, teach
from .conftest import newer_host

DAYS = 20.0


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared_host(quiet_host: Bench) -> Bench:
    """Where nobody else has said anything to sleep over."""
    return quiet_host


async def learnt(host: Bench, word: str) -> list[Memory]:
    store = await open_store("sqlite", host.root.plugin_data)
    try:
        everything = [found async for found in store.iterate(Filter(status=None))]
    finally:
        await store.close()
    return [m for m in everything if word in m.text and m.kind is not Kind.EVIDENCE]


async def the(host: Bench, word: str) -> Memory:
    (found,) = await learnt(host, word)
    return found


async def test_the_model_answers_once_by_the_one_tool_that_it_must_call(host: Bench) -> None:
    facts = json.loads(lesson(memory("Rosa tunes a zither")))

    def by_tool(request: ChatRequest) -> Reply:
        if request.purpose is not Purpose.LEARN or "zither" not in request.user:
            return calm(request)
        return Reply(tool=ToolCall("learn", facts))

    host.model.respond = by_tool
    await host.chat.ask(1305, "I am Rosa and I tune a zither")
    for _ in range(2):
        await sleep(host)
    (request,) = learning_calls(host.model, "zither")
    assert [each["function"]["name"] for each in request.body["tools"]] == ["learn"]
    assert request.body["tool_choice"] == "required"
    assert (await the(host, "zither")).extractor is Extractor.MODEL


async def test_twenty_days_later_the_unproven_is_in_the_bin_and_one_comes_back(host: Bench) -> None:
    teach(
        host.model,
        "kayak",
        lesson(memory("The admin keeps a kayak in Lugano"), memory("The admin's oar is Sitka")),
    )
    # As published: what nothing else says would be kept for a year.
    await host.chat.ask(ADMIN, "/memory config set forgetting.patience 1")
    await host.chat.ask(ADMIN, "I keep a kayak in Lugano, my oar is of Sitka spruce")
    await sleep(host)
    await host.chat.ask(ADMIN, "/new")
    await host.chat.ask(ADMIN, "Where is my kayak?")
    assert any("Lugano" in text for text in recalled(host.model.asked()[-1]))
    await host.chat.ask(ADMIN, "/new")
    host.clock.advance(DAYS)
    await sleep(host)
    await host.chat.ask(ADMIN, "Do you know where my kayak and oar are?")
    assert recalled(host.model.asked()[-1]) == []
    binned = await host.chat.ask(ADMIN, "/memory bin")
    (line,) = [line for line in binned.splitlines() if "keeps a kayak" in line]
    assert any("Sitka" in other for other in binned.splitlines())
    restored = await host.chat.ask(ADMIN, f"/memory restore {line.split()[0]}")
    assert "keeps a kayak in Lugano" in restored
    await host.chat.ask(ADMIN, "/new")
    await host.chat.ask(ADMIN, "Where is my kayak?")
    shown = recalled(host.model.asked()[-1])
    assert any("Lugano" in text for text in shown)
    assert not any("Sitka" in text for text in shown)
    await host.chat.ask(ADMIN, "/memory config reset forgetting.patience")


@newer_host
async def test_a_learning_call_that_fails_is_sent_once_and_asked_again_later(host: Bench) -> None:
    def failing(request: ChatRequest) -> Reply:
        return Reply(status=500) if request.purpose is Purpose.LEARN else calm(request)

    host.model.respond = failing
    before = len(host.model.asked(Purpose.LEARN))
    await host.chat.ask(ADMIN, "My sextant lies in Almeria")
    await sleep(host)
    assert len(host.model.asked(Purpose.LEARN)) == before + 1
    teach(host.model, "sextant", lesson(memory("The admin's sextant lies in Almeria")))
    await host.chat.ask(ADMIN, "/new")
    host.clock.advance(DAYS)
    await sleep(host)
    assert await learnt(host, "sextant")
