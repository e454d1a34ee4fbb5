"""The parent's side of one child process: asks it over its pipes, ends or kills it."""

import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

from . import child

END_SECONDS = child.LAST_SECONDS + 2.0
LAST_LINES = 20


CRASHES = frozenset({-4, -6, -8, -11})
"""Statuses by signals that wrong bytes end in: SIGILL, SIGABRT, SIGFPE and SIGSEGV. Not SIGBUS, by
which a full disk may be told.
"""

WINDOWS_CRASH = 0xC0000000
"""The lowest status of a process that Windows ended for such a reason."""


class Ended(Exception):
    """The process was gone before it answered; its last words.

    `crashed`: it died while it was carrying this out, by its own code and not by somebody's hand.
    """

    def __init__(self, text: str, *, crashed: bool) -> None:
        super().__init__(text)
        self.crashed = crashed


class Failed(Exception):
    """It answered that it could not; `sort` is one of those of `child`."""

    def __init__(self, sort: str, text: str) -> None:
        super().__init__(text)
        self.sort = sort


class Process:
    """Runs from its making, by this Python. Thread-safe; no method but `end` blocks."""

    def __init__(self, python: str) -> None:
        self._popen = subprocess.Popen(
            [python, "-P", child.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self.over = Event()
        self._lock = Lock()
        self._asked = 0
        self._waiting: dict[int, Future[Any]] = {}
        self._words = deque[str](maxlen=LAST_LINES)
        # Sent by a thread of its own: a pipe that nobody reads would hold the caller.
        self._outbox = SimpleQueue[Any]()
        self._outbox.put(sys.path)
        for work in (self._send, self._listen, self._overhear):
            Thread(target=work, name="tidemark chroma process", daemon=True).start()

    @property
    def pid(self) -> int:
        """Its number."""
        return self._popen.pid

    def ask(self, call: str, name: str, arguments: Mapping[str, Any]) -> Future[Any]:
        """What it will answer, or Ended or Failed."""
        answer = Future[Any]()
        with self._lock:
            if self.over.is_set():
                answer.set_exception(Ended(self._last_words(), crashed=False))
                return answer
            self._asked += 1
            self._waiting[self._asked] = answer
            self._outbox.put((self._asked, call, name, arguments))
        return answer

    def kill(self) -> None:
        """End it at once, whatever it does."""
        self._popen.kill()

    def end(self) -> None:
        """Let it finish, and wait until it is gone."""
        self._outbox.put(None)
        if not self.over.wait(END_SECONDS):
            self.kill()
            self.over.wait(END_SECONDS)

    def _send(self) -> None:
        assert self._popen.stdin is not None
        # A process that is gone reads nothing; who waits for its answers is told by `_listen`.
        with suppress(OSError):
            while (message := self._outbox.get()) is not None:
                pickle.dump(message, self._popen.stdin, pickle.HIGHEST_PROTOCOL)
                self._popen.stdin.flush()
        with suppress(OSError):
            self._popen.stdin.close()

    def _listen(self) -> None:
        assert self._popen.stdout is not None
        # The last answer may be cut short.
        with suppress(EOFError, pickle.UnpicklingError, OSError), self._popen.stdout as answers:
            while True:
                self._answered(*pickle.load(answers))
        status = self._popen.wait()
        crashed = status in CRASHES or status >= WINDOWS_CRASH
        with self._lock:
            self.over.set()
            left, self._waiting = self._waiting, {}
        self._outbox.put(None)
        for answer in left.values():
            answer.set_exception(Ended(self._last_words(), crashed=crashed))

    def _answered(self, number: int, sort: str, value: Any) -> None:
        with self._lock:
            answer = self._waiting.pop(number)
        if sort == child.DONE:
            answer.set_result(value)
        else:
            answer.set_exception(Failed(sort, value))

    def _overhear(self) -> None:
        assert self._popen.stderr is not None
        with suppress(OSError), self._popen.stderr as words:
            for line in words:
                self._words.append(line.decode(errors="replace").strip())

    def _last_words(self) -> str:
        said = " / ".join(list(self._words))[-300:]
        return f"status {self._popen.poll()}" + (f": {said}" if said else "")
