"""What stands between a benchmark and an endpoint: nothing is asked twice."""

from pathlib import Path
from typing import Any

import httpx
from aiohttp import web
from astrbot_plugin_tidemark.benchmarks.kept_replies import KeptReplies

BODY: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "user", "content": "水"}],
    "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "object"}}},
    "temperature": 0,
}


class Endpoint:
    """Answers with set statuses, the last for ever, and counts."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.requests: list[dict[str, Any]] = []
        self.url = ""

    async def __aenter__(self) -> "Endpoint":
        application = web.Application()
        application.router.add_post("/v1/chat/completions", self._answer)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.Response:
        self.requests.append(await request.json())
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        number = len(self.requests)
        usage = {"prompt_tokens": 10 * number, "completion_tokens": number, "total_tokens": 1}
        choice = {"message": {"role": "assistant", "content": f"reply {number}"}}
        return web.json_response({"choices": [choice], "usage": usage}, status=status)


async def ask(replies: KeptReplies, **changes: Any) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False) as http:
        return await http.post(f"{replies.url}/chat/completions", json=BODY | changes)


async def test_the_same_request_is_asked_once_and_any_other_again(tmp_path: Path) -> None:
    async with Endpoint(200) as endpoint:
        for _ in range(2):
            async with KeptReplies.running(f"{endpoint.url}/", tmp_path, 5) as replies:
                first = await ask(replies)
                assert "reply 1" in first.text
                changes = ({"model": "n"}, {"temperature": 1}, {"messages": []}, {"seed": 3})
                told = {(await ask(replies, **each)).text for each in changes}
                schema = {"json_schema": {"schema": {"type": "array"}}}
                told |= {(await ask(replies, response_format=schema)).text}
                assert len(told | {first.text}) == 6
    assert len(endpoint.requests) == 6
    assert endpoint.requests[0] == BODY
    assert (replies.asked.made, replies.asked.kept) == (0, 6)


async def test_a_failure_is_passed_on_and_asked_again(tmp_path: Path) -> None:
    async with (
        Endpoint(503, 429, 401, 200) as endpoint,
        KeptReplies.running(endpoint.url, tmp_path, 5) as replies,
    ):
        assert [(await ask(replies)).status_code for _ in range(5)] == [503, 429, 401, 200, 200]
    assert len(endpoint.requests) == 4
    assert replies.asked.figures()["median_tokens_in"] == 40
