"""Opens the folder named by its argument, keeps a memory there, tells the process and stays.

Run as a program, to be killed.
"""

import asyncio
import runpy
import sys
from pathlib import Path


async def main(home: Path) -> None:
    from astrbot_plugin_tidemark.storage.chroma import ChromaStore
    from astrbot_plugin_tidemark.tests.storage.memories import memory

    store = await ChromaStore.open(home)
    await store.put([memory("kept")])
    sys.stdout.write(f"{store._client.api.process.pid}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    runpy.run_path(str(Path(__file__).resolve().parents[2] / "mounted.py"))
    asyncio.run(main(Path(sys.argv[1])))
