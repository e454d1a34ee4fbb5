"""`MemoryStore` over one SQLite file. Every method is one transaction or one snapshot."""

import json
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import batched
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Self

from ...core import ports
from ...core.forgetting.lifecycle import BinPolicy, DecayPlan
from ...core.forgetting.population import Population
from ...core.graph.communities import provenance
from ...core.model.knowledge import Relation
from ...core.model.memory import Kind, Memory
from ...core.ports import (
    AT_ONCE,
    Amendment,
    Ancestor,
    Change,
    DecayCount,
    Embedded,
    Filter,
    MemoryStore,
    Order,
    Scored,
    Unreadable,
    Vector,
    Views,
)
from ...core.records.serialisation import searched_terms
from .. import ranking
from ..changes import Changes
from ..connections import Database, reads, writes
from ..lease import Holder, fence
from ..migrations import migrate
from ..partitions import MOST_HELD, Fillable, Loaded, Partitions, ScopeKey, VectorChange
from ..ranking import Provenance, walk
from ..snapshot import Wiper, deleting
from . import text, upkeep, vector_table, writing
from .records import (
    IN_LIST,
    ORDERS,
    STEPS,
    Condition,
    fetch,
    listed,
    matching,
    planned,
    select,
    within,
)
from .upkeep import DecayResult, decay


def ancestors(
    snapshot: Connection, ids: Sequence[str], scopes: Iterable[str], *, depth: int = 5
) -> list[Ancestor]:
    """Breadth first, at most `depth` steps."""
    inside = within(list(scopes))

    def read(level: Sequence[str]) -> Provenance:
        # Only the relations are parsed: a whole memory takes ten times as long.
        query = (
            "SELECT memory.id, CASE WHEN json_valid(CAST(document.body AS TEXT))"
            " THEN json_extract(CAST(document.body AS TEXT), '$.relations') END"
            " FROM memory JOIN document ON document.memory = memory.row"
            f" WHERE memory.id {IN_LIST} AND {inside.sql}"
        )
        rows = select(snapshot, query, (listed(level), *inside.values))
        return {id: provenance(id, _relations(stated)) for id, stated in rows}

    return walk(ids, depth, read)


def _relations(stated: str | None) -> list[Relation]:
    try:
        return [Relation(**relation) for relation in json.loads(stated or "[]")]
    except (ValueError, TypeError):
        return []


type Hits[K] = tuple[list[Scored], list[K]]
"""What is found, and the keys of what would have to be in memory first."""

FILE = "memories.db"
READERS = 3
BRIEF = 8
"""Most memories of a write that may share its transaction."""

PURGED_AT_ONCE = 200
"""Memories deleted per transaction: a writer waits for so many at most."""


MOST_READ = 4_000
"""What was read last: some 12 MB of memories, and 6 of vectors."""


class CacheById[T]:
    """What is known by id, the last used ones. Used on the event loop."""

    def __init__(self, most: int = MOST_READ) -> None:
        self._most = most
        self._known: OrderedDict[str, T] = OrderedDict()
        self._changes = 0

    @property
    def ids(self) -> frozenset[str]:
        """Of what is kept."""
        return frozenset(self._known)

    async def through(
        self, ids: Sequence[str], read: Callable[[Sequence[str]], Awaitable[Mapping[str, T]]]
    ) -> dict[str, T]:
        """Those of these that are known, and of the others what is read; all of one moment."""
        found = {id: self._known[id] for id in ids if id in self._known}
        if missing := [id for id in ids if id not in found]:
            changes, told = self._changes, await read(missing)
            if found and changes != self._changes:
                # What was known may be from before the snapshot.
                return {**await read(ids)}
            found |= told
            if changes == self._changes:
                self._known.update(told)
        for id in found.keys() & self._known.keys():
            self._known.move_to_end(id)
        while len(self._known) > self._most:
            self._known.popitem(last=False)
        return found

    def forget(self, ids: Iterable[str]) -> None:
        """These have changed, or are gone."""
        self._changes += 1
        for id in ids:
            self._known.pop(id, None)

    def forget_all(self) -> None:
        """Any of them may have changed."""
        self._changes += 1
        self._known.clear()


class InMemory:
    """Vectors and terms to search, and what was read last. Of one store, on the event loop."""

    def __init__(self, database: Database, most_held: int) -> None:
        self.partitions = Partitions(lambda key: vector_table.pages(database, key), most_held)
        self.terms = text.TermPartitions(database)
        self.memories = CacheById[Memory]()
        self.vectors = CacheById[Embedded]()
        self.changes = Changes[int]()

    def inserted(self, rows: writing.Rows) -> None:
        """New rows."""
        self.terms.follow(rows)
        self.changes.note(rows)

    def amended(self, ids: Sequence[str], amended: writing.Amended) -> None:
        """Some of these memories are others now."""
        self.partitions.follow(amended.vectors)
        self.terms.follow(amended.rows)
        self.changes.note(amended.news)
        self._forget(ids)

    def deleted(self, ids: Sequence[str], changes: Sequence[VectorChange]) -> None:
        """Some of these memories are gone, with these rows."""
        self.partitions.follow(changes)
        rows: defaultdict[int, list[int]] = defaultdict(list)
        for change in changes:
            rows[change.scope].append(change.row)
        self.terms.follow(rows)
        self._forget(ids)

    def decayed(self, gone: Mapping[int, Sequence[int]], learnt: Iterable[int]) -> None:
        """Any memory may have faded, and these rows are not recalled any more.

        Of the scopes `learnt` it is not raw turns alone.
        """
        self.changes.note(learnt)
        self.memories.forget_all()
        if gone:
            self.partitions.withdraw(gone)
            self.terms.follow(gone)

    def embedded(self, ids: Iterable[str], changes: Sequence[VectorChange]) -> None:
        """Some of these memories have other vectors."""
        self.partitions.follow(changes)
        self.changes.note(change.scope for change in changes)
        self.vectors.forget(ids)

    async def aclose(self) -> None:
        """Drop everything."""
        await self.terms.close()
        await self.partitions.close()

    def _forget(self, ids: Sequence[str]) -> None:
        # What is deleted should not stay in memory.
        self.memories.forget(ids)
        self.vectors.forget(ids)


class SqliteStore(MemoryStore):
    """Opened by `open`. Owns the file, the partitions and what goes on behind the answers."""

    def __init__(self, database: Database, most_held: int) -> None:
        self._database = database
        self.in_memory = InMemory(database, most_held)
        self._settler = text.Settler(database, self.in_memory.terms.follow)
        self._wiper = Wiper(database)
        self._reader = upkeep.CarefulReader(database, self.in_memory.deleted)

    @classmethod
    async def open(
        cls, folder: Path, *, most_held: int = MOST_HELD, holder: Holder | None = None
    ) -> Self:
        """Open or create `memories.db`; nothing is loaded. For one `holder` alone if given.

        Raises SchemaTooNew for a newer file and StorageError for one that cannot be used.
        """
        database = await Database.open(folder / FILE, readers=READERS)
        try:
            await migrate(database, STEPS)
            if holder is not None:
                await fence(database, "meta", holder)
            if not await database.read(text.is_current):
                await database.write(text.reset)
            settled = await database.read(text.is_settled)
        except BaseException:
            await database.close()
            raise
        store = cls(database, most_held)
        if not settled:
            store._settler.start()
        return store

    tally = reads(upkeep.tally)
    scopes = reads(upkeep.scopes)
    distilled = reads(upkeep.distilled)
    known_entities = reads(text.known_entities)
    mentioning = reads(text.mentioning)
    ancestors = reads(ancestors)
    embedded_count = reads(upkeep.embedded_count)
    owner = reads(upkeep.owner)
    belong_to = writes(upkeep.belong_to)

    async def put(self, memories: Sequence[Memory]) -> frozenset[str]:
        if not memories:
            return frozenset()

        def insert(tx: Connection) -> tuple[frozenset[str], writing.Rows]:
            added, rows = writing.insert(tx, memories)
            upkeep.drop(tx, sorted(added))
            return added, rows

        added, _ = await self._database.write(
            insert,
            brief=len(memories) <= BRIEF,
            on_commit=lambda inserted: self.in_memory.inserted(inserted[1]),
        )
        return added

    async def find(self, ids: Sequence[str], scopes: frozenset[str] | None = None) -> list[Memory]:
        async def read(missing: Sequence[str]) -> dict[str, Memory]:
            condition = Condition(f"memory.id {IN_LIST}", (listed(missing),)) & within(scopes)
            return {memory.id: memory for memory in await self._fetch(condition)}

        wanted = list(dict.fromkeys(ids))
        found = await self.in_memory.memories.through(wanted, read)
        inside = (found[id] for id in wanted if id in found)
        return [memory for memory in inside if scopes is None or memory.scope in scopes]

    async def resolve(self, prefix: str, scopes: frozenset[str] | None) -> list[str]:
        inside = within(scopes)
        start = prefix.encode("utf-8", "replace").decode()
        # Ids are written in one case, so that the index by id finds them.
        every = sorted({start, start.lower(), start.upper()})
        spelt = " OR ".join("memory.id BETWEEN ? AND ?" for _ in every)
        rows = await self._select(
            f"SELECT id FROM memory WHERE {inside.sql} AND ({spelt}) ORDER BY id LIMIT 10",
            (*inside.values, *(end for each in every for end in (each, each + "\U0010ffff"))),
        )
        return [id for (id,) in rows]

    async def page(
        self, where: Filter, *, order: Order = Order.NEWEST, limit: int = 20, offset: int = 0
    ) -> list[Memory]:
        condition, tail = matching(where), f"ORDER BY {ORDERS[order]}"
        # Chosen first: a sort would carry every body with it.
        chosen = Condition(
            f"memory.row IN (SELECT row FROM memory WHERE {condition.sql} {tail} LIMIT ? OFFSET ?)",
            (*condition.values, limit, offset),
        )
        return await self._fetch(chosen, tail)

    async def pages(self, where: Filter, *, size: int = 200) -> AsyncIterator[list[Memory]]:
        for among in await self._among(where, size, "id"):
            if found := await self._fetch(among, "ORDER BY memory.id"):
                yield found

    async def planned(self, where: Filter) -> AsyncIterator[tuple[Sequence[str], Population]]:
        for among in await self._among(where, AT_ONCE, "row"):
            found = await self._database.read(lambda con, among=among: planned(con, among))
            if found is None:
                # By memory, what cannot be read is set aside.
                page = await self._fetch(among)
                found = [memory.id for memory in page], Population.of(page)
            yield found

    async def _among(self, where: Filter, size: int, order: str) -> list[Condition]:
        """What matches, so many at a time."""
        condition = matching(where)
        # Sorted once: over several scopes every page would sort all that is left.
        rows = await self._select(
            f"SELECT row FROM memory WHERE {condition.sql} ORDER BY {order}", condition.values
        )
        return [
            Condition(f"memory.row {IN_LIST}", (listed(some),)) & condition
            for some in batched((row for (row,) in rows), size)
        ]

    async def count(self, where: Filter) -> int:
        condition = matching(where)
        query = f"SELECT count(*) FROM memory WHERE {condition.sql}"
        [(count,)] = await self._select(query, condition.values)
        return count

    async def amend(self, ids: Sequence[str], change: Change) -> list[Amendment]:
        amended = await self._database.write(
            lambda tx: writing.amend(tx, ids, change),
            on_commit=lambda amended: self.in_memory.amended(ids, amended),
        )
        return amended.amendments

    async def decay(
        self,
        now: float,
        plan: DecayPlan,
        bin_policy: BinPolicy,
        scopes: frozenset[str] | None = None,
    ) -> DecayCount:
        def follow(decayed: DecayResult) -> None:
            self.in_memory.decayed(decayed.gone, decayed.learnt)
            if decayed.gone:
                self._settler.start()

        decayed = await self._database.write(
            lambda tx: decay(tx, now, plan, bin_policy, scopes), on_commit=follow
        )
        return decayed.count

    async def purge(
        self, ids: Sequence[str], only: ports.Condition | None = None
    ) -> frozenset[str]:
        def delete(
            tx: Connection, some: Sequence[str]
        ) -> tuple[frozenset[str], list[VectorChange]]:
            deleted, changes = writing.delete(tx, some, only)
            if only is None:
                deleted |= upkeep.drop(tx, some)
            if deleted:
                deleting(tx, self._database.path)
            return deleted, changes

        purged: frozenset[str] = frozenset()
        for some in batched(ids, PURGED_AT_ONCE):
            gone, changes = await self._database.write(
                lambda tx, some=some: delete(tx, some),
                on_commit=lambda deleted, some=some: self.in_memory.deleted(some, deleted[1]),
            )
            purged |= gone
            if only is None:
                # What leaves the bin had left before.
                self.in_memory.changes.note(change.scope for change in changes)
        if purged:
            self._wiper.soon()
        return purged

    async def wiped(self) -> None:
        await self._wiper.now()

    async def unreadable(self) -> list[Unreadable]:
        await self._reader.set_aside(await self._database.read(upkeep.suspects))
        return await self._database.read(upkeep.every)

    async def changes(self, scope: str) -> str:
        found = await self._select("SELECT number FROM scope WHERE key = ?", (scope,))
        return self.in_memory.changes.of(found[0][0] if found else 0)

    async def purge_due(self, now: float, *, limit: int = 500) -> list[str]:
        rows = await self._select(
            "SELECT id FROM memory WHERE status = 'binned' AND purge_at <= ?"
            " ORDER BY purge_at, id LIMIT ?",
            (now, limit),
        )
        return [id for (id,) in rows]

    async def search_text(
        self,
        query: str,
        scopes: frozenset[str],
        *,
        limit: int = 50,
        kinds: frozenset[Kind] | None = None,
        own: str = "",
    ) -> list[Scored]:
        words = searched_terms(query)
        if not words or limit <= 0:
            return []
        wanted = text.WordsWanted(words, scopes, limit, kinds, own)
        terms = self.in_memory.terms
        # Asked for the changes before each read: a snapshot shows those at least.
        return await self._searched(
            terms, lambda: partial(text.search, wanted=wanted, changes=terms.changes)
        )

    async def indexed(self, scopes: frozenset[str]) -> dict[str, int]:
        return await self._database.read(lambda con: text.indexed(con, scopes))

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
        nearby = vector_table.Nearby(ranking.unit(query), fingerprint, scopes, limit, kinds)
        search = partial(vector_table.search, nearby=nearby)
        return await self._searched(self.in_memory.partitions, lambda: search)

    async def vectors(self, ids: Sequence[str]) -> Mapping[str, Embedded]:
        async def read(missing: Sequence[str]) -> dict[str, Embedded]:
            return await self._database.read(lambda con: vector_table.of(con, missing))

        return await self.in_memory.vectors.through(list(dict.fromkeys(ids)), read)

    async def set_vectors(
        self,
        fingerprint: str,
        vectors: Mapping[str, Vector],
        views: Mapping[str, Views] | None = None,
    ) -> int:
        changes = await self._database.write(
            lambda tx: vector_table.attach(tx, fingerprint, vectors, views),
            on_commit=lambda changes: self.in_memory.embedded(vectors, changes),
        )
        return len(changes)

    async def unembedded(self, fingerprint: str, *, limit: int = 64) -> list[Memory]:
        found = await self._reader.found(lambda con: upkeep.unembedded(con, fingerprint, limit))
        return found.memories

    async def check(self) -> None:
        await self._database.write(_written_to)

    async def close(self) -> None:
        await self._settler.aclose()
        await self._wiper.aclose()
        await self.in_memory.aclose()
        await self._database.close()

    async def settled(self) -> None:
        """Wait until exactly the recallable memories are in the indexes."""
        await self._settler.done()

    async def _searched[K: ScopeKey[int], P: Fillable[Any]](
        self,
        loaded: Loaded[K, P],
        begin: Callable[[], Callable[[Connection, Callable[[K], P | None]], Hits[K]]],
    ) -> list[Scored]:
        """What a search finds once all that it asks for is in memory; each time `begin` anew."""
        # Held here, because more scopes than fit into memory evict one another.
        held: dict[K, P] = {}

        def partition_of(key: K) -> P | None:
            return held.get(key) or loaded.at_hand(key)

        while True:
            search = begin()
            found, missing = await self._database.read(
                lambda con, search=search: search(con, partition_of)
            )
            if not missing:
                return found
            held |= {key: await loaded.load(key) for key in missing}

    async def _fetch(self, condition: Condition, tail: str = "") -> list[Memory]:
        found = await self._reader.found(lambda con: fetch(con, condition, tail))
        return found.memories

    async def _select(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        return await self._database.read(lambda con: select(con, sql, values))


def _written_to(tx: Connection) -> None:
    """Write a page as it is."""
    [version] = tx.execute("PRAGMA user_version").fetchone()
    tx.execute(f"PRAGMA user_version={version}")
