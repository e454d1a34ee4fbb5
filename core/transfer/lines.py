"""The export format: JSON Lines with a header, one memory a line, and a trailer that counts them.

Only reading and writing lines; no files. Nothing in a line is trusted.
"""

import base64
import binascii
import math
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import IO, Any, cast

import numpy as np

from ..model.conversation import Scope
from ..model.errors import TidemarkError
from ..model.memory import VIEWS, Memory
from ..ports import Embedded, Unreadable, Vector
from ..records.serialisation import NotARecord, fields_of, memory_of, object_of, to_json
from ..text.quoting import tags_of

PROGRAM = "tidemark-memories"
VERSION = 1
LONGEST_LINE = 4 << 20
"""Bytes, or characters, of one line, whoever wrote it."""

LONGEST_TEXT = 100_000
LONGER = {"preview": 300_000}
"""Characters of a text: of a picture's preview more."""

LONGEST_ID = 64
LATEST = 1e11
"""Unix seconds, some thousand years either way."""

LARGEST = 1 << 53
SHARES = frozenset(("importance", "confidence", "trust", "intensity"))
COUNTS = frozenset(
    "strength useful_count useful_score count confirmed judged turns stability difficulty".split()
)
"""Fields by name: numbers 0..1, and numbers from 0. All others are times."""

_ID = re.compile(rf"[0-9A-Za-z_.:-]{{1,{LONGEST_ID}}}")


class FileProblem(StrEnum):
    """Why a file is refused as a whole."""

    FOREIGN = "foreign"
    NEWER = "newer"
    EMPTY = "empty"


class NotOurExport(TidemarkError):
    """The file is not an export that this version can read; nothing of it was taken."""

    def __init__(self, problem: FileProblem) -> None:
        super().__init__(f"the file is {problem}")
        self.problem = problem


class LineProblem(StrEnum):
    """What is wrong with one line."""

    JSON = "json"
    RECORD = "record"
    RANGE = "range"
    SCOPE = "scope"
    ID = "id"
    VECTOR = "vector"
    LONG = "long"


class Rejected(Exception):
    """A line that cannot be taken; `field` is the dotted name of what does not fit, or ""."""

    def __init__(self, problem: LineProblem, field: str = "") -> None:
        super().__init__(f"{problem} {field}".strip())
        self.problem = problem
        self.field = field


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


@dataclass(frozen=True, slots=True)
class Trailer:
    """The last line: how many memories there are before it."""

    count: int


def line_of(part: Header | ExportedMemory | Unreadable | Trailer) -> bytes:
    """A line: a memory with every field, a record that cannot be read with all stored of it."""
    fields: dict[str, Any] = {}
    match part:
        case Header(at, journal, scopes, installation, erasures):
            fields = {
                "format": PROGRAM,
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
        case Trailer(count):
            fields["count"] = count
    return to_json(fields) + b"\n"


def _packed(vector: Vector) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def limited[T: (str, bytes)](source: IO[T]) -> Iterator[T]:
    """The lines of a file; one longer than `LONGEST_LINE` comes cut, and is too long still."""
    while line := source.readline(LONGEST_LINE + 1):
        rest = line
        while len(rest) > LONGEST_LINE and rest[-1:] not in ("\n", b"\n"):
            rest = source.readline(LONGEST_LINE + 1)
        yield line


def read_header(line: bytes) -> Header:
    """The header of an export. Raises NotOurExport for anything else."""
    if not line.strip():
        raise NotOurExport(FileProblem.EMPTY)
    try:
        fields = object_of(line)
    except NotARecord as error:
        raise NotOurExport(FileProblem.FOREIGN) from error
    version = fields.get("version")
    if fields.get("format") != PROGRAM or type(version) is not int:
        raise NotOurExport(FileProblem.FOREIGN)
    if not 1 <= version <= VERSION:
        raise NotOurExport(FileProblem.NEWER)
    at, erasures = fields.get("exported_at"), fields.get("erasures")
    return Header(
        float(at) if isinstance(at, int | float) and math.isfinite(at) else 0.0,
        str(fields.get("journal", "")),
        installation=str(fields.get("installation", "")),
        erasures=erasures if type(erasures) is int else 0,
    )


def read_line(line: bytes) -> ExportedMemory | Trailer | None:
    """A line after the first; None for a record that could not be read where it came from.

    Raises Rejected.
    """
    if len(line) > LONGEST_LINE:
        raise Rejected(LineProblem.LONG)
    try:
        fields = object_of(line)
    except NotARecord as error:
        raise Rejected(LineProblem.JSON) from error
    count, memory = fields.get("count"), fields.get("memory")
    if type(count) is int and count >= 0 and len(fields) == 1:
        return Trailer(count)
    if isinstance(fields.get("unreadable"), dict) and len(fields) == 1:
        return None
    if not isinstance(memory, dict):
        raise Rejected(LineProblem.RECORD, "memory")
    seal = fields.get("seal")
    sealed = seal if isinstance(seal, str) else ""
    return ExportedMemory(_memory(memory), _vector(fields.get("vector")), sealed)


def _memory(fields: dict[str, Any]) -> Memory:
    try:
        memory = memory_of(fields, strict=True)
    except NotARecord as error:
        raise Rejected(LineProblem.RECORD, error.field) from error
    if not _ID.fullmatch(memory.id):
        raise Rejected(LineProblem.ID, "id")
    try:
        Scope.parse(memory.scope)
    except ValueError as error:
        raise Rejected(LineProblem.SCOPE, "scope") from error
    for name, value in _values("", fields):
        _check(name, value)
    if memory.tags != tags_of(memory.tags):
        raise Rejected(LineProblem.RANGE, "tags")
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


def _check(name: str, value: str | float) -> None:
    """Texts and numbers that every policy and every store can take."""
    last = name.rpartition(".")[2]
    if isinstance(value, str):
        if len(value) > LONGER.get(last, LONGEST_TEXT):
            raise Rejected(LineProblem.LONG, name)
        return
    low, high = -LATEST, LATEST
    if last in SHARES or last in COUNTS:
        low, high = 0.0, 1.0 if last in SHARES else LARGEST
    if not (math.isfinite(value) and low <= value <= high):
        raise Rejected(LineProblem.RANGE, name)


def _vector(fields: object) -> Embedded | None:
    if fields is None:
        return None
    match fields:
        case {"fingerprint": str(fingerprint), "float32": str(body), **others}:
            views = _views(others.get("views", {}), fingerprint)
            return Embedded(fingerprint, _floats(body, fingerprint), views)
        case _:
            raise Rejected(LineProblem.VECTOR, "vector")


def _views(fields: object, fingerprint: str) -> dict[str, Vector]:
    """Further views by name; none in what was exported before there were any."""
    if not isinstance(fields, dict):
        raise Rejected(LineProblem.VECTOR, "vector.views")
    read: dict[str, Vector] = {}
    for name, body in cast("dict[str, object]", fields).items():
        if name not in VIEWS or not isinstance(body, str):
            raise Rejected(LineProblem.VECTOR, "vector.views")
        read[name] = _floats(body, fingerprint)
    return read


def _floats(body: str, fingerprint: str) -> Any:
    """A vector with a direction, as long as its fingerprint says."""
    try:
        data = base64.b64decode(body, validate=True)
        vector = np.frombuffer(data, dtype="<f4").astype(np.float32)
    except (binascii.Error, ValueError) as error:
        raise Rejected(LineProblem.VECTOR, "vector.float32") from error
    sound = bool(np.isfinite(vector).all()) and bool(np.any(vector))
    if not sound or fingerprint.rpartition(":")[2] != str(vector.size):
        raise Rejected(LineProblem.VECTOR, "vector.float32")
    return vector
