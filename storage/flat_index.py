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


class FlatIndex:
    """Inner products of unit vectors with row numbers, by FAISS at half precision.

    Stored vectors have no more than that, so a cosine is off by some 1e-5. FAISS removes by moving
    everything behind, so a removed vector stays, unfindable, until `most_removed` of them are
    dropped together. Its import is slow: made in a thread.
    """

    def __init__(self, dimension: int, most_removed: int = 64) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            import faiss
        self._faiss: Any = faiss
        halves, measure = faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
        self._index: Any = faiss.IndexScalarQuantizer(dimension, halves, measure)
        self._rows: Rows = np.empty(0, np.int64)
        self._kinds: Codes = np.empty(0, np.uint8)
        self._places: dict[int, int] = {}
        self._most_removed = most_removed

    def add(self, page: VectorPage) -> None:
        """Rows must be new."""
        first = len(self._rows)
        self._index.add(page.matrix)
        self._rows = np.concatenate([self._rows, page.rows])
        self._kinds = np.concatenate([self._kinds, page.kinds])
        self._places.update(zip(page.rows.tolist(), range(first, len(self._rows)), strict=True))

    def remove(self, rows: Rows) -> None:
        """Unknown rows are skipped."""
        for row in rows.tolist():
            if (place := self._places.pop(row, None)) is not None:
                self._rows[place] = _REMOVED
        if len(self._rows) - len(self._places) > self._most_removed:
            self._compact()

    def nearest(self, query: Vector, limit: int, kinds: Codes | None = None) -> tuple[Rows, Vector]:
        """At most `limit` rows of these kinds with their cosines, best first."""
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


def codes(kinds: Iterable[Kind]) -> Codes:
    """Kinds as the numbers that an index compares."""
    return np.array([_CODES[kind] for kind in kinds], np.uint8)
