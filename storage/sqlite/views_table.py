"""Vectors at half precision, and the table of further views: those of a memory beside the whole.

A view lies at the row of its memory times `PLACES` plus its place in `VIEWS`, counted from 1; it is
in the space of the whole, which names the embedder.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import compress
from sqlite3 import Connection

import numpy as np
from numpy.typing import NDArray

from ...core.model.memory import VIEWS, WHOLE
from ...core.ports import Embedded, Vector, Views
from ..flat_index import Matrix
from ..partitions import PLACES
from .records import IN_LIST, listed, select

assert len(VIEWS) < PLACES

type Placed = Mapping[int, Vector]
"""Vectors by the place of their view."""


def name(place: int) -> str:
    """The name of the view at a place."""
    return VIEWS[place - 1] if place else WHOLE


def placed(views: Views) -> dict[int, Vector]:
    """As they come back from the table."""
    return {VIEWS.index(name) + 1: restored(packed(view)) for name, view in views.items()}


def named(views: Placed) -> dict[str, Vector]:
    """By the names of the views, in the order of their places."""
    return {name(place): views[place] for place in sorted(views)}


def replace(transaction: Connection, views: Mapping[int, Views]) -> None:
    """Give these rows these unit vectors in the place of what they had."""
    delete(transaction, views)
    transaction.executemany(
        "INSERT INTO view (number, body) VALUES (?, ?)",
        [
            (row * PLACES + VIEWS.index(name) + 1, packed(view))
            for row, own in views.items()
            for name, view in own.items()
        ],
    )


def delete(transaction: Connection, rows: Iterable[int]) -> None:
    """Drop the further views of these rows."""
    if not _any(transaction):
        return
    transaction.execute(f"DELETE FROM view WHERE number {IN_LIST}", (_view_numbers(rows),))


def stored(snapshot: Connection, wholes: Mapping[int, Embedded]) -> dict[int, Placed]:
    """The sound views of the rows that have any, as long as the whole is."""
    if not _any(snapshot):
        return {}
    query = f"SELECT number, body FROM view WHERE number {IN_LIST}"
    found = select(snapshot, query, (_view_numbers(wholes),))
    told = ((number, wholes[number // PLACES].fingerprint, body) for number, body in found)
    views: defaultdict[int, dict[int, Vector]] = defaultdict(dict)
    for number, own in sound(told).items():
        row, place = divmod(number, PLACES)
        if own.vector.size == wholes[row].vector.size and 0 < place <= len(VIEWS):
            views[row][place] = own.vector
    return dict(views)


def _any(snapshot: Connection) -> bool:
    """Whether there is any: where there is none, nothing is to cost more than without views."""
    return bool(select(snapshot, "SELECT EXISTS (SELECT 1 FROM view)")[0][0])


def _view_numbers(rows: Iterable[int]) -> str:
    places = range(1, len(VIEWS) + 1)
    return listed(row * PLACES + place for row in rows for place in places)


def packed(vector: Vector) -> bytes:
    """A unit vector as little-endian half precision."""
    return vector.astype("<f2").tobytes()


def unpacked(bodies: Iterable[bytes], dimension: int) -> Matrix:
    """Sound vectors as unit rows."""
    return _units(_numbers(bodies, dimension).astype(np.float32))


def sound[K](stored: Iterable[tuple[K, str, object]]) -> dict[K, Embedded]:
    """Of keys, fingerprints and stored vectors those that are vectors.

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
        numbers = _numbers(bodies.values(), size).astype(np.float32)
        right = np.isfinite(numbers).all(axis=1) & numbers.any(axis=1)
        units = zip(compress(bodies, right.tolist()), _units(numbers[right]), strict=True)
        found |= {key: Embedded(fingerprint, unit) for key, unit in units}
    return found


def restored(body: bytes) -> Vector:
    return unpacked([body], len(body) // 2)[0]


def _numbers(bodies: Iterable[bytes], dimension: int) -> NDArray[np.float16]:
    return np.frombuffer(b"".join(bodies), dtype="<f2").reshape(-1, dimension)


def _units(exact: Matrix) -> Matrix:
    """At unit length: half precision alone would be off by up to 0.1 %."""
    return exact / np.linalg.norm(exact, axis=1, keepdims=True)
