"""The one file that is wanted of an archive, unpacked no further than is safe. Blocks."""

import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from . import split_json
from .rows import NotASource, SourceProblem

MOST_ENTRIES = 100_000
LARGEST = 256 << 20
"""Bytes of what is unpacked, together."""

HIGHEST_RATIO = 200
"""Bytes that come of one: text shrinks to a tenth, nothing to a thousandth."""

_CONVERSATIONS = re.compile(r"conversations(-\d{1,4})?\.json")
_LINK = 0o120000


def conversations(file: Path) -> list[list[Any]]:
    """The conversations of ChatGPT's export, file by file. Raises NotASource and OSError."""
    try:
        with zipfile.ZipFile(file) as packed:
            return [_listed(packed, entry) for entry in _wanted(packed)]
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise NotASource(SourceProblem.FOREIGN) from error


def _wanted(packed: zipfile.ZipFile) -> Sequence[zipfile.ZipInfo]:
    entries = packed.infolist()
    if len(entries) > MOST_ENTRIES or any(map(_leads_out, entries)):
        raise NotASource(SourceProblem.BOMB)
    found = [e for e in entries if _CONVERSATIONS.fullmatch(PurePosixPath(e.filename).name)]
    if not found:
        raise NotASource(SourceProblem.FOREIGN)
    if any(e.file_size > HIGHEST_RATIO * max(1, e.compress_size) for e in found):
        raise NotASource(SourceProblem.BOMB)
    if sum(entry.file_size for entry in found) > LARGEST:
        raise NotASource(SourceProblem.TOO_LARGE, f"{LARGEST >> 20}")
    return sorted(found, key=lambda entry: entry.filename)


def _leads_out(entry: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(entry.filename.replace("\\", "/"))
    linked = (entry.external_attr >> 16) & 0o170000 == _LINK
    return linked or path.is_absolute() or ".." in path.parts


def _listed(packed: zipfile.ZipFile, entry: zipfile.ZipInfo) -> list[Any]:
    # What an entry says of its own size may be a lie.
    with packed.open(entry) as content:
        read = content.read(entry.file_size + 1)
    if len(read) > entry.file_size:
        raise NotASource(SourceProblem.BOMB)
    try:
        found = split_json.load(io.TextIOWrapper(io.BytesIO(read), "utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise NotASource(SourceProblem.FOREIGN) from error
    return found if isinstance(found, list) else []
