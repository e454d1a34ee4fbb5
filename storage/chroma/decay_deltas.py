"""What natural decay has made of memories: many to a row, beside the records.

A write of Chroma costs by the row, and time weakens nearly every memory of an installation at
once. A pass therefore writes sheets of fades and leaves the records alone. A fade belongs to one
writing of a record's life, told by the stamp of both. Whatever writes that life anew has taken
the fade into it and gives it a new stamp, which voids the fade: neither the order of the two
writes nor a kill between them can lose one or apply it twice.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

from .client import batches
from .collection import Shelf
from .mapping import FADE, Metadata

SHEET = 48
"""Fades in a row: below 4 KB, which is what a hosted Chroma takes in one value."""

MOST_FADES = 200_000
"""Held in memory over all scopes; about 400 bytes each."""

SCOPE = "scope"
ROWS = "rows"


class Fade(NamedTuple):
    """The numbers of a vitality that time changes, for the life with this stamp."""

    stamp: int
    strength: int
    last_decay_at: float


@dataclass(frozen=True, slots=True)
class Sheets:
    """The fades of one scope. An id stays on its sheet, so that a half-written pass has it once."""

    sheets: Sequence[Mapping[str, Fade]] = ()

    def by_id(self) -> dict[str, Fade]:
        """Every fade."""
        return {id: fade for sheet in self.sheets for id, fade in sheet.items()}

    def changed(self, fades: Mapping[str, Fade], live: Collection[str]) -> "Sheets":
        """With these fades of `live` memories, and without those of any other."""
        sheets = [
            {id: fades.get(id, fade) for id, fade in sheet.items() if id in live}
            for sheet in self.sheets
        ]
        known = self.by_id().keys()
        new = [id for id in fades if id not in known]
        for sheet in sheets:
            room = max(0, SHEET - len(sheet))
            sheet.update((id, fades[id]) for id in new[:room])
            del new[:room]
        sheets += [{id: fades[id] for id in some} for some in batches(new, SHEET)]
        return Sheets(sheets)

    def differing(self, other: "Sheets") -> dict[int, Mapping[str, Fade]]:
        """The sheets, by number, that are not the same in `other`."""
        return {
            number: sheet
            for number, sheet in enumerate(self.sheets)
            if number >= len(other.sheets) or other.sheets[number] != sheet
        }


@dataclass(frozen=True, slots=True)
class DecayPass:
    """What a pass of time did to one scope, and its memories that were live before."""

    tag: str
    fades: Mapping[str, Fade]
    live: Collection[str]


class Fades:
    """The fades of an installation; those of a scope are read when first asked for.

    Readers on any thread, one writer. What `of` gives never changes: it is taken before the
    records, so that what a reader sees of a memory was true at some moment since.
    """

    def __init__(
        self, found: Callable[[], Shelf | None], made: Callable[[], Shelf], most: int = MOST_FADES
    ) -> None:
        self._found = found
        self._made = made
        self._most = most
        self._lock = Lock()
        self._held: OrderedDict[str, tuple[Sheets, Mapping[str, Fade]]] = OrderedDict()
        self._changes = 0

    def of(self, tag: str) -> Mapping[str, Fade]:
        """The fades of a scope by id; those whose stamp is not the record's are void."""
        return self._at_hand(tag)[1]

    def write(self, passes: Iterable[DecayPass]) -> None:
        """Write the sheets that passes of time change."""
        before = {each.tag: (each, self._at_hand(each.tag)[0]) for each in passes}
        after = {tag: old.changed(each.fades, each.live) for tag, (each, old) in before.items()}
        rows = {
            f"{tag}:{number}": _row(tag, sheet)
            for tag, sheets in after.items()
            for number, sheet in sheets.differing(before[tag][1]).items()
        }
        if rows:
            self._made().upsert(rows)
        for tag, sheets in after.items():
            self._hold(tag, sheets)

    def delete(self, tag: str) -> None:
        """Delete the sheets of a scope that is no more."""
        if (shelf := self._found()) is not None:
            shelf.delete(shelf.ids({SCOPE: tag}))
        self.drop([tag])

    def drop(self, tags: Iterable[str]) -> None:
        """Forget what may no longer be true."""
        with self._lock:
            self._changes += 1
            for tag in tags:
                self._held.pop(tag, None)

    def _at_hand(self, tag: str) -> tuple[Sheets, Mapping[str, Fade]]:
        with self._lock:
            changes, held = self._changes, self._held.get(tag)
            if held is not None:
                self._held.move_to_end(tag)
                return held
        sheets = self._read(tag)
        return self._hold(tag, sheets, unless_since=changes)

    def _hold(
        self, tag: str, sheets: Sheets, unless_since: int | None = None
    ) -> tuple[Sheets, Mapping[str, Fade]]:
        """Keep what was read, unless something was written meanwhile, or what is written."""
        entry = (sheets, sheets.by_id())
        with self._lock:
            if unless_since is None:
                self._changes += 1
            elif unless_since != self._changes:
                return entry
            self._held[tag] = entry
            self._held.move_to_end(tag)
            number = sum(len(fades) for _, fades in self._held.values())
            while number > self._most and len(self._held) > 1:
                _, (_, dropped) = self._held.popitem(last=False)
                number -= len(dropped)
        return entry

    def _read(self, tag: str) -> Sheets:
        shelf = self._found()
        if shelf is None:
            return Sheets()
        rows = {_number(id): row for id, row in shelf.get(shelf.ids({SCOPE: tag})).items()}
        count = max(rows, default=-1) + 1
        return Sheets([_sheet(rows[n]) if n in rows else {} for n in range(count)])


@dataclass(frozen=True, slots=True)
class Records(Shelf):
    """The records of one scope, each with its fade."""

    tag: str
    fades: Fades

    def get(self, ids: Iterable[str]) -> dict[str, Metadata]:
        """The metadata of those that exist; `FADE` is the fade, if there may be one."""
        fades = self.fades.of(self.tag)
        return {
            id: {**metadata, FADE: fades[id]} if id in fades else metadata
            for id, metadata in Shelf.get(self, ids).items()
        }


def _row(tag: str, sheet: Mapping[str, Fade]) -> Metadata:
    return {SCOPE: tag, ROWS: json.dumps(sheet, separators=(",", ":"))}


def _number(id: str) -> int:
    return int(id.rpartition(":")[2])


def _sheet(row: Metadata) -> dict[str, Fade]:
    """The fades of a row. Of one that cannot be read none: the next pass makes them anew."""
    try:
        return {id: Fade(*fade) for id, fade in json.loads(row[ROWS]).items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}
