"""What a network's file says of other files, read without loading it. Nothing is trusted."""

import mmap
from collections.abc import Iterator
from pathlib import Path

from ...model.errors import EmbeddingUnavailable

_DEEPEST = 32
_MODEL = {7: "graph", 25: "function"}
_INSIDE = {
    "model": _MODEL,
    "function": {7: "node"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {13: "entry"},
}
"""Messages of onnx.proto3 that lead to tensors, by the number of their field."""

type _Bytes = mmap.mmap | bytes


def outside_data(file: Path) -> set[str]:
    """The files besides `file` that its numbers are in, as it names them.

    Raises EmbeddingUnavailable if it is no network, OSError if it cannot be read.
    """
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as m:
            fields = {number for number, _, _ in _fields(m, 0, len(m))}
            if 7 not in fields:
                raise ValueError("it holds no graph")
            return set(_locations(m, 0, len(m), "model", 0))
    except (ValueError, IndexError, UnicodeDecodeError) as error:
        raise EmbeddingUnavailable(f"{file.name} is not an ONNX network ({error})") from error


def _locations(content: _Bytes, start: int, end: int, kind: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        raise ValueError("its graphs are nested too deeply")
    for number, first, last in _fields(content, start, end):
        inner = _INSIDE[kind].get(number)
        if inner == "entry" and last > first:
            entry = {n: content[a:b].decode("utf-8") for n, a, b in _fields(content, first, last)}
            if entry.get(1) == "location":
                yield entry.get(2, "")
        elif inner is not None:
            yield from _locations(content, first, last, inner, depth + 1)


def _fields(content: _Bytes, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Number, start and end of every field; a number's content is empty."""
    place = start
    while place < end:
        key, place = _varint(content, place, end)
        first = place
        match key & 7:
            case 0:
                _, place = _varint(content, place, end)
                first = place
            case 1:
                place += 8
            case 2:
                size, first = _varint(content, place, end)
                place = first + size
            case 5:
                place += 4
            case _:
                raise ValueError("it is damaged")
        if place > end:
            raise ValueError("it is cut short")
        yield key >> 3, first, place


def _varint(content: _Bytes, place: int, end: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if place >= end:
            raise ValueError("it is cut short")
        byte = content[place]
        place += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
    raise ValueError("it is damaged")
