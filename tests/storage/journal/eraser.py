"""Erases one scope after the other and prints each once it is done, until it is killed.

Run as `python eraser.py <repository> <folder of the journal>`.
"""

import asyncio
import runpy
import sys
from pathlib import Path

runpy.run_path(str(Path(sys.argv[1]) / "tests" / "mounted.py"))

from astrbot_plugin_tidemark.core.ports import Erasure  # noqa: E402 - mounted just above
from astrbot_plugin_tidemark.storage import open_journal  # noqa: E402


async def main() -> None:
    """Returns only if it was not killed in time."""
    journal = await open_journal(Path(sys.argv[2]))
    for scope in sorted(await journal.scopes()):
        await journal.erase(Erasure(scopes=frozenset({scope})))
        sys.stdout.write(f"{scope}\n")
        sys.stdout.flush()


asyncio.run(main())
