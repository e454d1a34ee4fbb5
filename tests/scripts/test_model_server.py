"""The model server over real HTTP, through the OpenAI client the host uses."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from astrbot_plugin_tidemark.scripts.hostkit.embeddings import DIMENSION, EmbeddingFault
from astrbot_plugin_tidemark.scripts.hostkit.model_server import (
    MODEL,
    ModelServer,
    Purpose,
    Reply,
    ToolCall,
)
from openai import AsyncOpenAI, InternalServerError


@asynccontextmanager
async def client_of(server: ModelServer) -> AsyncIterator[AsyncOpenAI]:
    async with (
        httpx.AsyncClient(trust_env=False) as http,
        AsyncOpenAI(
            base_url=server.source.url, api_key="k", max_retries=0, http_client=http
        ) as client,
    ):
        yield client


async def say(client: AsyncOpenAI, text: str, system: str = "You are a bot.") -> str | None:
    messages: Any = [{"role": "system", "content": system}, {"role": "user", "content": text}]
    answer = await client.chat.completions.create(model=MODEL, messages=messages)
    return answer.choices[0].message.content


async def test_scripted_replies_come_in_order_and_then_the_function_decides() -> None:
    async with ModelServer.running() as server, client_of(server) as client:
        server.script(Reply("one"), Reply("two"))
        answers = [await say(client, "hi") for _ in range(3)]
    assert answers == ["one", "two", "echo: hi"]


async def test_a_streamed_answer_arrives_whole_and_in_pieces() -> None:
    text = "一段足够长的回答，需要分成好几片才能送完。"
    messages: Any = [{"role": "user", "content": "x"}]
    async with ModelServer.running(lambda _: Reply(text)) as server, client_of(server) as client:
        stream = await client.chat.completions.create(model=MODEL, messages=messages, stream=True)
        pieces = [c.choices[0].delta.content or "" async for c in stream if c.choices]
    assert "".join(pieces) == text
    assert len([piece for piece in pieces if piece]) > 1


@pytest.mark.parametrize("stream", [False, True])
async def test_a_tool_call_reaches_the_client(stream: bool) -> None:
    call = Reply(tool=ToolCall("recall", {"query": "茶"}))
    async with ModelServer.running(lambda _: call) as server, client_of(server) as client:
        messages: Any = [{"role": "user", "content": "x"}]
        if stream:
            chunks = await client.chat.completions.create(
                model=MODEL, messages=messages, stream=True
            )
            calls = [
                c.choices[0].delta.tool_calls[0]
                async for c in chunks
                if c.choices and c.choices[0].delta.tool_calls
            ]
        else:
            answer = await client.chat.completions.create(model=MODEL, messages=messages)
            assert answer.choices[0].finish_reason == "tool_calls"
            calls = answer.choices[0].message.tool_calls or []
    (only,) = calls
    assert (only.function.name, only.function.arguments) == ("recall", '{"query": "茶"}')  # type: ignore[union-attr]


async def test_a_scripted_failure_is_an_http_error() -> None:
    async with ModelServer.running() as server, client_of(server) as client:
        server.script(Reply(status=503))
        with pytest.raises(InternalServerError):
            await say(client, "hi")
        assert await say(client, "hi") == "echo: hi"


async def test_learning_and_title_calls_do_not_use_up_scripted_chat_replies() -> None:
    async with ModelServer.running() as server, client_of(server) as client:
        server.script(Reply("for the chat"))
        server.script(Reply("{}"), purpose=Purpose.LEARN)
        assert await say(client, "x", system="tidemark:learn/1\nLearn.") == "{}"
        title = await say(client, "x", system="You are a conversation title generator.")
        assert title == "<None>"
        assert await say(client, "x") == "for the chat"
        asked = {purpose: len(server.asked(purpose)) for purpose in Purpose}
        assert asked[Purpose.CHAT] == asked[Purpose.LEARN] == asked[Purpose.TITLE] == 1


async def test_every_request_is_kept_until_cleared() -> None:
    async with ModelServer.running() as server, client_of(server) as client:
        await say(client, "记住这一句")
        assert server.asked()[0].user == "记住这一句"
        assert server.asked()[0].system == "You are a bot."
        server.script(Reply("unused"))
        server.clear()
        assert server.requests == []
        assert await say(client, "after") == "echo: after"


@pytest.mark.parametrize("encoding", ["float", "base64"])
async def test_embeddings_come_in_order_in_either_encoding(encoding: Any) -> None:
    async with ModelServer.running() as server, client_of(server) as client:
        answer = await client.embeddings.create(
            model=MODEL, input=["绿茶", "red wine"], encoding_format=encoding
        )
        same = await client.embeddings.create(model=MODEL, input="绿茶", encoding_format=encoding)
        assert server.embeddings.texts == ["绿茶", "red wine", "绿茶"]
    first = answer.data[0].embedding
    assert [item.index for item in answer.data] == [0, 1]
    assert same.data[0].embedding == first
    if encoding == "float":
        assert len(first) == DIMENSION


async def test_a_faulty_embedder_answers_as_told_until_the_fault_is_taken_back() -> None:
    async with ModelServer.running() as server, client_of(server) as client:

        async def vectors() -> list[list[float]]:
            answer = await client.embeddings.create(
                model=MODEL, input=["tea", "wine"], encoding_format="float"
            )
            return [item.embedding for item in answer.data]

        sound = await vectors()
        server.embeddings.fault = EmbeddingFault.ONE_TOO_FEW
        assert await vectors() == sound[:1]
        server.embeddings.fault = EmbeddingFault.OTHER_DIMENSION
        assert [len(vector) for vector in await vectors()] == [DIMENSION // 2] * 2
        server.embeddings.fault = EmbeddingFault.ZERO
        assert not any(any(vector) for vector in await vectors())
        server.embeddings.fault = EmbeddingFault.NOT_A_NUMBER
        assert all(value != value for vector in await vectors() for value in vector)
        server.embeddings.fault = EmbeddingFault.DOWN
        with pytest.raises(InternalServerError):
            await vectors()
        server.embeddings.fault = EmbeddingFault.NONE
        assert await vectors() == sound


async def test_the_server_is_gone_after_its_block() -> None:
    async with ModelServer.running() as server:
        url = f"{server.source.url}/models"
        async with httpx.AsyncClient(trust_env=False) as http:
            assert (await http.get(url)).status_code == 200
    async with httpx.AsyncClient(trust_env=False) as http:
        with pytest.raises(httpx.ConnectError):
            await http.get(url)
