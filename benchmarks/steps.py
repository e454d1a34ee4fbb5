"""What single steps of the event loop compute: the part of a stall that is the program's own.

A step is what the loop runs between two looks at its queue: a callback, or a task from one `await`
to the next. Its processor time does not depend on what else the machine does.
"""

import asyncio
import gc
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .figures import Spread, spread

LISTED = 12
"""Places of which the longest step is told."""

FULL = 2
"""The oldest generation: its collection visits every container there is."""


@dataclass(slots=True)
class Steps:
    """Milliseconds of processor time of each step, by the place where it began."""

    by_place: defaultdict[str, list[float]] = field(
        default_factory=lambda: defaultdict[str, list[float]](list)
    )
    collections: list[float] = field(default_factory=list[float])
    """Of full garbage collections, which are part of the steps that they happen in."""

    def all(self) -> Spread:
        """Of all steps."""
        return spread(one for some in self.by_place.values() for one in some)

    def longest(self) -> list[dict[str, Any]]:
        """The places with the longest single steps."""
        places = sorted(self.by_place.items(), key=lambda item: -max(item[1]))[:LISTED]
        return [
            {"place": place, "total": round(sum(some), 1), **spread(some)} for place, some in places
        ]


@contextmanager
def steps() -> Iterator[Steps]:
    """Measure the steps of the running loop while the block lasts."""
    seen, plain, began = Steps(), asyncio.Handle._run, [0.0]

    def measured(self: asyncio.Handle) -> None:
        place, before = _place(self), time.thread_time()
        plain(self)
        # As the plain one does: an error that came through here would hold the task that holds it.
        del self
        seen.by_place[place].append((time.thread_time() - before) * 1000)

    def collected(phase: str, about: dict[str, int]) -> None:
        if about["generation"] != FULL:
            return
        if phase == "start":
            began[0] = time.thread_time()
        else:
            seen.collections.append((time.thread_time() - began[0]) * 1000)

    gc.callbacks.append(collected)
    asyncio.Handle._run = measured
    try:
        yield seen
    finally:
        asyncio.Handle._run = plain
        gc.callbacks.remove(collected)


def _place(handle: asyncio.Handle) -> str:
    """The innermost coroutine that the step resumes, with its line, or the callback."""
    callback: Any = handle._callback
    task = getattr(callback, "__self__", None)
    if not isinstance(task, asyncio.Task):
        return str(getattr(callback, "__qualname__", callback))
    inner: Any = task.get_coro()
    place = "ended"
    while (frame := getattr(inner, "cr_frame", None)) is not None:
        place = f"{inner.__qualname__}:{frame.f_lineno}"
        inner = inner.cr_await
    return place
