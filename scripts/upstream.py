"""Pass a chat request on to a real OpenAI-compatible endpoint."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from .hostkit.model_server import ChatRequest, Reply, Respond
from .hostkit.root import ModelSource

_TIMEOUT = 120.0
_NOT_PASSED_ON = {"stream", "stream_options", "tools", "tool_choice"}


@asynccontextmanager
async def forwarding(source: ModelSource) -> AsyncIterator[Respond]:
    """Answers by `source`, as text only. Its failures reach the caller as HTTP failures."""
    headers = {"Authorization": f"Bearer {secret(source.key)}"}
    async with httpx.AsyncClient(timeout=_TIMEOUT, headers=headers) as http:

        async def respond(request: ChatRequest) -> Reply:
            body = {k: v for k, v in request.body.items() if k not in _NOT_PASSED_ON}
            try:
                answer = await http.post(
                    f"{source.url.rstrip('/')}/chat/completions",
                    json={**body, "model": source.model},
                )
            except httpx.HTTPError:
                return Reply(status=502)
            if answer.status_code != httpx.codes.OK:
                return Reply(status=answer.status_code)
            return Reply(answer.json()["choices"][0]["message"].get("content") or "")

        yield respond


def secret(key: str) -> str:
    """The key itself; "$NAME" stands for that environment variable."""
    return os.environ.get(key[1:], "") if key.startswith("$") else key
