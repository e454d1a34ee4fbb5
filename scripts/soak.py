"""`dev.py soak`: kill a real host again and again while people talk, then count what is left."""

import argparse
import asyncio
import itertools
import json
import random
import re
import shutil
import sys
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from ..core.memory import Kind, Memory
from ..core.ports import Filter, Journal
from ..storage import open_journal, open_store
from .hostkit.clock import ClockFile
from .hostkit.model_server import ChatRequest, ModelServer, Purpose, Reply, echo
from .hostkit.onebot import OneBot
from .hostkit.process import HostFailed, HostProcess
from .hostkit.root import ADMIN, new_root
from .rehearsal_learning import known_in
from .run import interruptible

USER = 901
SESSION = f"qq:FriendMessage:{USER}"
EPISODE_TURNS = 4
"""Few, so that episodes end, and are learnt from, while the talk goes on."""

LEARNING_TAKES = 0.3
LATEST_KILL = 1.5
_SETTINGS = {
    "capture": {"episode_max_turns": EPISODE_TURNS},
    "learning": {"daily_calls": 100_000, "daily_tokens": 1_000_000_000},
}
_FIRST = re.compile(r"^1 \[[^\]]*\] \w+ [^:]*: (.*)$", re.M)


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
    seed = random.randrange(2**32) if arguments.seed is None else arguments.seed
    folder = workspace / f"soak-{seed}"
    print(f"seed {seed}", file=sys.stderr)
    with interruptible():
        try:
            toll = await soak(folder, turns=arguments.turns, kills=arguments.kills, seed=seed)
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
    """Talk for `turns` turns, killing the host `kills` times at random moments of random turns."""
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
                await chat.ask(ADMIN, "/memory sleep", timeout=120)
            await host.stop()
            break
    return await toll(host.root.plugin_data, acknowledged, kills=len(fatal))


def one_lesson_an_episode(request: ChatRequest) -> Reply:
    """The model: echoes; learns one memory from an episode, worded anew at every call."""
    if request.purpose is not Purpose.LEARN:
        return echo(request)
    return Reply(lesson_text(request.user), delay=LEARNING_TAKES)


def lesson_text(prompt: str) -> str:
    """A learning reply named after the episode's first turn; every known memory was useful.

    The words differ at every call, so that a second reply for an episode cannot hide.
    """
    found = _FIRST.search(prompt)
    first = found.group(1) if found else "nothing"
    memory = {
        "text": f"Lesson of <{first}> {uuid.uuid4().hex}".replace("<", "«").replace(">", "»"),
        "turns": [1],
        "kind": "semantic",
        "importance": 0.9,
        "confidence": 0.9,
    }
    useful = sorted(known_in(prompt))
    return json.dumps({"summary": "", "memories": [memory], "useful": useful}, ensure_ascii=False)


async def toll(folder: Path, acknowledged: Sequence[str], *, kills: int) -> Toll:
    """Read the journal and the memories of a host that has stopped."""
    async with _opened(folder) as (journal, memories):
        counts = await journal.statistics()
        problems = [
            *await _lost(journal, acknowledged),
            *_doubled(memories),
            *await _unlearnt(journal, memories),
            *await _misjudged(journal, memories),
        ]
        verdicts = sum(await journal.verdict_counts())
    episodes = counts["episodes"]
    return Toll(len(acknowledged), kills, episodes, len(memories), verdicts, tuple(problems))


def _host(folder: Path, model: ModelServer) -> HostProcess:
    root = new_root(folder / "host")
    root.prepare(model.source, plugin_config=_SETTINGS)
    return HostProcess(root, ClockFile(folder / "clock"), folder / "host.log")
