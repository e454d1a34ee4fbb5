"""Going on without an answer that a damaged store or journal cannot give."""

from collections.abc import Awaitable, Callable

from ..model.errors import StorageError


async def spared[T](work: Awaitable[T], otherwise: T, note: Callable[[StorageError], object]) -> T:
    """The result of the work; `otherwise` if what it reads fails, which is noted."""
    try:
        return await work
    except StorageError as error:
        note(error)
        return otherwise
