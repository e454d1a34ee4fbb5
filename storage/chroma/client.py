"""One Chroma client, of a folder or a server: opened, checked, retried. Everything blocks."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx

from ...core.endpoints.replies import ASKS_FOR_REST, Breaker, retry_after
from ...core.model.errors import Fault, StorageError
from ...core.ports.files import ChromaServer
from .faults import FOLDER, MISSING, inspect, translated
from .folder import Folder

MAJOR = "1"
"""Of the servers that this client speaks to."""

RETRIES = 2
PAUSE_SECONDS = 0.2

READ_PATIENCE = 1.0
"""Seconds that a read may spend on pauses: an answer that comes later helps no chat."""

MOST_REST = 15.0
"""Seconds that a server may ask to be left alone for; what it asks beyond that is not granted."""

_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


PAGE = 300
"""Records of one request to a server, and collections of a listing."""

IN_FOLDER = 200
"""Of one to a folder: whoever reads it waits while Chroma writes, some 20 to 50 ms."""


class Client:
    """Calls to one Chroma; without a `breaker` to a folder. Errors are StorageError."""

    def __init__(
        self,
        api: Any,
        place: str,
        opened: ExitStack,
        breaker: Breaker | None,
        patience: float = READ_PATIENCE,
    ) -> None:
        self.api = api
        self._place = place
        self._opened = opened
        self.breaker = breaker
        self.guard: Callable[[], None] | None = None
        """Asked before each write; raises where nothing may be written."""
        self._patience = patience
        self._rests_until = 0.0
        with translated(place):
            self.page = min(IN_FOLDER if breaker is None else PAGE, api.get_max_batch_size())
            """Most records of one request."""

    def read[T](self, call: Callable[[], T]) -> T:
        """A call that changes nothing: made again if a server did not answer."""
        return self._made(call, lambda _: True, READ_PATIENCE)

    def write[T](self, call: Callable[[], T]) -> T:
        """A call that changes something: made again only if it was not carried out.

        One that timed out may still be, later, over what was written meanwhile. It may spend
        `patience` seconds on pauses.
        """
        if self.guard is not None:
            self.guard()
        return self.claim(call)

    def claim[T](self, call: Callable[[], T]) -> T:
        """A write that needs no right to write."""
        return self._made(call, _was_not_carried_out, self._patience)

    def collections(self) -> Iterator[Any]:
        """Every collection that anybody has there, asked for in pages."""
        offset = 0
        while some := self.read(
            lambda offset=offset: self.api.list_collections(limit=PAGE, offset=offset)
        ):
            yield from some
            offset += len(some)

    def check(self) -> None:
        """Ask it for an answer, also one that is left alone. Raises StorageError if none comes."""
        with translated(self._place):
            self.api.heartbeat()
        if self.breaker is not None:
            self.breaker.succeeded()

    def close(self) -> None:
        """Release it. No call may be under way."""
        with translated(self._place):
            self._opened.close()

    def _made[T](
        self, call: Callable[[], T], again: Callable[[httpx.HTTPError], bool], patience: float
    ) -> T:
        with translated(self._place):
            if self.breaker is None:
                return call()
            end = time.monotonic() + patience
            for left in reversed(range(RETRIES + 1)):
                self._rest(end)
                try:
                    return self._attempt(self.breaker, call)
                except httpx.HTTPError as error:
                    until = time.monotonic() + _asked_to_wait(error)
                    self._rests_until = max(self._rests_until, until)
                    if not left or not again(error) or _is_refusal(error):
                        raise
                pause = PAUSE_SECONDS * 2 ** (RETRIES - left) * random.uniform(0.5, 1.5)
                time.sleep(max(0.0, min(pause, end - time.monotonic())))
        raise AssertionError("the last attempt returns or raises")

    def _rest(self, end: float) -> None:
        """Wait for as long as the server asks to be left alone.

        Raises StorageError at once if that is longer than until `end`.
        """
        left = self._rests_until - time.monotonic()
        if left <= 0.0:
            return
        # All who were turned away at once shall not come back at once.
        pause = left + random.uniform(0.0, PAUSE_SECONDS)
        if time.monotonic() + pause > end:
            text = f"the Chroma server at {self._place} asks to be left alone for {left:.0f} s"
            raise StorageError(text, file=self._place, fault=Fault.UNREACHABLE)
        time.sleep(pause)

    def _attempt[T](self, breaker: Breaker, call: Callable[[], T]) -> T:
        if not breaker.admits(time.monotonic()):
            text = f"the Chroma server at {self._place} did not answer lately and is left alone"
            raise StorageError(text, file=self._place, fault=Fault.UNREACHABLE)
        try:
            result = call()
        except httpx.HTTPError:
            breaker.failed(time.monotonic())
            raise
        # Whatever else the call raised was the server's answer.
        except BaseException:
            breaker.succeeded()
            raise
        breaker.succeeded()
        return result


def embedded(folder: Path) -> Client:
    """Open or create the folder `chroma` in `folder`. Raises StorageError if it cannot be used."""
    home = folder / FOLDER
    inspect(home)
    if find_spec("chromadb") is None:
        raise StorageError(MISSING, file="chromadb", fault=Fault.MISSING)
    with ExitStack() as opened:
        api = Folder(home)
        opened.callback(api.close)
        return Client(api, FOLDER, opened.pop_all(), None)


def connected(server: ChromaServer) -> Client:
    """A client of the server. Raises StorageError if it is not one that can be used."""
    chromadb = _chromadb()
    with translated(server.address):
        _probe(server)
        api = chromadb.HttpClient(
            server.host,
            server.port,
            ssl=server.ssl,
            headers=server.headers(),
            settings=chromadb.config.Settings(
                anonymized_telemetry=False, chroma_server_ssl_verify=server.ssl
            ),
            tenant=server.tenant,
            database=server.database,
        )
    with ExitStack() as opened:
        opened.callback(api.close)
        # Chroma has no setting for its time-outs, which are none, and closes no connection.
        for session in (api._server._session, api._admin_client._server._session):
            opened.callback(session.close)
            session.timeout = _timeout(server)
            session.event_hooks = {"response": [_refuse_failures]}
        patience = server.timeout_seconds
        return Client(api, server.address, opened.pop_all(), Breaker(), patience)


def _chromadb() -> Any:
    try:
        chromadb = import_module("chromadb")
        import_module("chromadb.config")
    except ImportError as error:
        raise StorageError(MISSING, file="chromadb", fault=Fault.MISSING) from error
    return chromadb


def _probe(server: ChromaServer) -> None:
    """Ask the server what it is, before a client that would wait for its answer without end."""
    where = f"/api/v2/tenants/{server.tenant}/databases/{server.database}"
    with httpx.Client(
        base_url=server.address,
        headers=server.headers(),
        timeout=_timeout(server),
        verify=server.ssl,
    ) as session:
        _check_version(server, session.get("/api/v2/version"))
        answer = session.get(where)
    missing = answer.is_error and "NotFound" in answer.text
    if missing or answer.status_code == httpx.codes.NOT_FOUND:
        text = f"{server.address} has no tenant {server.tenant} with database {server.database}"
        raise StorageError(text, file=server.address, fault=Fault.REFUSED)
    answer.raise_for_status()


def _check_version(server: ChromaServer, answer: httpx.Response) -> None:
    if answer.status_code in (httpx.codes.NOT_FOUND, httpx.codes.GONE):
        text = f"{server.address} is no Chroma server of version {MAJOR}"
        raise StorageError(text, file=server.address, fault=Fault.FOREIGN)
    answer.raise_for_status()
    version: object = None
    with suppress(ValueError):
        version = answer.json()
    if not isinstance(version, str) or not version[:1].isdigit():
        text = f"{server.address} answers, but not as a Chroma server"
        raise StorageError(text, file=server.address, fault=Fault.FOREIGN)
    if version.split(".")[0] != MAJOR:
        text = f"the Chroma server at {server.address} has version {version}, not {MAJOR}.x"
        raise StorageError(text, file=server.address, fault=Fault.FOREIGN)


def _timeout(server: ChromaServer) -> httpx.Timeout:
    return httpx.Timeout(server.timeout_seconds, connect=min(server.timeout_seconds, 5.0))


def _refuse_failures(answer: httpx.Response) -> None:
    """What Chroma's client would raise as a bare Exception, or take for the caller's fault."""
    if answer.status_code in (401, 403, 429) or answer.status_code >= 502:
        answer.raise_for_status()


def _was_not_carried_out(error: httpx.HTTPError) -> bool:
    if isinstance(error, httpx.HTTPStatusError):
        return error.response.status_code in ASKS_FOR_REST
    return isinstance(error, _NOT_SENT)


def _asked_to_wait(error: httpx.HTTPError) -> float:
    """Seconds."""
    if not isinstance(error, httpx.HTTPStatusError):
        return 0.0
    answer = error.response
    return retry_after(answer.status_code, answer.headers, now=time.time(), most=MOST_REST)


def _is_refusal(error: httpx.HTTPError) -> bool:
    return isinstance(error, httpx.HTTPStatusError) and error.response.status_code in (401, 403)


def batches[T](items: list[T], size: int) -> list[list[T]]:
    """The items in pieces of at most `size`."""
    return [items[start : start + size] for start in range(0, len(items), size)]
