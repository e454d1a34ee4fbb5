"""Learning, verdicts and forgetting, end to end: from what is said to what is kept."""

import json
from dataclasses import replace

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
from astrbot_plugin_tidemark.scripts.rehearsal_learning import notes_in
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


def find_useful(host: Bench, marker: str, *words: str) -> None:
    """The model judges an episode with `marker`: memories with one of the words were useful."""

    def respond(request: ChatRequest) -> Reply:
        if request.purpose is not Purpose.VERDICT or marker not in request.user:
            return calm(request)
        notes = notes_in(request.user)
        used = [each for each, text in notes.items() if any(word in text for word in words)]
        return Reply(json.dumps({"used": used}))

    host.model.respond = respond


async def judged(host: Bench, user: int, question: str, *useful: str) -> None:
    """A conversation of its own with one question, learnt from at once."""
    find_useful(host, question, *useful)
    await host.chat.ask(user, "/new")
    await host.chat.ask(user, question)
    shown = recalled(host.model.asked()[-1])
    assert any("cedar" in text for text in shown)
    assert any("Ramon" in text for text in shown)
    await sleep(host)


async def test_useful_memories_rise_by_tiers_useless_ones_fall_in_the_middle(host: Bench) -> None:
    teach(
        host.model,
        "guitar",
        lesson(memory("Olga plays a cedar guitar"), memory("Olga's guitar teacher is Ramon")),
    )
    await host.chat.ask(1301, "I am Olga, I play a cedar guitar and my guitar teacher is Ramon")
    await sleep(host)
    fresh = await the(host, "Ramon")
    steps: list[tuple[float, int]] = []
    for number, useful in enumerate(((), ("cedar",), ("cedar",), (), ("cedar",), ("cedar",), ())):
        await judged(host, 1301, f"Recital {number}: cedar guitar, teacher Ramon?", *useful)
        cedar = (await the(host, "cedar")).vitality
        steps.append((cedar.useful_score, cedar.strength - fresh.vitality.strength))
    assert steps == [(0.0, 0), (2.5, 1), (5.0, 2), (5.0, 1), (7.5, 2), (10.0, 3), (10.0, 3)]
    never_useful = await the(host, "Ramon")
    assert replace(never_useful.vitality, judged=()) == replace(fresh.vitality, judged=())
    assert len(never_useful.vitality.judged) == len(steps)
    assert never_useful.access.count == 1 + len(steps)


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
