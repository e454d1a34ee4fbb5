"""The 4-bit file the model is published in, and its conversion to the .npz that is kept.

The file ("E5S1", little-endian) is a header, the vocabulary, a map of replacements and named
tensors, either float32 or q4_0: blocks of 32 weights as one float16 scale and 16 bytes.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .weights import BLOCK

_MAGIC = b"E5S1"
_BLOCK_BYTES = 18
_MATRICES = ("q.w", "k.w", "v.w", "ao.w", "fi.w", "fo.w")
_VECTORS = ("q.b", "k.b", "v.b", "ao.b", "aln.w", "aln.b", "fi.b", "fo.b", "oln.w", "oln.b")


def convert(published: bytes, target: Path) -> None:
    """Write the published file's content as an uncompressed .npz, layers still at 4 bits.

    Raises ValueError if `published` is not such a file.
    """
    try:
        arrays = dict(_arrays(_Reader(published)))
    except (struct.error, KeyError, IndexError, UnicodeDecodeError) as error:
        raise ValueError(f"not a model file: {error}") from error
    with target.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


class _Reader:
    """A cursor over the published file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    def take(self, layout: str) -> tuple[Any, ...]:
        """The values of a little-endian struct at the cursor."""
        values = struct.unpack_from(f"<{layout}", self.data, self.place)
        self.place += struct.calcsize(f"<{layout}")
        return values

    def array(self, dtype: str, count: int) -> NDArray[Any]:
        """`count` numbers at the cursor."""
        made = np.frombuffer(self.data, dtype, count, self.place)
        self.place += made.nbytes
        return made

    def text(self, size: int) -> bytes:
        """`size` bytes at the cursor."""
        self.place += size
        return self.data[self.place - size : self.place]


def _arrays(reader: _Reader) -> Iterator[tuple[str, NDArray[Any]]]:
    if reader.text(4) != _MAGIC:
        raise ValueError("not a model file: it does not begin with E5S1")
    _, width, layers, heads, feed, _, _, _ = reader.take("8i")
    epsilon, block = reader.take("fi")
    if block != BLOCK:
        raise ValueError(f"not a model file: blocks of {block} weights")
    yield "shape", np.array([layers, heads])
    yield "epsilon", np.array(epsilon)
    yield from _vocabulary_arrays(reader)
    yield from _tensor_arrays(reader, layers, width, feed)


def _vocabulary_arrays(reader: _Reader) -> Iterator[tuple[str, NDArray[Any]]]:
    count, begin, end, padding, unknown = reader.take("5i")
    (size,) = reader.take("Q")
    bounds = reader.array("<u4", count + 1).tolist()
    scores = reader.array("<f4", count)
    blob = reader.text(size)
    pieces = [blob[bounds[i] : bounds[i + 1]] for i in range(count)]
    yield "control", np.array([begin, end, padding, unknown])
    yield "scores", scores
    yield "pieces", _joined(pieces)
    replacements = dict(_replacements(reader))
    yield "replaced", np.array(list(replacements), np.uint32)
    yield "replacements", _joined([text.encode("utf-8") for text in replacements.values()])


def _replacements(reader: _Reader) -> Iterator[tuple[int, str]]:
    count, _ = reader.take("iI")
    for _ in range(count):
        character, length = reader.take("IB")
        yield character, "".join(map(chr, reader.take(f"{length}I")))


def _joined(texts: list[bytes]) -> NDArray[np.uint8]:
    if any(b"\0" in text for text in texts):
        raise ValueError("not a model file: a piece contains NUL")
    return np.frombuffer(b"\0".join(texts), np.uint8)


def _tensor_arrays(
    reader: _Reader, layers: int, width: int, feed: int
) -> Iterator[tuple[str, NDArray[Any]]]:
    sections = dict(_sections(reader))

    def floats(name: str) -> NDArray[Any]:
        start, size = sections[name]
        return np.frombuffer(reader.data, "<f4", size // 4, start)

    yield "emb.pos", floats("emb.pos").reshape(-1, width)
    yield "emb.type", floats("emb.type").reshape(-1, width)
    for name in ("emb.ln.w", "emb.ln.b"):
        yield name, floats(name)
    inputs = {name: feed if name == "fo.w" else width for name in _MATRICES}
    matrices = {"emb.word": width} | {
        f"l{layer}.{name}": size for layer in range(layers) for name, size in inputs.items()
    }
    for name, size in matrices.items():
        scales, nibbles = _split(reader.data, *sections[name], size)
        yield f"{name}.scales", scales
        yield f"{name}.nibbles", nibbles
    for layer in range(layers):
        for name in _VECTORS:
            yield f"l{layer}.{name}", floats(f"l{layer}.{name}")


def _sections(reader: _Reader) -> Iterator[tuple[str, tuple[int, int]]]:
    """Name, start and size in bytes of every tensor."""
    (count,) = reader.take("i")
    for _ in range(count):
        (length,) = reader.take("H")
        name = reader.text(length).decode("utf-8")
        _, _, start, size = reader.take("BIQQ")
        yield name, (start, size)


def _split(
    data: bytes, start: int, size: int, width: int
) -> tuple[NDArray[np.float16], NDArray[np.uint8]]:
    """Scales and nibbles of a q4_0 tensor whose rows hold `width` weights."""
    raw = np.frombuffer(data, np.uint8, size, start).reshape(-1, width // BLOCK, _BLOCK_BYTES)
    scales = np.ascontiguousarray(raw[:, :, :2]).view("<f2")[:, :, 0]
    return scales, raw[:, :, 2:].reshape(len(raw), -1)
