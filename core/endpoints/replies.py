"""What an endpoint's answers allow: their size, when to ask again, when to leave it alone."""

import sys
import zlib
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from threading import Lock
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


ASKS_FOR_REST = frozenset({429, 503})
"""Answers of a server that has not carried out the request, and may say when to ask again."""


def retry_after(status: int, headers: Mapping[str, str], *, now: float, most: float) -> float:
    """Seconds 0..`most`; 0 if it asks for nothing, or for nothing that can be read.

    A moment is compared with the server's own `Date`, where there is one, else with `now`.
    """
    told = headers.get("Retry-After", "").strip() if status in ASKS_FOR_REST else ""
    if told.isdecimal() and told.isascii():
        # Longer numbers than this are not worth reading.
        return min(most, float(told[:9]))
    until = _moment(told)
    if until is None:
        return 0.0
    since = _moment(headers.get("Date", ""))
    return min(most, max(0.0, until - (now if since is None else since)))


def _moment(text: str) -> float | None:
    try:
        found: datetime | None = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return found.timestamp()


MOST_FAILURES = 5
REST_SECONDS = 15.0


@dataclass(slots=True)
class Breaker:
    """Opens after `most_failures` in a row; lets one call through every `rest_seconds` then.

    That one closes it again if it succeeds. Thread-safe; times are of a monotonic clock.
    """

    most_failures: int = MOST_FAILURES
    rest_seconds: float = REST_SECONDS
    _failures: int = 0
    _open_until: float = 0.0
    _lock: Lock = field(default_factory=Lock)

    def admits(self, now: float) -> bool:
        """Whether a call may be made now. If it is the probe, no other one is let through."""
        with self._lock:
            if self._failures < self.most_failures:
                return True
            if now < self._open_until:
                return False
            self._open_until = now + self.rest_seconds
            return True

    def succeeded(self) -> None:
        """A call has been answered."""
        with self._lock:
            self._failures = 0

    def failed(self, now: float) -> None:
        """A call has not been answered."""
        with self._lock:
            self._failures += 1
            if self._failures >= self.most_failures:
                self._open_until = now + self.rest_seconds
