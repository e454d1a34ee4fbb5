"""`MemoryStore` over Chroma: a folder of this machine, or a server that several bots may share."""

import asyncio
import heapq
import logging
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial, wraps
from itertools import chain
from pathlib import Path
from typing import Concatenate, Self

from ...core.endpoints.replies import Breaker
from ...core.forgetting.lifecycle import BinPolicy, DecayPlan
from ...core.model.errors import StorageError
from ...core.model.memory import Kind, Memory
from ...core.ports import (
    Amendment,
    Change,
    Condition,
    DecayCount,
    Filter,
    MemoryStore,
    Mention,
    Order,
    Scored,
    Vector,
    Views,
)
from ...core.ports.files import ChromaServer
from ...core.records.background import uninterrupted
from ...core.records.notes import put_text
from ...core.records.serialisation import searched_terms
from .. import ranking
from ..connections import Method, OwnThread
from ..lease import Holder
from ..ranking import matches
from . import reading
from .client import batches, connected, embedded
from .faults import CollectionGone
from .index import ScopeIndex
from .lease import ServerLease
from .namespace import Namespace
from .reading import NearestVectors
from .writing import RecordWriter

logger = logging.getLogger(__name__)

READERS = 4


class Calls:
    """Runs blocking work. What it could not read is set aside before it returns.

    Until `begin` it opens; released by `close`.
    """

    def __init__(self) -> None:
        self._writer = OwnThread("tidemark chroma writer")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="tidemark chroma reader")
        self._lock = asyncio.Lock()
        self._loads: set[asyncio.Task[object]] = set()
        self._records: tuple[Namespace, RecordWriter] | None = None
        self.closed = False
        """Whether `close` was called."""

    async def open[T](self, work: Callable[[ExitStack], T]) -> T:
        """Work on the writer's thread; what it puts on the stack is closed there, as the last."""
        opened = self._writer.opened
        try:
            result = await uninterrupted(self._writer.run(lambda: work(opened)))
        except BaseException:
            await self.close()
            raise
        opened.callback(self._readers.shutdown)
        return result

    def begin(self, namespace: Namespace, records: RecordWriter) -> None:
        """From now on what cannot be read is set aside, and what is gone looked for again."""
        self._records = (namespace, records)

    async def read[T](self, work: Callable[[], T]) -> T:
        """Work beside the writer. A cancelled caller does not wait for its end."""
        return await self._done(lambda: self.look(work))

    async def look[T](self, work: Callable[[], T]) -> T:
        """The same of what is no record."""
        self._refuse_if_closed()
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    async def write[T](self, work: Callable[[], T]) -> T:
        """One change after the other; one that has begun goes on to its end if cancelled.

        `work` may be done again after it has failed half-way.
        """
        return await self._done(lambda: self._written(work))

    async def load[T](self, work: Callable[[], T]) -> T:
        """Work that must see no change half done. A cancelled caller leaves it running."""
        task = asyncio.create_task(self.write(work))
        self._loads.add(task)
        task.add_done_callback(self._loaded)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Wait for running work, then close what was opened. Idempotent."""
        if not self.closed:
            self.closed = True
            await uninterrupted(self._writer.end())

    async def _written[T](self, work: Callable[[], T]) -> T:
        async with self._lock:
            self._refuse_if_closed()
            return await uninterrupted(self._writer.run(work))

    async def _done[T](self, run: Callable[[], Awaitable[T]]) -> T:
        """What comes of the work; done again if a collection was gone that can be done without."""
        if self._records is None:
            return await run()
        namespace, records = self._records
        try:
            result = await run()
        except CollectionGone as error:
            logger.warning("%s", error)
            await self._written(records.look_again)
            result = await run()
        doubts, lost = namespace.found()
        if doubts or lost:
            try:
                await self._written(lambda: records.set_aside(doubts, lost))
            except StorageError as error:
                logger.warning("what cannot be read stays where it is: %s", error)
        return result

    def _loaded(self, task: asyncio.Task[object]) -> None:
        self._loads.discard(task)
        if not task.cancelled():
            # Its caller may be gone; the next one meets the same error.
            task.exception()

    def _refuse_if_closed(self) -> None:
        if self.closed:
            raise StorageError("the Chroma store is closed")


EMBEDDED = "embedded"
"""The installation of a folder; a server over that folder must be told the same."""

INSTALLATION_FILE = "chroma-installation"

SCOPES_AGED = 16
"""Scopes that a pass of time looks at in one turn of the writer."""


def reads[**P, R](function: Callable[Concatenate[Namespace, P], R]) -> Method[P, R]:
    """A method that answers what the function reads, beside the writer."""

    @wraps(function)
    async def method(self: "ChromaStore", *args: P.args, **options: P.kwargs) -> R:
        return await self._calls.read(lambda: function(self._namespace, *args, **options))

    return method


class ChromaStore(MemoryStore):
    """Opened by `open`. One process at a time may use one installation.

    A change is whole or absent as far as one scope and one call (see `Client.page`) goes.
    Beyond that it may be left half done by a failure; doing it again completes it.
    """

    def __init__(self, namespace: Namespace, calls: Calls, lease: ServerLease | None) -> None:
        self._namespace = namespace
        self._client = namespace.client
        self._calls = calls
        self._lease = lease
        """None in a folder, whose lock proves as much."""
        self._writer = RecordWriter(namespace, calls.load)
        calls.begin(namespace, self._writer)

    @classmethod
    async def open(
        cls,
        folder: Path,
        server: ChromaServer | None = None,
        holder: Holder | None = None,
        seat: str = "",
    ) -> Self:
        """Open or create our collections in the folder `chroma`, or on a server; loads nothing.

        A server that somebody else may be using is watched for a while first; nobody can be in
        a `seat` but us. Raises SchemaTooNew if they are of a newer version and StorageError if
        they cannot be used, or are (HELD); each leaves them as they are.
        """
        calls, lease = Calls(), None
        client = await calls.open(
            lambda opened: opened.enter_context(
                closing(embedded(folder) if server is None else connected(server))
            )
        )
        try:
            name = EMBEDDED if server is None else _installation(folder, server)
            if server is not None:
                seconds = server.timeout_seconds
                lease = ServerLease(client, name, holder or Holder(), seat, seconds)
                while pause := await calls.look(lease.attempt):  # noqa: ASYNC110 - a server's
                    await asyncio.sleep(pause)
                client.guard = lease.check
            namespace = await calls.write(lambda: Namespace(client, name))
            await calls.write(namespace.load)
        except BaseException:
            await _close(calls, lease)
            raise
        return cls(namespace, calls, lease)

    @property
    def breaker(self) -> Breaker | None:
        """What decides whether a server is asked; None for a folder."""
        return self._client.breaker

    find = reads(reading.memories)
    count = reads(reading.count)
    tally = reads(reading.tally)
    unreadable = reads(reading.unreadable)
    purge_due = reads(reading.purge_due)
    ancestors = reads(reading.ancestors)
    vectors = reads(reading.vectors)

    async def put(self, memories: Sequence[Memory]) -> frozenset[str]:
        if not memories:
            return frozenset()
        return await self._calls.write(lambda: self._writer.put(memories))

    async def resolve(self, prefix: str, scopes: frozenset[str] | None) -> list[str]:
        start = prefix.lower()
        where = Filter(scopes=scopes, status=None)
        ids = await self._calls.read(lambda: reading.possible(self._namespace, where))
        return [id for id in ids if id.lower().startswith(start)][:10]

    async def page(
        self, where: Filter, *, order: Order = Order.NEWEST, limit: int = 20, offset: int = 0
    ) -> list[Memory]:
        dated = await self._dated(where)
        if dated is not None and order is Order.LATEST and where.due is None:
            dated, offset = dated[offset : offset + max(0, limit)], 0
        if dated is not None and len(dated) <= reading.PAGE:
            ids = [id for _, id in dated]
            return await self._calls.read(
                lambda: reading.page_of(self._namespace, ids, where, order, limit, offset)
            )
        return await self._calls.read(
            lambda: reading.page(self._namespace, where, order, limit, offset)
        )

    async def pages(self, where: Filter, *, size: int = 200) -> AsyncIterator[list[Memory]]:
        ids = await self._calls.read(lambda: reading.possible(self._namespace, where))
        for some in batches(ids, size):
            if found := [each for each in await self.find(some) if matches(each, where)]:
                yield found

    async def scopes(self) -> Mapping[str, int]:
        live = await self._calls.read(lambda: dict(reading.by_scope(self._namespace, Filter())))
        bare = [place for place, ids in live.items() if not ids]
        if bare and await self._calls.read(lambda: any(map(self._namespace.is_bare, bare))):
            await self._calls.write(lambda: self._writer.drop_bare(bare))
            return await self.scopes()
        return {place.scope: len(ids) for place, ids in live.items()}

    async def distilled(
        self, turns: Sequence[int], scopes: frozenset[str]
    ) -> Mapping[int, tuple[str, ...]]:
        indexes = await self._indexes(scopes)
        return {
            turn: tuple(sorted(id for index in indexes for id in index.having(turn)))
            for turn in turns
        }

    async def amend(self, ids: Sequence[str], change: Change) -> list[Amendment]:
        return await self._calls.write(lambda: self._writer.amend(ids, change))

    async def decay(
        self,
        now: float,
        plan: DecayPlan,
        bin_policy: BinPolicy,
        scopes: frozenset[str] | None = None,
    ) -> DecayCount:
        weakened = binned = 0
        applied = partial(plan.applied, now=now, bin_policy=bin_policy)
        asked = [place.scope for place in self._namespace.places(scopes)]
        for some in batches(asked, SCOPES_AGED):
            count = await self._calls.write(lambda some=some: self._writer.decay(some, applied))
            weakened, binned = weakened + count.weakened, binned + count.binned
        return DecayCount(weakened, binned)

    async def purge(self, ids: Sequence[str], only: Condition | None = None) -> frozenset[str]:
        return await self._calls.write(lambda: self._writer.purge(ids, only))

    async def changes(self, scope: str) -> str:
        return self._writer.changes.of(scope)

    async def wiped(self) -> None:
        """What a folder keeps goes when it is next opened, see `core/transfer/data_folder.py`."""

    async def search_text(
        self,
        query: str,
        scopes: frozenset[str],
        *,
        limit: int = 50,
        kinds: frozenset[Kind] | None = None,
        own: str = "",
    ) -> list[Scored]:
        terms = searched_terms(query)
        if not terms or limit <= 0:
            return []
        found = await asyncio.gather(
            *(self._by_words(scope, terms, limit, kinds, own) for scope in scopes)
        )
        return ranking.best(chain.from_iterable(found), limit)

    async def _by_words(
        self, scope: str, terms: list[str], limit: int, kinds: frozenset[Kind] | None, own: str
    ) -> list[Scored]:
        index = await self._index(scope)
        return await self._calls.read(lambda: index.search(terms, limit, kinds, own))

    async def indexed(self, scopes: frozenset[str]) -> dict[str, int]:
        return {scope: (await self._index(scope)).rows for scope in scopes}

    async def search_vector(
        self,
        query: Vector,
        fingerprint: str,
        scopes: frozenset[str],
        *,
        limit: int = 50,
        kinds: frozenset[Kind] | None = None,
    ) -> list[Scored]:
        if limit <= 0:
            return []
        unit = ranking.unit(query)
        found = await asyncio.gather(
            *(self._by_meaning(scope, unit, fingerprint, limit, kinds) for scope in scopes)
        )
        return ranking.best(chain.from_iterable(found), limit)

    async def _by_meaning(
        self, scope: str, unit: Vector, fingerprint: str, limit: int, kinds: frozenset[Kind] | None
    ) -> list[Scored]:
        among = None if kinds is None else (await self._index(scope)).of_kinds(kinds)
        place = self._namespace.place(scope)
        near = NearestVectors(self._namespace, place, unit, fingerprint, limit, among)
        return await self._calls.read(near.search)

    async def known_entities(self, ids: Sequence[str], scopes: frozenset[str]) -> Mapping[str, int]:
        indexes = await self._indexes(scopes)
        counts = Counter({id: sum(len(index.having(id)) for index in indexes) for id in ids})
        return dict(+counts)

    async def mentioning(
        self, entities: Sequence[str], scopes: frozenset[str], *, limit: int = 100
    ) -> list[Mention]:
        indexes = await self._indexes(scopes)
        return [
            Mention(entity, id)
            for entity in dict.fromkeys(entities)
            for _, id in heapq.nsmallest(
                max(0, limit), (each for index in indexes for each in index.newest(entity, limit))
            )
        ]

    async def set_vectors(
        self,
        fingerprint: str,
        vectors: Mapping[str, Vector],
        views: Mapping[str, Views] | None = None,
    ) -> int:
        return await self._calls.write(
            lambda: self._writer.set_vectors(fingerprint, vectors, views)
        )

    async def unembedded(self, fingerprint: str, *, limit: int = 64) -> list[Memory]:
        return await self._calls.load(lambda: self._writer.unembedded(fingerprint, limit))

    async def embedded_count(self, fingerprint: str) -> tuple[int, int]:
        return await self._calls.load(lambda: self._writer.embedded_count(fingerprint))

    async def check(self) -> None:
        await self._calls.look(self._client.check)
        if self._lease is not None:
            await self._calls.look(self._lease.check)

    async def owner(self) -> str | None:
        return self._namespace.owner

    async def belong_to(self, journal: str) -> None:
        await self._calls.write(lambda: self._namespace.belong_to(journal))

    async def close(self) -> None:
        await self._writer.indexes.close()
        await _close(self._calls, self._lease)

    async def _index(self, scope: str) -> ScopeIndex:
        if not self._namespace.places([scope]):
            return ScopeIndex()
        return await self._writer.indexes.of(scope)

    async def _indexes(self, scopes: frozenset[str]) -> list[ScopeIndex]:
        return [await self._index(scope) for scope in scopes]

    async def _dated(self, where: Filter) -> list[tuple[float, str]] | None:
        """What a filter by time lets through, the latest first; None if it asks for more."""
        told = Filter(where.scopes, recallable=True, happened=where.happened, due=where.due)
        timed = where.happened is not None or where.due is not None
        if where.scopes is None or not timed or replace(where, kinds=None) != told:
            return None
        indexes = await self._indexes(where.scopes)
        return sorted(each for index in indexes for each in index.dated(where))


def _installation(folder: Path, server: ChromaServer) -> str:
    """What tells this bot from others on its server; made once and kept in the data folder."""
    if server.installation:
        return server.installation
    file = folder / INSTALLATION_FILE
    if not file.exists():
        put_text(uuid.uuid4().hex, file)
    return file.read_text("ascii").strip()


async def _close(calls: Calls, lease: ServerLease | None) -> None:
    if lease is not None and not calls.closed:
        try:
            # After the last write.
            await calls.write(lease.release)
        except StorageError as error:
            logger.warning("the next process has to wait for the lease to end: %s", error)
    await calls.close()
