"""`dev.py soak --hours N`: everything that may happen to a bot, again and again, for hours.

A real host lives through rounds of the same deeds in ever new order: talk, sleep, backups and going
back to them, a clock that jumps, a year that passes, a full disk. Each life ends with `kill -9` in
the middle of a turn; after every few it is let finish and what it left behind is counted.
"""

import argparse
import asyncio
import json
import random
import re
import resource
import sys
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from ..core.model.errors import TidemarkError
from .endurance_report import Diary, Leaks, report
from .hostkit.clock import DAY, ClockFile
from .hostkit.model_server import ChatRequest, ModelServer, Reply
from .hostkit.onebot import OneBot
from .hostkit.process import HostFailed, HostProcess
from .hostkit.root import ADMIN, merged, new_root
from .hostkit.sleeping import slept
from .run import interruptible
from .soak import LATEST_KILL, SETTINGS, one_lesson_an_episode, session_of, toll

PEOPLE = (901, 902, 903)
ANSWER_WITHIN = 300.0
FULL_DISK_ANSWER = 20.0
"""Seconds to wait while the disk is full: the host's own part may fail."""

TALK, TALKS = 10, 6
"""Turns of a talk, and talks in a round."""

MOST_ROUNDS = 4
"""In a life."""

LIVES_TO_A_COUNT = 4
BACKUPS_KEPT = 2

_BACKUP = re.compile(r"\d{8}T\d{6}Z(?:-\d+)?")
_CODE = re.compile(r"\b[A-Z2-9]{6}\b")
# Nothing is deleted for good while years pass, so that all can be counted at the end. What is
# recalled does not depend on how busy the machine is.
_SETTINGS = merged(
    SETTINGS,
    {
        "capture": {"keep_turns_days": 0.0},
        "decay": {"bin_days": 3650.0},
        "recall": {"deadline_ms": 10_000},
    },
)


async def main(arguments: argparse.Namespace, workspace: Path) -> int:
    """Prints the report as JSON; 0 if every promise was kept, 1 otherwise."""
    seed = random.randrange(2**32) if arguments.seed is None else arguments.seed
    folder = workspace / f"endurance-{seed}"
    print(f"seed {seed}, {folder}", file=sys.stderr)
    with interruptible():
        found = await endure(folder, seconds=arguments.hours * 3600.0, seed=seed)
    print(json.dumps(found, indent=1, ensure_ascii=False))
    return 1 if found["broken_promises"] else 0


async def endure(
    folder: Path, *, seconds: float, seed: int, talk: int = TALK, talks: int = TALKS
) -> dict[str, Any]:
    """Live for so long, one life at least; what came of it, also if it was cut short.

    Samples are written to `samples.jsonl` in the folder as they come.
    """
    diary, leaks = Diary(folder / "samples.jsonl"), Leaks()

    def respond(request: ChatRequest) -> Reply:
        leaks.look(request)
        return one_lesson_an_episode(request)

    async with ModelServer.running(respond) as model:
        root = new_root(folder / "host")
        root.prepare(model.source, plugin_config=_SETTINGS)
        host = HostProcess(root, ClockFile(folder / "clock"), folder / "host.log")
        lives = Lives(host, model, diary, random.Random(seed), talk, talks)
        try:
            await lives.go_on(time.monotonic() + seconds)
        except asyncio.CancelledError:
            diary.interrupted = True
            await lives.count(finished=False)
        except (HostFailed, TimeoutError, ConnectionClosed) as failure:
            diary.broken.append(f"the host failed: {failure!r}")
        finally:
            with suppress(HostFailed):
                await host.kill()
    diary.broken += leaks.found
    return report(diary)


class Lives:
    """One host, started again whenever it has ended, and what its people may rely on."""

    def __init__(
        self,
        host: HostProcess,
        model: ModelServer,
        diary: Diary,
        chance: random.Random,
        talk: int,
        talks: int,
    ) -> None:
        self._host, self._model, self._diary, self._chance = host, model, diary, chance
        self._talk, self._talks = talk, talks
        self._number = 0
        self._answered: list[str] = []
        self._backups: dict[str, int] = {}
        """How many turns had been answered when each was made."""

    async def go_on(self, until: float) -> None:
        """One life after the other until that moment of the monotonic clock, then a count."""
        over = False
        while not over:
            async with self._life() as chat:
                await self._round(chat)
                for _ in range(self._chance.randint(0, MOST_ROUNDS - 1)):
                    if time.monotonic() < until:
                        await self._round(chat)
                await self._killed(chat)
            over = time.monotonic() >= until
            if over or self._diary.lives % LIVES_TO_A_COUNT == 0:
                async with self._life() as chat:
                    await self._talked(chat)
                    await slept(chat, ADMIN, timeout=ANSWER_WITHIN)
                await self.count()

    async def count(self, *, finished: bool = True) -> None:
        """Look at what the host has left behind; unless it had `finished`, for what is lost."""
        with suppress(HostFailed):
            await self._host.kill()
        folder, sessions = self._host.root.plugin_data, [session_of(user) for user in PEOPLE]
        if not folder.is_dir():
            return
        try:
            left = await toll(folder, self._answered, kills=0, sessions=sessions)
        except TidemarkError as error:
            self._diary.broken.append(f"cannot be opened: {error}")
            return
        self._diary.counted(left, [p for p in left.problems if finished or "lost: " in p])

    @asynccontextmanager
    async def _life(self) -> AsyncGenerator[OneBot]:
        await self._host.start()
        self._diary.lives += 1
        names = {user: f"Person {user}" for user in PEOPLE}
        async with OneBot.connected(self._host.root.onebot_port, names) as chat:
            yield chat
            if self._host.running:
                await self._host.stop()

    async def _round(self, chat: OneBot) -> None:
        deeds: list[Callable[[OneBot], Awaitable[None]]] = [self._talked] * (self._talks - 1)
        deeds += [self._slept, self._backed_up, self._gone_back, self._full_disk, self._jumped]
        self._chance.shuffle(deeds)
        # Memory that finds the disk full when it opens is without any until it tries again.
        for deed in [self._talked, *deeds]:
            await deed(chat)
        self._model.clear()
        self._diary.sample(self._host.pid, self._host.root.plugin_data)

    async def _talked(self, chat: OneBot) -> None:
        for _ in range(self._talk):
            user, text = self._next()
            began = time.monotonic()
            await self._echoed(chat, user, text, ANSWER_WITHIN)
            self._diary.answered(time.monotonic() - began)
            self._answered.append(text)

    async def _slept(self, chat: OneBot) -> None:
        self._diary.did("sleep")
        await slept(chat, ADMIN, timeout=ANSWER_WITHIN)

    async def _backed_up(self, chat: OneBot) -> None:
        self._diary.did("backup")
        [name] = _BACKUP.findall(await self._told(chat, "backup"))
        self._backups[name] = len(self._answered)
        while len(self._backups) > BACKUPS_KEPT:
            oldest = next(iter(self._backups))
            del self._backups[oldest]
            await self._told(chat, f"backup delete {oldest}")

    async def _gone_back(self, chat: OneBot) -> None:
        if not self._backups:
            await self._backed_up(chat)
        self._diary.did("restore")
        name = self._chance.choice(list(self._backups))
        [code] = _CODE.findall(await self._told(chat, f"restore-backup {name}"))
        told = await self._told(chat, f"restore-backup {name} {code}")
        del self._answered[self._backups[name] :]
        for later in [n for n, many in self._backups.items() if many > len(self._answered)]:
            del self._backups[later]
            await self._told(chat, f"backup delete {later}")
        for before in set(_BACKUP.findall(told)) - {name}:
            await self._told(chat, f"backup delete {before}")

    async def _jumped(self, _: OneBot) -> None:
        """Days, hours back, or a year."""
        what, days = self._chance.choice(
            [("day forward", 1.3), ("hours back", -0.2), ("year", 365.0)]
        )
        self._diary.did(what)
        self._host.clock.set_offset(self._host.clock.offset() + days * DAY)

    async def _full_disk(self, chat: OneBot) -> None:
        """No file of the host may grow for some turns; of these nothing is promised."""
        self._diary.did("full disk")
        was = resource.prlimit(self._host.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self._host.pid, resource.RLIMIT_FSIZE, (1, was[1]))
        try:
            await self._tried(chat)
        finally:
            resource.prlimit(self._host.pid, resource.RLIMIT_FSIZE, was)
        await self._tried(chat)

    async def _tried(self, chat: OneBot) -> None:
        for _ in range(3):
            with suppress(TimeoutError):
                await self._echoed(chat, *self._next(), FULL_DISK_ANSWER)

    async def _echoed(self, chat: OneBot, user: int, text: str, within: float) -> None:
        """Say it and wait for its own answer: one that came late may come first."""
        seen = len(chat.sent)
        await chat.say(user, text)
        await chat.next_reply(seen, user=user, timeout=within, containing=text)

    async def _killed(self, chat: OneBot) -> None:
        """In the middle of a turn, which was answered if its answer came before."""
        self._diary.did("kill")
        user, text = self._next()
        seen = len(chat.sent)
        await chat.say(user, text)
        await asyncio.sleep(self._chance.uniform(0.0, LATEST_KILL))
        await self._host.kill()
        if any(text in sent.text for sent in chat.sent[seen:]):
            self._answered.append(text)

    async def _told(self, chat: OneBot, command: str) -> str:
        return await chat.ask(ADMIN, f"/memory {command}", timeout=ANSWER_WITHIN)

    def _next(self) -> tuple[int, str]:
        """Who speaks and what; no two say the same, but all say much alike."""
        self._number += 1
        user = self._chance.choice(PEOPLE)
        cargo = f"the cargo of ship {self._number % 7} is {uuid.uuid4().hex[:8]}"
        return user, f"Turn {self._number} by {user}: {cargo}"
