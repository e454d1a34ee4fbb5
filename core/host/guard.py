"""The guard round host hooks: whatever fails in memory, the chat goes on.

One of the two places that catch everything.
"""

from collections.abc import Awaitable, Callable

from astrbot.api import logger

from ..incidents import Incident

type Count = Callable[[str, BaseException], Incident]


async def guarded[T](place: str, session: str, work: Awaitable[T], count: Count) -> T | None:
    """The result, or None after a failure: logged the first time and every hundredth."""
    try:
        return await work
    except Exception as error:  # noqa: BLE001 - memory must never break a chat
        incident = count(place, error)
        if incident.count == 1 or incident.count % 100 == 0:
            logger.warning(
                "[tidemark] %s failed in %s (%d times so far): %s",
                place,
                session,
                incident.count,
                incident.text,
                exc_info=error,
            )
        return None
