"""The rows of an index that contain a term, and how often, as columns."""

from array import array
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..ranking import Column

type Rows = NDArray[np.uintc]


def numbers() -> "array[int]":
    """An empty column that grows."""
    return array("I")


def column(values: "array[int]") -> Rows:
    """The values as they are, without a copy: no value can be added for as long as it is held."""
    return np.frombuffer(values, np.uintc)


@dataclass(slots=True)
class Posting:
    """One term's rows, ascending; `live` of them have not been removed."""

    live: int = 0
    _rows: "array[int]" = field(default_factory=numbers)
    _times: "array[int]" = field(default_factory=numbers)

    def add(self, row: int, times: int) -> None:
        """One more row, after all others."""
        self._rows.append(row)
        self._times.append(times)
        self.live += 1

    def rows(self) -> Rows:
        """The rows, removed ones included; see `column`."""
        return column(self._rows)

    def counts(self, rows: Rows) -> Column:
        """How often the term is in each of these rows. There is at least one row with it."""
        known = self.rows()
        at = np.minimum(np.searchsorted(known, rows), len(known) - 1)
        return np.where(known[at] == rows, column(self._times)[at], 0).astype(np.float64)
