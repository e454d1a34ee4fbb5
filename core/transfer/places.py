"""Where exported files lie, and which files may be imported."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from ..model.conversation import Scope
from ..model.times import moment

EXPORTS = "exports"
IMPORTS = "imports"

_NAME = re.compile(r"[\w][\w .()-]{0,127}")


@dataclass(frozen=True, slots=True)
class Places:
    """The two folders beside the data. All methods block."""

    folder: Path

    @property
    def exports(self) -> Path:
        """Where exports are written."""
        return self.folder / EXPORTS

    @property
    def imports(self) -> Path:
        """Where an admin puts files to import."""
        return self.folder / IMPORTS

    def new(self, now: float) -> Path:
        """A file for an export of an admin's."""
        return self._export(f"memories-{stamp(now)}.jsonl")

    def own(self, scope: str) -> Path:
        """The file for a person's own export: always the same, so that it fills no disk."""
        return self._export(_own(scope))

    def drop_own(self, scopes: Iterable[str]) -> None:
        """Delete the files of these persons' own exports."""
        for scope in scopes:
            (self.exports / _own(scope)).unlink(missing_ok=True)

    def holding(self, persons: Iterable[Scope]) -> list[str]:
        """Exports in which something of these persons' private chats, or said by them, is."""
        marks = [mark for person in persons for mark in _marks(person)]
        files = sorted(self.exports.glob("*.jsonl")) if self.exports.is_dir() else []
        return [file.name for file in files if _holds(file, marks)]

    def find(self, name: str) -> Path | None:
        """The file of that name in `imports` or else in `exports`; None for anything else.

        Only a plain name is one: no path leads out of the two folders, nor does a link.
        """
        if not _NAME.fullmatch(name):
            return None
        for folder in (self.imports, self.exports):
            file = folder / name
            if file.is_file() and file.resolve().parent == folder.resolve():
                return file
        return None

    def names(self) -> list[str]:
        """Files that could be imported, newest first."""
        found = [
            file
            for folder in (self.imports, self.exports)
            if folder.is_dir()
            for file in folder.iterdir()
            if _NAME.fullmatch(file.name) and file.is_file()
        ]
        return [file.name for file in sorted(found, key=lambda each: -each.stat().st_mtime)]

    def _export(self, name: str) -> Path:
        self.exports.mkdir(parents=True, exist_ok=True)
        self.imports.mkdir(parents=True, exist_ok=True)
        return self.exports / name


def _marks(person: Scope) -> tuple[bytes, bytes]:
    """How a line of an export names the person."""
    whatever_persona = person.owner.rpartition("/")[0]
    written = json.dumps(person.subject, ensure_ascii=False)
    marks = (f'"scope":"{whatever_persona}/', f'"speaker":{{"id":{written}')
    scope, speaker = (mark.encode("utf-8", "replace") for mark in marks)
    return scope, speaker


def _holds(file: Path, marks: Sequence[bytes]) -> bool:
    with file.open("rb") as lines:
        return any(mark in line for line in lines for mark in marks)


def _own(scope: str) -> str:
    name = hashlib.sha256(scope.encode("utf-8", "replace")).hexdigest()[:12]
    return f"own-{name}.jsonl"


def stamp(now: float) -> str:
    """A time as part of a file name, UTC: 20250615T150640Z; the year 9999 at the latest."""
    return moment(now, UTC).strftime("%Y%m%dT%H%M%SZ")
