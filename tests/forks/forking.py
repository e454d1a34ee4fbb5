"""Python programs forked from a process that has done their imports: seconds less for each.

Where forking is not possible they are started as they always are.
"""

import os
import pickle
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

SERVER = Path(__file__).with_name("server.py")
POSSIBLE = sys.platform == "linux"


@dataclass(frozen=True, slots=True)
class Program:
    """Python to run: its text, and `sys.argv`; `path` goes before what can be imported."""

    text: str
    arguments: Sequence[str]
    path: Sequence[str]
    folder: Path
    environment: Mapping[str, str]


class ForkServer:
    """One process with these packages imported, from the first fork to `close`; what it forked may
    outlive it.
    """

    def __init__(self, packages: Sequence[str]) -> None:
        self._packages = packages
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def fork(self, program: Program, streams: Sequence[int]) -> int:
        """Start it in a session of its own, with these files as its input, output and errors.

        Returns a pipe that tells its number in a line, and the status it ended with in another.
        """
        with self._lock:
            control = self._control or self._started(program.environment)
        heard, told = os.pipe()
        request = {
            "program": program.text,
            "arguments": list(program.arguments),
            "path": list(program.path),
            "folder": str(program.folder),
            "environment": dict(program.environment),
        }
        try:
            socket.send_fds(control, [pickle.dumps(request)], [*streams, told])
        finally:
            os.close(told)
        return heard

    def close(self) -> None:
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.wait()
            self._control = None

    def _started(self, environment: Mapping[str, str]) -> socket.socket:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", str(SERVER), str(theirs.fileno()), *self._packages],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=environment,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        return self._control
