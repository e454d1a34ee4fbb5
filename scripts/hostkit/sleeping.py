"""Commands to a bot under test whose memory may be out of reach for a while; work to its end."""

import asyncio
import re
from typing import Protocol

UNDER_WAY = ("正在整理", "Under way")
OUT_OF_REACH = "does not answer; it is tried again by itself"
"""What a command is answered while Chroma's process or server is started again."""

PAUSE = 1.0

BACKUP = re.compile(r"\d{8}T\d{6}Z(?:-\d+)?")
_JOB = re.compile(r"[(（]([0-9a-f]{6})[)）]")
_ENDED = re.compile(r" · (?:完成|done|失败|failed|已取消|cancelled|被重启打断|interrupted)")
"""The state of a job that is over."""

_OUTAGE = re.compile(r"is started again|does not answer")
"""Why one failed that may be begun anew."""


class Chat(Protocol):
    """Where commands are answered."""

    async def ask(
        self, user: int, text: str, *, group: int | None = None, timeout: float = 60.0
    ) -> str:
        """The answer to what the user says there. Raises TimeoutError."""
        ...


class UnexpectedAnswer(Exception):
    """A command was answered, but not with what was asked for."""


def only(what: re.Pattern[str], answer: str) -> str:
    """The one thing of that kind in an answer. Raises UnexpectedAnswer, with the answer."""
    found = what.findall(answer)
    if len(found) != 1:
        raise UnexpectedAnswer(answer)
    return found[0]


async def told(
    chat: Chat, user: int, command: str, *, group: int | None = None, timeout: float
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


async def slept(chat: Chat, admin: int, *, timeout: float) -> str:
    """What an admin is told of the sleep when it is over. Raises TimeoutError."""
    async with asyncio.timeout(timeout):
        await told(chat, admin, "/memory sleep", timeout=timeout)
        while True:
            status = await told(chat, admin, "/memory sleep status", timeout=timeout)
            if not status.startswith(UNDER_WAY):
                return status
            await asyncio.sleep(0.2)


async def backed_up(chat: Chat, admin: int, *, timeout: float) -> str:
    """The name of a backup made now; one that takes long is waited for.

    One that memory did not answer for is made again. Raises TimeoutError and UnexpectedAnswer.
    """
    async with asyncio.timeout(timeout):
        while True:
            answer = await told(chat, admin, "/memory backup", timeout=timeout)
            if BACKUP.search(answer):
                return only(BACKUP, answer)
            over = await _over(chat, admin, only(_JOB, answer), timeout=timeout)
            if not _OUTAGE.search(over):
                return only(BACKUP, over)
            await asyncio.sleep(PAUSE)


async def _over(chat: Chat, admin: int, job: str, *, timeout: float) -> str:
    """What came of a job, once it is over."""
    while True:
        over = _ending(job, await told(chat, admin, "/memory jobs", timeout=timeout))
        if over is not None:
            return over
        await asyncio.sleep(0.2)


def _ending(job: str, listed: str) -> str | None:
    """What came of a job, told in the line after its own; None while it goes on."""
    _, own, after = listed.partition(f"{job} · ")
    head, _, rest = after.partition("\n")
    if not own:
        raise UnexpectedAnswer(listed)
    return rest.partition("\n")[0] if _ENDED.search(f" · {head}") else None
