"""A disk without room: writing fails by name, and everything accepted before and after is there."""

import asyncio
import sys
from pathlib import Path

from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.storage import open_store
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened

PROGRAM = Path(__file__).with_name("full_disk.py")


async def test_what_was_accepted_around_a_full_disk_is_there(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(PROGRAM), str(tmp_path), stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    *failed, counted = told.decode().splitlines()
    assert failed == ["journal.db", "memories.db"]
    turns, memories = map(int, counted.split())
    assert turns > 10
    assert memories > 10
    async with opened(tmp_path) as journal:
        said = await journal.last_turns("session", turns + 10)
    assert [turn.text.split()[1] for turn in said] == [str(number) for number in range(turns)]
    store = await open_store("sqlite", tmp_path)
    kept = [memory.id async for memory in store.iterate(Filter(status=None))]
    await store.close()
    assert kept == [f"{number:05}" for number in range(memories)]
