"""The chat endpoint against a real HTTP server that answers well and badly."""

import asyncio
import json
from collections.abc import AsyncIterator
from traceback import format_exception
from typing import Any

import pytest
from aiohttp import web
from astrbot_plugin_tidemark.core.endpoints.chat import EndpointChatModel
from astrbot_plugin_tidemark.core.model.errors import ModelTimedOut, ModelUnavailable
from astrbot_plugin_tidemark.core.ports import Completion, Prompt

from .conftest import served

PROMPT = Prompt("be brief", "what is known?", {"type": "object", "properties": {}}, "learn", 99)


def said(text: object, **changes: Any) -> dict[str, Any]:
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        ],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7},
        **changes,
    }


class Server:
    """One loopback server. It answers 400 to a request with a property named in `refused`."""

    def __init__(self) -> None:
        self.refused = ""
        self.statuses: list[int] = []
        self.body: object = said("{}")
        self.content_type = "application/json"
        self.requests: list[dict[str, Any]] = []
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.url = ""

    async def reply(self, request: web.Request) -> web.Response:
        document = await request.json()
        self.requests.append(document)
        await self.go_on.wait()
        status = self.statuses.pop(0) if self.statuses else 200
        if self.refused in document:
            status = 400
        body = self.body if isinstance(self.body, str) else json.dumps(self.body)
        return web.Response(text=body, status=status, content_type=self.content_type)


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    async with served("/chat/completions", server.reply) as server.url:
        yield server
        server.go_on.set()


@pytest.fixture
async def model(server: Server) -> AsyncIterator[EndpointChatModel]:
    model = EndpointChatModel(server.url, "key", "m", 5.0)
    yield model
    await model.aclose()


async def test_a_call_has_the_prompt_and_schema(server: Server, model: EndpointChatModel) -> None:
    server.body = said('{"memories": []}')
    assert await model.complete(PROMPT, session="s") == Completion('{"memories": []}', 7)
    (request,) = server.requests
    assert request["model"] == "m"
    assert [m["content"] for m in request["messages"]] == [PROMPT.system, PROMPT.user]
    assert request["response_format"]["json_schema"] == {
        "name": "learn",
        "schema": dict(PROMPT.schema),
        "strict": True,
    }
    assert (request["temperature"], request["max_tokens"]) == (0, 99)


@pytest.mark.parametrize("status", [200, 500])
async def test_a_reply_beyond_all_measure_is_not_read(
    server: Server, model: EndpointChatModel, status: int
) -> None:
    server.statuses = [status] * 2
    server.body = said("tide " * 2**20)
    with pytest.raises(ModelUnavailable, match="longer than 1048576 bytes"):
        await model.complete(PROMPT, session="s")


async def test_a_refused_schema_is_left_out_then(server: Server, model: EndpointChatModel) -> None:
    server.refused = "response_format"
    for _ in range(2):
        assert (await model.complete(PROMPT, session="s")).text == "{}"
    asked = ["response_format" in request for request in server.requests]
    assert asked == [True, True, False, False]
    assert server.requests[-1]["temperature"] == 0


async def test_a_model_without_temperature_has_it(server: Server, model: EndpointChatModel) -> None:
    server.refused = "temperature"
    for _ in range(2):
        assert (await model.complete(PROMPT, session="s")).text == "{}"
    assert ["temperature" in request for request in server.requests] == [True, False, False]
    assert all("response_format" in request for request in server.requests)


async def test_a_request_refused_for_another_reason_does_not_cost_the_schema(
    server: Server, model: EndpointChatModel
) -> None:
    server.refused = "messages"
    with pytest.raises(ModelUnavailable, match="BadRequest"):
        await model.complete(PROMPT, session="s")
    server.refused = ""
    await model.complete(PROMPT, session="s")
    assert "response_format" in server.requests[-1]


@pytest.mark.parametrize(("status", "calls"), [(500, 2), (401, 1)])
async def test_a_lasting_failure_is_unavailable(
    server: Server, model: EndpointChatModel, status: int, calls: int
) -> None:
    server.statuses = [status] * 2
    with pytest.raises(ModelUnavailable):
        await model.complete(PROMPT, session="s")
    assert len(server.requests) == calls


@pytest.mark.parametrize(
    "body",
    [
        said(""),
        said(None),
        said(["{}"]),
        said({"text": "{}"}),
        said(7),
        said("{}", choices=[]),
        said("{}", choices=None),
        said("{}", choices=[{"index": 0, "message": None}]),
        said("{}", choices="none"),
        {"error": "no such model"},
        [],
        "not json",
        "<html>login</html>",
        "[" * 100_000,
    ],
)
async def test_an_answer_without_text_is_unavailable(
    server: Server, model: EndpointChatModel, body: object
) -> None:
    server.body = body
    with pytest.raises(ModelUnavailable):
        await model.complete(PROMPT, session="s")


async def test_a_silent_server_is_unavailable_in_time(server: Server) -> None:
    server.go_on.clear()
    model = EndpointChatModel(server.url, "", "m", 0.05)
    with pytest.raises(ModelTimedOut, match="no answer"):
        await model.complete(PROMPT, session="s")
    await model.aclose()


@pytest.mark.parametrize(("status", "late"), [(504, True), (408, True), (503, False)])
async def test_a_gateway_that_waited_in_vain_is_a_time_out(
    server: Server, model: EndpointChatModel, status: int, late: bool
) -> None:
    server.statuses = [status] * 2
    with pytest.raises(ModelUnavailable) as failed:
        await model.complete(PROMPT, session="s")
    assert isinstance(failed.value, ModelTimedOut) is late


@pytest.mark.parametrize("url", ["", "nowhere", "http://[bad", "ftp://127.0.0.1/v1"])
async def test_an_address_that_is_none_is_unavailable(url: str) -> None:
    model = EndpointChatModel(url, "", "m", 5.0)
    with pytest.raises(ModelUnavailable):
        await model.complete(PROMPT, session="s")
    await model.aclose()


async def test_a_key_for_no_header_and_nobody_listening_are_unavailable(server: Server) -> None:
    model = EndpointChatModel(server.url, "密钥", "m", 5.0)
    with pytest.raises(ModelUnavailable):
        await model.complete(PROMPT, session="s")
    await model.aclose()
    model = EndpointChatModel("http://127.0.0.1:9/v1", "", "m", 5.0)
    with pytest.raises(ModelUnavailable):
        await model.complete(PROMPT, session="s")
    await model.aclose()


@pytest.mark.parametrize("end", ["", "/", "/chat/completions", "/chat/completions/"])
async def test_the_address_may_be_given_with_or_without_its_end(server: Server, end: str) -> None:
    model = EndpointChatModel(f" {server.url}{end}", "", "m", 5.0)
    assert (await model.complete(PROMPT, session="s")).text == "{}"
    await model.aclose()


async def test_a_passing_failure_is_retried_once_and_an_answer_without_a_bill_is_free(
    model: EndpointChatModel, server: Server
) -> None:
    await model.aclose()
    await model.complete(PROMPT, session="s")
    await model.aclose()
    await model.aclose()
    server.body = said("{}", usage=None)
    assert await model.complete(PROMPT, session="s") == Completion("{}", 0)
    server.requests.clear()
    server.statuses = [500]
    assert (await model.complete(PROMPT, session="s")).text == "{}"
    assert len(server.requests) == 2


async def test_a_server_that_repeats_the_key_does_not_get_it_shown(server: Server) -> None:
    key = "Zk9-plain_looking-7781"
    server.statuses, server.body = [401], {"error": {"message": f"who is {key}?"}}
    model = EndpointChatModel(server.url, key, "m", 5.0)
    with pytest.raises(ModelUnavailable, match="who is") as failed:
        await model.complete(PROMPT, session="s")
    assert key not in "".join(format_exception(failed.value))
    await model.aclose()
