"""A talk over a folder of Chroma that is slept over, to be watched from outside: `FOLDER TURNS`."""

import asyncio
import runpy
import sys
import time
from pathlib import Path

runpy.run_path(str(Path(__file__).resolve().parents[1] / "mounted.py"))

from astrbot_plugin_tidemark.core.model.sleeping import SleepCause
from astrbot_plugin_tidemark.scripts.nights import asleep
from astrbot_plugin_tidemark.storage.chroma import namespace
from astrbot_plugin_tidemark.tests.kill import talker

KEPT_AT = {"batch_size": 4, "sync_threshold": 8}
"""Records after which Chroma writes its index of a collection to files, and drops them from its
queue: a hundred and a thousand otherwise."""


async def talk(folder: Path, turns: int) -> None:
    """Each answer is told by a line."""
    for how in (namespace.SEARCHED, namespace.UNSEARCHED):
        how.update(KEPT_AT)
    engine = await talker.opened(folder, "chroma")
    engine.start()
    for number in range(turns):
        await talker.answer(engine, number)
        talker.say(f"said {number}")
        if number % 3 == 0:
            await engine.rhythm.begin_all(SleepCause.NIGHT, time.time())
        engine.wake()
    await asleep(engine)
    await engine.close()


if __name__ == "__main__":
    asyncio.run(talk(Path(sys.argv[1]), int(sys.argv[2])))
