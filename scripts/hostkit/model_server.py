"""An OpenAI-compatible model server on loopback whose answers are decided by a function.

It stands in for the model in tests, plays the rehearsal model, and keeps every request.
"""

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from aiohttp import web

from .embeddings import Embeddings
from .reranking import Reranking
from .root import ModelSource

MODEL = "rehearsal"
_TITLES = "conversation title generator"
_PIECE = 8


class Purpose(StrEnum):
    """Why the host asks: an answer for people, the memory's background work, a title.

    The benchmark of answers asks, too: for an answer with notes, and whether one is right.
    """

    CHAT = "chat"
    LEARN = "learn"
    VERDICT = "verdict"
    JUDGE = "judge"
    REWORDING = "rewording"
    ENRICH = "enrich"
    STORY = "story"
    TITLE = "title"
    ANSWER = "answer"
    JUDGE_ANSWER = "judge-answer"


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One chat completion request, as received. `authorization` is its header."""

    body: Mapping[str, Any]
    at: float
    authorization: str = ""

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        """Messages, oldest first."""
        return self.body.get("messages", [])

    @property
    def system(self) -> str:
        """Text of the leading system message, "" without one."""
        first = self.messages[0] if self.messages else {}
        return text_of(first.get("content")) if first.get("role") == "system" else ""

    @property
    def user_parts(self) -> list[str]:
        """Text parts of the last user message: what was typed, then what was added to it."""
        users = [m for m in self.messages if m.get("role") == "user"]
        return text_parts(users[-1].get("content")) if users else []

    @property
    def user(self) -> str:
        """All text of the last user message."""
        return "\n".join(self.user_parts)

    @property
    def purpose(self) -> Purpose:
        """Recognised by the system text."""
        for purpose in set(Purpose) - {Purpose.CHAT, Purpose.TITLE}:
            if self.system.startswith(f"tidemark:{purpose}/"):
                return purpose
        return Purpose.TITLE if _TITLES in self.system else Purpose.CHAT


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of one of the tools the request offers; a text as arguments is sent as it stands."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model says, or of a failure, a `status` of 400 or more, why; `delay` is in seconds.

    `billed` tokens are counted for the text, half its characters if None.
    """

    text: str = ""
    tool: ToolCall | None = None
    status: int = 200
    delay: float = 0.0
    billed: int | None = None


type Respond = Callable[[ChatRequest], Reply | Awaitable[Reply]]


def echo(request: ChatRequest) -> Reply:
    """The default model: repeats the first line it was told."""
    parts = request.user_parts
    return Reply("echo: " + (parts[0].split("\n")[0][:80] if parts else ""))


class ModelServer:
    """A running server. `requests` holds every chat request; embeddings and reranking beside it."""

    def __init__(self, respond: Respond = echo) -> None:
        self.respond = respond
        self.requests: list[ChatRequest] = []
        self.embeddings = Embeddings()
        self.reranking = Reranking()
        self._scripts: dict[Purpose, deque[Reply]] = {p: deque() for p in Purpose}
        self._port = 0

    @classmethod
    @asynccontextmanager
    async def running(cls, respond: Respond = echo, *, port: int = 0) -> AsyncIterator[Self]:
        """Serve until the end of the block; port 0 takes a free one."""
        server = cls(respond)
        runner = web.AppRunner(server._application(), access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", port)
            await site.start()
            server._port = runner.addresses[0][1]
            yield server
        finally:
            await runner.cleanup()

    @property
    def source(self) -> ModelSource:
        """How the host reaches it."""
        return ModelSource(f"http://127.0.0.1:{self._port}/v1", MODEL)

    def script(self, *replies: Reply, purpose: Purpose = Purpose.CHAT) -> None:
        """Queue replies that take precedence over `respond` for requests of this purpose."""
        self._scripts[purpose].extend(replies)

    def clear(self) -> None:
        """Forget recorded requests and queued replies."""
        self.requests.clear()
        self.embeddings.texts.clear()
        self.reranking.asked.clear()
        for queue in self._scripts.values():
            queue.clear()

    def asked(self, purpose: Purpose = Purpose.CHAT) -> list[ChatRequest]:
        """Recorded requests of one purpose, oldest first."""
        return [request for request in self.requests if request.purpose is purpose]

    def _application(self) -> web.Application:
        application = web.Application(client_max_size=64 * 2**20)
        application.router.add_post("/v1/chat/completions", self._chat)
        application.router.add_post("/v1/embeddings", self.embeddings.answer)
        application.router.add_post("/v1/rerank", self.reranking.answer)
        application.router.add_get("/v1/models", self._models)
        return application

    async def _chat(self, http: web.Request) -> web.StreamResponse:
        authorization = http.headers.get("Authorization", "")
        request = ChatRequest(await http.json(), time.time(), authorization)
        self.requests.append(request)
        reply = await self._decide(request)
        if reply.delay:
            await asyncio.sleep(reply.delay)
        if reply.status >= 400:
            why = reply.text or "scripted"
            return web.json_response({"error": {"message": why}}, status=reply.status)
        if request.body.get("stream"):
            return await _streamed(http, request, reply)
        return web.json_response(_completion(request, reply))

    async def _decide(self, request: ChatRequest) -> Reply:
        queue = self._scripts[request.purpose]
        if queue:
            return queue.popleft()
        if request.purpose is Purpose.TITLE:
            return Reply("<None>")
        answer = self.respond(request)
        return answer if isinstance(answer, Reply) else await answer

    async def _models(self, _: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": MODEL, "object": "model"}]})


def text_parts(content: Any) -> list[str]:
    """Texts of a message's content, which is text or a list of typed parts."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [part["text"] for part in parts if isinstance(part, dict) and "text" in part]


def text_of(content: Any) -> str:
    """All of a message's text."""
    return "\n".join(text_parts(content))


def _tool_calls(request: ChatRequest, tool: ToolCall) -> list[dict[str, Any]]:
    told = tool.arguments
    arguments = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
    function = {"name": tool.name, "arguments": arguments}
    call_id = f"call_{len(request.messages)}"
    return [{"index": 0, "id": call_id, "type": "function", "function": function}]


def _usage(request: ChatRequest, reply: Reply) -> dict[str, int]:
    asked = sum(len(text_of(message.get("content"))) for message in request.messages) // 2
    said = len(reply.text) // 2 if reply.billed is None else reply.billed
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


def _envelope(request: ChatRequest, kind: str) -> dict[str, Any]:
    model = request.body.get("model", MODEL)
    return {"id": "chatcmpl-1", "object": kind, "created": int(request.at), "model": model}


def _completion(request: ChatRequest, reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.tool:
        message["tool_calls"] = _tool_calls(request, reply.tool)
    finish = "tool_calls" if reply.tool else "stop"
    return {
        **_envelope(request, "chat.completion"),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": _usage(request, reply),
    }


def _chunks(request: ChatRequest, reply: Reply) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    text = reply.text
    deltas += [{"content": text[i : i + _PIECE]} for i in range(0, len(text), _PIECE)]
    if reply.tool:
        deltas.append({"tool_calls": _tool_calls(request, reply.tool)})
    choices = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
    finish = "tool_calls" if reply.tool else "stop"
    choices.append([{"index": 0, "delta": {}, "finish_reason": finish}])
    envelope = _envelope(request, "chat.completion.chunk")
    chunks = [{**envelope, "choices": choice} for choice in choices]
    return [*chunks, {**envelope, "choices": [], "usage": _usage(request, reply)}]


async def _streamed(http: web.Request, request: ChatRequest, reply: Reply) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(http)
    for chunk in _chunks(request, reply):
        await response.write(f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode())
    await response.write(b"data: [DONE]\n\n")
    await response.write_eof()
    return response
