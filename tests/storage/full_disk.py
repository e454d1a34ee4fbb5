"""Fills a journal and a store until their files may not grow, and goes on when they may again.

Run as a program with the folder as its argument. Writes the names of the files that failed, then
how many turns and memories were accepted. The limit on the size of files is this process's own.
"""

import asyncio
import resource
import runpy
import sys
from pathlib import Path

ROOM = 1_000_000
"""Bytes that any file may hold while the disk is full."""


async def main(folder: Path) -> None:
    from astrbot_plugin_tidemark.core.model.errors import StorageError
    from astrbot_plugin_tidemark.storage import open_journal, open_store
    from astrbot_plugin_tidemark.tests.storage.journal.saying import say
    from astrbot_plugin_tidemark.tests.storage.memories import memory

    journal, store = await open_journal(folder), await open_store("sqlite", folder)
    counts = [0, 0]

    async def turn() -> None:
        await say(journal, f"turn {counts[0]} " + "salt " * 400)
        counts[0] += 1

    async def record() -> None:
        await store.put([memory(f"{counts[1]:05}", "salt " * 400)])
        counts[1] += 1

    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, hard))
    for write in (turn, record):
        try:
            while True:
                await write()
        except StorageError as error:
            sys.stdout.write(f"{error.file}\n")
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    await turn()
    await record()
    await journal.close()
    await store.close()
    sys.stdout.write(f"{counts[0]} {counts[1]}\n")


if __name__ == "__main__":
    runpy.run_path(str(Path(__file__).resolve().parents[1] / "mounted.py"))
    asyncio.run(main(Path(sys.argv[1])))
