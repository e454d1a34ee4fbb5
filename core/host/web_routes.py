"""The page's resources and the form of the settings, among the host's own."""

import asyncio
import json
import time
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from astrbot.api.star import Context
from astrbot.api.web import error_response, file_response, request, stream_response
from astrbot.core.provider.provider import EmbeddingProvider, RerankProvider

from ..actions.web_requests import Asked, Route, Sendable, Sent, zipped
from ..model.declaration import Provider
from ..settings import ENTRIES, Configuration, Setting, SettingOrigin
from .guard import Guard
from .providers import in_force

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

    def put(
        self, routes: Iterable[Route], answer: Callable[[Route, Asked], Awaitable[Sendable]]
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

    def _served(
        self, route: Route, answer: Callable[[Route, Asked], Awaitable[Sendable]]
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


NO_CHOICE = "—"


class SettingsForm:
    """The form of one plugin's config; a config that is not the host's own has none."""

    def __init__(self, document: object, context: Context) -> None:
        self._schema: object = getattr(document, "schema", None)
        self._context = context
        self._fitted: tuple[Configuration, dict[Provider, list[str]]] | None = None

    async def fit(self, configuration: Configuration) -> None:
        """Offer the providers there are, and hide what most owners never set.

        With `display.all_settings` nothing is hidden; a group in which something was changed, in
        the file or by a command, is shown whole. Cheap where nothing has changed since.
        """
        if not isinstance(self._schema, dict):
            return
        schema = cast("dict[str, Any]", self._schema)
        offered = {kind: _providers(self._context, kind) for kind in Provider}
        if self._fitted is not None and self._fitted == (configuration, offered):
            return
        shown = _shown(configuration)
        for entry in ENTRIES:
            item = _item(schema, entry.name)
            item["invisible"] = entry.name not in shown
            if isinstance(entry, Setting) and entry.declaration.provider is not None:
                _offer(item, offered[entry.declaration.provider])
        self._fitted = configuration, offered


def _shown(configuration: Configuration) -> set[str]:
    """The names of the settings to be shown, and of the groups that they are in."""
    settings = [entry for entry in ENTRIES if isinstance(entry, Setting)]
    changed = {
        _group(setting.name)
        for setting in settings
        if configuration.origin(setting.name) is not SettingOrigin.DEFAULT
    } - {"display"}
    everything = configuration.settings.display.all_settings
    names = {
        setting.name
        for setting in settings
        if everything or setting.declaration.basic or _group(setting.name) in changed
    }
    return names | {group for name in names for group in _groups(name)}


def _group(name: str) -> str:
    return name.partition(".")[0]


def _groups(name: str) -> Iterator[str]:
    """The groups that a name is in, the outermost last."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def _item(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """The part of the schema for a dotted name. Raises KeyError as a dictionary does."""
    first, *rest = name.split(".")
    item = schema[first]
    for part in rest:
        item = item["items"][part]
    return item


def _offer(item: dict[str, Any], ids: Sequence[str]) -> None:
    """A list to choose from; a line to write in where there is nothing to choose."""
    if ids:
        item |= {"options": ["", *ids], "labels": [NO_CHOICE, *ids]}
    else:
        item.pop("options", None)
        item.pop("labels", None)


def _providers(context: Context, kind: Provider) -> list[str]:
    match kind:
        case Provider.EMBEDDING:
            return in_force(context, context.get_all_embedding_providers(), EmbeddingProvider)
        case Provider.RERANK:
            every = context.provider_manager.rerank_provider_insts
            return in_force(context, every, RerankProvider)


def host_zone(context: Context) -> str:
    """The name of the time zone that the host is set to; "" for none."""
    return str(context.get_config().get("timezone") or "").strip()
