"""Chroma's API over a folder of this machine, as far as it is used here.

Chroma computes in a process of its own: its calls keep an interpreter to themselves, and on a full
disk some never return. Here every call ends in time, and a process that dies or does not answer
is replaced. What was acknowledged is on the disk by then. Everything blocks.
"""

import logging
import pickle
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

from ...core.model.errors import Fault, StorageError
from ...core.model.interpreter import interpreter
from . import child
from .faults import FOLDER, MISSING, told

logger = logging.getLogger(__name__)

CALL_SECONDS = 60.0
"""The first search of a large scope reads its index, on a busy machine for many seconds."""

START_SECONDS = 60.0 + child.LOCK_SECONDS

ROOM = 32 * 2**20
"""Bytes that must be free before anything is written: without any, a write may never return."""

PAUSES = (0.1, 1.0, 5.0, 15.0, 30.0)
"""Seconds before the process is started again, each time it did not last."""

LASTED_SECONDS = 60.0

WRITES = frozenset(
    {"get_or_create_collection", "delete_collection", "modify", "upsert", "update", "delete"}
)

FROZEN = (
    "this AstrBot is a program without a Python of its own, in which Chroma cannot read a folder: "
    "use SQLite or a Chroma server"
)

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
        self.pid = self._popen.pid
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


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection of the folder."""

    folder: "Folder"
    name: str
    metadata: Mapping[str, Any] | None

    def __getattr__(self, call: str) -> Callable[..., Any]:
        """A call of Chroma's own: `get`, `query`, `count`, `upsert`, `update`, `modify`, `delete`.

        `modify` leaves `metadata` as they were when this was made.
        """
        return lambda **arguments: self.folder.ask(call, self.name, arguments)


class Folder:
    """Opened by its making, which raises StorageError if the folder cannot be used."""

    def __init__(self, home: Path) -> None:
        self._home = home.absolute()
        self._lock = Lock()
        self._closing = Event()
        self._starting: Process | None = None
        self._problem: StorageError | None = None
        self._most = 0
        self._suspects: set[str] = set()
        """Collections over which a process crashed: their indexes may hold wrong bytes."""
        self._dropped: set[str] = set()
        """Whose index was dropped for it. Not twice: then it is not the index."""
        self.starts = 0
        """Processes that have had the folder open."""
        self.process = self._started()
        """The one that runs, or the last that did."""
        self._supervisor = Thread(target=self._supervise, name="tidemark chroma", daemon=True)
        self._supervisor.start()

    def get_max_batch_size(self) -> int:
        """The most records that Chroma takes in one call."""
        return self._most

    def heartbeat(self) -> int:
        """A time, if it answers and there is room to write."""
        if not self._has_room():
            raise _full()
        return self.ask("heartbeat", "", {})

    def list_collections(self, limit: int, offset: int) -> list[Collection]:
        """Some of all there are."""
        found = self.ask("list_collections", "", {"limit": limit, "offset": offset})
        return [Collection(self, *each) for each in found]

    def get_or_create_collection(self, name: str, **arguments: Any) -> Collection:
        """The collection of this name."""
        return Collection(self, *self.ask("get_or_create_collection", name, arguments))

    def delete_collection(self, name: str) -> None:
        """With all that is in it."""
        self.ask("delete_collection", name, {})

    def ask(self, call: str, name: str, arguments: Mapping[str, Any]) -> Any:
        """What the process answers. Raises StorageError."""
        if call in WRITES and not self._has_room():
            raise _full()
        if self._problem is not None:
            raise self._problem
        process = self.process
        try:
            answer = process.ask(call, name, arguments)
            return self._answered(process, answer, CALL_SECONDS, about=name)
        except Failed as failure:
            if failure.sort == child.OTHER:
                raise
            raise self._failure(failure) from failure

    def close(self) -> None:
        """End the process. No call may be under way."""
        with self._lock:
            self._closing.set()
            if self._starting is not None:
                self._starting.kill()
        self.process.end()
        self._supervisor.join()

    def _supervise(self) -> None:
        began, short_lives = time.monotonic(), 0
        while True:
            self.process.over.wait()
            lasted = time.monotonic() - began > LASTED_SECONDS
            short_lives = 0 if lasted else short_lives + 1
            if self._closing.wait(PAUSES[min(short_lives, len(PAUSES)) - 1]):
                return
            began = time.monotonic()
            try:
                self.process, self._problem = self._started(), None
            except StorageError as error:
                self._problem = error

    def _started(self) -> Process:
        """A process that has the folder open."""
        with self._lock:
            if self._closing.is_set():
                raise StorageError("the Chroma store is closed")
            process = self._starting = _born()
            damaged = sorted(self._suspects - self._dropped)
        try:
            opened = process.ask("open", "", {"home": str(self._home), "damaged": damaged})
            self._most = self._answered(process, opened, START_SECONDS)
            self.starts += 1
            self._dropped.update(damaged)
            for name in damaged:
                logger.warning("Chroma crashed over %s, whose index is made again", name)
        except Failed as failure:
            process.end()
            raise self._failure(failure) from failure
        finally:
            self._starting = None
        return process

    def _answered(
        self, process: Process, answer: Future[Any], seconds: float, *, about: str = ""
    ) -> Any:
        try:
            return answer.result(seconds)
        except TimeoutError as error:
            process.kill()
            text = f"Chroma's process did not answer within {seconds:g} s and is started again"
            raise self._outage(text) from error
        except Ended as error:
            if error.crashed and about:
                with self._lock:
                    self._suspects.add(about)
            raise self._outage(f"Chroma's process is started again ({error})") from error

    def _outage(self, text: str) -> StorageError:
        if not self._has_room():
            return _full()
        return StorageError(text, file=FOLDER, fault=Fault.UNREACHABLE)

    def _failure(self, failure: Failed) -> StorageError:
        if failure.sort == child.MISSING:
            return StorageError(MISSING, file="chromadb", fault=Fault.MISSING)
        error = told(FOLDER, str(failure))
        # On a full disk Chroma fails by all sorts of words.
        return _full() if error.fault is Fault.OTHER and not self._has_room() else error

    def _has_room(self) -> bool:
        try:
            return shutil.disk_usage(self._home).free >= ROOM
        except OSError:
            # Whatever is wrong with the folder, Chroma will say it.
            return True


def _born() -> Process:
    python = interpreter()
    if python is None:
        raise StorageError(FROZEN, file=FOLDER, fault=Fault.OTHER)
    try:
        return Process(python)
    except OSError as error:
        text = f"Chroma's process cannot be started ({error})"
        raise StorageError(text, file=FOLDER, fault=Fault.UNREACHABLE) from error


def _full() -> StorageError:
    text = f"{FOLDER} cannot grow: less than {ROOM >> 20} MB are free"
    return StorageError(text, file=FOLDER, fault=Fault.FULL)
