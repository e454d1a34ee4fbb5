"""The page's resources in the real host: who gets in, and that they go when the plugin goes."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest
from astrbot_plugin_tidemark.scripts.hostkit.root import PLUGIN
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import until

MOST_LISTENERS = 8
BELOW = f"/api/v1/plugins/extensions/{PLUGIN}"


async def got(client: Webchat, path: str) -> Any:
    return (await client.api("GET", f"{BELOW}/{path}")).raise_for_status().json()


async def test_nobody_but_the_owner_gets_in_without_a_key(webchat: Webchat) -> None:
    answer = await got(webchat, "memories?size=1")
    assert answer["status"] == "ok"
    assert {"page", "why_masked", "now"} <= answer["data"].keys()
    stranger = Webchat(webchat.http, "no-token")
    answer = await stranger.api("GET", f"{BELOW}/memories")
    assert answer.status_code == 401


@pytest.mark.parametrize(("scope", "status"), [("chat", 403), ("plugin", 200)])
async def test_a_key_gets_in_by_its_scope(webchat: Webchat, scope: str, status: int) -> None:
    key = await webchat.api_key(f"page-{scope}", [scope])
    answer = await key.api("GET", f"{BELOW}/memories")
    assert answer.status_code == status


async def test_what_is_no_json_or_too_much_of_it_is_refused(webchat: Webchat) -> None:
    headers = {"Authorization": f"Bearer {webchat.credential}"}
    path = f"{BELOW}/memories/forget"
    for content in (b"not json", b"[1]", b'{"ids": "' + b"x" * 2_000_000 + b'"}'):
        answer = (await webchat.http.post(path, content=content, headers=headers)).json()
        assert (answer["status"], answer["message"][:11]) == ("error", "bad_request")


async def lines_of(answer: httpx.Response) -> AsyncIterator[str]:
    """What a stream tells, line by line, while it is open."""
    async for line in answer.aiter_lines():
        if line and not line.startswith(":"):
            yield line


async def test_work_is_streamed_to_a_key_a_listener_who_goes_makes_room(webchat: Webchat) -> None:
    key = await webchat.api_key("listener", ["plugin"])
    async with key.stream(f"{BELOW}/jobs/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = lines_of(answer)
        assert await anext(lines) == "id: 1"
        first = json.loads((await anext(lines)).removeprefix("data: "))
        made = (await key.api("POST", f"{BELOW}/backups/make", {})).json()["data"]
        assert await anext(lines) == "id: 2"
        told = json.loads((await anext(lines)).removeprefix("data: "))
        [job] = told["answer"][: len(told["answer"]) - len(first["answer"])]
        assert job["kind"] == "backup"
        assert job["by"].startswith("api_key:")
    async with AsyncExitStack() as stack:
        for _ in range(MOST_LISTENERS):
            await stack.enter_async_context(key.stream(f"{BELOW}/jobs/events"))
        refused = await key.api("GET", f"{BELOW}/jobs/events")
        assert (refused.status_code, refused.json()["message"]) == (429, "too_many_listeners")

    async def room() -> bool:
        async with key.stream(f"{BELOW}/jobs/events") as answer:
            return answer.status_code == 200

    await until(room)
    await key.api("POST", f"{BELOW}/backups/delete", {"name": made["name"]})


async def test_a_file_that_is_refused_is_no_file(webchat: Webchat) -> None:
    answer = await webchat.api("GET", f"{BELOW}/downloads/ABCDEF?name=journal.db")
    assert (answer.status_code, answer.json()["message"]) == (403, "refused.unknown_file")


async def test_the_routes_of_a_plugin_that_is_switched_off_are_gone(webchat: Webchat) -> None:
    switch = f"/api/v1/plugins/{PLUGIN}/enabled"
    async with webchat.stream(f"{BELOW}/jobs/events") as answer:
        lines = lines_of(answer)
        assert await anext(lines) == "id: 1"
        (await webchat.api("PATCH", switch, {"enabled": False})).raise_for_status()
        assert [line async for line in lines][-2:] == ["event: end", "data: {}"]
    try:
        assert (await got(webchat, "memories"))["message"] == "未找到该路由"
    finally:
        (await webchat.api("PATCH", switch, {"enabled": True})).raise_for_status()

    async def served() -> bool:
        return (await got(webchat, "memories?size=1"))["status"] == "ok"

    await until(served)
