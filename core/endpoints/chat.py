"""The plugin's own OpenAI-compatible chat endpoint, for background work."""

import asyncio
from typing import TYPE_CHECKING, Any, cast

from ..model.errors import ModelTimedOut, ModelUnavailable, masked
from ..ports import Completion, Prompt
from .replies import UNPACKED, UnreadableReply, bounded, is_time_out, reason

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletion

_LONGEST_REPLY = 2**20

_WAYS = ((True, True), (True, False), (False, True), (False, False))
"""With the schema or not, with temperature and limit or not, from what is best to what every server
takes: some models take no temperature, some no schema."""


class EndpointChatModel:
    """Chat completions at `url`. JSON schema output where the server knows it, else plain text.

    Cold and of bounded length where the model takes that.
    """

    def __init__(self, url: str, key: str, model: str, timeout: float) -> None:
        self._url = url.strip().rstrip("/").removesuffix("/chat/completions")
        self._key = key
        self._model = model
        self._timeout = timeout
        self._client: AsyncOpenAI | None = None
        self._way = 0

    async def complete(self, prompt: Prompt, *, session: str) -> Completion:
        """One call; another one with less of the `_WAYS` if the server refuses it."""
        import openai

        try:
            async with asyncio.timeout(self._timeout):
                return await self._complete(prompt)
        except TimeoutError as error:
            raise ModelTimedOut(f"no answer in {self._timeout:g} s") from error
        except (openai.OpenAIError, ValueError, RecursionError, UnreadableReply) as error:
            # ValueError: a key that fits in no header, a body that is not JSON.
            # Not chained: what a server or a library says may repeat the key, and a log has it all.
            why = reason(error)
            told = masked(f"{type(why).__name__}: {why}", self._key)
            raise (ModelTimedOut if is_time_out(why) else ModelUnavailable)(told) from None

    async def aclose(self) -> None:
        """Close the connections. Idempotent."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _complete(self, prompt: Prompt) -> Completion:
        import openai

        limits = {"temperature": 0, "max_tokens": prompt.longest}
        for way, (schema, limited) in enumerate(_WAYS[self._way : -1], start=self._way):
            options = {"response_format": _format(prompt)} if schema else {}
            options |= limits if limited else {}
            try:
                completion = await self._call(prompt, **options)
            except (openai.BadRequestError, openai.UnprocessableEntityError):
                continue
            self._way = way
            return completion
        completion = await self._call(prompt)
        # A prompt that is refused in every way says nothing of the ways.
        self._way = len(_WAYS) - 1
        return completion

    async def _call(self, prompt: Prompt, **options: Any) -> Completion:
        # The overloads of create() do not allow for options by name.
        create = cast(
            "Callable[..., Awaitable[ChatCompletion]]", self._opened().chat.completions.create
        )
        reply = await create(
            model=self._model,
            messages=[
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            **options,
        )
        try:
            text = reply.choices[0].message.content
            tokens = reply.usage.total_tokens if reply.usage else 0
        except (AttributeError, IndexError, TypeError) as error:
            raise ModelUnavailable("the endpoint answered something else") from error
        if not isinstance(text, str) or not text:
            raise ModelUnavailable("the endpoint answered without text")
        return Completion(text, tokens)

    def _opened(self) -> "AsyncOpenAI":
        import openai

        if self._client is None:
            self._client = openai.AsyncOpenAI(
                base_url=self._url,
                api_key=self._key or "none",
                max_retries=1,
                http_client=openai.DefaultAsyncHttpxClient(event_hooks=bounded(_LONGEST_REPLY)),
                default_headers=UNPACKED,
            )
        return self._client


def _format(prompt: Prompt) -> dict[str, Any]:
    schema = {"name": prompt.name, "schema": dict(prompt.schema), "strict": True}
    return {"type": "json_schema", "json_schema": schema}
