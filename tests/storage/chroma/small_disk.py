"""Writes to Chroma on a small disk until it is full, and goes on when there is room again.

Run as a program with the folder and whether to heed the room that is left. Writes what it saw.
"""

import asyncio
import json
import runpy
import sys
import time
from pathlib import Path
from typing import Any

PATIENCE = 3.0
ATTEMPTS = 2
BALLAST = 12 * 2**20


async def main(home: Path, heed: bool) -> dict[str, Any]:
    from astrbot_plugin_tidemark.core.model.errors import StorageError
    from astrbot_plugin_tidemark.core.ports import Filter
    from astrbot_plugin_tidemark.storage.chroma import ChromaStore, folder
    from astrbot_plugin_tidemark.tests.storage.memories import memory

    folder.CALL_SECONDS = PATIENCE
    if not heed:
        # As if the last room went during a call.
        folder.WRITES = frozenset()
    ballast = home / "ballast"
    ballast.write_bytes(bytes(BALLAST))
    store = await ChromaStore.open(home)
    acknowledged: list[str] = []
    faults: list[str] = []
    longest = 0.0

    async def write() -> None:
        nonlocal longest
        ids = [f"{len(acknowledged) + n:06}" for n in range(50)]
        began = time.monotonic()
        try:
            await store.put([memory(id, "salt " * 400) for id in ids])
            acknowledged.extend(ids)
        except StorageError as error:
            faults.append(error.fault)
            longest = max(longest, time.monotonic() - began)

    while len(faults) < ATTEMPTS:
        await write()
        if faults:
            await asyncio.sleep(0.5)
    before = len(acknowledged)
    try:
        read = len(await store.find(acknowledged[:1])) == 1
    except StorageError:
        read = False
    ballast.unlink()
    end = time.monotonic() + 60.0
    failed = len(faults)
    while len(acknowledged) < before + 200 and time.monotonic() < end:
        await write()
    # While its process is started again there is no Chroma, and there is room.
    del faults[failed:]
    kept = [m.id async for m in store.iterate(Filter(status=None))]
    await store.close()
    return {
        "faults": faults,
        "longest": longest,
        "patience": PATIENCE,
        "read_while_full": read,
        "before": before,
        "after": len(acknowledged),
        "acknowledged": len(acknowledged),
        "kept": len(set(kept) & set(acknowledged)),
    }


if __name__ == "__main__":
    runpy.run_path(str(Path(__file__).resolve().parents[2] / "mounted.py"))
    found = asyncio.run(main(Path(sys.argv[1]), sys.argv[2] == "heed"))
    sys.stdout.write(json.dumps(found))
