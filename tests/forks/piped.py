"""A forked program with pipes, as a Popen is used."""

import os
import signal
from contextlib import suppress
from threading import Lock

from .forking import ForkServer, Program


class Piped:
    """Runs from its making; its errors come through a pipe, too, unless they have a place."""

    def __init__(self, server: ForkServer, program: Program, errors: int | None = None) -> None:
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe()
        ours_errors, theirs_errors = os.pipe()
        given = theirs_errors if errors is None else errors
        self._told = os.fdopen(server.fork(program, [theirs_in, theirs_out, given]), "rb")
        for each in (theirs_in, theirs_out, theirs_errors):
            os.close(each)
        self.stdin = os.fdopen(ours_in, "wb")
        self.stdout = os.fdopen(ours_out, "rb")
        self.stderr = os.fdopen(ours_errors, "rb")
        self.pid = int(self._told.readline())
        self._status: int | None = None
        self._lock = Lock()

    def wait(self) -> int:
        with self._lock:
            if self._status is None:
                with self._told:
                    self._status = int(self._told.readline() or -signal.SIGKILL)
            return self._status

    def poll(self) -> int | None:
        return self._status

    def send_signal(self, number: int) -> None:
        if self._status is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)
