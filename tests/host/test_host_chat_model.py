"""A chat provider of the host asked by one tool, over a server that takes it, or does not."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web
from astrbot_plugin_tidemark.core.model.errors import ModelTimedOut, ModelUnavailable
from astrbot_plugin_tidemark.core.ports import Prompt
from astrbot_plugin_tidemark.core.prompts import judge, learn, rewording, story, verdict
from astrbot_plugin_tidemark.scripts.hostkit.model_server import (
    ChatRequest,
    ModelServer,
    Purpose,
    Reply,
    ToolCall,
)
from astrbot_plugin_tidemark.tests.core.prompts.examples import memory, turn

from .conftest import newer_host

pytestmark = [
    pytest.mark.usefixtures("host_code"),
    # The host's providers call methods of the host that it has deprecated.
    pytest.mark.filterwarnings("ignore:Call to deprecated method:DeprecationWarning"),
]

TURNS = [turn("I keep bees")]
LEARN = learn.build(TURNS, shown_time=lambda _: "2025-06-24", language="en")
SIDES = (judge.Side(memory("Anna keeps bees")), judge.Side(memory("Anna keeps no bees")))
PROMPTS = [
    LEARN,
    verdict.build(
        TURNS, {1: memory("Anna keeps bees")}, shown_time=lambda _: "2025-06-24", language="en"
    ),
    judge.build([SIDES], lambda _: "2025-06-24"),
    story.build(["2025-06-24 Anna keeps bees"]),
    rewording.build(["Anna keeps bees"]),
]
"""Every call that the plugin makes."""

BEES = {"words": "I keep bees", "who": "Anna", "fact": "Anna keeps bees", "kind": "like"}
GOATS = BEES | {"fact": "Anna keeps goats"}
FACTS = {"facts": [BEES]}


class Host:
    """The host's own call of a provider, and its map of them."""

    def __init__(self, provider: Any) -> None:
        from astrbot.api.star import Context

        async def found(_: str) -> Any:
            return provider

        self.provider = provider
        self.provider_manager = SimpleNamespace(get_provider_by_id=found)
        self._generate = Context.llm_generate

    async def llm_generate(self, **asked: Any) -> Any:
        return await self._generate(self, **asked)

    def get_provider_by_id(self, _: str) -> Any:
        return self.provider


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer.running(lambda _: Reply(json.dumps(FACTS))) as running:
        yield running


type Asking = Callable[..., Any]


@pytest_asyncio.fixture(loop_scope="session")
async def asking() -> AsyncIterator[Asking]:
    from astrbot_plugin_tidemark.core.host.providers import HostChatModel

    async with AsyncExitStack() as stack:

        def made(provider: Any, timeout: float = 20.0) -> Any:
            stack.push_async_callback(provider.terminate)
            return HostChatModel(Host(provider), "it", timeout)

        yield made


def openai(server: ModelServer, **changes: Any) -> Any:
    from astrbot.core.provider.sources.openai_source import ProviderOpenAIOfficial

    config = {"id": "it", "type": "openai_chat_completion", "key": ["none"], "model": "m"}
    return ProviderOpenAIOfficial(config | {"api_base": server.source.url} | changes, {})


@pytest.fixture
def model(server: ModelServer, asking: Asking) -> Any:
    return asking(openai(server))


async def told(model: Any, prompt: Prompt = LEARN) -> str:
    completion = await model.complete(prompt, session="qq:FriendMessage:1")
    return completion.text


def asked(server: ModelServer) -> list[tuple[bool, bool]]:
    return [("tools" in each.body, bool(each.body.get("stream"))) for each in server.requests]


def refusing(*named: str, message: str = "scripted") -> Any:
    """A server that answers 400 to a request with one of these properties."""

    def respond(request: ChatRequest) -> Reply:
        if any(request.body.get(name) for name in named):
            return Reply(message, status=400)
        return Reply(json.dumps(FACTS))

    return respond


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
async def test_every_call_is_made_by_one_tool_whose_parameters_are_the_schema(
    server: ModelServer, model: Any, prompt: Prompt
) -> None:
    reply = {name: [] for name in prompt.schema["properties"]}
    server.script(Reply(tool=ToolCall(prompt.name, reply)), purpose=Purpose(prompt.name))
    assert json.loads(await told(model, prompt)) == reply
    (request,) = server.requests
    (tool,) = request.body["tools"]
    assert tool["function"]["name"] == prompt.name
    assert tool["function"]["parameters"] == prompt.schema
    assert request.body["tool_choice"] == "required"
    assert (request.system, request.user) == (prompt.system, prompt.user)


async def test_the_arguments_of_the_tool_are_the_reply(server: ModelServer, model: Any) -> None:
    server.script(Reply("Here:", tool=ToolCall("learn", FACTS)), purpose=Purpose.LEARN)
    (fact,) = learn.parse(await told(model))
    assert fact.candidate.text == "Anna keeps bees"


async def test_a_text_in_place_of_a_call_is_read_as_before(server: ModelServer, model: Any) -> None:
    assert json.loads(await told(model)) == FACTS
    assert asked(server) == [(True, False)]


async def test_a_toolless_model_is_not_offered_one(server: ModelServer, asking: Asking) -> None:
    model = asking(openai(server, modalities=["text"]))
    assert json.loads(await told(model)) == FACTS
    assert asked(server) == [(False, False)]


@pytest.mark.parametrize("message", ["scripted", "this model does not support tools"])
async def test_a_provider_that_refuses_tools_is_asked_without_and_that_is_learnt_once(
    server: ModelServer, model: Any, message: str
) -> None:
    server.respond = refusing("tools", "tool_choice", message=message)
    assert json.loads(await told(model)) == FACTS
    server.requests.clear()
    assert json.loads(await told(model)) == FACTS
    assert asked(server) == [(False, False)]
    assert "tool_choice" not in server.requests[0].body


async def test_a_provider_that_only_streams_is_streamed(server: ModelServer, model: Any) -> None:
    def respond(request: ChatRequest) -> Reply:
        if not request.body.get("stream"):
            return Reply(status=400)
        return Reply(tool=ToolCall("learn", FACTS))

    server.respond = respond
    assert json.loads(await told(model)) == FACTS
    server.requests.clear()
    assert json.loads(await told(model)) == FACTS
    assert asked(server) == [(True, True)]


async def test_a_stream_of_text_is_read_whole(server: ModelServer, model: Any) -> None:
    def respond(request: ChatRequest) -> Reply:
        fits = request.body.get("stream") and not request.body.get("tools")
        return Reply(json.dumps(FACTS)) if fits else Reply(status=422)

    server.respond = respond
    assert json.loads(await told(model)) == FACTS
    assert asked(server) == [(True, False), (False, False), (True, True), (False, True)]


async def test_a_prompt_refused_in_every_way_tells_no_way(server: ModelServer, model: Any) -> None:
    server.respond = lambda _: Reply(status=400)
    with pytest.raises(ModelUnavailable, match="BadRequest"):
        await told(model)
    server.respond = lambda _: Reply(json.dumps(FACTS))
    server.requests.clear()
    await told(model)
    assert asked(server) == [(True, False)]


@newer_host
@pytest.mark.parametrize("status", [401, 403, 500, 503])
async def test_who_is_down_is_asked_once(server: ModelServer, model: Any, status: int) -> None:
    server.respond = lambda _: Reply(status=status)
    with pytest.raises(ModelUnavailable) as raised:
        await told(model)
    assert not isinstance(raised.value, ModelTimedOut)
    assert asked(server) == [(True, False)]


async def test_a_model_silent_with_tools_is_asked_without(server: ModelServer, model: Any) -> None:
    def respond(request: ChatRequest) -> Reply:
        return Reply("" if request.body.get("tools") else json.dumps(FACTS))

    server.respond = respond
    assert json.loads(await told(model)) == FACTS
    server.respond = lambda _: Reply()
    with pytest.raises(ModelUnavailable):
        await told(model)
    assert asked(server) == [(True, False), (False, False), (False, False)]


async def test_arguments_of_not_quite_json_are_handed_on(server: ModelServer, model: Any) -> None:
    cut = json.dumps({"facts": [BEES, GOATS]})[:-20]
    server.script(Reply(tool=ToolCall("learn", cut)), purpose=Purpose.LEARN)
    assert [each.candidate.text for each in learn.parse(await told(model))] == ["Anna keeps bees"]


async def test_a_tool_that_is_called_for_each_fact_is_one_reply() -> None:
    from astrbot.api.provider import LLMResponse

    class Repeating:
        def get_provider_by_id(self, _: str) -> None:
            return None

        async def llm_generate(self, **_: Any) -> LLMResponse:
            calls = [{"facts": [BEES]}, {"facts": [GOATS]}]
            return LLMResponse("tool", tools_call_args=calls, tools_call_name=["learn"] * 2)

    from astrbot_plugin_tidemark.core.host.providers import HostChatModel

    found = learn.parse(await told(HostChatModel(Repeating(), "it", 5.0)))
    assert [each.candidate.text for each in found] == ["Anna keeps bees", "Anna keeps goats"]


@newer_host
async def test_our_time_out_and_the_providers_own_are_told_as_such(
    server: ModelServer, model: Any, asking: Asking
) -> None:
    server.respond = lambda _: Reply(delay=30.0)
    for late in (asking(openai(server), 0.2), asking(openai(server, timeout=1))):
        server.requests.clear()
        with pytest.raises(ModelTimedOut, match="Timeout"):
            await told(late)
        assert len(server.requests) == 1
    server.respond = lambda _: Reply(status=504)
    with pytest.raises(ModelTimedOut):
        await told(model)


@newer_host
async def test_anthropic_is_told_that_it_must_call_the_tool(asking: Asking) -> None:
    from astrbot.core.provider.sources.anthropic_source import ProviderAnthropic

    requests: list[Mapping[str, Any]] = []

    async def answer(http: web.Request) -> web.Response:
        requests.append(await http.json())
        use = {"type": "tool_use", "id": "1", "name": "learn", "input": FACTS}
        usage = {"input_tokens": 3, "output_tokens": 4}
        said = {"id": "1", "type": "message", "role": "assistant", "model": "m", "content": [use]}
        return web.json_response(said | {"stop_reason": "tool_use", "usage": usage})

    app = web.Application()
    app.router.add_post("/v1/messages", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        base = f"http://127.0.0.1:{runner.addresses[0][1]}"
        config = {"id": "it", "type": "anthropic_chat_completion", "key": ["none"], "model": "m"}
        model = asking(ProviderAnthropic(config | {"api_base": base}, {}))
        assert json.loads(await told(model)) == FACTS
    finally:
        await runner.cleanup()
    (request,) = requests
    assert request["tool_choice"] == {"type": "any"}
    assert request["tools"][0]["input_schema"] == LEARN.schema


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
async def test_the_schemas_can_be_told_to_gemini(prompt: Prompt) -> None:
    from astrbot.api import FunctionTool, ToolSet
    from google.genai import types

    tools = ToolSet([FunctionTool(prompt.name, "", dict(prompt.schema))])
    (declared,) = tools.google_schema()["function_declarations"]
    assert types.FunctionDeclaration(**declared).parameters is not None
