"""Work that may go on without one answer of a store or journal of which a part cannot be read."""

from collections.abc import Awaitable, Callable

from ..model.errors import StorageError


async def spared[T](work: Awaitable[T], otherwise: T, note: Callable[[StorageError], object]) -> T:
    """What comes of the work; `otherwise`, and noted, where what it reads fails."""
    try:
        return await work
    except StorageError as error:
        note(error)
        return otherwise
