"""Exhaustive search over unit vectors in memory, of all or of some kinds of memory."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.model.memory import Kind
from ..core.ports import Vector

type Rows = NDArray[np.int64]
type Codes = NDArray[np.uint8]
type Matrix = NDArray[np.float32]

_REMOVED = -1
_CODES = {kind: code for code, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class VectorPage:
    """Unit vectors, one row each, with their row numbers and the codes of their kinds."""

    rows: Rows
    kinds: Codes
    matrix: Matrix


class FaissIndex:
    """`NumpyIndex` with FAISS, at half precision: a search reads half as much.

    Stored vectors have no more than that, so a cosine is off by some 1e-5.

    FAISS removes by moving everything behind, so a removed vector stays, unfindable, until
    `most_removed` of them are dropped together.
    """

    def __init__(self, faiss: Any, dimension: int, most_removed: int = 64) -> None:
        self._faiss = faiss
        halves = faiss.ScalarQuantizer.QT_fp16
        self._index = faiss.IndexScalarQuantizer(dimension, halves, faiss.METRIC_INNER_PRODUCT)
        self._rows: Rows = np.empty(0, np.int64)
        self._kinds: Codes = np.empty(0, np.uint8)
        self._places: dict[int, int] = {}
        self._most_removed = most_removed

    def add(self, page: VectorPage) -> None:
        first = len(self._rows)
        self._index.add(page.matrix)
        self._rows = np.concatenate([self._rows, page.rows])
        self._kinds = np.concatenate([self._kinds, page.kinds])
        self._places.update(zip(page.rows.tolist(), range(first, len(self._rows)), strict=True))

    def remove(self, rows: Rows) -> None:
        for row in rows.tolist():
            if (place := self._places.pop(row, None)) is not None:
                self._rows[place] = _REMOVED
        if len(self._rows) - len(self._places) > self._most_removed:
            self._compact()

    def nearest(self, query: Vector, limit: int, kinds: Codes | None = None) -> tuple[Rows, Vector]:
        # OpenMP counts per calling thread, and waking its own costs more than one query gains.
        self._faiss.omp_set_num_threads(1)
        removed = len(self._rows) - len(self._places)
        found, parameters = limit + removed, None
        if kinds is not None:
            among = np.isin(self._kinds, kinds) & (self._rows != _REMOVED)
            bits = self._faiss.IDSelectorBitmap(np.packbits(among, bitorder="little"))
            found = min(limit, int(among.sum()))
            parameters = self._faiss.SearchParameters(sel=bits)
        if not (found := min(found, len(self._rows))):
            return np.empty(0, np.int64), np.empty(0, np.float32)
        cosines, places = self._index.search(query.reshape(1, -1), found, params=parameters)
        rows = self._rows[places[0]]
        kept = np.flatnonzero(rows != _REMOVED)[:limit]
        return rows[kept], cosines[0][kept]

    def _compact(self) -> None:
        removed = self._rows == _REMOVED
        self._index.remove_ids(np.flatnonzero(removed))
        self._rows, self._kinds = self._rows[~removed], self._kinds[~removed]
        self._places = {row: place for place, row in enumerate(self._rows.tolist())}


class NumpyIndex:
    """Inner products of unit vectors with row numbers, by numpy alone, where there is no FAISS."""

    def __init__(self, dimension: int) -> None:
        self._rows: Rows = np.empty(0, np.int64)
        self._kinds: Codes = np.empty(0, np.uint8)
        self._matrix: Matrix = np.empty((0, dimension), np.float32)

    def add(self, page: VectorPage) -> None:
        """Rows must be new."""
        self._rows = np.concatenate([self._rows, page.rows])
        self._kinds = np.concatenate([self._kinds, page.kinds])
        self._matrix = np.concatenate([self._matrix, page.matrix])

    def remove(self, rows: Rows) -> None:
        """Unknown rows are skipped."""
        kept = ~np.isin(self._rows, rows)
        self._rows, self._kinds = self._rows[kept], self._kinds[kept]
        self._matrix = self._matrix[kept]

    def nearest(self, query: Vector, limit: int, kinds: Codes | None = None) -> tuple[Rows, Vector]:
        """At most `limit` rows of these kinds with their cosines, best first."""
        rows, matrix = self._rows, self._matrix
        if kinds is not None:
            among = np.isin(self._kinds, kinds)
            rows, matrix = rows[among], matrix[among]
        # A product is shared with threads that wait for each other, see core/products.
        cosines = np.einsum("ij,j->i", matrix, query)
        order = np.argsort(-cosines, kind="stable")[:limit]
        return rows[order], cosines[order]


type FlatIndex = FaissIndex | NumpyIndex


def codes(kinds: Iterable[Kind]) -> Codes:
    """Kinds as the numbers that an index compares."""
    return np.array([_CODES[kind] for kind in kinds], np.uint8)


def flat_index(dimension: int) -> FlatIndex:
    """FAISS if it is installed; its import is slow, so the first call belongs in a thread."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            import faiss
    except ImportError:
        return NumpyIndex(dimension)
    return FaissIndex(faiss, dimension)
