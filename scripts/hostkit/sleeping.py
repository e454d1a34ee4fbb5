"""Commands to a bot under test whose memory may be out of reach for a while; a sleep to its end."""

import asyncio

from .onebot import OneBot

UNDER_WAY = ("正在整理", "Under way")
OUT_OF_REACH = "does not answer; it is tried again by itself"
"""What a command is answered while Chroma's process or server is started again."""

PAUSE = 1.0


async def told(
    chat: OneBot, user: int, command: str, *, group: int | None = None, timeout: float
) -> str:
    """The answer to a command, which is sent again while memory is out of reach.

    Raises TimeoutError.
    """
    async with asyncio.timeout(timeout):
        while True:
            answer = await chat.ask(user, command, group=group, timeout=timeout)
            if OUT_OF_REACH not in answer:
                return answer
            await asyncio.sleep(PAUSE)


async def slept(chat: OneBot, admin: int, *, timeout: float) -> str:
    """What an admin is told of the sleep when it is over. Raises TimeoutError."""
    async with asyncio.timeout(timeout):
        await told(chat, admin, "/memory sleep", timeout=timeout)
        while True:
            status = await told(chat, admin, "/memory sleep status", timeout=timeout)
            if not status.startswith(UNDER_WAY):
                return status
            await asyncio.sleep(0.2)
