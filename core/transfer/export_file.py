"""The export format: JSON Lines with a header, one memory a line, and a trailer that counts them.

Nothing in a line is trusted.
"""

import asyncio
import base64
import binascii
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from ..model.conversation import Scope
from ..model.memory import REPLY_MARK, VIEWS, Kind, Memory
from ..model.sleeping import Tell, no_progress
from ..ports import Embedded, Filter, Ledger, MemoryStore, Unreadable, Vector
from ..records.notes import sync_folder
from ..records.serialisation import NotARecord, fields_of, memory_of, object_of, to_json
from ..text.quoting import tags_of
from .foreign.rows import (
    LONGEST_LINE,
    NotASource,
    Program,
    Skip,
    SkippedRow,
    SourceProblem,
    limited,
)
from .places import partial_of

FORMAT = "tidemark-memories"
VERSION = 1
LONGEST_TEXT = 100_000
LONGER = {"preview": 300_000}
"""Characters of a text: of a picture's preview more."""

LATEST = 1e11
"""Unix seconds, some thousand years either way."""

LARGEST = 1 << 53
SHARES = frozenset(("importance", "confidence", "trust", "intensity"))
COUNTS = frozenset(
    "strength useful_count useful_score count confirmed judged turns stability difficulty".split()
)
"""Fields by name: numbers 0..1, and numbers from 0. All others are times."""

_ID = re.compile(r"[0-9A-Za-z_.:-]{1,64}")


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: when (Unix seconds), of which journal, which scopes (None: all).

    And how many erasures it has taken account of, by the count of which installation.
    """

    at: float
    journal: str
    scopes: tuple[str, ...] | None = None
    installation: str = ""
    erasures: int = 0


@dataclass(frozen=True, slots=True)
class ExportedMemory:
    """One memory, with its vector if it was exported with one.

    `seal` proves where an answer of the bot's in it comes from.
    """

    memory: Memory
    vector: Embedded | None = None
    seal: str = ""


async def export(
    store: MemoryStore,
    file: Path,
    header: Header,
    *,
    vectors: bool = False,
    ledger: Ledger | None = None,
    tell: Tell = no_progress,
) -> int:
    """Write the memories of the header's scopes, in any status; returns how many.

    `tell` is told how many of all. With the `ledger`, answers of the bot's are sealed, so that an
    import knows them. What is stored there and cannot be read follows as it is, uncounted.

    The file appears under its name only when it is whole, and replaces an older one. What is
    changed meanwhile is in it as it was before or after. Raises OSError.
    """
    partial = partial_of(file)
    scopes = None if header.scopes is None else frozenset(header.scopes)
    wanted = Filter(scopes=scopes, status=None)
    count, total = 0, await store.count(wanted)
    try:
        with await asyncio.to_thread(partial.open, "wb") as out:
            await asyncio.to_thread(_write, out, [line_of(header)])
            async for page in store.pages(wanted):
                embedded = await store.vectors([each.id for each in page]) if vectors else {}
                entries = [
                    ExportedMemory(each, embedded.get(each.id), seal_of(each, ledger))
                    for each in page
                ]
                await asyncio.to_thread(_write, out, map(line_of, entries))
                count += len(page)
                tell(count, max(total, count))
            every = await store.unreadable()
            aside = [each for each in every if scopes is None or each.scope in scopes]
            last = [*map(line_of, aside), line_of(count)]
            await asyncio.to_thread(_write, out, last, sync=True)
        await asyncio.to_thread(partial.replace, file)
        await asyncio.to_thread(sync_folder, file.parent)
    finally:
        partial.unlink(missing_ok=True)
    return count


def seal_of(memory: Memory, ledger: Ledger | None) -> str:
    """Proves later that the answer in a memory was exported here; "" if it has none."""
    if ledger is None or memory.kind is not Kind.EVIDENCE or REPLY_MARK not in memory.text:
        return ""
    return ledger.seal(memory.id, memory.scope, memory.text)


def _write(out: BinaryIO, lines: Iterable[bytes], *, sync: bool = False) -> None:
    out.write(b"".join(lines))
    if sync:
        out.flush()
        os.fsync(out.fileno())


def line_of(part: Header | ExportedMemory | Unreadable | int) -> bytes:
    """A line: a memory with every field, a record that cannot be read with all stored of it, or the
    last one, with how many memories there are before it.
    """
    fields: dict[str, Any] = {}
    match part:
        case Header(at, journal, scopes, installation, erasures):
            fields = {
                "format": FORMAT,
                "version": VERSION,
                "exported_at": at,
                "journal": journal,
                "scopes": None if scopes is None else list(scopes),
                "installation": installation,
                "erasures": erasures,
            }
        case ExportedMemory(memory, vector, seal):
            fields["memory"] = fields_of(memory, defaults=True)
            if vector is not None:
                views = {name: _packed(view) for name, view in vector.views.items()}
                own = {"fingerprint": vector.fingerprint, "float32": _packed(vector.vector)}
                fields["vector"] = {**own, "views": views} if views else own
            if seal:
                fields["seal"] = seal
        case Unreadable():
            fields["unreadable"] = asdict(part)
        case count:
            fields["count"] = count
    return to_json(fields) + b"\n"


def _packed(vector: Vector) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def header_of(file: Path) -> Header | None:
    """The header of an export; None of any other file. Raises NotASource for a newer version."""
    with file.open("rb") as source:
        return read_header(source.readline(LONGEST_LINE))


def read_header(line: bytes) -> Header | None:
    """The header in a first line; None if it is none. Raises NotASource for a newer version."""
    try:
        fields = object_of(line)
    except NotARecord:
        return None
    version, at, erasures = (fields.get(key) for key in ("version", "exported_at", "erasures"))
    if fields.get("format") != FORMAT or type(version) is not int:
        return None
    if version != VERSION:
        raise NotASource(SourceProblem.VERSION, f"{Program.TIDEMARK} {version}")
    return Header(
        float(at) if isinstance(at, int | float) and math.isfinite(at) else 0.0,
        str(fields.get("journal", "")),
        installation=str(fields.get("installation", "")),
        erasures=erasures if type(erasures) is int else 0,
    )


def exported_in(file: Path) -> Iterator[ExportedMemory | SkippedRow]:
    """The memories of an export, and what cannot be taken of it: also that it lacks lines."""
    with file.open("rb") as source:
        source.readline(LONGEST_LINE)
        seen, promised = 0, None
        for number, line in enumerate(limited(source), start=2):
            if not line.strip():
                continue
            try:
                found = read_line(line)
            except NotARecord:
                found = SkippedRow(str(number), Skip.BROKEN)
            if isinstance(found, int):
                promised = found
                continue
            yield found
            seen += not (isinstance(found, SkippedRow) and found.reason is Skip.UNREADABLE)
        if promised is None or seen < promised:
            yield SkippedRow("", Skip.CUT)


def read_line(line: bytes) -> ExportedMemory | SkippedRow | int:
    """A line after the first, the last as its count; skipped: what could not be read where it came
    from.

    Raises NotARecord.
    """
    if len(line) > LONGEST_LINE:
        raise NotARecord("the line is too long")
    fields = object_of(line)
    count, memory, seal = (fields.get(key) for key in ("count", "memory", "seal"))
    if type(count) is int and count >= 0 and len(fields) == 1:
        return count
    if isinstance(fields.get("unreadable"), dict) and len(fields) == 1:
        return SkippedRow("", Skip.UNREADABLE)
    if not isinstance(memory, dict):
        raise NotARecord("the line has no memory", "memory")
    sealed = seal if isinstance(seal, str) else ""
    return ExportedMemory(_memory(memory), _vector(fields.get("vector")), sealed)


def _memory(fields: dict[str, Any]) -> Memory:
    memory = memory_of(fields, strict=True)
    if not _ID.fullmatch(memory.id):
        raise NotARecord("the id is none", "id")
    try:
        Scope.parse(memory.scope)
    except ValueError as error:
        raise NotARecord("the scope is none", "scope") from error
    for name, value in _values("", fields):
        if not _in_range(name.rpartition(".")[2], value):
            raise NotARecord("a value is out of range", name)
    if memory.tags != tags_of(memory.tags):
        raise NotARecord("a value is out of range", "tags")
    return memory


def _values(name: str, value: object) -> Iterator[tuple[str, str | int | float]]:
    """Every text and number of a record, with its dotted name."""
    match value:
        case dict():
            for key, each in cast("dict[str, object]", value).items():
                yield from _values(f"{name}.{key}" if name else key, each)
        case list():
            for each in cast("list[object]", value):
                yield from _values(name, each)
        case str() | int() | float() if not isinstance(value, bool):
            yield name, value
        case _:
            pass


def _in_range(name: str, value: str | float) -> bool:
    """Whether every policy and every store can take it."""
    if isinstance(value, str):
        return len(value) <= LONGER.get(name, LONGEST_TEXT)
    low, high = -LATEST, LATEST
    if name in SHARES or name in COUNTS:
        low, high = 0.0, 1.0 if name in SHARES else LARGEST
    return math.isfinite(value) and low <= value <= high


def _vector(fields: object) -> Embedded | None:
    match fields:
        case None:
            return None
        case {"fingerprint": str(fingerprint), "float32": body, **others}:
            # There are no further views in what was exported before there were any.
            views = others.get("views", {})
            if isinstance(views, dict) and views.keys() <= set(VIEWS):
                named = cast("Mapping[str, object]", views).items()
                read = {name: _floats(each, fingerprint) for name, each in named}
                return Embedded(fingerprint, _floats(body, fingerprint), read)
        case _:
            pass
    raise NotARecord("the vector is none", "vector")


def _floats(body: object, fingerprint: str) -> Vector:
    """A vector with a direction, as long as its fingerprint says."""
    try:
        data = base64.b64decode(cast("str", body), validate=True)
        vector = np.frombuffer(data, dtype="<f4").astype(np.float32)
    except (binascii.Error, ValueError, TypeError) as error:
        raise NotARecord("the vector is none", "vector") from error
    sound = bool(np.isfinite(vector).all()) and bool(np.any(vector))
    if not sound or fingerprint.rpartition(":")[2] != str(vector.size):
        raise NotARecord("the vector is none", "vector")
    return vector
