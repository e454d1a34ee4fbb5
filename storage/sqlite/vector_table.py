"""The table of vectors: half precision, one per memory, with the embedder it came from."""

import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from sqlite3 import Connection
from typing import NamedTuple

import numpy as np

from ...core.model.errors import StorageError
from ...core.model.memory import Kind
from ...core.ports import Embedded, Scored, Vector, Views
from .. import ranking
from ..connections import Database
from ..flat_index import VectorPage, codes
from ..partitions import PLACES, Partition, PartitionKey, VectorChange
from . import views_table
from .records import IN_LIST, listed, select
from .views_table import packed, restored, sound

_KINDS = frozenset(Kind)

logger = logging.getLogger(__name__)

PAGE = 5_000
"""Vectors read at a time when a partition is loaded."""

WIDEST = 4_096
"""How far a search looks for further rows that tie with the last one."""


@dataclass(frozen=True, slots=True)
class Nearby:
    """What a search is for: a unit vector, its fingerprint, where, how many, of which kinds."""

    query: Vector
    fingerprint: str
    scopes: Iterable[str]
    limit: int
    kinds: frozenset[Kind] | None = None


class Nearest(NamedTuple):
    """The best score of a row, and minus the place of its view: of equals the whole is greatest."""

    score: float
    nearer: int


async def pages(database: Database, key: PartitionKey) -> AsyncGenerator[VectorPage]:
    """Rows that are recallable now, with their vectors. Broken ones are dropped on the way."""
    every = await database.read(lambda snapshot: rows_with_vectors(snapshot, key))
    for start in range(0, len(every), PAGE):
        rows = listed(every[start : start + PAGE])
        page, broken = await database.read(lambda snapshot, rows=rows: _page(snapshot, key, rows))
        if broken:
            await _drop(database, broken)
        if page is not None:
            yield page


def attach(
    transaction: Connection,
    fingerprint: str,
    vectors: Mapping[str, Vector],
    views: Mapping[str, Views] | None = None,
) -> list[VectorChange]:
    """Write vectors, at unit length, to the memories that exist; one change each."""
    units, further = ranking.all_units(vectors, views)
    embedder = _embedder(transaction, fingerprint)
    query = f"SELECT row, id, scope, recallable, kind FROM memory WHERE id {IN_LIST}"
    found = select(transaction, query, (listed(units),))
    bodies = {id: packed(units[id]) for _, id, *_ in found}
    query = "INSERT OR REPLACE INTO vector (memory, embedder, body) VALUES (?, ?, ?)"
    transaction.executemany(query, [(row, embedder, bodies[id]) for row, id, *_ in found])
    query = f"UPDATE memory SET embedder = ? WHERE row {IN_LIST}"
    transaction.execute(query, (embedder, listed(row for row, *_ in found)))
    views_table.replace(transaction, {row: further.get(id, {}) for row, id, *_ in found})
    return [
        VectorChange(
            scope,
            row,
            fingerprint,
            restored(bodies[id]) if recallable else None,
            Kind(kind),
            views_table.placed(further.get(id, {})),
        )
        for row, id, scope, recallable, kind in found
        if kind in _KINDS
    ]


def detach(transaction: Connection, rows: list[int]) -> None:
    """Drop the vectors of these rows."""
    transaction.execute(f"DELETE FROM vector WHERE memory {IN_LIST}", (listed(rows),))
    transaction.execute(f"UPDATE memory SET embedder = 0 WHERE row {IN_LIST}", (listed(rows),))
    views_table.delete(transaction, rows)


def stored(transaction: Connection, rows: list[int]) -> list[VectorChange]:
    """The vectors these rows have, as changes that make them findable."""
    query = (
        "SELECT memory.scope, memory.row, memory.kind, embedder.fingerprint, vector.body"
        " FROM vector JOIN memory ON memory.row = vector.memory"
        f" JOIN embedder ON embedder.number = vector.embedder WHERE vector.memory {IN_LIST}"
    )
    found = select(transaction, query, (listed(rows),))
    vectors = sound((each[:3], *each[3:]) for each in found)
    views = views_table.stored(transaction, {row: own for (_, row, _), own in vectors.items()})
    return [
        VectorChange(scope, row, own.fingerprint, own.vector, Kind(kind), views.get(row, {}))
        for (scope, row, kind), own in vectors.items()
    ]


def of(snapshot: Connection, ids: Iterable[str]) -> dict[str, Embedded]:
    """The vectors of these memories, by id."""
    query = (
        "SELECT memory.id, memory.row, embedder.fingerprint, vector.body"
        " FROM vector JOIN memory ON memory.row = vector.memory"
        f" JOIN embedder ON embedder.number = vector.embedder WHERE memory.id {IN_LIST}"
    )
    found = select(snapshot, query, (listed(ids),))
    vectors = sound((each[:2], *each[2:]) for each in found)
    views = views_table.stored(snapshot, {row: own for (_, row), own in vectors.items()})
    return {
        id: replace(own, views=views_table.named(views[row])) if row in views else own
        for (id, row), own in vectors.items()
    }


def search(
    snapshot: Connection, partition_of: Callable[[PartitionKey], Partition | None], nearby: Nearby
) -> tuple[list[Scored], list[PartitionKey]]:
    """The best of the partitions at hand, and the keys of those that are not.

    Ties with the last one are included; rows that have left recall since are not.
    """
    query = f"SELECT number FROM scope WHERE key {IN_LIST} AND rows > 0"
    numbers = select(snapshot, query, (listed(nearby.scopes),))
    scores: dict[int, Nearest] = {}
    missing: list[PartitionKey] = []
    for (scope,) in numbers:
        key = PartitionKey(scope, nearby.fingerprint, nearby.query.size)
        if (partition := partition_of(key)) is None:
            missing.append(key)
        else:
            scores |= _nearest(partition, nearby)
    return ranking.best(_named(snapshot, scores), nearby.limit), missing


def rows_with_vectors(snapshot: Connection, key: PartitionKey) -> list[int]:
    """The recallable rows of the key's scope that have a vector of its embedder."""
    # With the plus the embedder leads to no index: nearly all vectors of all scopes are of one.
    query = (
        "SELECT row FROM memory WHERE scope = ? AND recallable = 1 AND +embedder ="
        " (SELECT number FROM embedder WHERE fingerprint = ?)"
    )
    found = select(snapshot, query, (key.scope, key.fingerprint))
    return [row for (row,) in found]


def _page(
    snapshot: Connection, key: PartitionKey, rows: str
) -> tuple[VectorPage | None, list[int]]:
    """The vectors of these rows, and the rows whose vector is broken."""
    query = (
        "SELECT vector.memory, vector.body, memory.kind"
        " FROM vector JOIN memory ON memory.row = vector.memory"
        f" WHERE vector.memory {IN_LIST}"
    )
    found = select(snapshot, query, (rows,))
    kinds = {row: kind for row, _, kind in found}
    vectors = sound((row, key.fingerprint, body) for row, body, _ in found)
    broken = [row for row in kinds if row not in vectors]
    fit = {
        row: own.vector
        for row, own in vectors.items()
        if own.vector.size == key.dimension and kinds[row] in _KINDS
    }
    if not fit:
        return None, broken
    further = views_table.stored(snapshot, {row: vectors[row] for row in fit})
    every = [
        (row * PLACES + place, Kind(kinds[row]), view)
        for row, vector in fit.items()
        for place, view in {0: vector, **further.get(row, {})}.items()
    ]
    numbers, told, matrix = zip(*every, strict=True)
    return VectorPage(np.array(numbers, np.int64), codes(told), np.stack(matrix)), broken


async def _drop(database: Database, rows: list[int]) -> None:
    """Broken vectors go: what has none is embedded anew."""
    try:
        await database.write(lambda transaction: detach(transaction, rows))
    except StorageError as error:
        logger.warning("%d broken vectors stay for now: %s", len(rows), error)


def _nearest(partition: Partition, nearby: Nearby) -> dict[int, Nearest]:
    """By row: at least the best `limit`, and those that tie with the last of them."""
    wanted = nearby.limit + 1
    while True:
        numbers, cosines = partition.nearest(nearby.query, wanted, nearby.kinds)
        rows: dict[int, Nearest] = {}
        for number, score in zip(numbers.tolist(), ranking.cosine_scores(cosines), strict=True):
            row, place = divmod(number, PLACES)
            if row not in rows or rows[row] < (score, -place):
                rows[row] = Nearest(score, -place)
        scores = [each.score for each in rows.values()]
        exhausted = len(numbers) < wanted or wanted >= WIDEST
        if exhausted or (len(scores) > nearby.limit and scores[-1] < scores[nearby.limit - 1]):
            return rows
        wanted *= 4


def _named(snapshot: Connection, scores: Mapping[int, Nearest]) -> list[Scored]:
    query = f"SELECT row, id FROM memory WHERE row {IN_LIST} AND recallable = 1"
    ids = select(snapshot, query, (listed(scores),))
    return [
        Scored(id, scores[row].score, view=views_table.name(-scores[row].nearer)) for row, id in ids
    ]


def _embedder(transaction: Connection, fingerprint: str) -> int:
    transaction.execute("INSERT OR IGNORE INTO embedder (fingerprint) VALUES (?)", (fingerprint,))
    query = "SELECT number FROM embedder WHERE fingerprint = ?"
    [(number,)] = select(transaction, query, (fingerprint,))
    return number
