"""Steps that are not left half done when whoever waits for them is cancelled."""

import asyncio
from collections.abc import Coroutine
from typing import Any


async def to_the_end(step: Coroutine[Any, Any, None]) -> None:
    """Run a step to its end even if the caller is cancelled meanwhile; that follows it."""
    task = asyncio.ensure_future(step)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise
