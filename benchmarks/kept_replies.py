"""A server between a benchmark and a model's endpoint that asks nothing twice.

It stands where the endpoint would, so what is kept is known by what is really sent: a digest of
the endpoint and of the whole request, with its prompt, its schema and every parameter.
"""

import json
import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import Any, Self

import httpx
from aiohttp import web

from ..core.endpoints.chat import EndpointChatModel
from .comparing.keeping import Keeping

_LOOPBACK = "127.0.0.1"
_SETTLED = {200, 400, 422}
"""What an endpoint would say again: its reply, or that it knows no schema. The rest may pass."""

_LARGEST = 64 << 20


@dataclass(slots=True)
class Asked:
    """What the calls of a run took, those that an earlier run has made among them."""

    made: int = 0
    kept: int = 0
    seconds: list[float] = field(default_factory=list[float])
    tokens_in: list[int] = field(default_factory=list[int])
    tokens_out: list[int] = field(default_factory=list[int])

    def add(self, told: dict[str, Any]) -> None:
        """Count a call that was answered with a reply."""
        if told["status"] != httpx.codes.OK:
            return
        self.seconds.append(told["seconds"])
        usage = _usage(told["reply"])
        for name, counted in (
            ("prompt_tokens", self.tokens_in),
            ("completion_tokens", self.tokens_out),
        ):
            if isinstance(usage.get(name), int):
                counted.append(usage[name])

    def figures(self) -> dict[str, Any]:
        """How many calls, and the medians of a call; None of what no endpoint has told."""
        return {
            "asked": self.made,
            "kept": self.kept,
            "median_tokens_in": _median(self.tokens_in),
            "median_tokens_out": _median(self.tokens_out),
            "median_seconds": _median(self.seconds),
        }


class KeptReplies:
    """Passes calls on to `endpoint`, each once. Its replies are in `folder`, one file each.

    A file has the request, the reply and the seconds it took, and no key. `parameters` are added
    to every request.
    """

    def __init__(
        self, endpoint: str, folder: Path, timeout: float, parameters: Mapping[str, Any]
    ) -> None:
        self.asked = Asked()
        self.url = ""
        self._endpoint = endpoint.strip().rstrip("/").removesuffix("/chat/completions")
        self._keeping = Keeping(folder, self._endpoint)
        self._parameters = parameters
        self._http = httpx.AsyncClient(timeout=timeout)

    @classmethod
    @asynccontextmanager
    async def running(
        cls,
        endpoint: str,
        folder: Path,
        timeout: float,
        parameters: Mapping[str, Any] = MappingProxyType({}),
    ) -> AsyncIterator[Self]:
        """Serve at `url` until the end of the block; `timeout` is the seconds of one call."""
        application = web.Application(client_max_size=_LARGEST)
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
        with _without_proxy():
            replies = cls(endpoint, folder, timeout, parameters)
            application.router.add_post("/chat/completions", replies._answer)
            await runner.setup()
            try:
                await web.TCPSite(runner, _LOOPBACK, 0).start()
                replies.url = f"http://{_LOOPBACK}:{runner.addresses[0][1]}"
                yield replies
            finally:
                await runner.cleanup()
                await replies._http.aclose()

    async def _answer(self, request: web.Request) -> web.Response:
        body = {**await request.json(), **self._parameters}
        name = json.dumps(body, sort_keys=True)
        told = self._keeping.read(name)
        if told is not None:
            self.asked.kept += 1
        else:
            self.asked.made += 1
            try:
                told = await self._told(body, request.headers.get("Authorization", ""))
            except httpx.HTTPError as error:
                return web.Response(status=502, text=f"{type(error).__name__}: {error}")
            if told["status"] in _SETTLED:
                self._keeping.write(told, name)
        self.asked.add(told)
        return web.Response(
            status=told["status"], text=told["reply"], content_type="application/json"
        )

    async def _told(self, body: dict[str, Any], key: str) -> dict[str, Any]:
        began = time.monotonic()
        reply = await self._http.post(
            f"{self._endpoint}/chat/completions", json=body, headers={"Authorization": key}
        )
        seconds = round(time.monotonic() - began, 3)
        return {
            "request": body,
            "status": reply.status_code,
            "reply": reply.text,
            "seconds": seconds,
        }


def endpoint_options(top: ArgumentParser, *, timeout: float, required: bool = True) -> None:
    """The options of a benchmark that asks a model's endpoint, by default so many seconds."""
    top.add_argument("--endpoint", required=required, help="URL of an OpenAI-compatible server")
    top.add_argument("--model", required=required)
    top.add_argument("--key", default="", help="sent to the endpoint")
    top.add_argument("--timeout", type=float, default=timeout, help="seconds of one call")
    top.add_argument("--resume", type=Path, help="where replies are kept; default in the cache")
    top.add_argument("--parameters", type=_parameters, default={}, help="JSON added to each call")


def _parameters(text: str) -> dict[str, Any]:
    """A JSON object. Raises ValueError on anything else."""
    told = json.loads(text)
    if not isinstance(told, dict):
        raise ValueError("not an object")
    return told


@asynccontextmanager
async def asked_of(
    options: Namespace, benchmark: str
) -> AsyncIterator[tuple[EndpointChatModel, Asked]]:
    """The model that a command line names, asked nothing twice, and what its calls took."""
    folder = options.resume or _default_folder(benchmark)
    async with KeptReplies.running(
        options.endpoint, folder, options.timeout, options.parameters
    ) as replies:
        model = EndpointChatModel(replies.url, options.key, options.model, options.timeout)
        try:
            yield model, replies.asked
        finally:
            await model.aclose()


def _default_folder(benchmark: str) -> Path:
    """Where replies are kept unless the command line says otherwise: in the user's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "tidemark-benchmarks" / benchmark


@contextmanager
def _without_proxy() -> Iterator[None]:
    # Clients would look for loopback behind the proxy that the environment names.
    before = os.environ.get("no_proxy")
    kept = before or os.environ.get("NO_PROXY")
    os.environ["no_proxy"] = f"{kept},{_LOOPBACK}" if kept else _LOOPBACK
    try:
        yield
    finally:
        if before is None:
            del os.environ["no_proxy"]
        else:
            os.environ["no_proxy"] = before


def _usage(reply: str) -> dict[str, Any]:
    try:
        usage = json.loads(reply)["usage"]
    except (ValueError, KeyError, TypeError):
        return {}
    return usage if isinstance(usage, dict) else {}


def _median(values: Sequence[float]) -> float | None:
    return round(median(values), 3) if values else None
