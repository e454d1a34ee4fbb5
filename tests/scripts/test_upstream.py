"""Passing requests on to a real endpoint."""

from typing import Any

import pytest
from astrbot_plugin_tidemark.scripts.hostkit.model_server import ChatRequest, ModelServer, Reply
from astrbot_plugin_tidemark.scripts.hostkit.root import ModelSource
from astrbot_plugin_tidemark.scripts.run import model_from_environment
from astrbot_plugin_tidemark.scripts.upstream import forwarding, secret


def request(**more: Any) -> ChatRequest:
    message = {"role": "user", "content": "hello"}
    return ChatRequest({"model": "rehearsal", "messages": [message], **more}, 0.0)


async def passed_on(to: ModelSource, asked: ChatRequest) -> Reply:
    async with forwarding(to) as respond:
        answer = respond(asked)
        return answer if isinstance(answer, Reply) else await answer


async def test_the_answer_is_the_endpoints_under_its_own_model_name() -> None:
    async with ModelServer.running() as server:
        to = ModelSource(server.source.url, "real-model")
        assert (await passed_on(to, request(stream=True))).text == "echo: hello"
        (received,) = server.requests
    assert received.body["model"] == "real-model"
    assert "stream" not in received.body


def test_the_key_is_named_but_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://model/v1")
    monkeypatch.setenv("OPENAI_MODEL", "m")
    source = model_from_environment()
    assert source == ModelSource("http://model/v1", "m", "$OPENAI_API_KEY")
    assert secret("$OPENAI_API_KEY") == "sk-secret"
    assert secret("literal") == "literal"
