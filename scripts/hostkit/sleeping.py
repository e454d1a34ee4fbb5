"""Letting the memory of a bot under test sleep, to the end."""

import asyncio

from .onebot import OneBot

UNDER_WAY = ("正在整理", "Under way")


async def slept(chat: OneBot, admin: int, *, timeout: float) -> str:
    """What an admin is told of the sleep when it is over. Raises TimeoutError."""
    async with asyncio.timeout(timeout):
        await chat.ask(admin, "/memory sleep", timeout=timeout)
        while True:
            told = await chat.ask(admin, "/memory sleep status", timeout=timeout)
            if not told.startswith(UNDER_WAY):
                return told
            await asyncio.sleep(0.2)
