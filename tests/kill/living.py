"""A program that lives in a child of its own for every line it reads, until somebody kills it.

The child says where it is on the common output, `pid N` first of all; a line `ended` follows its
death, of whatever cause. Children are forked: to import everything anew would take longer than a
life.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from ..forks.chroma import forked_chroma


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def live_by_lines(life: Callable[..., Coroutine[Any, Any, None]]) -> None:
    """Each line is a folder, and what else that life takes."""
    with forked_chroma(at_once=True):
        for line in sys.stdin:
            folder, *rest = line.split()
            child = os.fork()
            if child == 0:
                say(f"pid {os.getpid()}")
                asyncio.run(life(Path(folder), *rest))
                os._exit(0)
            os.waitpid(child, 0)
            say("ended")
