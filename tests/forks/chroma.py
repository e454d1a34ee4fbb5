"""Chroma's child processes forked from one that has imported Chroma."""

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import Any

from astrbot_plugin_tidemark.storage.chroma import child, process

from .forking import POSSIBLE, ForkServer, Program

TEXT = f"import runpy; runpy.run_path({child.__file__!r}, run_name='__main__')"


class ForkedChild:
    """What `process` needs of a Popen."""

    def __init__(self, server: ForkServer) -> None:
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
        program = Program(TEXT, [child.__file__], [], Path.cwd(), environment)
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe()
        ours_errors, theirs_errors = os.pipe()
        theirs = [theirs_in, theirs_out, theirs_errors]
        self._told = os.fdopen(server.fork(program, theirs), "rb")
        for each in theirs:
            os.close(each)
        self.stdin = os.fdopen(ours_in, "wb")
        self.stdout = os.fdopen(ours_out, "rb")
        self.stderr = os.fdopen(ours_errors, "rb")
        self.pid = int(self._told.readline())
        self._status: int | None = None
        self._lock = Lock()

    def wait(self) -> int:
        """The status it ended with."""
        with self._lock:
            if self._status is None:
                with self._told:
                    self._status = int(self._told.readline() or -signal.SIGKILL)
            return self._status

    def poll(self) -> int | None:
        """The same, if it is known to be over."""
        return self._status

    def kill(self) -> None:
        """Unless it is known to be over."""
        if self._status is None:
            os.kill(self.pid, signal.SIGKILL)


@contextmanager
def forked_chroma(*, at_once: bool = False) -> Iterator[None]:
    """Within the block every child is forked, in processes that are forked there, too, if the
    server begins `at_once`.
    """
    if not POSSIBLE:
        yield
        return
    server = ForkServer(["chromadb"])
    if at_once:
        ForkedChild(server).stdin.close()

    def popen(command: Sequence[str], **streams: Any) -> ForkedChild:
        return ForkedChild(server)

    process.subprocess = SimpleNamespace(**vars(subprocess) | {"Popen": popen})
    try:
        yield
    finally:
        process.subprocess = subprocess
        server.close()
