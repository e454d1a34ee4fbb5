"""Appends turns to three sessions and prints each seq once acknowledged, until it is killed.

Run as `python appender.py <repository> <folder of the journal>`.
"""

import asyncio
import runpy
import sys
from pathlib import Path

runpy.run_path(str(Path(sys.argv[1]) / "tests" / "mounted.py"))

from astrbot_plugin_tidemark.core.model.conversation import (
    EpisodeEnd,
    NewTurn,
    Place,
    Role,
    Speaker,
)
from astrbot_plugin_tidemark.core.ports import Journal
from astrbot_plugin_tidemark.storage import open_journal


async def main() -> None:
    """Never returns."""
    journal = await open_journal(Path(sys.argv[2]))
    async with asyncio.TaskGroup() as group:
        for session in ("a", "b", "c"):
            group.create_task(converse(journal, session))


async def converse(journal: Journal, session: str) -> None:
    """Append without end, an episode every seven turns."""
    place = Place(session, "conversation", "scope")
    turn = NewTurn(place, Role.USER, Speaker("u", "U"), "潮水" * 50, 0.0)
    while True:
        appended = await journal.append(
            turn, lambda episode, _turn: EpisodeEnd.SIZE if episode.turns >= 7 else None
        )
        sys.stdout.write(f"{appended.turn.seq}\n")
        sys.stdout.flush()


asyncio.run(main())
