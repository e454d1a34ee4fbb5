"""The plugin's resources among the host's: put there when it loads, taken back when it unloads."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from astrbot.api.star import Context
from astrbot.api.web import error_response, file_response, request, stream_response

from ..actions.web_requests import Asked, Sendable, Sent, zipped
from .guard import Guard

LARGEST_BODY = 1_000_000
"""Bytes of JSON that are read."""

LARGEST_UPLOAD = 128_000_000
"""Bytes of a file to import, as many as the host takes."""

MOST_LISTENERS = 8
"""Streams at one time; whoever comes later asks again and again instead."""

PAUSE = 1.0
"""Seconds between two looks at what a stream tells."""

SILENCE = 15.0
"""Seconds after which a stream says that it is still there."""

LONGEST = 1_800.0
"""Seconds after which a stream ends, so that whoever listens has to be let in again."""

REFUSED, BUSY = 403, 429
BROKEN = {"status": "error", "message": "broken", "data": None}
TOO_LARGE = {"status": "error", "message": "bad_request.body", "data": None}
UNBUFFERED = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Resource(Protocol):
    """What is served, and how its answer is sent."""

    @property
    def method(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def sent(self) -> Sent: ...


type Answer = Callable[[Asked], Awaitable[Sendable]]


class WebRoutes:
    """The host lets in the dashboard's owners, and API keys with the scope `plugin`.

    It serves the routes of a plugin that is switched off until somebody takes them away.
    """

    def __init__(self, context: Context, plugin: str, guard: Guard) -> None:
        self._context = context
        self._plugin = plugin
        self._guard = guard
        self._gone = asyncio.Event()
        self._listeners = 0

    def put[R: Resource](
        self, routes: Iterable[R], answer: Callable[[R, Asked], Awaitable[Sendable]]
    ) -> None:
        """Serve these, in place of all that were served."""
        self.take_away()
        self._gone = asyncio.Event()
        for each in routes:
            route, serve = f"/{self._plugin}/{each.path}", self._served(each, answer)
            self._context.register_web_api(route, serve, [each.method], each.path)

    def take_away(self) -> None:
        """Serve none of the plugin's any more, and end its streams."""
        self._gone.set()
        listed = self._context.registered_web_apis
        # A host that only loads plugins to check them has no such list.
        if isinstance(listed, list):
            listed[:] = [each for each in listed if not each[0].startswith(f"/{self._plugin}/")]

    def _served[R: Resource](
        self, route: R, answer: Callable[[R, Asked], Awaitable[Sendable]]
    ) -> Callable[..., Awaitable[Any]]:
        async def ask(asked: Asked) -> Sendable:
            return await self._guard.run("page", route.path, answer(route, asked)) or BROKEN

        async def serve(**named: str) -> Any:
            upload = route.sent is Sent.UPLOAD
            most = LARGEST_UPLOAD if upload else LARGEST_BODY
            if int(request.headers.get("content-length") or most + upload) > most:
                return TOO_LARGE
            if upload:
                return await _received(ask)
            asked = await _asked(named)
            match route.sent:
                case Sent.JSON:
                    return await ask(asked)
                case Sent.FILE:
                    return _file(await ask(asked))
                case _:
                    return await self._stream(ask, asked)

        return serve

    async def _stream(self, ask: Answer, asked: Asked) -> Any:
        if self._listeners >= MOST_LISTENERS:
            return error_response("too_many_listeners", status_code=BUSY)
        first = await ask(asked)
        if isinstance(first, Path) or first["status"] != "ok":
            return _refused(first)
        return stream_response(self._events(ask, asked, first), headers=UNBUFFERED)

    async def _events(
        self, ask: Answer, asked: Asked, first: Mapping[str, Any]
    ) -> AsyncIterator[str]:
        """What there is whenever it is another than before; at the end, where the host lets us."""
        self._listeners += 1
        gone, until = self._gone, time.monotonic() + LONGEST
        number, shown, said_at = 0, "", time.monotonic()
        told: Sendable = dict(first)
        try:
            while not gone.is_set() and time.monotonic() < until:
                if isinstance(told, Path) or told["status"] != "ok":
                    break
                if (now := json.dumps(told["data"], ensure_ascii=False)) != shown:
                    number, shown, said_at = number + 1, now, time.monotonic()
                    yield f"id: {number}\ndata: {now}\n\n"
                elif time.monotonic() - said_at > SILENCE:
                    said_at = time.monotonic()
                    yield ": \n\n"
                await _pause(gone)
                told = await ask(asked._replace(again=True))
            # A normal end is not told to the page by the host's bridge.
            yield "event: end\ndata: {}\n\n"
        finally:
            self._listeners -= 1


async def _received(ask: Answer) -> Sendable:
    """The answer to the first file of a form, which lies on the disk for as long."""
    files = [*(await request.files()).values()]
    if not files:
        return TOO_LARGE
    with TemporaryDirectory(prefix="tidemark-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "upload"
        await files[0].save(path)
        told = {"name": files[0].filename or "", "path": path}
        return await ask(Asked(request.username or "", told))


async def _asked(named: Mapping[str, str]) -> Asked:
    body = await request.json(default={}) if request.method == "POST" else {}
    told = body if isinstance(body, dict) else {}
    return Asked(request.username or "", {**dict(request.query.items()), **told, **named})


async def _pause(gone: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(PAUSE):
            await gone.wait()
    except TimeoutError:
        pass


def _file(answer: Sendable) -> Any:
    if isinstance(answer, Path):
        kind, headers = "application/octet-stream", {"Cache-Control": "no-store"}
        if answer.is_dir():
            return stream_response(zipped(answer), content_type="application/zip", headers=headers)
        return file_response(answer, filename=answer.name, content_type=kind, headers=headers)
    return _refused(answer)


def _refused(answer: Sendable) -> Any:
    """With a status of its own: whoever waits for a file would save the refusal as one."""
    message = "broken" if isinstance(answer, Path) else str(answer["message"])
    return error_response(message, status_code=REFUSED)
