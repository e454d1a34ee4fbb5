"""Stand-ins for what is not ours (model, embedder, clock) and an engine over real parts."""

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from astrbot_plugin_tidemark.core.model.conversation import Place, Role, Scope, Speaker
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable, ModelUnavailable
from astrbot_plugin_tidemark.core.ports import (
    ChatModel,
    Completion,
    DecayCount,
    Embedder,
    EmbedderIdentity,
    Prompt,
    Vector,
)
from astrbot_plugin_tidemark.core.prompts.verdict import letter
from astrbot_plugin_tidemark.core.sleep.sweep import Sweeper, Tell


@dataclass
class FakeClock:
    at: float = 0.0

    def now(self) -> float:
        return self.at


@dataclass
class ScriptedModel:
    """A chat model that answers from a list, the last answer for ever; an exception is raised.

    It is its own source. `prompts` are the calls so far, but for those that ask for a verdict: they
    are `judging`, and answered by what the last learning reply says beside its memories.
    """

    answers: list[Any] = field(default_factory=list[Any])
    prompts: list[Prompt] = field(default_factory=list[Prompt])
    tokens: int = 10
    present: bool = True
    judging: list[Prompt] = field(default_factory=list[Prompt])
    _last: Any = None

    settled = True

    async def choose(self, session: str) -> ChatModel | None:
        return self if self.present else None

    async def complete(self, prompt: Prompt, *, session: str) -> Completion:
        if prompt.name == "verdict":
            self.judging.append(prompt)
            return Completion(json.dumps(verdict_in(self._last)), self.tokens)
        self.prompts.append(prompt)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self._last = answer
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return Completion(text, self.tokens)


DOWN = ModelUnavailable("the model is down")


def learnt(*memories: dict[str, Any], useful: Sequence[int] | None = ()) -> dict[str, Any]:
    """A whole reply to the learning prompt."""
    judged = None if useful is None else list(useful)
    return {"summary": "", "memories": list(memories), "useful": judged}


def verdict_in(reply: Any) -> dict[str, list[str]]:
    """The answer to the verdict call that goes with a learning reply by `learnt`."""
    if not isinstance(reply, dict):
        return {}
    memories = [each for each in reply["memories"] if isinstance(each, dict)]
    numbers = {
        "used": reply.get("useful"),
        "done": reply.get("done"),
        "dropped": reply.get("given_up"),
        "again": reply.get("again"),
        "changed": [*reply.get("changed", ()), *_numbers(memories, "updates")],
        "wrong": [*reply.get("wrong", ()), *_numbers(memories, "corrects")],
    }
    return {
        name: [letter(n) if type(n) is int and n > 0 else repr(n) for n in told]
        for name, told in numbers.items()
        if isinstance(told, list)
    }


def _numbers(memories: Sequence[dict[str, Any]], name: str) -> list[Any]:
    return [each[name] for each in memories if each.get(name)]


def item(text: str, *turns: int, **changes: Any) -> dict[str, Any]:
    """One memory of such a reply."""
    return {
        "text": text,
        "summary": "",
        "turns": list(turns or (1,)),
        "kind": "semantic",
        "facet": None,
        "importance": 0.5,
        "confidence": 0.9,
        "about": [],
        "happened_at": None,
        "corrects": None,
        "updates": None,
        **changes,
    }


@dataclass
class FakeEmbedder:
    """Hashed n-grams under any name, with texts it refuses, outages and a gate to wait at.

    It is its own source; `down` makes every call fail.
    """

    model: str = "fake"
    present: bool = True
    settled: bool = True
    down: bool = False
    refused: str = "\0"
    calls: int = 0
    gate: asyncio.Event | None = None
    inner: HashedEmbedder = field(default_factory=HashedEmbedder)

    async def choose(self) -> Embedder | None:
        return self if self.present else None

    async def identity(self) -> EmbedderIdentity:
        inner = await self.inner.identity()
        return EmbedderIdentity("fake", self.model, inner.dimension, inner.unrelated)

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        await self._admit(texts)
        return await self.inner.embed_documents(texts)

    async def embed_query(self, text: str) -> Vector:
        await self._admit([text])
        return await self.inner.embed_query(text)

    async def _admit(self, texts: Sequence[str]) -> None:
        self.calls += 1
        if self.gate is not None:
            await self.gate.wait()
        if self.down or any(self.refused in text for text in texts):
            raise EmbeddingUnavailable("the embedder is down")


@dataclass
class FakeReranker:
    """A reranker with these judgements by text, `otherwise` for the rest.

    It fails with `failure` if there is one, and waits at the gate if there is one. `asked` are the
    calls so far; `cut_off` whether one was cancelled at the gate.
    """

    judgements: dict[str, float | None] = field(default_factory=dict[str, float | None])
    otherwise: float | None = 0.0
    failure: Exception | None = None
    gate: asyncio.Event | None = None
    asked: list[tuple[str, list[str]]] = field(default_factory=list[tuple[str, list[str]]])
    cut_off: bool = False

    async def rerank(self, query: str, documents: Sequence[str]) -> list[float | None]:
        self.asked.append((query, list(documents)))
        if self.gate is not None:
            try:
                await self.gate.wait()
            except asyncio.CancelledError:
                self.cut_off = True
                raise
        if self.failure is not None:
            raise self.failure
        return [self.judgements.get(text, self.otherwise) for text in documents]


def files_with(folder: Path, text: str) -> list[str]:
    """Files of a folder, at any depth, that hold the text in any encoding we or others use."""
    forms = {text.encode(), text.lower().encode(), text.encode("utf-16-le")}
    files = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    found = [file for file, held in files.items() if any(form in held for form in forms)]
    return sorted(str(file.relative_to(folder)) for file in found)


async def until(condition: Callable[[], Any], *, seconds: float = 60.0) -> Any:
    """The first true value of `condition`, asked again and again; TimeoutError without one.

    `condition` may be a coroutine function.
    """
    async with asyncio.timeout(seconds):
        # What is waited for happens in another task or process that cannot be asked to tell.
        while not (value := await _asked(condition)):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return value


async def _asked(condition: Callable[[], Any]) -> Any:
    value = condition()
    return await value if inspect.isawaitable(value) else value


class Interruption(Exception):
    """What a `Fragile` part raises."""


@dataclass
class Fuse:
    """Counts calls over several parts; the one with number `blow_at` fails, before or after."""

    blow_at: int = 0
    after: bool = False
    calls: int = 0

    async def through[T](self, call: Callable[[], Awaitable[T]]) -> T:
        self.calls += 1
        blown = self.calls == self.blow_at
        if blown and not self.after:
            raise Interruption
        result = await call()
        if blown:
            raise Interruption
        return result


class Fragile:
    """A part all of whose coroutine methods go through a fuse."""

    def __init__(self, part: Any, fuse: Fuse) -> None:
        self._part = part
        self._fuse = fuse

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._part, name)
        if not inspect.iscoroutinefunction(member):
            return member

        async def call(*args: Any, **options: Any) -> Any:
            return await self._fuse.through(lambda: member(*args, **options))

        return call


def place(scope: Scope, *, session: str = "", conversation: str = "c1") -> Place:
    """A place in the scope; its session is named after the scope unless told otherwise."""
    return Place(
        session or f"{scope.platform}:{scope.kind}:{scope.subject}", conversation, scope.key
    )


def person(scope: Scope, role: Role, name: str = "Ann") -> Speaker:
    """Who speaks in such a place."""
    return Speaker("bot", "") if role is Role.ASSISTANT else Speaker(scope.subject, name)


async def swept(sweeper: Sweeper, now: float, tell: Tell | None = None) -> DecayCount:
    """What a pass over all that there is does, told as the step of decay tells it."""
    scopes = await sweeper.store.scopes()
    count = await sweeper.decay(now, frozenset(scopes), tell)
    for scope in scopes:
        async for _ in sweeper.moved(scope, now):
            pass
    return count
