"""Hosts forked from a process that has imported what is not the host's own."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from astrbot_plugin_tidemark.scripts.hostkit.process import Command, HostProcess, Started, spawn

from .forking import POSSIBLE, ForkServer, Program

READ_AHEAD = Path(__file__).with_name("read_ahead.py")

PACKAGES = (
    *("aiocqhttp", "aiohttp.web", "anthropic.types", "apscheduler.schedulers.background"),
    *("click", "Crypto.Cipher.AES", "dashscope", "deprecated", "fastapi", "filelock"),
    *("google.genai.types", "httpcore", "httpx", "hypercorn.asyncio", "jieba", "jsonschema", "jwt"),
    *("loguru", "mcp", "numpy", "openai.lib.streaming.chat", "openai.resources.chat.completions"),
    *("openai.types.chat.chat_completion", "packaging.requirements", "PIL.Image", "psutil"),
    *("pydantic.v1", "pyotp", "pypdf", "sqlalchemy.dialects.sqlite", "sqlalchemy.ext.asyncio"),
    *("sqlmodel", "yaml"),
)
"""Most of the time of a start. The host's own modules bind themselves to its folder as they are
imported, and the plugin's have to be fresh.
"""


@dataclass
class Forked(asyncio.Protocol):
    pid: int = 0
    returncode: int | None = None
    _heard: bytes = b""
    _begun: asyncio.Event = field(default_factory=asyncio.Event)
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    async def started(self) -> None:
        """Returns once it runs. Raises ChildProcessError if it cannot."""
        await self._begun.wait()
        if not self.pid:
            raise ChildProcessError("the fork server has ended")

    async def wait(self) -> int:
        await self._over.wait()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, signal: int, /) -> None:
        if self.returncode is None:
            os.kill(self.pid, signal)

    def data_received(self, data: bytes) -> None:
        self._heard += data
        lines = self._heard.split(b"\n")
        if len(lines) > 1:
            self.pid = int(lines[0])
            self._begun.set()
        if len(lines) > 2:
            self.returncode = int(lines[1])

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over; or the server is, and nobody will tell how it ended."""
        if self.returncode is None:
            self.returncode = -signal.SIGKILL
        self._begun.set()
        self._over.set()


@contextmanager
def forked_hosts() -> Iterator[None]:
    """Within the block hosts are forked, but for those that have a launcher."""
    if not POSSIBLE:
        yield
        return
    server = ForkServer((*PACKAGES, str(READ_AHEAD)))

    async def fork(command: Command) -> Started:
        python, flag, text, *arguments = command.words
        if (python, flag) != (sys.executable, "-c"):
            return await spawn(command)
        program = Program(text, [flag, *arguments], [""], command.folder, command.environment)
        nothing = os.open(os.devnull, os.O_RDONLY)
        try:
            told = server.fork(program, [nothing, command.output, command.output])
        finally:
            os.close(nothing)
        loop = asyncio.get_running_loop()
        _, forked = await loop.connect_read_pipe(Forked, os.fdopen(told, "rb", 0))
        await forked.started()
        return forked

    HostProcess.spawn = staticmethod(fork)
    try:
        yield
    finally:
        HostProcess.spawn = staticmethod(spawn)
        server.close()
