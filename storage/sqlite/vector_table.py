"""The table of vectors: half precision, one per memory, with the embedder it came from."""

import asyncio
from collections.abc import AsyncGenerator, Mapping

import numpy as np
from aiosqlite import Connection

from ...core.ports import Scored, Vector
from .. import ranking
from ..connections import Database
from ..partitions import Matrix, PartitionKey, Partitions, Rows, VectorChange
from .records import IN_LIST, listed, select

PAGE = 5_000
"""Vectors read at a time when a partition is loaded."""

WIDEST = 4_096
"""How far a search looks for further rows that tie with the last one."""


def packed(vector: Vector) -> bytes:
    """A unit vector as little-endian half precision."""
    return vector.astype("<f2").tobytes()


def unpacked(bodies: list[bytes], dimension: int) -> Matrix:
    """Stored vectors as unit rows; half precision alone would be off by up to 0.1 %."""
    matrix = np.frombuffer(b"".join(bodies), dtype="<f2").reshape(-1, dimension)
    exact = matrix.astype(np.float32)
    return exact / np.linalg.norm(exact, axis=1, keepdims=True)


async def pages(database: Database, key: PartitionKey) -> AsyncGenerator[tuple[Rows, Matrix]]:
    """Rows that are recallable now, with their vectors."""
    async with database.read() as snapshot:
        found = await select(
            snapshot,
            "SELECT row FROM memory WHERE scope = ? AND recallable = 1 AND embedder ="
            " (SELECT number FROM embedder WHERE fingerprint = ?)",
            (key.scope, key.fingerprint),
        )
    every = [row for (row,) in found]
    for start in range(0, len(every), PAGE):
        async with database.read() as snapshot:
            bodies = dict(
                await select(
                    snapshot,
                    f"SELECT memory, body FROM vector WHERE memory {IN_LIST} AND length(body) = ?",
                    (listed(every[start : start + PAGE]), 2 * key.dimension),
                )
            )
        if bodies:
            matrix = await asyncio.to_thread(unpacked, list(bodies.values()), key.dimension)
            yield np.fromiter(bodies, np.int64), matrix


async def attach(
    transaction: Connection, fingerprint: str, vectors: Mapping[str, Vector]
) -> list[VectorChange]:
    """Write unit vectors to the memories that exist; one change each."""
    embedder = await _embedder(transaction, fingerprint)
    found = await select(
        transaction,
        f"SELECT row, id, scope, recallable FROM memory WHERE id {IN_LIST}",
        (listed(vectors),),
    )
    bodies = {id: packed(vectors[id]) for _, id, _, _ in found}
    await transaction.executemany(
        "INSERT OR REPLACE INTO vector (memory, embedder, body) VALUES (?, ?, ?)",
        [(row, embedder, bodies[id]) for row, id, _, _ in found],
    )
    await transaction.execute(
        f"UPDATE memory SET embedder = ? WHERE row {IN_LIST}",
        (embedder, listed(row for row, _, _, _ in found)),
    )
    return [
        VectorChange(scope, row, fingerprint, _restored(bodies[id]) if recallable else None)
        for row, id, scope, recallable in found
    ]


async def detach(transaction: Connection, rows: list[int]) -> None:
    """Drop the vectors of these rows."""
    await transaction.execute(f"DELETE FROM vector WHERE memory {IN_LIST}", (listed(rows),))
    await transaction.execute(
        f"UPDATE memory SET embedder = 0 WHERE row {IN_LIST}", (listed(rows),)
    )


async def stored(transaction: Connection, rows: list[int]) -> list[VectorChange]:
    """The vectors these rows have, as changes that make them findable."""
    found = await select(
        transaction,
        "SELECT memory.scope, memory.row, embedder.fingerprint, vector.body"
        " FROM vector JOIN memory ON memory.row = vector.memory"
        f" JOIN embedder ON embedder.number = vector.embedder WHERE vector.memory {IN_LIST}",
        (listed(rows),),
    )
    return [
        VectorChange(scope, row, fingerprint, _restored(body))
        for scope, row, fingerprint, body in found
    ]


async def nearest(
    partitions: Partitions, key: PartitionKey, query: Vector, limit: int
) -> dict[int, float]:
    """Score by row: at least the best `limit`, and those that tie with the last of them."""
    wanted = limit + 1
    while True:
        rows, cosines = await partitions.nearest(key, query, wanted)
        scores = [ranking.cosine_score(cosine) for cosine in cosines.tolist()]
        exhausted = len(scores) < wanted or wanted >= WIDEST
        if exhausted or scores[-1] < scores[limit - 1]:
            return dict(zip(rows.tolist(), scores, strict=True))
        wanted *= 4


async def named(snapshot: Connection, scores: Mapping[int, float]) -> list[Scored]:
    """Scores by memory id, without rows that have left recall since."""
    ids = await select(
        snapshot,
        f"SELECT row, id FROM memory WHERE row {IN_LIST} AND recallable = 1",
        (listed(scores),),
    )
    return [Scored(id, scores[row]) for row, id in ids]


async def _embedder(transaction: Connection, fingerprint: str) -> int:
    await transaction.execute(
        "INSERT OR IGNORE INTO embedder (fingerprint) VALUES (?)", (fingerprint,)
    )
    [(number,)] = await select(
        transaction, "SELECT number FROM embedder WHERE fingerprint = ?", (fingerprint,)
    )
    return number


def _restored(body: bytes) -> Vector:
    return unpacked([body], len(body) // 2)[0]
