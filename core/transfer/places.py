"""Where exported files lie, and which files may be imported."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

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


def _own(scope: str) -> str:
    name = hashlib.sha256(scope.encode("utf-8", "replace")).hexdigest()[:12]
    return f"own-{name}.jsonl"


def stamp(now: float) -> str:
    """A time as part of a file name, UTC: 20250615T150640Z; the year 9999 at the latest."""
    return moment(now, UTC).strftime("%Y%m%dT%H%M%SZ")
