"""Vectors at half precision, as they are stored in SQLite, and back. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from ...core.ports import Embedded, Vector
from ..flat_index import Matrix

type Halves = NDArray[np.float16]


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


def _numbers(bodies: Iterable[bytes], dimension: int) -> Halves:
    return np.frombuffer(b"".join(bodies), dtype="<f2").reshape(-1, dimension)


def _units(exact: Matrix) -> Matrix:
    """At unit length: half precision alone would be off by up to 0.1 %."""
    return exact / np.linalg.norm(exact, axis=1, keepdims=True)
