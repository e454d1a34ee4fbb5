"""What a power failure may leave of a folder, given what was done to its files.

A file keeps what was written before its last sync began. Of what came later each sector, or each
change of size, is there or not. A folder keeps its names as of its last sync, and of the changes
after it those up to some moment: file systems with a journal keep their order. A folder is moved
with the names that were on the disk.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

SECTOR = 512


@dataclass(frozen=True, slots=True)
class Created:
    name: str
    file: int
    is_folder: bool = False


@dataclass(frozen=True, slots=True)
class Unlinked:
    name: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """The file is under another name, whatever that stood for; `within` a folder, if not alone."""

    name: str
    to: str
    file: int
    within: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    file: int
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncated:
    file: int
    size: int


@dataclass(frozen=True, slots=True)
class Synced:
    """A file is on the disk as it was after the first `covered` events."""

    file: int
    covered: int


@dataclass(frozen=True, slots=True)
class FolderSynced:
    """The names of a folder ("" for the whole) are on the disk as of the first `covered` events."""

    name: str
    covered: int


@dataclass(frozen=True, slots=True)
class Marked:
    """Somebody was told something."""

    what: str


type Event = Created | Unlinked | Renamed | Written | Truncated | Synced | FolderSynced | Marked
type Change = Written | Truncated
type NameChange = Created | Unlinked | Renamed


class Luck:
    """Which unsynced changes are on the disk when the power fails: by chance, also torn ones."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._share = chance.choice((0.1, 0.5, 0.9))

    def names(self, changes: int) -> int:
        """How many of a folder's changes, from the oldest on."""
        return self._chance.randint(0, changes)

    def keeps(self, name: str) -> bool:
        """Whether a sector of the file, or a change of its size, is there."""
        return self._chance.random() < self._share


class OnlyOf(Luck):
    """All that was done to files whose names begin so, and of others only what was synced.

    With "" it is as after a kill; with what begins no name nothing unsynced is there.
    """

    def __init__(self, prefix: str) -> None:
        super().__init__(random.Random(0))
        self._prefix = prefix

    def names(self, changes: int) -> int:
        return changes if not self._prefix else 0

    def keeps(self, name: str) -> bool:
        return name.startswith(self._prefix)


class Disk:
    """What is certainly on the disk, and what may be, as events go by."""

    def __init__(self) -> None:
        self._contents: defaultdict[int, bytearray] = defaultdict(bytearray)
        self._names: dict[str, int] = {}
        self._changes: defaultdict[int, list[tuple[int, Change]]] = defaultdict(list)
        self._name_changes: defaultdict[str, list[tuple[int, NameChange]]] = defaultdict(list)
        self._folders: set[int] = set()

    def happens(self, number: int, event: Event) -> None:
        """The event of this number, counted from 0."""
        match event:
            case Marked():
                pass
            case Written() | Truncated():
                self._changes[event.file].append((number, event))
            case Created() | Unlinked():
                self._name_changes[_folder(event.name)].append((number, event))
                if isinstance(event, Created) and event.is_folder:
                    self._folders.add(event.file)
            case Renamed():
                self._name_changes[_folder(event.within or event.to)].append((number, event))
            case Synced(file, covered):
                for _, change in _taken(self._changes[file], covered):
                    _apply(self._contents[file], change)
            case FolderSynced(name, covered):
                for each, change in _taken(self._name_changes[name], covered):
                    self._settle(each, change)

    def left(self, luck: Luck, into: Path) -> None:
        """Write what a power failure leaves now into a new folder."""
        into.mkdir()
        for name, file in sorted(self._names_left(luck).items()):
            target = into / name
            if not target.parent.is_dir():
                continue
            if file in self._folders:
                target.mkdir()
            else:
                target.write_bytes(self._content_left(name, file, luck))

    def _content_left(self, name: str, file: int, luck: Luck) -> bytes:
        content = bytearray(self._contents[file])
        for _, change in self._changes[file]:
            for piece in _pieces(change):
                if luck.keeps(name):
                    _apply(content, piece)
        return bytes(content)

    def _names_left(self, luck: Luck) -> dict[str, int]:
        names = dict(self._names)
        lucky = [each[: luck.names(len(each))] for each in self._name_changes.values()]
        for _, change in sorted(chain.from_iterable(lucky), key=lambda numbered: numbered[0]):
            _rename(names, change)
        return names

    def _settle(self, number: int, change: NameChange) -> None:
        _rename(self._names, change)
        if isinstance(change, Renamed):
            # Where it was before it is no more, however little of that folder is on the disk.
            for changes in self._name_changes.values():
                changes[:] = [c for c in changes if c[0] > number or not _makes(c[1], change.file)]


def crashes(events: Sequence[Event]) -> Iterator[tuple[int, Disk]]:
    """Before each sync, when the most is at stake, after it, and when somebody has been told
    something: the moment, and the disk.
    """
    disk = Disk()
    for number, event in enumerate(events):
        if isinstance(event, Synced | FolderSynced):
            yield number, disk
        disk.happens(number, event)
        if isinstance(event, Synced | FolderSynced | Marked):
            yield number + 1, disk
    yield len(events), disk


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _taken[T](changes: list[tuple[int, T]], covered: int) -> list[tuple[int, T]]:
    """Those that a sync covers; they stay no longer in the list."""
    done = [each for each in changes if each[0] < covered]
    changes[:] = [each for each in changes if each[0] >= covered]
    return done


def _makes(change: NameChange, file: int) -> bool:
    return isinstance(change, Created | Renamed) and change.file == file


def _rename(names: dict[str, int], change: NameChange) -> None:
    match change:
        case Created(name, file):
            names[name] = file
        case Unlinked(name):
            names.pop(name, None)
        case Renamed(name, to, file, within):
            there = names.get(name) == file
            if there:
                del names[name]
            if there or within is None:
                names[to] = file


def _apply(content: bytearray, change: Change) -> None:
    match change:
        case Written(_, offset, data):
            content.extend(bytes(max(0, offset - len(content))))
            content[offset : offset + len(data)] = data
        case Truncated(_, size):
            content.extend(bytes(max(0, size - len(content))))
            del content[size:]


def _pieces(change: Change) -> Iterator[Change]:
    """What is written at once: sectors."""
    if isinstance(change, Truncated):
        yield change
        return
    start, end = change.offset, change.offset + len(change.data)
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        yield Written(change.file, start, change.data[start - change.offset : stop - change.offset])
        start = stop
