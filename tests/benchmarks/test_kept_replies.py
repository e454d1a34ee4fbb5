"""What stands between a benchmark and an endpoint: nothing is asked twice."""

import os
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiohttp import web
from astrbot_plugin_tidemark.benchmarks.kept_replies import KeptReplies, default_folder
from astrbot_plugin_tidemark.core.endpoints.chat import EndpointChatModel
from astrbot_plugin_tidemark.core.ports import Prompt

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


async def test_tokens_and_seconds_are_medians_that_a_later_run_tells_too(tmp_path: Path) -> None:
    async with Endpoint(200) as endpoint:
        async with KeptReplies.running(endpoint.url, tmp_path, 5) as replies:
            for seed in range(3):
                await ask(replies, seed=seed)
        first = replies.asked.figures()
        async with KeptReplies.running(endpoint.url, tmp_path, 5) as replies:
            for seed in range(3):
                await ask(replies, seed=seed)
    assert (first["median_tokens_in"], first["median_tokens_out"]) == (20, 2)
    assert replies.asked.figures() == first | {"asked": 0, "kept": 3}


async def test_parameters_are_added_and_part_of_what_is_kept(tmp_path: Path) -> None:
    async with Endpoint(200) as endpoint:
        for most in (10, 20, 20):
            async with KeptReplies.running(
                endpoint.url, tmp_path, 5, {"max_tokens": most}
            ) as replies:
                await ask(replies)
    assert endpoint.requests == [BODY | {"max_tokens": most} for most in (10, 20)]


async def test_a_failure_is_passed_on_and_asked_again(tmp_path: Path) -> None:
    async with (
        Endpoint(503, 429, 401, 200) as endpoint,
        KeptReplies.running(endpoint.url, tmp_path, 5) as replies,
    ):
        assert [(await ask(replies)).status_code for _ in range(5)] == [503, 429, 401, 200, 200]
    assert len(endpoint.requests) == 4
    assert replies.asked.figures()["median_tokens_in"] == 40


async def test_a_refused_schema_is_not_offered_again(tmp_path: Path) -> None:
    prompt = Prompt("system", "user", {"type": "object"}, "name")
    async with Endpoint(400, 400, 200) as endpoint:
        for _ in range(2):
            async with KeptReplies.running(endpoint.url, tmp_path, 5) as replies:
                model = EndpointChatModel(replies.url, "key", "m", 5)
                assert (await model.complete(prompt, session="s")).text == "reply 3"
                await model.aclose()
    assert ["response_format" in each for each in endpoint.requests] == [True, True, False]


async def test_an_endpoint_that_is_down_is_a_bad_gateway(tmp_path: Path) -> None:
    async with KeptReplies.running("http://127.0.0.1:9/v1", tmp_path, 5) as replies:
        assert (await ask(replies)).status_code == 502
    assert os.listdir(tmp_path) == []


async def test_a_proxy_of_the_environment_is_not_asked_for_loopback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "example.org")
    prompt = Prompt("system", "user", {"type": "object"}, "name")
    async with (
        Endpoint(200) as endpoint,
        KeptReplies.running(endpoint.url, tmp_path, 5) as replies,
    ):
        model = EndpointChatModel(replies.url, "key", "m", 5)
        assert (await model.complete(prompt, session="s")).text == "reply 1"
        await model.aclose()
    assert os.environ["no_proxy"] == "example.org"


def test_replies_are_kept_in_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder("x") == tmp_path / "tidemark-benchmarks" / "x"
