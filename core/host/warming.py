"""Compiling the patterns of the languages in the background, before a message needs them."""

import asyncio

from ..text.lazy_pattern import waiting_patterns

PAUSE = 5.0
"""Seconds after the start: a host that starts has other things to do first."""


class Warming:
    """Compiles one pattern after another, in a thread, until all are or this is closed."""

    def __init__(self) -> None:
        self._task = asyncio.create_task(_compile_all(), name="tidemark:warming")

    async def aclose(self) -> None:
        """Stop after the pattern in work. Idempotent."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


async def _compile_all() -> None:
    await asyncio.sleep(PAUSE)
    for compile_one in waiting_patterns():
        await asyncio.to_thread(compile_one)
