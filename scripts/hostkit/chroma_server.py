"""A Chroma server of the same package, on a free port of this machine."""

import subprocess
import sys
import time
from pathlib import Path

import httpx

from ...core.ports.files import ChromaServer
from .ports import LOOPBACK, free_port

START_SECONDS = 60.0


class ServerProcess:
    """`chroma run` over one folder; may be killed and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def address(self, installation: str, *, timeout_seconds: float = 10.0) -> ChromaServer:
        """How a bot of this name reaches it."""
        return ChromaServer(
            LOOPBACK, self.port, installation=installation, timeout_seconds=timeout_seconds
        )

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._folder.mkdir(parents=True, exist_ok=True)
        command = "import sys; from chromadb.cli.cli import app; sys.exit(app())"
        arguments = [
            "run",
            "--path",
            str(self._folder),
            "--host",
            LOOPBACK,
            "--port",
            str(self.port),
        ]
        with (self._folder.parent / f"chroma-{self.port}.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", command, *arguments], stdout=log, stderr=log
            )
        self._wait()

    def kill(self) -> None:
        """SIGKILL, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _wait(self) -> None:
        # Without certificates, which take longer to read than all else that is asked for.
        alive = f"http://{LOOPBACK}:{self.port}/api/v2/heartbeat"
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            try:
                httpx.get(alive, verify=False).raise_for_status()
            except httpx.HTTPError:
                time.sleep(0.1)
            else:
                return
        self.kill()
        raise TimeoutError("the Chroma server did not start")
