"""The journal's small notes, and files that survive a power failure once they are written."""

import errno
import json
import math
import os
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ..model.errors import Fault, StorageError
from ..ports import Notes

FILE = "journal.db"
"""The file that holds notes, to be named when one is damaged."""


async def json_note(journal: Notes, name: str) -> Any:
    """What a note holds; None without one. Raises StorageError if it is not JSON."""
    try:
        return json.loads(await journal.note(name) or "null")
    except ValueError as error:
        raise damaged(name) from error


async def value_note[T](journal: Notes, name: str, kind: type[T]) -> T | None:
    """The value that a note holds; None without one. Raises StorageError for anything else."""
    found = await json_note(journal, name)
    try:
        return None if found is None else adapter(kind).validate_python(found)
    except ValidationError as error:
        raise damaged(name) from error


async def number_note(journal: Notes, name: str) -> float | None:
    """The number that a note holds; None without one, or if it holds anything else."""
    try:
        number = float(await journal.note(name) or "nan")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


@cache
def adapter[T](kind: type[T]) -> TypeAdapter[T]:
    """What reads values of a kind, and refuses others."""
    return TypeAdapter(kind)


def damaged(name: str) -> StorageError:
    """A note does not hold what it must."""
    text = f"the note {name!r} in {FILE} is damaged"
    return StorageError(text, file=FILE, fault=Fault.DAMAGED)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder outlast a power failure, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:
        # Windows opens no folder.
        return
    try:
        os.fsync(handle)
    except OSError as error:
        # Some file systems of other machines have no such thing.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)


def put_text(text: str, file: Path) -> None:
    """Write a whole file, or leave it as it was. Raises OSError."""
    partial = file.with_name(f"{file.name}.partial")
    with partial.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    partial.replace(file)
    sync_folder(file.parent)


def publish(partial: Path, target: Path) -> None:
    """Give a folder that is complete its name, under which there is nothing yet. Raises OSError."""
    for each in partial.rglob("*"):
        if each.is_dir():
            sync_folder(each)
            continue
        with each.open("rb+") as written:
            os.fsync(written.fileno())
    sync_folder(partial)
    partial.rename(target)
    # The folder that it is in may be a new one.
    sync_folder(target.parent)
    sync_folder(target.parent.parent)
