"""`dev.py soak`: kill a real host again and again while people talk, then count what is left."""

import argparse
import asyncio
import json
import random
import re
import shutil
import sqlite3
import sys
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Callable, Container, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from ..core.forgetting.tmd import JUDGED_WINDOW
from ..core.model.conversation import Role, Turn
from ..core.model.memory import Kind, Memory
from ..core.ports import Filter, Journal
from ..core.ports.files import ChromaServer
from ..storage import Backend, open_journal, open_store
from .hostkit.clock import ClockFile
from .hostkit.model_server import ChatRequest, ModelServer, Purpose, Reply, echo
from .hostkit.onebot import OneBot
from .hostkit.process import HostFailed, HostProcess
from .hostkit.root import ADMIN, new_root
from .hostkit.sleeping import slept
from .rehearsal_learning import notes_in
from .run import interruptible

USER = 901


def session_of(user: int) -> str:
    """The private chat of a person."""
    return f"qq:FriendMessage:{user}"


SESSION = session_of(USER)
EPISODE_TURNS = 4
"""Turns after which a new conversation begins, so that episodes are learnt from meanwhile."""

LEARNING_TAKES = 0.3
LATEST_KILL = 1.5
"""Seconds after a message was sent."""

ALL = 1_000_000
SETTINGS = {"learning": {"daily_tokens": 1_000_000_000}}
_HEARD = {Kind.EVIDENCE, Kind.PROSPECTIVE}
"""Kept at every turn; the rest is learnt from an episode."""

type Check = Callable[[Sequence[Turn], Sequence[Memory]], Iterable[str]]
_FIRST = re.compile(r"^\[[^\]]*\] [^:]*: (.*)$", re.M)


@dataclass(frozen=True, slots=True)
class Toll:
    """What a talk with kills left behind. `problems` is empty where nothing was lost or doubled."""

    acknowledged: int
    kills: int
    episodes: int
    memories: int
    verdicts: int
    problems: tuple[str, ...]


async def main(arguments: argparse.Namespace, workspace: Path) -> int:
    """0 if nothing was lost or doubled; 1 with the problems otherwise."""
    if arguments.hours is not None:
        # Only there: it builds on what is here.
        from . import endurance

        return await endurance.main(arguments, workspace)
    if arguments.backend != "sqlite":
        print("--backend goes with --hours", file=sys.stderr)
        return 2
    seed = random.randrange(2**32) if arguments.seed is None else arguments.seed
    folder = workspace / f"soak-{seed}"
    print(f"seed {seed}", file=sys.stderr)
    with interruptible():
        try:
            toll = await soak(folder, turns=arguments.turns, kills=arguments.kills, seed=seed)
        except FileExistsError as refused:
            print(refused, file=sys.stderr)
            return 2
        except (HostFailed, asyncio.CancelledError) as failure:
            print(f"stopped: {failure}; kept: {folder}", file=sys.stderr)
            return 1
    print(toll)
    if toll.problems:
        print(f"kept: {folder}", file=sys.stderr)
        return 1
    await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    return 0


async def soak(folder: Path, *, turns: int, kills: int, seed: int) -> Toll:
    """Talk for `turns` turns, killing the host `kills` times at random moments of random turns.

    Raises FileExistsError where the folder holds anything.
    """
    refuse_left_over(folder)
    chance = random.Random(seed)
    fatal = set(chance.sample(range(turns), min(kills, turns)))
    acknowledged: list[str] = []
    async with ModelServer.running(one_lesson_an_episode) as model:
        host = _host(folder, model)
        numbers = iter(range(turns))
        while True:
            await host.start()
            async with OneBot.connected(host.root.onebot_port) as chat:
                said = await _until_killed(host, chat, numbers, fatal, chance)
                acknowledged += said
                if not host.running:
                    continue
                await slept(chat, ADMIN, timeout=120)
            await host.stop()
            break
    return await toll(host.root.plugin_data, acknowledged, kills=len(fatal))


def refuse_left_over(folder: Path) -> None:
    """Raises FileExistsError: what an earlier run has left would be counted as lost or doubled."""
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(
            f"{folder} holds what an earlier run has left: delete it, or give another --seed"
        )


_IN_LETTERS = str.maketrans("0123456789", "ghijklmnop")
"""A number that nobody said would put the lesson into quarantine."""


def one_lesson_an_episode(request: ChatRequest) -> Reply:
    """The model: echoes; learns one memory from an episode, worded anew at every call."""
    match request.purpose:
        case Purpose.LEARN:
            return Reply(lesson_text(request.user), delay=LEARNING_TAKES)
        case Purpose.VERDICT:
            return Reply(verdict_text(request.user), delay=LEARNING_TAKES)
        case _:
            return echo(request)


def lesson_text(prompt: str) -> str:
    """A learning reply named after the episode's first turn.

    The words differ at every call, so that a second reply for an episode cannot hide.
    """
    found = _FIRST.search(prompt)
    # A plan is kept when it is said: a lesson in its words would be the same memory.
    first = found.group(1).partition(". I'm ")[0] if found else "nothing"
    memory = {
        "text": f"Lesson of <{first}> {uuid.uuid4().hex.translate(_IN_LETTERS)}".replace(
            "<", "«"
        ).replace(">", "»"),
        "turns": [1],
        "kind": "semantic",
        "importance": 0.9,
        "confidence": 0.9,
    }
    return json.dumps({"facts": [memory]}, ensure_ascii=False)


def verdict_text(prompt: str) -> str:
    """A verdict: of the notes shown the first one was of use."""
    return json.dumps({"used": [*notes_in(prompt)][:1]})


async def toll(
    folder: Path,
    acknowledged: Sequence[str],
    *,
    kills: int,
    backend: Backend = "sqlite",
    server: ChromaServer | None = None,
    sessions: Sequence[str] = (SESSION,),
    more: Check = lambda turns, memories: (),
) -> Toll:
    """Read the journal and the memories of a host that has stopped; those are all its sessions.

    `more` tells what else is wrong.
    """
    async with _opened(folder, backend, server) as (journal, memories):
        counts = await journal.statistics()
        turns = [turn for each in sessions for turn in await journal.last_turns(each, ALL)]
        problems = [
            *_lost(turns, acknowledged),
            *_misremembered(turns, memories),
            *await _mislearnt(journal, turns, memories),
            *await _misjudged(journal, memories),
            *more(turns, memories),
        ]
        verdicts = sum(await journal.verdict_counts())
    problems += await asyncio.to_thread(damage, folder)
    episodes = counts["episodes"]
    return Toll(len(acknowledged), kills, episodes, len(memories), verdicts, tuple(problems))


def _host(folder: Path, model: ModelServer) -> HostProcess:
    root = new_root(folder / "host")
    root.prepare(model.source, plugin_config=SETTINGS)
    return HostProcess(root, ClockFile(folder / "clock"), folder / "host.log")


async def _until_killed(
    host: HostProcess,
    chat: OneBot,
    numbers: Iterator[int],
    fatal: Container[int],
    chance: random.Random,
) -> list[str]:
    """Talk until the numbers are spent or the host is killed; what was answered."""
    acknowledged: list[str] = []
    for number in numbers:
        if number % EPISODE_TURNS == 0:
            await chat.ask(USER, "/new")
        text = f"Turn {number}: the cargo of ship {number % 7} is {uuid.uuid4().hex[:8]}"
        if number not in fatal:
            await chat.ask(USER, text)
            acknowledged.append(text)
            continue
        seen = len(chat.sent)
        await chat.say(USER, text)
        await asyncio.sleep(chance.uniform(0.0, LATEST_KILL))
        await host.kill()
        if any(sent.user == USER and text in sent.text for sent in chat.sent[seen:]):
            acknowledged.append(text)
        break
    return acknowledged


@asynccontextmanager
async def _opened(
    folder: Path, backend: Backend, server: ChromaServer | None
) -> AsyncIterator[tuple[Journal, list[Memory]]]:
    async with AsyncExitStack() as stack:
        store = await open_store(backend, folder, server=server)
        stack.push_async_callback(store.close)
        journal = await open_journal(folder)
        stack.push_async_callback(journal.close)
        yield journal, [memory async for memory in store.iterate(Filter(status=None))]


def damage(folder: Path) -> list[str]:
    """Databases of a folder, and of those in it, in which SQLite itself finds something wrong."""
    return [
        f"{file.name}: {line}"
        for pattern in ("*.db", "chroma.sqlite3")
        for file in sorted(folder.rglob(pattern))
        for line in _integrity(file)
        if line != "ok"
    ]


def _integrity(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as probe:
        try:
            return [line for [line] in probe.execute("PRAGMA integrity_check").fetchall()]
        except sqlite3.Error as error:
            return [str(error)]


def _lost(turns: Sequence[Turn], acknowledged: Sequence[str]) -> list[str]:
    said = Counter(turn.text for turn in turns if turn.role is Role.USER)
    answered = Counter(turn.text for turn in turns if turn.role is Role.ASSISTANT)
    lost = [f"lost: {text}" for text in acknowledged if said[text] != 1]
    return lost + [f"answer lost: {t}" for t in acknowledged if answered[f"echo: {t}"] != 1]


def _misremembered(turns: Sequence[Turn], memories: Iterable[Memory]) -> list[str]:
    """Raw turns that are no memory, or more than one."""
    kept = Counter(seq for m in memories if m.kind is Kind.EVIDENCE for seq in m.origin.turns)
    said = [turn.seq for turn in turns if turn.role is not Role.ASSISTANT]
    return [f"turn {seq} is {kept[seq]} memories" for seq in said if kept[seq] != 1]


async def _mislearnt(
    journal: Journal, turns: Sequence[Turn], memories: Iterable[Memory]
) -> list[str]:
    """Episodes that were not learnt from, or more than once."""
    learnt = Counter(m.origin.episode for m in memories if m.kind not in _HEARD)
    episodes = dict.fromkeys(turn.episode for turn in turns)
    wrong = [f"episode {e} taught {learnt[e]} memories" for e in episodes if learnt[e] != 1]
    left = {kind: count for (kind, _), count in (await journal.backlog()).items() if count}
    return wrong + [f"{count} {kind} left to do" for kind, count in left.items()]


async def _misjudged(journal: Journal, memories: Sequence[Memory]) -> list[str]:
    """Verdicts applied twice or noted otherwise than applied."""
    wrong, totals = list[str](), Counter[str]()
    for memory in memories:
        vitality = memory.vitality
        history = await journal.audit_of(memory.id, limit=ALL)
        noted = Counter(entry.action for entry in history)
        totals += noted
        applied = vitality.useful_count
        known = len(set(vitality.judged))
        judged = noted["useful"] + noted["useless"]
        if noted["useful"] != applied or known != min(judged, JUDGED_WINDOW):
            told = f"{noted['useful']} of {judged} verdicts noted"
            wrong.append(f"{memory.id}: {told}, {applied} applied, {vitality}")
    counted = await journal.verdict_counts()
    if counted != (totals["useful"], totals["useless"]):
        wrong.append(f"{counted} verdicts counted, {totals} noted")
    return wrong
