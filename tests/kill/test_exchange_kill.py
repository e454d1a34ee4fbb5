"""Killed while the files of a Chroma folder are exchanged for new ones: no memory is lost, and no
byte of what was deleted is left."""

import asyncio
import shutil
import signal
import sys
from pathlib import Path

from ..core.transfer.conftest import everything, kept, made
from ..storage.memories import complete, memory, vector
from ..strength import strength

SECRET = "Quokkaberg"
EXCHANGER = Path(__file__).with_name("exchanger.py")
KILLS = strength(3, 40, "TIDEMARK_KILLS")
"""At so many of the last steps, in which the old files go and the new ones come."""


async def exchanged(folder: Path, last: int) -> int:
    """How many steps it took; 0 if it was killed before step `last`."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(EXCHANGER), str(folder), str(last), stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    assert process.returncode in (0, -signal.SIGKILL)
    return int(told or 0)


def holding(folder: Path) -> list[str]:
    """Files that hold the secret."""
    every = [file for file in folder.rglob("*") if file.is_file()]
    return [file.name for file in every if SECRET.encode() in file.read_bytes()]


async def test_killed_at_any_step_of_the_exchange_nothing_is_lost_or_left(tmp_path: Path) -> None:
    before = made(tmp_path / "before")
    stay = sorted([complete("a"), *(memory(f"m{n}", "tea") for n in range(20))], key=lambda m: m.id)
    gone = [memory(f"s{n}", f"{SECRET} {n}", summary=SECRET) for n in range(10)]
    async with kept(before, "chroma") as data_folder:
        await data_folder.store.put([*stay, *gone])
        vectors = {each.id: vector(3, 4) for each in [*stay, *gone]}
        await data_folder.store.set_vectors("hashed:2", vectors)
    steps = await exchanged(shutil.copytree(before, tmp_path / "undisturbed"), 0)
    assert steps > 3
    for last in range(max(1, steps - KILLS + 1), steps + 1):
        folder = shutil.copytree(before, tmp_path / f"killed-{last}")
        assert await exchanged(folder, last) == 0
        async with kept(folder, "chroma") as data_folder:
            assert await everything(data_folder.store) == stay
            found = await data_folder.store.vectors([each.id for each in stay])
            assert found.keys() == {each.id for each in stay}
            assert not await data_folder.keeps_traces()
        assert holding(folder) == []
        assert not [each.name for each in folder.iterdir() if each.name.startswith("rewrite")]
