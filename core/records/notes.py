"""The journal's small notes, read as what they must be."""

import json
import math
from functools import cache
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
        return None if found is None else _adapter(kind).validate_python(found)
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
def _adapter[T](kind: type[T]) -> TypeAdapter[T]:
    return TypeAdapter(kind)


def damaged(name: str) -> StorageError:
    """A note does not hold what it must."""
    text = f"the note {name!r} in {FILE} is damaged"
    return StorageError(text, file=FILE, fault=Fault.DAMAGED)
