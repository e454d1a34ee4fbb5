"""The work of `benchmarks.journal_growth`: a year said into a journal, day by day."""

import argparse
import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from ..core.engine.engine import RecallRequest
from ..core.forgetting.lifecycle import DAY, BinPolicy
from ..core.model.conversation import Injected, NewTurn, Place, Role, Scope, Speaker
from ..core.model.memory import Memory, Origin
from ..core.ports import Erasure, Journal, MemoryStore, Recollection
from ..core.privacy.consents import Consents
from ..core.privacy.retention import Retention
from ..storage import open_journal, open_store
from ..storage.connections import Database
from ..storage.journal import FILE, recalls
from . import command, machine
from .corpus import Corpus
from .population import GeneratedScope
from .recall_cost_scope import opened
from .recall_quality_answers import indexed

SCOPE, SESSION = "group/bench/5000/default", "bench:GroupMessage:5000"
EPISODE, SPEAKERS, SHOWN, ASKED = 40, 20, 3, 20
SETTLED = 90
"""Days after which a journal holds what it needs."""

GROWTH = 1.05

_TABLES = {
    "episodes": "id, session, conversation, scope, opened_at, last_at, turns, characters,"
    " closed_at, ended_by",
    "turns": "seq, episode, session, role, speaker_id, speaker_name, text, at, message_id",
    "finished": "key",
    "verdicts": "turn, memory, useful, source, at",
    "audit": 'key, memory, scope, action, "by", at, detail',
}


@dataclass(frozen=True, slots=True)
class Year:
    """How much is said, and for how long it is kept; not `condensed`: only texts go."""

    days: int = 365
    turns_a_day: int = 500
    keep_days: int = 30
    memory_days: int = 45
    condensed: bool = True
    every: int = 5
    """Days between two runs of retention."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A journal, what is remembered of it, and by the day on which that was said its ids.

    `beside` is a connection of its own to the journal's file; `recalled` are recalls with their
    traces and blocks, which are written by turns.
    """

    journal: Journal
    beside: Database
    store: MemoryStore
    year: Year
    recalled: Sequence[Recollection]
    remembered: dict[int, Sequence[str]] = field(default_factory=dict[int, Sequence[str]])

    async def day(self, day: int) -> None:
        """Say a day's turns, remember some of them, forget those whose time has come."""
        known = [id for ids in self.remembered.values() for id in ids] or [_id(0)]
        # Turn by turn it would take hours: one transaction for the day, beside the journal.
        seqs = await self.beside.write(lambda tx: self._said(tx, day, known))
        made = [_memory(seq, day * DAY) for seq in seqs[::EPISODE]]
        await self.store.put(made)
        self.remembered[day] = [memory.id for memory in made]
        gone = self.remembered.pop(day - self.year.memory_days, [])
        await self.journal.erase(Erasure(memories=frozenset(gone)))
        await self.store.purge(gone)

    def _said(self, tx: Connection, day: int, known: Sequence[str]) -> range:
        [last] = tx.execute("SELECT seq FROM sqlite_sequence WHERE name = 'turns'").fetchone()
        seqs = range(last + 1, last + 1 + self.year.turns_a_day)
        for table, rows in _rows(seqs, day * DAY, known).items():
            marks = ", ".join("?" * len(rows[0]))
            tx.executemany(f"INSERT INTO {table} ({_TABLES[table]}) VALUES ({marks})", rows)
        for seq in seqs[seqs.start % 2 :: 2]:
            plain = self.recalled[seq // 2 % len(self.recalled)]
            shown = enumerate(_shown(seq, known), start=1)
            injected = tuple(Injected(seq, number, memory) for number, memory in shown)
            recalls.record(tx, replace(plain, turn=seq, at=day * DAY, injected=injected))
        return seqs

    async def retain(self, now: float) -> None:
        """What happens in the background."""
        if self.year.condensed:
            consents, days = Consents(self.journal), self.year.keep_days
            await Retention(self.store, self.journal, consents, BinPolicy(), days).apply(now)
        while await self.journal.drop_texts(now - self.year.keep_days * DAY):
            pass
        await self.journal.wiped()


def main(argv: Sequence[str]) -> int:
    """Measure and print; the exit code is 0 whatever came out."""
    top = argparse.ArgumentParser(prog="benchmarks.journal_growth")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--folder", type=Path, help="where the journals are made (and removed)")
    top.add_argument("--days", type=int, default=365)
    top.add_argument("--turns", type=int, default=500, help="a day")
    top.add_argument("--keep-days", type=int, default=30)
    top.add_argument("--memory-days", type=int, default=45)
    options = top.parse_args(argv)
    year = Year(options.days, options.turns, options.keep_days, options.memory_days)
    with command.workspace(options.folder) as folder:
        command.emit(asyncio.run(_measured(year, folder)), as_json=options.json)
    return 0


async def _measured(year: Year, folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("emptied", "condensed"):
        command.progress(f"{year.days} days, {name}")
        own = folder / name
        await asyncio.to_thread(own.mkdir)
        one = replace(year, condensed=name == "condensed")
        found[name] = growth(await sizes(one, own), year.turns_a_day)
    return {
        "benchmark": "journal_growth",
        "machine": machine.facts(),
        "turns_a_day": year.turns_a_day,
        "keep_days": year.keep_days,
        "memory_days": year.memory_days,
        **found,
        "targets": {"growth": command.target(GROWTH, found["condensed"]["growth"])},
    }


def growth(sizes: Mapping[int, int], turns_a_day: int) -> dict[str, Any]:
    """What came in after the journal was settled; the year must be longer than that."""
    first, last = min(day for day in sizes if day >= SETTLED), max(sizes)
    grown = sizes[last] - sizes[first]
    return {
        "sizes": dict(sizes),
        "per_turn": round(grown / max(last - first, 1) / turns_a_day, 1),
        "growth": round(sizes[last] / sizes[first], 3),
    }


async def sizes(year: Year, folder: Path) -> dict[int, int]:
    """Bytes in use of the journal, by day."""
    journal = await open_journal(folder)
    beside = await Database.open(folder / FILE)
    recalled = await recollections(year, folder / "asked")
    chat = Chat(journal, beside, await open_store("sqlite", folder), year, recalled)
    found: dict[int, int] = {}
    try:
        for day in range(1, year.days + 1):
            await chat.day(day)
            if day % year.every == 0:
                await chat.retain(day * DAY)
                found[day] = await asyncio.to_thread(_in_use, folder)
    finally:
        await chat.beside.close()
        await chat.journal.close()
        await chat.store.close()
    return found


def _in_use(folder: Path) -> int:
    with closing(sqlite3.connect(folder / FILE)) as file:
        pages, free, size = (
            file.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
    return (pages - free) * size


async def recollections(year: Year, folder: Path) -> list[Recollection]:
    """What real recalls write over as many memories as the chat has at a time."""
    scope, now = Scope.parse(SCOPE), year.memory_days * DAY
    seqs = range(1, year.turns_a_day * year.memory_days, EPISODE)
    texts = Corpus(1).sentences(len(seqs) + ASKED)
    await asyncio.to_thread(folder.mkdir)
    async with opened(folder, now) as engine:
        told = GeneratedScope(0, texts[: len(seqs)], now)
        await engine.parts.store.put([replace(each, scope=SCOPE) for each in told])
        await indexed(engine)
        found: list[Recollection] = []
        for text in texts[len(seqs) :]:
            said = NewTurn(Place(SESSION, "c1", SCOPE), Role.USER, Speaker("u", "Ann"), text, now)
            turn = (await engine.observe(said)).turn
            await engine.recall(RecallRequest(scope, text, turn.seq))
            await engine.recorded()
            found += filter(None, [await engine.parts.journal.recollection_of(turn.seq)])
    assert len(found) == ASKED
    return found


def _rows(seqs: range, at: float, known: Sequence[str]) -> dict[str, list[tuple]]:
    """What the journal holds of a day once all work is done."""
    rows: dict[str, list[tuple]] = {table: [] for table in _TABLES}
    for first in seqs[::EPISODE]:
        episode = _episode(first)
        count = min(EPISODE, seqs.stop - first)
        rows["episodes"].append((episode, SESSION, "c1", SCOPE, at, at, count, 0, at, "silence"))
        rows["finished"].append((f"learn:{episode}",))
    for seq in seqs:
        bot, asked = seq % 2 == 1, seq - 1
        speaker = "bot" if bot else f"{900_000_000 + seq // 2 % SPEAKERS}"
        message = f"reply:{asked}" if bot else f"{seq * 7919}"
        text = (
            "I put the kettle on and looked for the green cup" if not bot else "Which cup was it?"
        )
        name, role = ("", "assistant") if bot else (f"speaker {speaker}", "user")
        episode = _episode(seqs[(seq - seqs.start) // EPISODE * EPISODE])
        rows["turns"].append((seq, episode, SESSION, role, speaker, name, text, at, message))
        rows["finished"].append((f"turn:{seq}",))
        if not bot:
            _recall(rows, seq, at, known)
    return rows


def _recall(rows: Mapping[str, list[tuple]], seq: int, at: float, known: Sequence[str]) -> None:
    # The raw turn of long ago that is deleted on that day.
    purged = _id(seq - 50_000)
    entry = (f"purged:{purged}", purged, SCOPE, "purged", "bin", at, '{"binned_at": 0.0}')
    rows["audit"].append(entry)
    for number, memory in enumerate(_shown(seq, known)):
        rows["verdicts"].append((seq, memory, number % 2, "rules", at))
        key, useful = f"judged:{seq}:{memory}", "useful" if number % 2 else "useless"
        detail = f'{{"turn": {seq}, "strength": 5, "useful_score": 0.5, "status": "live"}}'
        rows["audit"].append((key, memory, SCOPE, useful, "rules", at, detail))


def _shown(seq: int, known: Sequence[str]) -> list[str]:
    return [known[(seq * 31 + number) % len(known)] for number in range(min(SHOWN, len(known)))]


def _memory(seq: int, at: float) -> Memory:
    [told] = GeneratedScope(0, ["the green cup"], at)
    origin = Origin(SESSION, "c1", _episode(seq), (seq,))
    return replace(told, id=_id(seq), scope=SCOPE, speaker=None, cues=(), origin=origin)


def _episode(first: int) -> str:
    return f"{first:032x}"


def _id(seq: int) -> str:
    return f"00000000-0000-4000-8000-{seq:012x}"
