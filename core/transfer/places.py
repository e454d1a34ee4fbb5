"""Where exported files lie, and which files may be imported."""

import hashlib
import json
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC
from itertools import count
from mmap import ACCESS_READ, mmap
from pathlib import Path

from ..model.conversation import Scope
from ..model.times import moment

EXPORTS = "exports"
IMPORTS = "imports"

NEIGHBOURS = {
    "livingmemory": ("astrbot_plugin_livingmemory", "livingmemory.db"),
    "memora": ("astrbot_plugin_memora", "memora.db"),
    "angel_memory": ("astrbot_plugin_angel_memory", "memory_center", "index", "simple_memory.db"),
    "memory_companion": ("astrbot_plugin_memory_companion", "memory_companion.db"),
}
"""Where other memory plugins keep theirs, from the folder of all plugins' data."""

_BESIDE = ("-wal", "-shm")
"""Endings of what SQLite keeps beside a database."""

_NAME = re.compile(r"[\w][\w .()-]{0,127}")


@dataclass(frozen=True, slots=True)
class Places:
    """The two folders beside the data. All methods block."""

    folder: Path

    @property
    def exports(self) -> Path:
        return self.folder / EXPORTS

    @property
    def imports(self) -> Path:
        """Where an admin puts files to import."""
        return self.folder / IMPORTS

    def new(self, now: float) -> Path:
        """A file for an export of an admin's; no other export gets its name, however soon."""
        for name in numbered(f"memories-{stamp(now)}.jsonl"):
            file = self._export(name)
            # Taken by the file that is being written: the other only appears once it is whole.
            taken = partial_of(file)
            with suppress(FileExistsError):
                taken.touch(exist_ok=False)
                if not file.exists():
                    return file
                taken.unlink()
        raise AssertionError("there are always more numbers")

    def take(self, name: str, path: Path) -> str | None:
        """Copy a file into `imports`, under a name that no other has; None for no plain name."""
        if name in NEIGHBOURS or not _NAME.fullmatch(name):
            return None
        self.imports.mkdir(parents=True, exist_ok=True)
        free = next(each for each in numbered(name) if not (self.imports / each).exists())
        shutil.copyfile(path, self.imports / free)
        return free

    def own(self, scope: str) -> Path:
        """The file for a person's own export: always the same, so that it fills no disk."""
        return self._export(_own(scope))

    def drop_own(self, scopes: Iterable[str]) -> None:
        """Delete the files of these persons' own exports."""
        for scope in scopes:
            (self.exports / _own(scope)).unlink(missing_ok=True)

    def holding(self, persons: Iterable[Scope]) -> list[str]:
        """Names of files, exported or to be imported, in which something of these is: of their
        private chats, or said by them.
        """
        marks = [mark for person in persons for mark in _marks(person)]
        if not marks:
            return []
        wanted = re.compile(b"|".join(marks))
        return sorted(file.name for file in self._files() if _holds(file, wanted))

    def find(self, name: str) -> Path | None:
        """The file of that name in `imports` or else in `exports`; None for anything else.

        Only a plain name is one: no path leads out of the two folders, nor does a link. The name
        of another memory plugin of the same host is its database.
        """
        if name in NEIGHBOURS:
            return self.neighbours().get(name)
        return self.lying(name) if _NAME.fullmatch(name) else None

    def lying(self, name: str) -> Path | None:
        """The file that lies in `imports` or else in `exports` under exactly that name; no link."""
        found = (each for each in self._files() if each.name == name)
        return next((each for each in found if each.is_file() and not each.is_symlink()), None)

    def neighbours(self) -> dict[str, Path]:
        """The databases of other memory plugins beside our own data, by the plugin's name."""
        places = {name: self.folder.parent.joinpath(*path) for name, path in NEIGHBOURS.items()}
        return {name: file for name, file in places.items() if file.is_file()}

    def names(self) -> list[str]:
        """What could be imported: plugins beside ours, then files, newest first."""
        found = [
            file
            for file in self._files()
            if _NAME.fullmatch(file.name) and file.is_file() and not file.name.endswith(_BESIDE)
        ]
        return [*self.neighbours()] + [
            file.name for file in sorted(found, key=lambda each: -each.stat().st_mtime)
        ]

    def _files(self) -> Iterator[Path]:
        """All that lies in `imports`, then all in `exports`."""
        for folder in (self.imports, self.exports):
            yield from sorted(folder.iterdir()) if folder.is_dir() else ()

    def _export(self, name: str) -> Path:
        self.exports.mkdir(parents=True, exist_ok=True)
        self.imports.mkdir(parents=True, exist_ok=True)
        return self.exports / name


def numbered(name: str) -> Iterator[str]:
    """The name, then the same with a number, for where the names before are taken."""
    yield name
    stem, ending = Path(name).stem, Path(name).suffix
    yield from (f"{stem}-{number}{ending}" for number in count(2))


def partial_of(file: Path) -> Path:
    """Where an export is written until it is whole."""
    return file.with_name(f".{file.name}.partial")


def _marks(person: Scope) -> tuple[bytes, ...]:
    """How an export of ours names the person, and how other programs name the private chat."""
    whatever_persona = person.owner.rpartition("/")[0]
    written = json.dumps(person.subject, ensure_ascii=False)
    session = f"{person.platform}:FriendMessage:{person.subject}"
    ours = (f'"scope":"{whatever_persona}/', f'"speaker":{{"id":{written}')
    marks = [re.escape(mark.encode("utf-8", "replace")) for mark in (*ours, session)]
    # Not that of somebody whose account begins alike.
    return (*marks[:-1], marks[-1] + rb"(?![\w!.-])")


def _holds(file: Path, wanted: re.Pattern[bytes]) -> bool:
    """Of a file of any size; a link, a folder or an empty file holds nothing."""
    if file.is_symlink() or not file.is_file() or not file.stat().st_size:
        return False
    with file.open("rb") as opened, mmap(opened.fileno(), 0, access=ACCESS_READ) as content:
        return wanted.search(content) is not None


def _own(scope: str) -> str:
    name = hashlib.sha256(scope.encode("utf-8", "replace")).hexdigest()[:12]
    return f"own-{name}.jsonl"


def stamp(now: float) -> str:
    """A time as part of a file name, UTC: 20250615T150640Z; the year 9999 at the latest."""
    return moment(now, UTC).strftime("%Y%m%dT%H%M%SZ")
