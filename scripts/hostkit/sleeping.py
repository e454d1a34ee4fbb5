"""Commands to a bot under test whose memory may be out of reach for a while; work to its end."""

import asyncio
import re
from functools import cache
from typing import Protocol

from ...commands.chat.phrases import load_phrases

UNDER_WAY = ("正在整理", "Under way")
PAUSE = 1.0

BACKUP = re.compile(r"\d{8}T\d{6}Z(?:-\d+)?")
_JOB = re.compile(r"[(（]([0-9a-f]{6})[)）]")
_ENDED = re.compile(r" · (?:完成|done|失败|failed|已取消|cancelled|被重启打断|interrupted)")
"""The state of a job that is over."""


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


def out_of_reach(answer: str) -> bool:
    """Whether it says that Chroma's process or server does not answer just now."""
    return any(words in answer for words in _outages())


@cache
def _outages() -> frozenset[str]:
    keys = ("file.not_answering", "file.unreachable")
    messages = [said[key] for said in load_phrases().messages.values() for key in keys]
    return frozenset(message.rpartition("{file}")[2] for message in messages)


async def told(
    chat: Chat, user: int, command: str, *, group: int | None = None, timeout: float
) -> str:
    """The answer to a command, which is sent again while memory is out of reach.

    Raises TimeoutError.
    """
    async with asyncio.timeout(timeout):
        while True:
            answer = await chat.ask(user, command, group=group, timeout=timeout)
            if not out_of_reach(answer):
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
            if not out_of_reach(over):
                return only(BACKUP, over)
            await asyncio.sleep(PAUSE)


async def _over(chat: Chat, admin: int, job: str, *, timeout: float) -> str:
    """What came of a job, told in the line after its own, once it is over."""
    while True:
        listed = await chat.ask(admin, "/memory jobs", timeout=timeout)
        _, own, after = listed.partition(f"{job} · ")
        head, _, rest = after.partition("\n")
        if own and _ENDED.search(f" · {head}"):
            return rest.partition("\n")[0]
        # Not by `told`: a job may have failed because memory was out of reach.
        if not own and not out_of_reach(listed):
            raise UnexpectedAnswer(listed)
        await asyncio.sleep(0.2)
