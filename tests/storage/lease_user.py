"""Opens the data folder named by its argument as the plugin does, and does what it is told.

Each line of input is answered by one: `put ID`, `say TEXT`, `decay SECONDS` (the machine's clock is
off by so much), `ids`, `end`. The first answer is `open`, or the fault by which it did not.
"""

import asyncio
import runpy
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path

if __name__ == "__main__":
    runpy.run_path(str(Path(__file__).resolve().parents[1] / "mounted.py"))

from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy, DecayPlan
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Place, Role, Speaker
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.ports.files import ChromaServer
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.storage import lease as folder_lease
from astrbot_plugin_tidemark.storage.chroma import client, lease
from astrbot_plugin_tidemark.storage.files import LocalFiles
from astrbot_plugin_tidemark.tests.storage.memories import NOW, memory

PLAN = DecayPlan(
    cycle=1_800.0, fades_below=1e9, spent_below=-1e9, reason="tide", keep_current=False
)
"""Takes a strength every half an hour and sends nothing to the bin."""

TERM = 4.0
"""Seconds of a lease on a server."""

LASTED = 1_800.0
"""What the memories are old when decay first comes."""


class User:
    """What one process does."""

    def __init__(self, data: DataFolder) -> None:
        self.data = data
        self.does: Mapping[str, Callable[[str], Awaitable[str]]] = {
            "put": self.put,
            "say": self.say,
            "decay": self.decay,
            "ids": self.ids,
        }

    async def put(self, id: str) -> str:
        return " ".join(await self.data.store.put([memory(id, created_at=NOW)]))

    async def say(self, text: str) -> str:
        place = Place("session", "conversation", "scope")
        turn = NewTurn(place, Role.USER, Speaker("u", "U"), text, NOW, text)
        return str((await self.data.journal.append(turn, lambda _episode, _turn: None)).turn.seq)

    async def decay(self, skew: str) -> str:
        now = NOW + LASTED + float(skew)
        return str((await self.data.store.decay(now, PLAN, BinPolicy(7))).weakened)

    async def ids(self, _: str) -> str:
        found = [each async for each in self.data.store.iterate(Filter(status=None))]
        return " ".join(f"{each.id}={each.vitality.strength}" for each in found)


async def main(
    folder: Path,
    backend: str,
    port: str = "0",
    installation: str = "",
    skew: str = "0",
    patience: str = "0.2",
) -> None:
    """With a port the memories are on the server there; the clock is off by `skew` seconds, and a
    folder that another one has is waited for with so much `patience`.
    """
    folder_lease.WAIT_SECONDS = float(patience)
    client.Breaker = partial(client.Breaker, rest_seconds=1.0)
    lease.TERM_SECONDS, lease.MARGIN_SECONDS, right = TERM, TERM / 2, time.time
    time.time = lambda: right() + float(skew)
    server = ChromaServer("127.0.0.1", int(port), installation=installation, timeout_seconds=1.0)
    files = LocalFiles(folder, server=server if installation else None)
    try:
        data = await DataFolder.open(files, backend)
    except StorageError as error:
        tell(f"{error.fault} {error.file}")
        return
    user = User(data)
    tell("open")
    while (line := (await asyncio.to_thread(sys.stdin.readline)).strip()) not in ("", "end"):
        name, _, argument = line.partition(" ")
        try:
            tell(await user.does[name](argument))
        except StorageError as error:
            tell(f"{error.fault} {error.file}")
    await data.aclose()
    tell("ended")


def tell(answer: str) -> None:
    sys.stdout.write(f"{answer}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(exist_ok=True)
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
