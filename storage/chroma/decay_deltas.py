"""Changes of natural decay, kept beside the records, many memories to a row.

A write to Chroma costs by the row, and one pass of decay weakens nearly every memory of an
installation. It therefore writes rows of deltas and leaves the records alone. A delta and the
record it belongs to carry the same stamp. Whoever writes a record anew takes the delta into it
and gives the record a new stamp, which makes the old delta void. So neither the order of these
two writes nor a kill between them loses a delta or applies it twice.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

from .client import batches
from .collection import StoredCollection
from .mapping import DELTA, Metadata

ROW_SIZE = 48
"""Deltas in a row: below 4 KB, which is what a hosted Chroma takes in one value."""

MOST_DELTAS = 200_000
"""Held in memory over all scopes; about 400 bytes each."""

SCOPE = "scope"
ROWS = "rows"


class DecayDelta(NamedTuple):
    """The numbers of a vitality that time changes, for the life with this stamp."""

    stamp: int
    strength: int
    last_decay_at: float


@dataclass(frozen=True, slots=True)
class DeltaRows:
    """The deltas of one scope. An id stays in its row, so that a half-written pass has it once."""

    delta_rows: Sequence[Mapping[str, DecayDelta]] = ()

    def by_id(self) -> dict[str, DecayDelta]:
        """Every delta."""
        return {id: delta for delta_row in self.delta_rows for id, delta in delta_row.items()}

    def changed(self, deltas: Mapping[str, DecayDelta], live: Collection[str]) -> "DeltaRows":
        """With these deltas of `live` memories, and without those of any other."""
        delta_rows = [
            {id: deltas.get(id, delta) for id, delta in delta_row.items() if id in live}
            for delta_row in self.delta_rows
        ]
        known = self.by_id().keys()
        new = [id for id in deltas if id not in known]
        for delta_row in delta_rows:
            room = max(0, ROW_SIZE - len(delta_row))
            delta_row.update((id, deltas[id]) for id in new[:room])
            del new[:room]
        delta_rows += [{id: deltas[id] for id in some} for some in batches(new, ROW_SIZE)]
        return DeltaRows(delta_rows)

    def differing(self, other: "DeltaRows") -> dict[int, Mapping[str, DecayDelta]]:
        """The rows, by number, that are not the same in `other`."""
        return {
            number: delta_row
            for number, delta_row in enumerate(self.delta_rows)
            if number >= len(other.delta_rows) or other.delta_rows[number] != delta_row
        }


@dataclass(frozen=True, slots=True)
class DecayPass:
    """What a pass of time did to one scope, and its memories that were live before."""

    tag: str
    deltas: Mapping[str, DecayDelta]
    live: Collection[str]


class DecayDeltas:
    """The deltas of an installation; those of a scope are read when first asked for.

    Readers on any thread, one writer. What `of` gives never changes: it is taken before the
    records, so that what a reader sees of a memory was true at some moment since.
    """

    def __init__(
        self,
        found: Callable[[], StoredCollection | None],
        made: Callable[[], StoredCollection],
        most: int = MOST_DELTAS,
    ) -> None:
        self._found = found
        self._made = made
        self._most = most
        self._lock = Lock()
        self._held: OrderedDict[str, tuple[DeltaRows, Mapping[str, DecayDelta]]] = OrderedDict()
        self._changes = 0

    def of(self, tag: str) -> Mapping[str, DecayDelta]:
        """The deltas of a scope by id; those whose stamp is not the record's are void."""
        return self._at_hand(tag)[1]

    def write(self, passes: Iterable[DecayPass]) -> None:
        """Write the rows that passes of time change."""
        before = {each.tag: (each, self._at_hand(each.tag)[0]) for each in passes}
        after = {tag: old.changed(each.deltas, each.live) for tag, (each, old) in before.items()}
        rows = {
            f"{tag}:{number}": _row(tag, delta_row)
            for tag, delta_rows in after.items()
            for number, delta_row in delta_rows.differing(before[tag][1]).items()
        }
        if rows:
            self._made().upsert(rows)
        for tag, delta_rows in after.items():
            self._hold(tag, delta_rows)

    def delete(self, tag: str) -> None:
        """Delete the rows of a scope that is no more."""
        if (collection := self._found()) is not None:
            collection.delete(collection.ids({SCOPE: tag}))
        self.drop([tag])

    def drop(self, tags: Iterable[str]) -> None:
        """Forget what may no longer be true."""
        with self._lock:
            self._changes += 1
            for tag in tags:
                self._held.pop(tag, None)

    def forget(self) -> None:
        """`drop` for every scope: the rows are gone."""
        with self._lock:
            self._changes += 1
            self._held.clear()

    def _at_hand(self, tag: str) -> tuple[DeltaRows, Mapping[str, DecayDelta]]:
        with self._lock:
            changes, held = self._changes, self._held.get(tag)
            if held is not None:
                self._held.move_to_end(tag)
                return held
        delta_rows = self._read(tag)
        return self._hold(tag, delta_rows, unless_since=changes)

    def _hold(
        self, tag: str, delta_rows: DeltaRows, unless_since: int | None = None
    ) -> tuple[DeltaRows, Mapping[str, DecayDelta]]:
        """Keep what was read, unless something was written meanwhile, or what is written."""
        entry = (delta_rows, delta_rows.by_id())
        with self._lock:
            if unless_since is None:
                self._changes += 1
            elif unless_since != self._changes:
                return entry
            self._held[tag] = entry
            self._held.move_to_end(tag)
            number = sum(len(deltas) for _, deltas in self._held.values())
            while number > self._most and len(self._held) > 1:
                _, (_, dropped) = self._held.popitem(last=False)
                number -= len(dropped)
        return entry

    def _read(self, tag: str) -> DeltaRows:
        collection = self._found()
        if collection is None:
            return DeltaRows()
        rows = {
            _number(id): row for id, row in collection.get(collection.ids({SCOPE: tag})).items()
        }
        count = max(rows, default=-1) + 1
        return DeltaRows([_deltas_of(rows[n]) if n in rows else {} for n in range(count)])


@dataclass(frozen=True, slots=True)
class Records(StoredCollection):
    """The records of one scope, each with its delta."""

    tag: str
    deltas: DecayDeltas

    def get(self, ids: Iterable[str]) -> dict[str, Metadata]:
        """The metadata of those that exist; `DELTA` is the delta, if there may be one."""
        deltas = self.deltas.of(self.tag)
        return {
            id: {**metadata, DELTA: deltas[id]} if id in deltas else metadata
            for id, metadata in StoredCollection.get(self, ids).items()
        }


def _row(tag: str, delta_row: Mapping[str, DecayDelta]) -> Metadata:
    return {SCOPE: tag, ROWS: json.dumps(delta_row, separators=(",", ":"))}


def _number(id: str) -> int:
    return int(id.rpartition(":")[2])


def _deltas_of(row: Metadata) -> dict[str, DecayDelta]:
    """The deltas in a row. A row that cannot be read has none: the next pass makes them anew."""
    try:
        return {id: DecayDelta(*delta) for id, delta in json.loads(row[ROWS]).items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}
