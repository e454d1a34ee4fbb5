"""Tables of another program's database: read, never changed."""

from collections.abc import Iterator, Mapping
from typing import Protocol


class ForeignTables(Protocol):
    """A copy of another program's database. All methods block and raise StorageError."""

    def columns(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table, by its name."""
        ...

    def rows(self, table: str) -> Iterator[Mapping[str, object]]:
        """Every row of a table, in the order of writing, by column. None of it is checked."""
        ...

    def discard(self) -> None:
        """Delete the copy. Idempotent."""
        ...
