"""A bar on a terminal's standard error; nothing where that is no terminal."""

import sys
from types import TracebackType
from typing import Self

WIDTH = 40


class ProgressBar:
    """Of `total` steps; drawn when a further column is full, wiped at the end."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._drawn = -1
        self._shown = sys.stderr.isatty()

    def show(self, step: int) -> None:
        """Step 1..total is done."""
        columns = WIDTH * step // self._total
        if self._shown and columns != self._drawn:
            self._drawn = columns
            share = f"{100 * step // self._total:>4} %"
            sys.stderr.write(f"\r[{'#' * columns}{' ' * (WIDTH - columns)}]{share}")
            sys.stderr.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._shown and self._drawn >= 0:
            sys.stderr.write(f"\r{' ' * (WIDTH + 8)}\r")
            sys.stderr.flush()
