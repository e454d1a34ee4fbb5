"""Programs that are watched from outside: `WHAT FOLDER [BACKEND TURNS]`, told line by line."""

import asyncio
import runpy
import shutil
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from sqlite3 import Connection

runpy.run_path(str(Path(__file__).resolve().parents[1] / "mounted.py"))

from astrbot_plugin_tidemark.core.model.consent import Consent
from astrbot_plugin_tidemark.core.model.sleeping import SleepCause
from astrbot_plugin_tidemark.core.transfer.backup import Occasion
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.scripts.nights import asleep
from astrbot_plugin_tidemark.storage import Backend, connections, open_journal, open_store
from astrbot_plugin_tidemark.storage.chroma import namespace
from astrbot_plugin_tidemark.storage.connections import Database
from astrbot_plugin_tidemark.storage.files import LocalFiles
from astrbot_plugin_tidemark.storage.migrations import migrate
from astrbot_plugin_tidemark.tests.kill import talker
from astrbot_plugin_tidemark.tests.storage.memories import memory

OFTEN = "PRAGMA wal_autocheckpoint=25"
"""A log is merged several times in a talk."""

KEPT_AT = {"batch_size": 4, "sync_threshold": 8}
"""Records after which Chroma writes its index of a collection to files, and drops them from its
queue: a hundred and a thousand otherwise."""

NOW = 1_750_000_000.0
OWNER = "private/qq/901/"


async def talk(folder: Path, backend: Backend, turns: str) -> None:
    """A talk that is learnt from, slept over and closed; each answer is told."""
    for how in (namespace.SEARCHED, namespace.UNSEARCHED):
        how.update(KEPT_AT)
    engine = await talker.opened(folder, backend)
    engine.start()
    for number in range(int(turns)):
        await talker.answer(engine, number)
        talker.say(f"said {number}")
        if number % 3 == 0:
            await engine.rhythm.begin_all(SleepCause.NIGHT, time.time())
        engine.wake()
    await asleep(engine)
    await engine.close()


async def make(folder: Path) -> None:
    """New files."""
    store, journal = await open_store("sqlite", folder), await open_journal(folder)
    await store.close()
    await journal.close()


@asynccontextmanager
async def kept(folder: Path) -> AsyncIterator[DataFolder]:
    """Memories and journal as the plugin opens them."""
    data_folder = await DataFolder.open(LocalFiles(folder), "sqlite")
    try:
        yield data_folder
    finally:
        await data_folder.aclose()


async def keep(folder: Path) -> None:
    """A backup, something new, an erasure, and back to the backup."""
    async with kept(folder) as data:
        await data.store.put([memory("old")])
        talker.say("said old")
        backup = await data.backups.make(Occasion.ASKED, NOW)
        talker.say("said backup")
        await data.store.put([memory("new")])
        talker.say("said new")
        await data.journal.begin_erasure({OWNER: Consent()})
        await data.journal.keep_ledger()
        talker.say("said erasure")
        talker.say("said going back")
        await data.backups.stage(backup.name)
        talker.say("said staged")
    async with kept(folder) as data:
        talker.say("said gone back")
        await data.store.put([memory("newer")])
        talker.say("said newer")


async def change(folder: Path) -> None:
    """A file of a first version, and then of the next."""

    def first(tx: Connection) -> None:
        tx.execute("CREATE TABLE words (word TEXT)")

    def second(tx: Connection) -> None:
        tx.execute("ALTER TABLE words ADD COLUMN tongue TEXT")

    database = await Database.open(folder / "words.db")
    await migrate(database, [first])
    await migrate(database, [first, second])
    await database.close()


if __name__ == "__main__":
    connections._PRAGMAS = (*connections._PRAGMAS, OFTEN)
    # What is copied inside the system is not told by a write.
    shutil._USE_CP_SENDFILE = False
    what = {"talk": talk, "make": make, "keep": keep, "change": change}[sys.argv[1]]
    asyncio.run(what(Path(sys.argv[2]), *sys.argv[3:]))
