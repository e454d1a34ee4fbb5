"""What a backup program gets that copies the files one after another while they are written.

As long as no merge of a log into its file falls between the two copies, that is: then they may not
fit, and the snapshots of our own are what to go back to.
"""

import asyncio
import itertools
import shutil
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Place, Role, Speaker
from astrbot_plugin_tidemark.core.ports import Journal, MemoryStore
from astrbot_plugin_tidemark.storage import open_journal, open_store
from astrbot_plugin_tidemark.storage.snapshot import Snapshot, verify

from ..kit import until
from .memories import memory

HERE = Place("qq:FriendMessage:901", "c1", "private/qq/901/default")


async def say(journal: Journal, text: str) -> int:
    """A turn; its seq."""
    turn = NewTurn(HERE, Role.USER, Speaker("901", "Ann"), text, 1.0)
    return (await journal.append(turn, lambda episode, turn: None)).turn.seq


class Busy:
    """Turns and memories that are written one after another until it is told to stop."""

    def __init__(self, journal: Journal, store: MemoryStore) -> None:
        self._journal = journal
        self._store = store
        self.turns: list[int] = []
        self.memories: list[str] = []
        self.going = True

    async def run(self) -> None:
        for number in itertools.count():
            if not self.going:
                return
            self.turns.append(await say(self._journal, f"turn {number} " + "x" * 300))
            await self._store.put([memory(f"m{number}", f"tea {number} " + "y" * 300)])
            self.memories.append(f"m{number}")
            # Some three hundred would make a merge of log and file fall into the copy.
            await asyncio.sleep(0.005)


@asynccontextmanager
async def busy(folder: Path) -> AsyncIterator[Busy]:
    journal, store = await open_journal(folder), await open_store("sqlite", folder)
    work = Busy(journal, store)
    running = asyncio.create_task(work.run())
    try:
        await until(lambda: len(work.memories) >= 30)
        yield work
    finally:
        work.going = False
        await running
        await store.close()
        await journal.close()


async def copied(source: Path, target: Path, suffixes: Sequence[str]) -> None:
    """The files one after another, with something going on between any two."""
    for name in ("journal.db", "memories.db"):
        for suffix in suffixes:
            await asyncio.to_thread(
                shutil.copyfile, source / (name + suffix), target / (name + suffix)
            )
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("suffixes", [("", "-wal"), ("-wal", ""), ("", "-shm", "-wal")])
async def test_what_was_written_before_is_in_it(tmp_path: Path, suffixes: tuple[str, ...]) -> None:
    source, target = tmp_path / "a", tmp_path / "b"
    source.mkdir()
    target.mkdir()
    async with busy(source) as work:
        turns, memories = list(work.turns), list(work.memories)
        await copied(source, target, suffixes)
    for name in ("journal.db", "memories.db"):
        await verify(target / name)
    journal, store = await open_journal(target), await open_store("sqlite", target)
    try:
        assert all([await journal.turn(seq) for seq in turns])
        assert {each.id for each in await store.find(memories)} == set(memories)
        found = await store.search_text("tea", frozenset({memory("x").scope}), limit=5)
        assert len(found) == 5
        assert await say(journal, "after") > work.turns[-1]
    finally:
        await store.close()
        await journal.close()


async def test_a_snapshot_is_whole_however_it_is_copied(tmp_path: Path) -> None:
    source, target = tmp_path / "a", tmp_path / "b"
    source.mkdir()
    target.mkdir()
    async with busy(source) as work:
        memories, turns = list(work.memories), list(work.turns)
        snapshot = await Snapshot.take([source / "memories.db", source / "journal.db"])
        await snapshot.copy(target)
        await snapshot.close()
    assert sorted(each.name for each in target.iterdir()) == ["journal.db", "memories.db"]
    store, journal = await open_store("sqlite", target), await open_journal(target)
    try:
        assert {each.id for each in await store.find(memories)} == set(memories)
        assert all([await journal.turn(seq) for seq in turns])
    finally:
        await store.close()
        await journal.close()


async def test_a_snapshot_holds_no_writer_up(tmp_path: Path) -> None:
    async with busy(tmp_path) as work:
        snapshot = await Snapshot.take([tmp_path / "memories.db", tmp_path / "journal.db"])
        before = len(work.memories)
        await until(lambda: len(work.memories) >= before + 10)
        await snapshot.close()
        await snapshot.close()


def test_the_files_stand_still_between_checkpoints(tmp_path: Path) -> None:
    """What the copies rely on: a commit goes to the log, not into the file."""

    async def write() -> tuple[bytes, bytes]:
        async with busy(tmp_path):
            before = (tmp_path / "memories.db").read_bytes()
            await asyncio.sleep(0.2)
            return before, (tmp_path / "memories.db").read_bytes()

    before, after = asyncio.run(write())
    assert before == after
    with closing(sqlite3.connect(tmp_path / "memories.db")) as closed:
        assert closed.execute("SELECT count(*) FROM memory").fetchone()[0] >= 30
