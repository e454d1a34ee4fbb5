"""The table of vectors: at half precision, under the row of a memory times `PLACES` plus a place.

At place 0 is the vector of the whole, at the others those of its further views, as in `VIEWS`; they
are in the space of the whole. `memory.embedder` says what they came from.
"""

import logging
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import batched, compress
from sqlite3 import Connection
from typing import Any, NamedTuple

import numpy as np

from ...core.model.errors import StorageError
from ...core.model.memory import VIEWS, WHOLE, Kind
from ...core.ports import Embedded, Scored, Vector, Views
from .. import ranking
from ..connections import Database
from ..flat_index import Matrix, VectorPage, codes
from ..partitions import PLACES, Partition, PartitionKey, VectorChange
from .records import IN_LIST, listed, select

NAMES = (WHOLE, *VIEWS)
"""By their places."""

assert len(NAMES) <= PLACES

_KINDS = frozenset(Kind)

logger = logging.getLogger(__name__)

PAGE = 5_000
"""Memories whose vectors are read at a time when a partition is loaded."""

WIDEST = 4_096
"""How far a search looks for further rows that tie with the last one."""

_STORED = f"""
    SELECT vector.number, fingerprint, body, memory.id, memory.scope, memory.kind,
        memory.recallable
    FROM memory
    CROSS JOIN embedder ON embedder.number = memory.embedder
    CROSS JOIN vector
        ON vector.number BETWEEN memory.row * {PLACES} AND memory.row * {PLACES} + {PLACES - 1}
    WHERE memory.{{key}} {IN_LIST}
"""


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


@dataclass(frozen=True, slots=True)
class _StoredVectors:
    """The sound vectors of a memory, those of views by their place, and where it is."""

    row: int
    id: str
    scope: int
    kind: Kind
    recallable: bool
    whole: Embedded
    views: Mapping[int, Vector]


async def pages(database: Database, key: PartitionKey) -> AsyncGenerator[VectorPage]:
    """Rows that are recallable now, with their vectors. Broken ones are dropped on the way."""
    every = await database.read(lambda snapshot: rows_with_vectors(snapshot, key))
    for rows in batched(every, PAGE):
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
    query = f"SELECT row, id FROM memory WHERE id {IN_LIST}"
    id_of: dict[int, str] = dict(select(transaction, query, (listed(units),)))
    delete(transaction, id_of)
    transaction.executemany(
        "INSERT INTO vector (number, body) VALUES (?, ?)",
        [
            (row * PLACES + NAMES.index(name), packed(vector))
            for row, id in id_of.items()
            for name, vector in {WHOLE: units[id], **further.get(id, {})}.items()
        ],
    )
    query = f"UPDATE memory SET embedder = ? WHERE row {IN_LIST}"
    transaction.execute(query, (embedder, listed(id_of)))
    return stored(transaction, id_of)


def detach(transaction: Connection, rows: Iterable[int]) -> None:
    """Drop the vectors of these rows, which then lack one."""
    lacking = list(rows)
    delete(transaction, lacking)
    transaction.execute(f"UPDATE memory SET embedder = 0 WHERE row {IN_LIST}", (listed(lacking),))


def delete(transaction: Connection, rows: Iterable[int]) -> None:
    """Drop the vectors of these rows."""
    numbers = listed(row * PLACES + place for row in rows for place in range(len(NAMES)))
    transaction.execute(f"DELETE FROM vector WHERE number {IN_LIST}", (numbers,))


def stored(transaction: Connection, rows: Iterable[int]) -> list[VectorChange]:
    """The vectors these rows have, as changes that make the recallable ones findable."""
    return [
        VectorChange(
            each.scope,
            each.row,
            each.whole.fingerprint,
            each.whole.vector if each.recallable else None,
            each.kind,
            each.views,
        )
        for each in _stored(transaction, "row", rows)[0]
    ]


def of(snapshot: Connection, ids: Iterable[str]) -> dict[str, Embedded]:
    """The vectors of these memories, by id."""
    return {
        each.id: Embedded(
            each.whole.fingerprint,
            each.whole.vector,
            {NAMES[place]: view for place, view in each.views.items()},
        )
        for each in _stored(snapshot, "id", ids)[0]
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
    snapshot: Connection, key: PartitionKey, rows: Iterable[int]
) -> tuple[VectorPage | None, list[int]]:
    """The vectors of these rows, and the rows whose vector is broken."""
    found, broken = _stored(snapshot, "row", rows)
    own = (key.fingerprint, key.dimension)
    every = [
        (each.row * PLACES + place, each.kind, vector)
        for each in found
        if (each.whole.fingerprint, each.whole.vector.size) == own
        for place, vector in {0: each.whole.vector, **each.views}.items()
    ]
    if not every:
        return None, broken
    numbers, kinds, matrix = zip(*every, strict=True)
    return VectorPage(np.array(numbers, np.int64), codes(kinds), np.stack(matrix)), broken


async def _drop(database: Database, rows: list[int]) -> None:
    """Broken vectors go: what has none is embedded anew."""
    try:
        await database.write(lambda transaction: detach(transaction, rows))
    except StorageError as error:
        logger.warning("%d broken vectors stay for now: %s", len(rows), error)


def _stored(
    connection: Connection, key: str, values: Iterable[Any]
) -> tuple[list[_StoredVectors], list[int]]:
    """The vectors of memories by one of the columns, and the rows whose vector is broken."""
    found = select(connection, _STORED.format(key=key), (listed(values),))
    about = {number // PLACES: rest for number, _, _, *rest in found}
    vectors: defaultdict[int, dict[int, Embedded]] = defaultdict(dict)
    for number, own in sound(row[:3] for row in found).items():
        row, place = divmod(number, PLACES)
        vectors[row][place] = own
    told = [
        _StoredVectors(row, id, scope, Kind(kind), bool(recallable), vectors[row][0], _views(own))
        for row, (id, scope, kind, recallable) in about.items()
        if kind in _KINDS and 0 in (own := vectors[row])
    ]
    return told, [row for row in about if 0 not in vectors[row]]


def _views(vectors: Mapping[int, Embedded]) -> dict[int, Vector]:
    """The further ones, in the order of their places, that can be compared with the whole."""
    size = vectors[0].vector.size
    return {
        place: own.vector
        for place, own in sorted(vectors.items())
        if 0 < place < len(NAMES) and own.vector.size == size
    }


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
    return [Scored(id, scores[row].score, view=NAMES[-scores[row].nearer]) for row, id in ids]


def _embedder(transaction: Connection, fingerprint: str) -> int:
    transaction.execute("INSERT OR IGNORE INTO embedder (fingerprint) VALUES (?)", (fingerprint,))
    query = "SELECT number FROM embedder WHERE fingerprint = ?"
    [(number,)] = select(transaction, query, (fingerprint,))
    return number


def packed(vector: Vector) -> bytes:
    """A unit vector as little-endian half precision."""
    return vector.astype("<f2").tobytes()


def sound[K](stored: Iterable[tuple[K, str, object]]) -> dict[K, Embedded]:
    """Of keys, fingerprints and stored vectors those that are vectors, at unit length.

    They have a direction, and as many numbers as their fingerprint may say.
    """
    alike: defaultdict[tuple[str, int], dict[K, bytes]] = defaultdict(dict)
    for key, fingerprint, body in stored:
        if isinstance(body, bytes) and body and not len(body) % 2:
            alike[fingerprint, len(body) // 2][key] = body
    found: dict[K, Embedded] = {}
    for (fingerprint, size), bodies in alike.items():
        said = fingerprint.rpartition(":")[2]
        if said.isdecimal() and int(said) != size:
            continue
        # All at once: one by one they cost more than the search that found them.
        # As float32: half precision is tested number by number, without the processor's help.
        halves = np.frombuffer(b"".join(bodies.values()), dtype="<f2").reshape(-1, size)
        numbers: Matrix = halves.astype(np.float32)
        right = np.isfinite(numbers).all(axis=1) & numbers.any(axis=1)
        # Half precision alone would be off by up to 0.1 %.
        exact = numbers[right]
        units = exact / np.linalg.norm(exact, axis=1, keepdims=True)
        keys = compress(bodies, right.tolist())
        found |= {key: Embedded(fingerprint, unit) for key, unit in zip(keys, units, strict=True)}
    return found
