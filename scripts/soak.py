"""`dev.py soak`: everything that may happen to a bot, again and again, then what is left counted.

A real host lives through rounds of the same deeds in ever new order: talk in private and in groups,
sleep, backups and going back to them, a clock that jumps, a year that passes, a full disk, a group
that changes what is recorded of it, a Chroma server that is gone. Each life ends with `kill -9` in
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
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Literal

import psutil
from websockets.exceptions import ConnectionClosed

from ..core.model.errors import TidemarkError
from ..core.ports.files import ChromaServer
from ..storage import Backend
from .hostkit.chroma_server import ServerProcess
from .hostkit.clock import DAY, ClockFile
from .hostkit.model_server import ChatRequest, ModelServer, Reply
from .hostkit.onebot import OneBot
from .hostkit.process import HostFailed, HostProcess
from .hostkit.root import ADMIN, new_root
from .hostkit.sleeping import BACKUP, UnexpectedAnswer, backed_up, only, slept, told
from .run import interruptible
from .soak_people import GROUPS, PEOPLE, RULES, SESSIONS, Cast, Leaks, Line, misheard, misplanned
from .soak_toll import Toll, one_lesson_an_episode, toll

type BackendName = Literal["sqlite", "chroma", "chroma-server"]
type Sample = dict[str, float]
"""The host after a round: `at` in seconds of the soak, in which of its lives.

Megabytes, open files, threads, and milliseconds from a message to its answer; the process of
Chroma is told apart as `child_rss_mb` and `child_files`.
"""

INSTALLATION = "soak"
MIB = 2**20
WATCHED = ("rss_mb", "files", "threads", "child_rss_mb", "child_files", "p50_ms")
SHOWN = 50
"""Broken promises that are told one by one."""

START_WITHIN = 900.0
ANSWER_WITHIN = 300.0
FULL_DISK_ANSWER = 20.0
"""Seconds to wait while the disk is full: the host's own part may fail."""

LATEST_KILL = 1.5
"""Seconds after a message was sent."""

TALK, TALKS = 10, 6
"""Turns of a talk, and talks in a round."""

LIVES_TO_A_COUNT = 4
BACKUPS_KEPT = 2

MOST_YEARS = 9
"""That pass in all: what is in the bin is deleted for good after ten, and could not be counted."""

_CODE = re.compile(r"\b[A-Z2-9]{6}\b")
# Nothing is deleted for good while years pass, so that all can be counted at the end. What is
# recalled does not depend on how busy the machine is.
_SETTINGS = {
    "learning": {"daily_tokens": 1_000_000_000},
    "capture": {"keep_turns_days": 0.0},
    "decay": {"bin_days": 3650.0},
    "recall": {"deadline_ms": 10_000},
}


async def main(arguments: argparse.Namespace, workspace: Path) -> int:
    """Prints the report as JSON; 0 if every promise was kept, 1 if not, 2 where it cannot begin."""
    seed = random.randrange(2**32) if arguments.seed is None else arguments.seed
    folder = workspace / f"soak-{seed}"
    print(f"seed {seed}, {folder}", file=sys.stderr)
    with interruptible():
        seconds, backend = arguments.hours * 3600.0, arguments.backend
        try:
            found = await soak(
                folder, seconds=seconds, seed=seed, rounds=arguments.rounds, backend=backend
            )
        except FileExistsError as refused:
            print(refused, file=sys.stderr)
            return 2
    print(json.dumps(found, indent=1, ensure_ascii=False))
    return 1 if found["broken_promises"] else 0


async def soak(
    folder: Path,
    *,
    seconds: float,
    seed: int,
    rounds: int,
    backend: BackendName = "sqlite",
    talk: int = TALK,
    talks: int = TALKS,
    lives: int = 1,
) -> dict[str, Any]:
    """Live for so long, so many `lives` at least and none of more than so many `rounds`.

    What came of it, also if it was cut short.
    Samples are written to `samples.jsonl` in the folder as they come. Raises FileExistsError where
    the folder holds anything.
    """
    _refuse_left_over(folder)
    diary, leaks = Diary(folder / "samples.jsonl"), Leaks()

    def respond(request: ChatRequest) -> Reply:
        leaks.look(request)
        return one_lesson_an_episode(request)

    async with ModelServer.running(respond) as model, SoakBackend.running(backend, folder) as kept:
        root = new_root(folder / "host")
        root.prepare(model.source, plugin_config=_SETTINGS | kept.settings())
        host = HostProcess(root, ClockFile(folder / "clock"), folder / "host.log")
        every = Lives(host, model, kept, diary, random.Random(seed), talk, talks, rounds)
        try:
            await every.go_on(time.monotonic() + seconds, lives)
        except asyncio.CancelledError:
            diary.interrupted = True
            await every.count(finished=False)
        except (HostFailed, TimeoutError, ConnectionClosed, UnexpectedAnswer) as failure:
            diary.broken.append(f"the host failed: {failure!r}")
        finally:
            with suppress(HostFailed):
                await host.kill()
    diary.broken += leaks.found
    return report(diary)


def _refuse_left_over(folder: Path) -> None:
    """What is there would be counted as lost or doubled."""
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(
            f"{folder} holds what an earlier run has left: delete it, or give another --seed"
        )


class SoakBackend:
    """Made by `running`. `backend` is its name in the settings."""

    def __init__(self, name: BackendName, process: ServerProcess | None) -> None:
        self.backend: Backend = "sqlite" if name == "sqlite" else "chroma"
        self.process = process

    @classmethod
    @asynccontextmanager
    async def running(cls, name: BackendName, folder: Path) -> AsyncGenerator["SoakBackend"]:
        """With a server in the folder, if it is one, until the end of the block."""
        process = ServerProcess(folder / "server") if name == "chroma-server" else None
        try:
            if process is not None:
                await asyncio.to_thread(process.start)
            yield cls(name, process)
        finally:
            if process is not None:
                process.kill()

    @property
    def server(self) -> ChromaServer | None:
        """How it is reached, if it is one."""
        return self.process and self.process.address(INSTALLATION)

    def settings(self) -> dict[str, Any]:
        """The part of the plugin's configuration that says so."""
        chroma: dict[str, Any] = {}
        if (server := self.server) is not None:
            chroma = {"address": server.address, "installation": server.installation}
        return {"storage": {"backend": self.backend, "chroma": chroma}}


@contextmanager
def full_disk(process: int) -> Generator[None]:
    """No file of the process or of those it has started may grow."""
    with suppress(psutil.NoSuchProcess, ProcessLookupError):
        _limit(process, full=True)
    try:
        yield
    finally:
        with suppress(psutil.NoSuchProcess, ProcessLookupError):
            _limit(process, full=False)


def _limit(process: int, *, full: bool) -> None:
    host = psutil.Process(process)
    _limit_one(process, full=full)
    # Only now: one that is born meanwhile has the limit that the host had.
    for each in host.children(recursive=True):
        with suppress(ProcessLookupError):
            _limit_one(each.pid, full=full)


def _limit_one(process: int, *, full: bool) -> None:
    hard = resource.prlimit(process, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(process, resource.RLIMIT_FSIZE, (1 if full else hard, hard))


@dataclass(slots=True)
class Diary:
    """Kept while the host lives; samples go to `file` too."""

    file: Path
    began: float = field(default_factory=time.monotonic)
    lives: int = 0
    interrupted: bool = False
    broken: list[str] = field(default_factory=list[str])
    deeds: Counter[str] = field(default_factory=Counter[str])
    samples: list[Sample] = field(default_factory=list[Sample])
    counts: list[Toll] = field(default_factory=list[Toll])
    waits: list[float] = field(default_factory=list[float])

    def did(self, what: str) -> None:
        """One more of these deeds."""
        self.deeds[what] += 1

    def answered(self, wait: float) -> None:
        """A turn was answered after so many seconds."""
        self.did("turn")
        self.waits.append(wait)

    def counted(self, left: Toll, problems: Sequence[str]) -> None:
        """What was found when the host was down."""
        self.counts.append(left)
        self.broken += [problem for problem in problems if problem not in self.broken]

    def sample(self, process: int, folder: Path) -> None:
        """How the host does after a round; the waits since the last sample are in it."""
        host, waits = psutil.Process(process), list(self.waits)
        children = host.children(recursive=True)
        self.waits.clear()
        with host.oneshot():
            taken: Sample = {
                "at": round(time.monotonic() - self.began, 1),
                "life": self.lives,
                "rss_mb": round(host.memory_info().rss / MIB, 1),
                "files": host.num_fds(),
                "threads": host.num_threads(),
                "journal_mb": _megabytes(folder, "journal.db*"),
                "memories_mb": _megabytes(folder, "memories.db*")
                + _megabytes(folder, "chroma/**/*"),
                "turns": len(waits),
                "p50_ms": round(1_000.0 * median(waits), 1) if waits else 0.0,
                "child_rss_mb": round(sum(each.memory_info().rss for each in children) / MIB, 1),
                "child_files": sum(each.num_fds() for each in children),
            }
        self.samples.append(taken)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(taken) + "\n")


def report(diary: Diary) -> dict[str, Any]:
    """The whole as JSON. `watched`: of each figure the least and the most, and its median in the
    first and in the second half of the rounds: what leaks is more in the second.
    """
    samples, last = diary.samples, diary.counts[-1] if diary.counts else None
    return {
        "hours": round((time.monotonic() - diary.began) / 3600.0, 3),
        "interrupted": diary.interrupted,
        "lives": diary.lives,
        "deeds": dict(diary.deeds),
        "counts": len(diary.counts),
        "turns_kept": last.acknowledged if last else 0,
        "episodes": last.episodes if last else 0,
        "memories": last.memories if last else 0,
        "verdicts": last.verdicts if last else 0,
        "rounds": len(samples),
        "watched": {name: _watched([one[name] for one in samples]) for name in WATCHED},
        "broken": len(diary.broken),
        "broken_promises": diary.broken[:SHOWN],
    }


def _watched(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {}
    half = len(values) // 2
    halves = {"first": median(values[: half or 1]), "second": median(values[half:])}
    return {"least": min(values), "most": max(values), **halves}


class Lives:
    """One host, started again whenever it has ended, and what its people may rely on."""

    def __init__(
        self,
        host: HostProcess,
        model: ModelServer,
        kept: SoakBackend,
        diary: Diary,
        chance: random.Random,
        talk: int,
        talks: int,
        rounds: int,
    ) -> None:
        self._host, self._model, self._kept = host, model, kept
        self._diary, self._chance, self._cast = diary, chance, Cast(chance)
        self._talk, self._talks, self._rounds = talk, talks, rounds
        self._promised: list[Line] = []
        """What is on record: it was answered, or something later in its group was."""
        self._unheard: dict[int | None, list[Line]] = {group: [] for group in GROUPS}
        """Said to the others of a group since the bot last answered there."""
        self._backups: dict[str, int] = {}
        """How much had been promised when each was made."""

    async def go_on(self, until: float, lives: int) -> None:
        """Lives until that moment of the monotonic clock, so many at least, then a count."""
        over = False
        while not over:
            async with self._life() as chat:
                await self._round(chat)
                for _ in range(self._chance.randint(0, self._rounds - 1)):
                    if time.monotonic() < until:
                        await self._round(chat)
                await self._killed(chat)
            over = time.monotonic() >= until and self._diary.lives >= lives
            if over or self._diary.lives % LIVES_TO_A_COUNT == 0:
                async with self._life() as chat:
                    await self._talked(chat)
                    # What was said to others last has been heard when somebody is answered.
                    await self._said(chat, self._cast.next(answered=True))
                    await slept(chat, ADMIN, timeout=ANSWER_WITHIN)
                await self.count()

    async def count(self, *, finished: bool = True) -> None:
        """Look at what the host has left behind; unless it had `finished`, for what is lost."""
        with suppress(HostFailed):
            await self._host.kill()
        folder = self._host.root.plugin_data
        if not folder.is_dir():
            return
        answered = [line.text for line in self._promised if line.addressed]
        heard = [line.text for line in self._promised if not line.addressed]
        try:
            left = await toll(
                folder,
                answered,
                backend=self._kept.backend,
                server=self._kept.server,
                sessions=SESSIONS,
                more=lambda turns, memories: misheard(turns, memories, heard),
            )
        except TidemarkError as error:
            self._diary.broken.append(f"cannot be opened: {error}")
            return
        self._diary.counted(left, [p for p in left.problems if finished or _is_loss(p)])

    @asynccontextmanager
    async def _life(self) -> AsyncGenerator[OneBot]:
        await self._host.start(START_WITHIN)
        self._diary.lives += 1
        names = {user: f"Person {user}" for user in PEOPLE}
        async with OneBot.connected(self._host.root.onebot_port, names) as chat:
            yield chat
            if self._host.running:
                await self._host.stop()

    async def _round(self, chat: OneBot) -> None:
        deeds: list[Callable[[OneBot], Awaitable[None]]] = [self._talked] * (self._talks - 1)
        deeds += [self._slept, self._backed_up, self._gone_back, self._full_disk, self._jumped]
        deeds += [self._ruled, self._planned]
        if self._kept.process is not None:
            deeds.append(self._server_gone)
        self._chance.shuffle(deeds)
        # Memory that finds the disk full when it opens is without any until it tries again.
        for deed in [self._talked, *deeds]:
            await deed(chat)
        self._model.clear()
        self._diary.sample(self._host.pid, self._host.root.plugin_data)

    async def _talked(self, chat: OneBot) -> None:
        for _ in range(self._talk):
            await self._said(chat, self._cast.next())

    async def _said(self, chat: OneBot, line: Line) -> None:
        if not line.addressed:
            self._diary.did("overheard")
            await chat.say(line.user, line.text, group=line.group)
            if line.recorded:
                self._unheard[line.group].append(line)
            return
        began = time.monotonic()
        await self._echoed(chat, line, ANSWER_WITHIN)
        self._diary.answered(time.monotonic() - began)
        self._promised += self._unheard.get(line.group, [])
        self._unheard[line.group] = []
        if line.recorded:
            self._promised.append(line)

    async def _slept(self, chat: OneBot) -> None:
        self._diary.did("sleep")
        await slept(chat, ADMIN, timeout=ANSWER_WITHIN)

    async def _backed_up(self, chat: OneBot) -> None:
        self._diary.did("backup")
        name = await backed_up(chat, ADMIN, timeout=ANSWER_WITHIN)
        self._backups[name] = len(self._promised)
        while len(self._backups) > BACKUPS_KEPT:
            oldest = next(iter(self._backups))
            del self._backups[oldest]
            await self._told(chat, f"backup delete {oldest}")

    async def _gone_back(self, chat: OneBot) -> None:
        if not self._backups:
            await self._backed_up(chat)
        self._diary.did("restore")
        name = self._chance.choice(list(self._backups))
        code = only(_CODE, await self._told(chat, f"restore-backup {name}"))
        restored = await self._told(chat, f"restore-backup {name} {code}")
        del self._promised[self._backups[name] :]
        self._forget_unheard()
        for later in [n for n, many in self._backups.items() if many > len(self._promised)]:
            del self._backups[later]
            await self._told(chat, f"backup delete {later}")
        for before in set(BACKUP.findall(restored)) - {name}:
            await self._told(chat, f"backup delete {before}")
        for group, rule in self._cast.rules.items():
            await self._rule(chat, group, rule)

    async def _ruled(self, chat: OneBot) -> None:
        """What is recorded of a group from now on."""
        self._diary.did("rule")
        await self._rule(chat, self._chance.choice(GROUPS), self._chance.choice(RULES))

    async def _rule(self, chat: OneBot, group: int, rule: str) -> None:
        await told(chat, ADMIN, f"/memory recording {rule}", group=group, timeout=ANSWER_WITHIN)
        self._cast.rules[group] = rule

    async def _planned(self, chat: OneBot) -> None:
        """Somebody asks what is planned, in private or in a group."""
        self._diary.did("plans")
        user, group = self._chance.choice(PEOPLE), self._chance.choice((None, *GROUPS))
        shown = await told(chat, user, "/memory plans", group=group, timeout=ANSWER_WITHIN)
        self._diary.broken += misplanned(shown, str(group or user), self._cast.plans)

    async def _server_gone(self, chat: OneBot) -> None:
        """Chroma's server is killed while people talk; what it would be told waits."""
        assert self._kept.process is not None
        self._diary.did("server gone")
        self._kept.process.kill()
        await self._talked(chat)
        await asyncio.to_thread(self._kept.process.start)

    async def _jumped(self, _: OneBot) -> None:
        """Days, hours back, or a year."""
        jumps = [("day forward", 1.3), ("hours back", -0.2)]
        if self._diary.deeds["year"] < MOST_YEARS:
            jumps.append(("year", 365.0))
        what, days = self._chance.choice(jumps)
        self._diary.did(what)
        self._host.clock.set_offset(self._host.clock.offset() + days * DAY)

    async def _full_disk(self, chat: OneBot) -> None:
        """No file of the host may grow for some turns; of these nothing is promised."""
        self._diary.did("full disk")
        with full_disk(self._host.pid):
            await self._tried(chat)
        await self._tried(chat)
        self._forget_unheard()

    def _forget_unheard(self) -> None:
        self._unheard = {group: [] for group in GROUPS}

    async def _tried(self, chat: OneBot) -> None:
        for _ in range(3):
            with suppress(TimeoutError):
                await self._echoed(chat, self._cast.next(answered=True), FULL_DISK_ANSWER)

    async def _echoed(self, chat: OneBot, line: Line, within: float) -> None:
        """Say it and wait for its own answer: one that came late may come first."""
        seen, (user, group) = len(chat.sent), (line.user, line.group)
        await chat.say(user, line.text, group=group, mention=group is not None)
        await chat.next_reply(seen, user=user, group=group, timeout=within, containing=line.text)

    async def _killed(self, chat: OneBot) -> None:
        """In the middle of a turn, which was answered if its answer came before."""
        self._diary.did("kill")
        line, seen = self._cast.next(answered=True), len(chat.sent)
        await chat.say(line.user, line.text, group=line.group, mention=line.group is not None)
        await asyncio.sleep(self._chance.uniform(0.0, LATEST_KILL))
        await self._host.kill()
        if line.recorded and any(line.text in sent.text for sent in chat.sent[seen:]):
            self._promised.append(line)
        self._forget_unheard()

    async def _told(self, chat: OneBot, command: str) -> str:
        return await told(chat, ADMIN, f"/memory {command}", timeout=ANSWER_WITHIN)


def _is_loss(problem: str) -> bool:
    return "lost: " in problem or "recorded: " in problem


def _megabytes(folder: Path, pattern: str) -> float:
    return round(sum(map(_bytes, folder.glob(pattern))) / MIB, 2)


def _bytes(file: Path) -> int:
    try:
        return file.stat().st_size if file.is_file() else 0
    except FileNotFoundError:
        return 0
