"""`MemoryStore` over Chroma: a folder of this machine, or a server that several bots may share."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Self

from ...core.endpoints.circuit_breaker import Breaker
from ...core.forgetting.decay_plan import DecayPlan
from ...core.forgetting.lifecycle import BinPolicy
from ...core.model.memory import Kind, Memory, Status
from ...core.ports import (
    Amendment,
    Ancestor,
    Change,
    Condition,
    DecayCount,
    Embedded,
    Filter,
    Foretold,
    MemoryStore,
    Mention,
    Order,
    Scored,
    Tally,
    Tiers,
    Unreadable,
    Vector,
    Views,
)
from ...core.ports.chroma_server import ChromaServer
from ...core.records.searched_text import searched_terms
from .. import ranking
from ..foretelling import foretold_by_reading
from ..lease import Holder
from ..matching import matches
from . import mentions, quotas, reading, vector_reading
from .calls import Calls
from .client import batches
from .filling import IndexFilling
from .mending import Mender
from .mentions import MentionIndex
from .namespace import Namespace
from .opening import OpenInstallation, open_installation
from .server_search import ServerSearch
from .text import Indexes, ScopeIndex
from .writing import RecordWriter

SCOPES_AGED = 16
"""Scopes that a pass of time looks at in one turn of the writer."""


class ChromaStore(MemoryStore):
    """Opened by `open`. One process at a time may use one installation.

    A change is whole or absent as far as one scope and one call (see `Batch`) goes.
    Beyond that it may be left half done by a failure; doing it again completes it.
    """

    def __init__(self, opened: OpenInstallation) -> None:
        self._opened = opened
        self._client = opened.client
        self._namespace = opened.namespace
        self._indexes = Indexes()
        self._writer = RecordWriter(self._namespace, self._indexes)
        mender = Mender(self._namespace, self._indexes, self._writer.recount)
        self._calls = Calls(opened.executors, mender)
        self._filling = IndexFilling(self._indexes, self._writer, self._calls.load)
        self._on_server = ServerSearch(self._namespace, self._calls.read)

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
        return cls(await open_installation(folder, server, holder, seat))

    @property
    def breaker(self) -> Breaker | None:
        """What decides whether a server is asked; None for a folder."""
        return self._client.breaker

    async def put(self, memories: Sequence[Memory]) -> frozenset[str]:
        if not memories:
            return frozenset()
        return await self._calls.write(lambda: self._writer.put(memories))

    async def find(self, ids: Sequence[str], scopes: frozenset[str] | None = None) -> list[Memory]:
        found = await self._calls.read(lambda: reading.stored(self._namespace, ids, scopes))
        return [each.memory for each in found]

    async def resolve(self, prefix: str, scopes: frozenset[str] | None) -> list[str]:
        start = prefix.lower()
        where = Filter(scopes=scopes, status=None)
        ids = await self._calls.read(lambda: reading.matching_ids(self._namespace, where))
        return [id for id in ids if id.lower().startswith(start)][:10]

    async def page(
        self, where: Filter, *, order: Order = Order.NEWEST, limit: int = 20, offset: int = 0
    ) -> list[Memory]:
        dated = where.due is None
        events = await self._events(where) if dated else await self._due(where)
        if events is not None and dated and order is Order.LATEST:
            events, offset = events[offset : offset + limit], 0
        if events is not None and len(events) <= reading.PAGE:
            return await self._calls.read(
                lambda: reading.page_of(self._namespace, events, where, order, limit, offset)
            )
        return await self._calls.read(
            lambda: reading.page(self._namespace, where, order, limit, offset)
        )

    async def iterate(self, where: Filter, *, page: int = 200) -> AsyncIterator[Memory]:
        ids = await self._calls.read(lambda: reading.matching_ids(self._namespace, where))
        for some in batches(ids, page):
            for memory in await self.find(some):
                if matches(memory, where):
                    yield memory
        await self._calls.mended()

    async def count(self, where: Filter) -> int:
        return await self._calls.read(lambda: reading.count(self._namespace, where))

    async def tally(self, tiers: Tiers, scopes: frozenset[str] | None = None) -> Tally:
        return await self._calls.read(lambda: _tally(self._namespace, tiers, scopes))

    async def scopes(self) -> Mapping[str, int]:
        return await self._calls.read(lambda: _scopes(self._namespace))

    async def distilled(
        self, turns: Sequence[int], scopes: frozenset[str]
    ) -> Mapping[int, tuple[str, ...]]:
        found = await asyncio.gather(*(self._learnt_from(scope, turns) for scope in scopes))
        return {
            turn: tuple(sorted(id for learnt in found for id in learnt[turn])) for turn in turns
        }

    async def _learnt_from(self, scope: str, turns: Sequence[int]) -> Mapping[int, list[str]]:
        index = await self._index_unless_served(scope)
        if index is None:
            return await self._on_server.distilled(scope, turns)
        return {turn: index.learnt_from(turn) for turn in turns}

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
        asked = [each for each in self._namespace.scopes() if scopes is None or each in scopes]
        for some in batches(asked, SCOPES_AGED):
            count = await self._calls.write(lambda some=some: self._writer.decay(some, applied))
            weakened, binned = weakened + count.weakened, binned + count.binned
        return DecayCount(weakened, binned)

    async def foretold(
        self,
        plan: DecayPlan,
        scopes: frozenset[str],
        ends: Sequence[float],
        *,
        limit: int = 0,
        named: frozenset[Kind] | None = None,
    ) -> Foretold:
        return await foretold_by_reading(self, plan, scopes, ends, limit=limit, named=named)

    async def binned_at(self, now: float, *, after: str = "", limit: int = 500) -> list[Memory]:
        return await self._calls.read(lambda: reading.binned_at(self._namespace, now, after, limit))

    async def purge(self, ids: Sequence[str], only: Condition | None = None) -> frozenset[str]:
        await self._calls.mended()
        return await self._calls.write(lambda: self._writer.purge(ids, only))

    async def unreadable(self) -> list[Unreadable]:
        await self._calls.mended()
        return await self._calls.read(lambda: reading.unreadable(self._namespace))

    async def wiped(self) -> None:
        """What a folder keeps goes when it is next opened, see `core/transfer/residue.py`."""

    async def purge_due(self, now: float, *, limit: int = 500) -> list[str]:
        return await self._calls.read(lambda: reading.purge_due(self._namespace, now, limit))

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
        within = limit <= quotas.PAGE
        index = await (self._index_unless_served(scope) if within else self._index(scope))
        if index is None:
            return await self._on_server.search(scope, terms, limit, kinds, own)
        return await self._calls.read(lambda: index.search(terms, limit, kinds, own))

    async def indexed(self, scopes: frozenset[str]) -> dict[str, int]:
        return {scope: await self._rows(scope) for scope in scopes}

    async def _rows(self, scope: str) -> int:
        index = await self._index_unless_served(scope)
        return await self._on_server.rows(scope) if index is None else index.rows

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
        near = partial(vector_reading.nearest, self._namespace, scope, unit, fingerprint, limit)
        index = None if kinds is None else await self._index_unless_served(scope)
        if kinds is None or index is not None:
            return await self._calls.read(lambda: near(index and kinds and index.of_kinds(kinds)))
        found = await self._calls.read(lambda: near(kinds=kinds))
        if len(found) == limit:
            return found
        among = await self._on_server.of_kinds(scope, kinds)
        return await self._calls.read(lambda: near(among))

    async def known_entities(self, ids: Sequence[str], scopes: frozenset[str]) -> Mapping[str, int]:
        return mentions.counted(await self._mentions(scopes), ids)

    async def mentioning(
        self, entities: Sequence[str], scopes: frozenset[str], *, limit: int = 100
    ) -> list[Mention]:
        return mentions.newest(await self._mentions(scopes), entities, limit)

    async def ancestors(
        self, ids: Sequence[str], scopes: frozenset[str], *, depth: int = 5
    ) -> list[Ancestor]:
        return await self._calls.read(
            lambda: reading.ancestors(self._namespace, ids, scopes, depth)
        )

    async def set_vectors(
        self,
        fingerprint: str,
        vectors: Mapping[str, Vector],
        views: Mapping[str, Views] | None = None,
    ) -> int:
        return await self._calls.write(
            lambda: self._writer.set_vectors(fingerprint, vectors, views)
        )

    async def vectors(self, ids: Sequence[str]) -> Mapping[str, Embedded]:
        return await self._calls.read(lambda: vector_reading.vectors(self._namespace, ids))

    async def unembedded(self, fingerprint: str, *, limit: int = 64) -> list[Memory]:
        return await self._calls.load(lambda: self._writer.unembedded(fingerprint, limit))

    async def embedded_count(self, fingerprint: str) -> tuple[int, int]:
        return await self._calls.load(lambda: self._writer.embedded_count(fingerprint))

    async def check(self) -> None:
        executors = self._opened.executors
        await executors.read(self._client.check)
        if self._opened.lease is not None:
            await executors.read(self._opened.lease.check)

    async def owner(self) -> str | None:
        return await self._opened.executors.read(self._namespace.owner)

    async def belong_to(self, journal: str) -> None:
        await self._calls.write(lambda: self._namespace.belong_to(journal))

    async def close(self) -> None:
        await self._filling.close()
        await self._calls.mended()
        await self._opened.aclose()

    async def _index(self, scope: str) -> ScopeIndex:
        index = self._indexes.at_hand(scope)
        while index is None and self._namespace.records(scope) is not None:
            index = await self._filling.filled(scope)
        return index or ScopeIndex()

    async def _index_unless_served(self, scope: str) -> ScopeIndex | None:
        """The index; None, while it is filled, where the server can be asked meanwhile."""
        if self._on_server.serves(scope):
            return self._filling.at_hand(scope)
        return await self._index(scope)

    async def _mentions(self, scopes: frozenset[str]) -> list[MentionIndex]:
        return [(await self._index(scope)).mentions for scope in scopes]

    async def _events(self, where: Filter) -> list[str] | None:
        """Ids that a filter by time lets through, the latest first; None if it asks for more."""
        if where.happened is None or where.scopes is None:
            return None
        known = Filter(where.scopes, kinds=where.kinds, recallable=True, happened=where.happened)
        if where != known:
            return None
        found = [
            (-at, id)
            for scope in where.scopes
            for at, id in (await self._index(scope)).happened(*where.happened, where.kinds)
        ]
        return [id for _, id in sorted(found)]

    async def _due(self, where: Filter) -> list[str] | None:
        """Ids that a filter by the day something is for lets through; None if it asks for more."""
        if where.due is None or where.scopes is None:
            return None
        if where != Filter(where.scopes, recallable=True, due=where.due):
            return None
        return [id for scope in where.scopes for id in (await self._index(scope)).due(*where.due)]


def _tally(namespace: Namespace, tiers: Tiers, scopes: frozenset[str] | None) -> Tally:
    by_status: Counter[Status] = Counter()
    by_kind: Counter[Kind] = Counter()
    by_tier: Counter[int] = Counter()
    for memory in reading.outlines(namespace, Filter(scopes=scopes, status=None)):
        by_status[memory.standing.status] += 1
        if memory.standing.status is Status.LIVE:
            by_kind[memory.kind] += 1
            by_tier[tiers.tier(memory.vitality.useful_score)] += 1
    return Tally(by_status, by_kind, (by_tier[0], by_tier[1], by_tier[2]))


def _scopes(namespace: Namespace) -> dict[str, int]:
    return {
        region.place.scope: len(region.ids)
        for region in reading.regions(namespace, Filter())
        if region.ids or not region.collection.is_empty()
    }
