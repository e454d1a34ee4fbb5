"""`dev.py clock`: show or move the clock of the instance that `dev.py run` started."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from .hostkit.clock import DAY, ClockFile


async def main(arguments: argparse.Namespace, workspace: Path) -> int:
    """Always 0."""
    clock = ClockFile(workspace / "clock")
    if arguments.days:
        clock.advance(arguments.days)
    moment = datetime.fromtimestamp(clock.now(), UTC)
    print(f"{moment:%Y-%m-%d %H:%M} UTC, {clock.offset() / DAY:+.2f} days from real time")
    return 0
