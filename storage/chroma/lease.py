"""Which process may write to an installation on a server. Everything blocks.

Chroma has no transaction, but it makes a collection of one name only once. The lease is such a
collection, whose metadata say who made it and by a count that it is alive. Whoever finds one
watches that count for a whole term by its own clock, so no two clocks are compared, and makes it
anew if nothing came. The holder writes only while so much of its term is left that a request has
ended by the time the term has.
"""

import os
import platform
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from threading import Event, Lock, Thread
from typing import Any

from ...core.model.errors import StorageError
from ..lease import Holder, held
from .client import Client
from .faults import CollectionGone
from .namespace import UNSEARCHED, digest

TERM_SECONDS = 20.0
"""The shortest term."""

MARGIN_SECONDS = 5.0
"""Of a term, beyond the time of a beat and of a request."""

BEATS = 4
"""In a term."""

PREFIX = "tidemark-lease"
PROGRAM = "astrbot_plugin_tidemark lease"

type Told = Mapping[str, Any]
"""The metadata of a lease."""


class ServerLease:
    """Held from an `attempt` that returns 0 to `release`. A `seat` is held by nobody else."""

    def __init__(
        self, client: Client, installation: str, holder: Holder, seat: str, timeout: float
    ) -> None:
        self._client = client
        self._holder = holder
        self._timeout = timeout
        self.term = max(TERM_SECONDS, 2 * timeout + MARGIN_SECONDS)
        self._name = f"{PREFIX}-{digest(16, installation)}"
        self._installation = installation
        self._told: dict[str, Any] = {
            "program": PROGRAM,
            "installation": installation,
            "holder": holder.id,
            "seat": seat or holder.id,
            "process": os.getpid(),
            "machine": platform.node(),
            "beat": 0,
        }
        self._missing: type[Exception] = import_module("chromadb.errors").NotFoundError
        self._watched: tuple[Told, float] | None = None
        self._made = False
        self._since = (0.0, 0.0)
        self._lost = False
        self._lock = Lock()
        self._over = Event()
        self._beating = Thread(target=self._beat, name="tidemark chroma lease", daemon=True)

    def attempt(self) -> float:
        """Seconds until the next attempt; 0 once it is held. Raises StorageError, also HELD."""
        since, found = _both_clocks(), self._read()
        if self._made:
            return self._begun(found)
        if found is not None:
            if found.get("seat") != self._told["seat"] and (pause := self._until_free(found)):
                return pause
            with suppress(CollectionGone):
                self._client.claim(lambda: self._client.api.delete_collection(self._name))
        self._client.claim(
            lambda: self._client.api.create_collection(
                self._name,
                embedding_function=None,
                configuration={"hnsw": UNSEARCHED},
                metadata=self._told,
            )
        )
        self._made, self._since = True, since
        # Another one may have watched the same one, and have deleted what is ours by now.
        return self._begun(self._read()) if self._watched is None else self.term / BEATS

    def check(self) -> None:
        """Raises StorageError unless a request that begins now may write."""
        # One clock stands still while the machine sleeps, the other may be set.
        elapsed = max(b - a for a, b in zip(self._since, _both_clocks(), strict=True))
        if not self._lost and elapsed > self.term - self._timeout:
            self._renew()
        if self._lost:
            raise held(self._installation)

    def release(self) -> None:
        """Let the next one have it at once."""
        self._over.set()
        if self._beating.is_alive():
            self._beating.join()
        if self._made and not self._lost and self._is_mine(self._read()):
            self._client.claim(lambda: self._client.api.delete_collection(self._name))

    def _begun(self, found: Told | None) -> float:
        if found is None or not self._is_mine(found):
            self._made = False
            raise held(_who(found or {}))
        self._beating.start()
        return 0.0

    def _until_free(self, found: Told) -> float:
        """Seconds to go on watching."""
        now = time.monotonic()
        if self._watched is None:
            self._watched = (found, now)
        first, since = self._watched
        if any(first.get(key) != found.get(key) for key in ("holder", "beat")):
            raise held(_who(found))
        return min(self.term / BEATS, max(0.0, since + self.term - now))

    def _beat(self) -> None:
        while not self._over.wait(self.term / BEATS):
            # Without an answer the term goes on to its end; then nothing is written.
            with suppress(StorageError):
                self._renew()
            if self._lost:
                return

    def _renew(self) -> None:
        with self._lock:
            since = _both_clocks()
            self._told["beat"] += 1
            if self._is_mine(self._read()):
                told = dict(self._told)
                self._client.claim(lambda: self._collection().modify(metadata=told))
                self._since = since
                return
            self._lost = True
        self._holder.lost()

    def _is_mine(self, found: Told | None) -> bool:
        return found is not None and found.get("holder") == self._holder.id

    def _read(self) -> Told | None:
        def read() -> Told | None:
            try:
                return self._collection().metadata or {}
            except self._missing:
                return None

        return self._client.read(read)

    def _collection(self) -> Any:
        return self._client.api.get_collection(self._name, embedding_function=None)


def _who(told: Told) -> str:
    return f"{told.get('machine')}, PID {told.get('process')}"


def _both_clocks() -> tuple[float, float]:
    return time.monotonic(), time.time()
