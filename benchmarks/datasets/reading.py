"""Reading files of other people's making: what does not fit is named, the rest is used."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any


class NoData(ValueError):
    """A folder that holds nothing of the format asked for; the message names both."""


@dataclass(slots=True)
class Complaints:
    """What was left out, in the order of reading: "file:line: reason"."""

    found: list[str] = field(default_factory=list[str])

    def add(self, where: str, reason: object) -> None:
        """One more."""
        self.found.append(f"{where}: {reason}")


def files(folder: Path, pattern: str) -> list[Path]:
    """The folder's matching files by name. Raises NoData if there are none."""
    found = sorted(path for path in folder.glob(pattern) if path.is_file())
    if not found:
        raise NoData(f"{folder} has no {pattern}")
    return found


def literal(text: str) -> str:
    """As what a text must hold is looked for: without spaces, in small letters."""
    return "".join(text.split()).casefold()


def digest_of(folder: Path) -> str:
    """SHA-256 of the files below the folder: of each its path and its own digest, by their paths.

    Raises NoData without files.
    """
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    if not found:
        raise NoData(f"{folder.name} has no files")
    total = sha256()
    for path in found:
        own = sha256(path.read_bytes()).hexdigest()
        total.update(f"{path.relative_to(folder).as_posix()}\0{own}\n".encode())
    return total.hexdigest()


def json_value(path: Path, complaints: Complaints) -> Any:
    """The file's value; None if it is no JSON."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        complaints.add(path.name, error)
        return None


def json_items(path: Path, complaints: Complaints) -> Iterator[tuple[str, Any]]:
    """Every item of the file's list, with the place to name it by."""
    value = json_value(path, complaints)
    if value is not None and not isinstance(value, list):
        complaints.add(path.name, "not a list")
        return
    for index, item in enumerate(value or ()):
        yield f"{path.name}[{index}]", item


def json_lines(path: Path, complaints: Complaints) -> Iterator[tuple[str, Any]]:
    """Every value of the file's lines, with the place to name it by; empty lines are nothing."""
    for number, line in enumerate(_lines(path), start=1):
        where = f"{path.name}:{number}"
        if not line.strip():
            continue
        try:
            yield where, json.loads(line)
        except (ValueError, RecursionError) as error:
            complaints.add(where, error)


def rows(path: Path, *, columns: int, complaints: Complaints) -> Iterator[tuple[str, list[str]]]:
    """Every row of a tab-separated file that has so many columns, with its place."""
    lines = csv.reader(_lines(path), delimiter="\t", quoting=csv.QUOTE_NONE)
    for number, row in enumerate(lines, start=1):
        where = f"{path.name}:{number}"
        if len(row) == columns:
            yield where, row
        elif row:
            complaints.add(where, f"{len(row)} columns, not {columns}")


def _lines(path: Path) -> list[str]:
    # Not splitlines: a text may hold a character that only Unicode takes for the end of a line.
    return path.read_text("utf-8", errors="replace").replace("\r\n", "\n").split("\n")
