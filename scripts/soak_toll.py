"""What a talk with kills has left behind: the journal and the memories, read and counted."""

import asyncio
import json
import re
import sqlite3
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from ..core.forgetting.tmd import JUDGED_WINDOW
from ..core.model.conversation import Role, Turn
from ..core.model.memory import Kind, Memory
from ..core.ports import Filter, Journal, WorkKind
from ..core.ports.files import ChromaServer
from ..storage import Backend, open_journal, open_store
from .hostkit.model_server import ChatRequest, Purpose, Reply, echo
from .rehearsal_learning import notes_in

USER = 901


def session_of(user: int) -> str:
    """The private chat of a person."""
    return f"qq:FriendMessage:{user}"


SESSION = session_of(USER)
LEARNING_TAKES = 0.3
ALL = 1_000_000
_HEARD = {Kind.EVIDENCE, Kind.PROSPECTIVE}
"""Kept at every turn; the rest is learnt from an episode."""

type Check = Callable[[Sequence[Turn], Sequence[Memory]], Iterable[str]]
_FIRST = re.compile(r"^\[[^\]]*\] [^:]*: (.*)$", re.M)


@dataclass(frozen=True, slots=True)
class Toll:
    """Counts of what is left. `problems` is empty where nothing was lost or doubled."""

    acknowledged: int
    episodes: int
    memories: int
    verdicts: int
    problems: tuple[str, ...]


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
    return Toll(len(acknowledged), episodes, len(memories), verdicts, tuple(problems))


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
    # What was learnt last begins a sleep a minute later: that is not due.
    sleeps = frozenset({WorkKind.SLEEP})
    due = await journal.due(time.time(), kinds=sleeps, limit=1, skip=frozenset())
    backlog = (await journal.backlog()).items()
    left = {kind: n for (kind, _), n in backlog if n and (due or kind not in sleeps)}
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
