"""Start and stop a host process."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from .clock import VARIABLE, ClockFile
from .root import HostRoot

_HOST = "127.0.0.1"
# Without written bytecode the host recompiles thousands of modules at every start; a prefix
# would hide the bytecode pip has already written.
_DROPPED = {"PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTHONPATH"}
_RUN = (
    "import atexit, gc, runpy; atexit.register(gc.freeze); gc.set_threshold(100_000, 20, 50);"
    " runpy.run_module('astrbot.cli', run_name='__main__', alter_sys=True)"
)
"""The host's own command. Looking for garbage as often as Python does by itself would take a sixth
of the start, at which hardly anything is garbage. Without the freezing the interpreter would, when
all is done, look for it in everything the host has imported, which takes longer than the host's own
end."""

_PROXIES = {"http_proxy", "https_proxy", "all_proxy"}


class HostFailed(Exception):
    """The host ended or did not get ready; the text carries the end of its log."""


class Started(Protocol):
    """A process as asyncio tells of it."""

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    async def wait(self) -> int: ...

    def send_signal(self, signal: int, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Command:
    """What is run, and where; `output` is the file of all it says."""

    words: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    output: int


async def spawn(command: Command) -> Started:
    """Start it, as the first of a group of processes."""
    return await asyncio.create_subprocess_exec(
        *command.words,
        cwd=command.folder,
        env=command.environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=command.output,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )


class HostProcess:
    """One AstrBot process over a prepared root. Its output is appended to `log`.

    `launcher` is a command that runs the host's own command, given after it, in its place.
    """

    spawn: "ClassVar[staticmethod[[Command], Awaitable[Started]]]" = staticmethod(spawn)
    """Tests have a cheaper way."""

    def __init__(
        self, root: HostRoot, clock: ClockFile, log: Path, launcher: Sequence[str] = ()
    ) -> None:
        self.root = root
        self.clock = clock
        self.log = log
        self._launcher = launcher
        self._process: Started | None = None

    @property
    def running(self) -> bool:
        """Whether the process is alive."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        """Of the running process. Raises HostFailed before the first start."""
        return self._started().pid

    async def start(self, timeout: float = 240.0) -> None:
        """Returns once both ports accept. Raises HostFailed; the process is then gone."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        arguments = (sys.executable, "-c", _RUN, "run", "-p", str(self.root.dashboard_port))
        own = environment(os.environ, self.root.path, self.clock)
        _heed_interrupts()
        with self.log.open("ab") as output:
            command = Command((*self._launcher, *arguments), self.root.path, own, output.fileno())
            self._process = await self.spawn(command)
        await self.ready(timeout)

    async def ready(self, timeout: float = 240.0) -> None:
        """Returns once both ports accept. Raises HostFailed; the process is then gone."""
        try:
            async with asyncio.timeout(timeout):
                await self._until_accepting(self.root.onebot_port)
                await self._until_accepting(self.root.dashboard_port)
        except BaseException as error:
            await self.kill()
            if isinstance(error, TimeoutError):
                raise HostFailed(f"not ready after {timeout:g} s\n{self.tail()}") from error
            raise

    async def stop(self, how: signal.Signals = signal.SIGINT, timeout: float = 30.0) -> int:
        """Signal it and wait; returns its exit code. SIGINT is the host's graceful way out.

        Raises HostFailed if it does not end in time. It is gone afterwards in any case.
        """
        process = self._started()
        if process.returncode is None:
            process.send_signal(how)
        try:
            async with asyncio.timeout(timeout):
                return await process.wait()
        except TimeoutError as error:
            raise HostFailed(f"still running after {how.name}\n{self.tail()}") from error
        finally:
            await self.kill()

    async def ended(self) -> None:
        """Returns never, or raises HostFailed if the process ends by itself."""
        code = await self._started().wait()
        raise HostFailed(f"the host ended by itself with code {code}\n{self.tail()}")

    async def kill(self) -> None:
        """End it at once, as a power cut would. Does nothing if it has ended."""
        process = self._started()
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        await process.wait()

    def tail(self, lines: int = 30) -> str:
        """The last lines of the log."""
        return "\n".join(self.log.read_text("utf-8", "replace").splitlines()[-lines:])

    async def _until_accepting(self, port: int) -> None:
        while not await accepts(port):
            if not self.running:
                raise HostFailed(f"the host ended while starting\n{self.tail()}")
            await asyncio.sleep(0.1)

    def _started(self) -> Started:
        if self._process is None:
            raise HostFailed("the host has not been started")
        return self._process


def _heed_interrupts() -> None:
    # What a shell script starts in the background ignores SIGINT, and hands that on: a host started
    # by it would not end by the signal that ends it.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@asynccontextmanager
async def started(host: HostProcess) -> AsyncIterator[HostProcess]:
    """The host runs within the block and is stopped the graceful way after it, if it still runs."""
    await host.start()
    try:
        yield host
    finally:
        await host.stop()


def environment(base: Mapping[str, str], root: Path, clock: ClockFile) -> dict[str, str]:
    """The host's environment: loopback only, its own home, our clock, bytecode written."""
    kept = {
        name: value
        for name, value in base.items()
        if name not in _DROPPED and name.lower() not in _PROXIES
    }
    return kept | {
        "ASTRBOT_ROOT": str(root),
        "ASTRBOT_DISABLE_METRICS": "1",
        "DASHBOARD_HOST": _HOST,
        "HOME": str(root / "home"),
        "PYTHONUNBUFFERED": "1",
        VARIABLE: str(clock.path.resolve()),
    }


async def accepts(port: int) -> bool:
    """Whether something on loopback takes connections on this port."""
    try:
        _, writer = await asyncio.open_connection(_HOST, port)
    except OSError:
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True
