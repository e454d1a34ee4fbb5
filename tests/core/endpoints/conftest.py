"""A server on loopback for what is asked, and no wait before what failed is asked again."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web


@asynccontextmanager
async def served(
    path: str, reply: Callable[[web.Request], Awaitable[web.Response]]
) -> AsyncIterator[str]:
    """The address before the path."""
    app = web.Application()
    app.router.add_post(f"/v1{path}", reply)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    await runner.cleanup()


@pytest.fixture(autouse=True)
def again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)
