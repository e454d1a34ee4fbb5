"""The plugin's resources among the host's: put there when it loads, taken back when it unloads."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from astrbot.api.star import Context
from astrbot.api.web import request

from .guard import Guard

type Answer = Callable[[str, Mapping[str, Any]], Awaitable[dict[str, Any]]]
"""From who asks, as the dashboard names them, and the parameters."""

LARGEST_BODY = 1_000_000
"""Bytes of JSON that are read."""

BROKEN = {"status": "error", "message": "broken", "data": None}
TOO_LARGE = {"status": "error", "message": "bad_request.body", "data": None}


class WebRoutes:
    """The host lets in the dashboard's owners, and API keys with the scope `plugin`.

    It serves the routes of a plugin that is switched off until somebody takes them away.
    """

    def __init__(self, context: Context, plugin: str, guard: Guard) -> None:
        self._context = context
        self._plugin = plugin
        self._guard = guard

    def put(self, routes: Iterable[tuple[str, str, Answer]]) -> None:
        """Serve these methods and paths, in place of all that were served."""
        self.take_away()
        for method, path, answer in routes:
            route = f"/{self._plugin}/{path}"
            self._context.register_web_api(route, self._served(path, answer), [method], path)

    def take_away(self) -> None:
        """Serve none of the plugin's any more."""
        listed = self._context.registered_web_apis
        # A host that only loads plugins to check them has no such list.
        if isinstance(listed, list):
            listed[:] = [each for each in listed if not each[0].startswith(f"/{self._plugin}/")]

    def _served(self, path: str, answer: Answer) -> Callable[..., Awaitable[dict[str, Any]]]:
        async def serve(**named: str) -> dict[str, Any]:
            if int(request.headers.get("content-length") or 0) > LARGEST_BODY:
                return TOO_LARGE
            body = await request.json(default={}) if request.method == "POST" else {}
            told = body if isinstance(body, dict) else {}
            params = {**dict(request.query.items()), **told, **named}
            asked = answer(request.username or "", params)
            return await self._guard.run("page", path, asked) or BROKEN

        return serve
