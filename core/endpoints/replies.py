"""Limits the size of an endpoint's reply: parsing JSON blocks the event loop."""

import sys
import zlib
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from typing import Any

from ..model.errors import TidemarkError

UNPACKED = {"Accept-Encoding": "identity"}
"""Asked for; a reply that comes packed all the same is unpacked here, up to the limit."""

_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32

_GATEWAY_TIME_OUTS = frozenset((408, 504, 524))


class UnreadableReply(TidemarkError):
    """A reply, good or bad, is longer than any that makes sense, or cannot be unpacked."""


def bounded(limit: int) -> dict[str, list[Callable[[Any], Awaitable[None]]]]:
    """Event hooks of an HTTP client that stop reading any reply after `limit` bytes."""

    async def bound(response: Any) -> None:
        packed = response.headers.pop("content-encoding", "").lower() in ("gzip", "deflate")
        response.stream = _bounded(response, limit, packed)

    return {"response": [bound]}


def reason(error: BaseException) -> BaseException:
    """What to tell of a client's error: some call an unreadable reply a broken connection."""
    return error.__cause__ if isinstance(error.__cause__, UnreadableReply) else error


def status_of(error: BaseException) -> int:
    """The HTTP status that a client's error tells, under whichever name; 0 if none."""
    told = (getattr(error, name, None) for name in ("status_code", "code"))
    return next((each for each in told if isinstance(each, int)), 0)


def is_time_out(error: BaseException) -> bool:
    """Whether it tells of a time-out, ours, the client's (only the name says so) or a gateway's."""
    late = isinstance(error, TimeoutError) or "Timeout" in type(error).__name__
    return late or status_of(error) in _GATEWAY_TIME_OUTS


def _bounded(response: Any, limit: int, packed: bool) -> Any:
    # The openai package brings httpx, or since its third version httpx2: each wants its own class.
    library = sys.modules[type(response).__module__.partition(".")[0]]
    base: Any = library.AsyncByteStream

    class Bounded(base):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for chunk in _up_to(limit, self._stream, packed):
                yield chunk

        async def aclose(self) -> None:
            await self._stream.aclose()

    return Bounded(response.stream)


async def _up_to(limit: int, stream: AsyncIterable[bytes], packed: bool) -> AsyncIterator[bytes]:
    left, unpack = limit, zlib.decompressobj(_GZIP_OR_ZLIB) if packed else None
    async for raw in stream:
        try:
            chunk = raw if unpack is None else unpack.decompress(raw, left + 1)
        except zlib.error as error:
            raise UnreadableReply(f"the reply cannot be unpacked: {error}") from error
        left -= len(chunk)
        if left < 0:
            raise UnreadableReply(f"the reply is longer than {limit} bytes")
        yield chunk
