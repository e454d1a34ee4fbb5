"""Which process may write to an installation on a server. Everything blocks.

Chroma has no transaction, but it makes a collection of one name only once. A lease is such a
collection, numbered: whoever made the highest number holds it, and tells by a count in its
metadata that it is alive. Whoever wants it watches that count for a whole term by its own clock, so
no two clocks are compared, and makes the next number. The holder writes only while so much of
its term is left that a request has ended by the time the term has.
"""

import os
import platform
import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module
from threading import Event, Lock, Thread
from typing import Any

from ...core.model.errors import StorageError
from ..lease import Holder, held
from .client import Client
from .quotas import PAGE

TERM_SECONDS = 20.0
"""The shortest term."""

BEATS = 4
"""In a term."""

PREFIX = "tidemark-lease"
PROGRAM = "astrbot_plugin_tidemark lease"

_HNSW = {"space": "cosine", "ef_construction": 2, "max_neighbors": 2}


@dataclass(frozen=True, slots=True)
class _Found:
    """A lease that somebody has or had."""

    number: int
    metadata: Mapping[str, Any]

    @property
    def who(self) -> str:
        return f"{self.metadata.get('machine')}, PID {self.metadata.get('process')}"


class ServerLease:
    """Held from an `attempt` that succeeds to `release`. A `seat` is held by nobody else."""

    def __init__(
        self, client: Client, installation: str, holder: Holder, seat: str, timeout: float
    ) -> None:
        self._client = client
        self._holder = holder
        self._timeout = timeout
        self.term = max(TERM_SECONDS, 2 * timeout + 5.0)
        self._prefix = f"{PREFIX}-{blake2b(installation.encode(), digest_size=16).hexdigest()}-"
        self._metadata: dict[str, Any] = {
            "program": PROGRAM,
            "installation": installation,
            "holder": holder.id,
            "seat": seat or holder.id,
            "process": os.getpid(),
            "machine": platform.node(),
            "beat": 0,
            "released": False,
        }
        self._missing: type[Exception] = import_module("chromadb.errors").NotFoundError
        self._watched: tuple[_Found, float] | None = None
        self._number = 0
        self._since = (0.0, 0.0)
        self._lost = False
        self._lock = Lock()
        self._over = Event()
        self._beating = Thread(target=self._beat, name="tidemark chroma lease", daemon=True)

    def attempt(self) -> float:
        """Seconds until the next attempt; 0 once it is held. Raises StorageError, also HELD."""
        found = self._newest()
        if found is not None and (pause := self._until_free(found)):
            return pause
        self._make(1 if found is None else found.number + 1)
        if found is not None:
            self._succeed()
        self._beating.start()
        return 0.0

    def check(self) -> None:
        """Raises StorageError unless a request that begins now may write."""
        if not self._lost and self._elapsed() > self.term - self._timeout:
            self._renew()
        if self._lost:
            raise held(self._metadata["installation"])

    def release(self) -> None:
        """Let the next one have it at once."""
        self._over.set()
        if self._beating.is_alive():
            self._beating.join()
        if self._number and not self._lost:
            self._metadata["released"] = True
            self._tell()

    def _until_free(self, found: _Found) -> float:
        """Seconds to go on watching."""
        told = found.metadata
        if told.get("released") or told.get("seat") == self._metadata["seat"]:
            return 0.0
        now = time.monotonic()
        if self._watched is None:
            self._watched = (found, now)
        first, since = self._watched
        if (first.number, first.metadata.get("beat")) != (found.number, told.get("beat")):
            raise held(found.who)
        return min(self.term / BEATS, max(0.0, since + self.term - now))

    def _make(self, number: int) -> None:
        """Raises StorageError if somebody else has just made it."""
        self._since = _both_clocks()
        name = self._name(number)
        self._client.claim(
            lambda: self._client.api.create_collection(
                name,
                embedding_function=None,
                configuration={"hnsw": _HNSW},
                metadata=self._metadata,
            )
        )
        self._number = number

    def _succeed(self) -> None:
        """Put an end to the leases before this one. Raises StorageError if one came after it."""
        every = self._every()
        latest, number = max(every), self._number
        # The oldest first: whoever has one looks for itself before it looks for the next.
        gone = [number] if latest != number else sorted(every)[:-1]
        for each in gone:
            self._client.claim(
                lambda each=each: self._client.api.delete_collection(self._name(each))
            )
        if latest != number:
            self._number = 0
            raise held(every[latest].who)

    def _beat(self) -> None:
        while not self._over.wait(self.term / BEATS):
            try:
                self._renew()
            except StorageError:
                # Without an answer the term goes on to its end; then nothing is written.
                continue
            if self._lost:
                return

    def _renew(self) -> None:
        with self._lock:
            since = _both_clocks()
            self._metadata["beat"] += 1
            if self._tell() and self._read(self._number + 1) is None:
                self._since = since
                return
            self._lost = True
        self._holder.lost()

    def _tell(self) -> bool:
        """Whether the lease was still there to be written to."""
        found = self._read(self._number)
        if found is None or found.metadata.get("holder") != self._holder.id:
            return False
        metadata = dict(self._metadata)
        self._client.claim(lambda: self._collection(self._number).modify(metadata=metadata))
        return True

    def _elapsed(self) -> float:
        """Of the term: one clock stands still while the machine sleeps, the other may be set."""
        return max(b - a for a, b in zip(self._since, _both_clocks(), strict=True))

    def _newest(self) -> _Found | None:
        every = self._every()
        return every[max(every)] if every else None

    def _every(self) -> dict[int, _Found]:
        found: dict[int, _Found] = {}
        for each in self._client.collections(PAGE):
            number = each.name.removeprefix(self._prefix)
            if number != each.name and number.isdecimal():
                found[int(number)] = _Found(int(number), each.metadata or {})
        return found

    def _read(self, number: int) -> _Found | None:
        def read() -> _Found | None:
            try:
                return _Found(number, self._collection(number).metadata or {})
            except self._missing:
                return None

        return self._client.read(read)

    def _collection(self, number: int) -> Any:
        return self._client.api.get_collection(self._name(number), embedding_function=None)

    def _name(self, number: int) -> str:
        return f"{self._prefix}{number}"


def _both_clocks() -> tuple[float, float]:
    return time.monotonic(), time.time()
