"""The host's web chat and HTTP API, as a browser or an integration uses them."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Self

import httpx

from .root import PASSWORD, USER


class ChatRefused(Exception):
    """The host answered a chat request with something other than a stream."""


class Webchat:
    """A client with one credential: a login's token or an API key."""

    def __init__(self, http: httpx.AsyncClient, credential: str) -> None:
        self.http = http
        self.credential = credential

    @classmethod
    @asynccontextmanager
    async def login(cls, port: int, password: str = PASSWORD) -> AsyncIterator[Self]:
        """Log in as the dashboard's owner, who is an admin of the bot.

        The host allows three logins in a burst: share the client.
        """
        base = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(
            base_url=base, timeout=120, trust_env=False, verify=False
        ) as http:
            answer = await http.post(
                "/api/v1/auth/login", json={"username": USER, "password": password}
            )
            yield cls(http, answer.raise_for_status().json()["data"]["token"])

    async def api(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Any call of the host's HTTP API; the status is the caller's to check."""
        return await self.http.request(method, path, json=body, headers=self._headers())

    async def api_key(self, name: str, scopes: Sequence[str] = ("chat",)) -> "Webchat":
        """A client with a new API key; it declares the speaker by `chat(username=...)`."""
        answer = await self.api("POST", "/api/v1/api-keys", {"name": name, "scopes": [*scopes]})
        return Webchat(self.http, answer.raise_for_status().json()["data"]["api_key"])

    async def chat(
        self,
        message: str,
        *,
        session: str = "main",
        username: str | None = None,
        streaming: bool = True,
    ) -> str:
        """Say something and return the whole answer. Raises ChatRefused."""
        events = self.events(message, session=session, username=username, streaming=streaming)
        return "".join(
            [
                event.get("data") or ""
                async for event in events
                if event.get("type") == "plain" and not event.get("chain_type")
            ]
        )

    async def events(
        self, message: str, *, session: str, username: str | None, streaming: bool
    ) -> AsyncIterator[Mapping[str, Any]]:
        """The server-sent events of one chat turn."""
        body: dict[str, Any] = {
            "message": message,
            "session_id": session,
            "enable_streaming": streaming,
        }
        if username is not None:
            body["username"] = username
        async for event in self._events("/api/v1/chat", body):
            yield event

    async def messages(self, session: str) -> list[dict[str, Any]]:
        """What the page shows of a session, oldest first."""
        answer = await self.api("GET", f"/api/v1/chat/sessions/{session}")
        return answer.raise_for_status().json()["data"]["history"]

    async def regenerate(self, session: str, message: int) -> None:
        """Have an answer, by its id on the page, given anew; and wait for it."""
        path = f"/api/v1/chat/sessions/{session}/messages/{message}/regenerate"
        async for _ in self._events(path, {}):
            pass

    async def resend(self, message: str, session: str) -> None:
        """Have the last message answered as it was edited on the page, and wait for it."""
        body = {"message": message, "session_id": session, "_skip_user_history": True}
        async for _ in self._events("/api/v1/chat", body):
            pass

    async def _events(self, path: str, body: Any) -> AsyncIterator[Mapping[str, Any]]:
        async with self.http.stream("POST", path, json=body, headers=self._headers()) as answer:
            if "event-stream" not in answer.headers.get("content-type", ""):
                raise ChatRefused((await answer.aread()).decode())
            async for line in answer.aiter_lines():
                if line.startswith("data:"):
                    yield json.loads(line.removeprefix("data:"))

    @asynccontextmanager
    async def stream(self, path: str) -> AsyncIterator[httpx.Response]:
        """An answer of the host's HTTP API that is not over yet."""
        async with self.http.stream("GET", path, headers=self._headers()) as answer:
            yield answer

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.credential}"}
