"""A model behind an endpoint that is asked nothing twice: what was paid for is kept in files."""

import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from ..core.endpoints.chat import EndpointChatModel
from ..core.model.errors import ModelUnavailable
from ..core.ports import ChatModel, Completion, Prompt
from .comparing.keeping import Keeping
from .datasets.reading import NoData

PATIENCE = 5
"""Failures in a row after which the endpoint is held to be down."""


@dataclass(slots=True)
class Spent:
    """Calls that were answered, `tokens` as the endpoint bills them.

    `without_usage`: it did not say. `kept_calls` and `kept_tokens` are those of earlier runs.
    """

    calls: int = 0
    tokens: int = 0
    without_usage: int = 0
    kept_calls: int = 0
    kept_tokens: int = 0
    failed: int = 0


@dataclass(slots=True)
class KeptModel:
    """A chat model whose replies are kept. `name` is what tells it from others; a call is known by
    all of its prompt.
    """

    model: ChatModel
    name: str
    keeping: Keeping
    spent: Spent = field(default_factory=Spent)
    _in_a_row: int = 0
    _each: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def kept(self, prompt: Prompt, number: int = 0) -> Completion | None:
        """The reply to the `number`th call of this prompt, if it was made."""
        found = self.keeping.read(*self._named(prompt, number))
        return None if found is None else Completion(found["text"], found["tokens"])

    async def complete(self, prompt: Prompt, *, session: str, number: int = 0) -> Completion:
        """The kept reply, else a new one. Raises ModelUnavailable."""
        told = self.keeping.read(*self._named(prompt, number))
        if told is None:
            began = time.monotonic()
            completion = await self.model.complete(prompt, session=session)
            seconds = round(time.monotonic() - began, 3)
            told = {"text": completion.text, "tokens": completion.billed, "seconds": seconds}
            self.keeping.write(told, *self._named(prompt, number))
            self.spent.calls += 1
            self.spent.tokens += told["tokens"]
            self.spent.without_usage += not told["tokens"]
        else:
            self.spent.kept_calls += 1
            self.spent.kept_tokens += told["tokens"]
        self._each.append(told)
        return Completion(told["text"], told["tokens"])

    async def reply(self, prompt: Prompt, number: int = 0) -> str | None:
        """The same as text; None if the call fails.

        Raises NoData after `PATIENCE` failures in a row.
        """
        try:
            completion = await self.complete(prompt, session="benchmark", number=number)
        except ModelUnavailable as error:
            self._fail(error)
            return None
        self._in_a_row = 0
        return completion.text

    def figures(self) -> dict[str, Any]:
        """How many calls, and the medians of a call; None of what no endpoint has told."""
        tokens = [each["tokens"] for each in self._each if each["tokens"]]
        seconds = [each["seconds"] for each in self._each]
        return {
            "asked": self.spent.calls,
            "kept": self.spent.kept_calls,
            "median_tokens": median(tokens) if tokens else None,
            "median_seconds": round(median(seconds), 3) if seconds else None,
        }

    def _fail(self, error: ModelUnavailable) -> None:
        self.spent.failed += 1
        self._in_a_row += 1
        if self._in_a_row >= PATIENCE:
            told = f"{self._in_a_row} calls in a row failed, the last: {error}"
            raise NoData(f"{told}. What was answered is kept, the same command goes on from there")

    def _named(self, prompt: Prompt, number: int) -> tuple[str, ...]:
        return (self.name, prompt.system, prompt.user, str(number))


@asynccontextmanager
async def kept_model(
    endpoint: str, key: str, name: str, timeout: float, folder: Path
) -> AsyncIterator[KeptModel]:
    """The model of that name, whose replies are kept in the folder."""
    model = EndpointChatModel(endpoint, key, name, timeout)
    try:
        yield KeptModel(model, name, Keeping(folder, endpoint))
    finally:
        await model.aclose()


def endpoint_options(top: ArgumentParser, *, timeout: float, required: bool = True) -> None:
    """The options of a benchmark that asks a model's endpoint, by default so many seconds."""
    top.add_argument("--endpoint", required=required, help="URL of an OpenAI-compatible server")
    top.add_argument("--model", required=required)
    top.add_argument("--key", default="", help="sent to the endpoint")
    top.add_argument("--timeout", type=float, default=timeout, help="seconds of one call")
    top.add_argument("--resume", type=Path, help="where replies are kept; default in the cache")


@asynccontextmanager
async def asked_of(options: Namespace, benchmark: str) -> AsyncIterator[KeptModel]:
    """The model that `endpoint_options` name."""
    folder = options.resume or _default_folder(benchmark)
    asked = kept_model(options.endpoint, options.key, options.model, options.timeout, folder)
    async with asked as model:
        yield model


def _default_folder(benchmark: str) -> Path:
    """Where replies are kept unless the command line says otherwise: in the user's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "tidemark-benchmarks" / benchmark
