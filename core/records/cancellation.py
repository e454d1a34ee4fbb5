"""Steps that run to their end although the task that waits for them is cancelled.

The end of the event loop cancels every task, also one that does nothing but wait for a thread:
what must be waited for is therefore a future of the thread, never a task.
"""

import asyncio
from collections.abc import Callable

HURRY_SECONDS = 0.005
"""How often a cancelled step is hastened until it ends."""


def in_thread[**P, T](work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
    """`asyncio.to_thread` as a future: begun at once, not cancelled with the loop's tasks."""
    return asyncio.get_running_loop().run_in_executor(None, lambda: work(*args, **kwargs))


async def uninterrupted[T](
    step: asyncio.Future[T], *, hasten: Callable[[], object] | None = None
) -> T:
    """Wait for `step` to its end even if the caller is cancelled; the cancellation follows it.

    `hasten` is called again and again from the cancellation to the end: what it interrupts may
    only just be about to begin.
    """
    cancelled: asyncio.CancelledError | None = None
    while not step.done():
        hurry = cancelled is not None and hasten is not None
        try:
            await asyncio.wait({step}, timeout=HURRY_SECONDS if hurry else None)
        except asyncio.CancelledError as error:
            cancelled = error
        if cancelled is not None and hasten is not None:
            hasten()
    if cancelled is not None:
        if not step.cancelled():
            step.exception()
        try:
            raise cancelled
        finally:
            # Its traceback holds this frame: a cycle.
            del cancelled
    return step.result()
