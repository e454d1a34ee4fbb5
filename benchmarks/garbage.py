"""How long Python's garbage collector held up one thread, and everybody."""

import gc
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Garbage:
    """What collections cost; the interpreter is held for as long as one takes.

    `seconds` were computed by the thread that made this, `longest_ms` by any.
    """

    seconds: float = 0.0
    longest_ms: float = 0.0
    _thread: int = field(default_factory=threading.get_ident)
    _began: float = 0.0

    def note(self, phase: str, _: Mapping[str, Any]) -> None:
        """What `gc.callbacks` tells; there is one collection at a time."""
        if phase == "start":
            self._began = time.thread_time()
            return
        took = time.thread_time() - self._began
        self.longest_ms = max(self.longest_ms, took * 1000)
        if threading.get_ident() == self._thread:
            self.seconds += took


@contextmanager
def garbage() -> Iterator[Garbage]:
    """Of the block."""
    found = Garbage()
    gc.callbacks.append(found.note)
    try:
        yield found
    finally:
        gc.callbacks.remove(found.note)
