"""The end of the event loop cancels every task at once; whatever is open must outlive that.

Each case runs in a process of its own, because what used to happen was its death: a connection
was closed under the thread that was using it.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from ..strength import strength

ROOT = Path(__file__).resolve().parents[2]
LOOPS = strength(20, 40)
"""Each ends after another pause of twenty."""

CHROMA_LOOPS = strength(2, 4)
"""Each starts a process of Chroma's own and waits for it."""

PRELUDE = f"""
import asyncio, runpy, sys
from pathlib import Path
runpy.run_path({str(ROOT / "tests" / "mounted.py")!r})
from astrbot_plugin_tidemark.storage import open_store
from astrbot_plugin_tidemark.storage.connections import Database
from astrbot_plugin_tidemark.storage.snapshot import Snapshot
folder = Path(sys.argv[1])
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
"""

EPILOGUE = """
for number in range(int(sys.argv[2])):
    async def left(pause):
        task = asyncio.create_task(begun())
        await asyncio.sleep(pause)
    asyncio.run(left(number % 20 / 2000))
"""

CASES = {
    "opening a database": """
async def begun():
    await Database.open(folder / "data.db")
""",
    "closing a database": """
async def begun():
    database = await Database.open(folder / "data.db")
    await database.close()
""",
    "writes and reads": """
async def begun():
    database = await Database.open(folder / "data.db")
    await database.write(lambda tx: tx.execute("CREATE TABLE IF NOT EXISTS item (name)"))
    await asyncio.gather(
        *(database.write(lambda tx: tx.execute("INSERT INTO item VALUES (1)")) for _ in range(9)),
        *(database.read(lambda con: con.execute(ENDLESS).fetchall()) for _ in range(9)),
        database.close(),
        return_exceptions=True,
    )
""",
    "a snapshot": """
async def begun():
    database = await Database.open(folder / "data.db")
    try:
        snapshot = await Snapshot.take([folder / "data.db"])
        await snapshot.copy(folder / "..")
        await snapshot.close()
    finally:
        await database.close()
""",
    "opening a store": """
async def begun():
    store = await open_store("sqlite", folder)
    await store.close()
""",
    "opening Chroma": """
async def begun():
    store = await open_store("chroma", folder)
    await store.close()
""",
}


@pytest.mark.parametrize("case", CASES)
def test_the_end_of_the_loop_is_not_the_end_of_the_process(case: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    script = PRELUDE + CASES[case] + EPILOGUE
    loops = CHROMA_LOOPS if "Chroma" in case else LOOPS
    command = [sys.executable, "-c", script, str(folder), str(loops)]
    ended = subprocess.run(command, timeout=120, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
