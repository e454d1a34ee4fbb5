"""Killed while the files of a Chroma folder are exchanged for new ones: no memory is lost, and no
byte of what was deleted is left."""

import shutil
from pathlib import Path

from ..core.transfer.conftest import everything, kept, made
from ..kit import files_with
from ..storage.memories import complete, memory, vector
from ..strength import strength
from .conftest import Fork, Forking

SECRET = "Quokkaberg"
KILLS = strength(3, 40, "TIDEMARK_KILLS")
"""At so many of the last steps, in which the old files go and the new ones come."""


def exchanged(exchanger: Forking, folder: Path, last: int) -> int:
    """How many steps it took; 0 if it was killed before step `last`."""
    exchanger.begin(folder, last)
    steps = 0
    while (heard := exchanger.hear())[0] != "ended":
        assert heard[0] == "steps", heard
        steps = int(heard[1])
    return steps


async def test_killed_at_any_step_of_it_nothing_is_lost(tmp_path: Path, fork: Fork) -> None:
    exchanger = fork("exchanger.py")
    before = made(tmp_path / "before")
    stay = sorted([complete("a"), *(memory(f"m{n}", "tea") for n in range(20))], key=lambda m: m.id)
    gone = [memory(f"s{n}", f"{SECRET} {n}", summary=SECRET) for n in range(10)]
    async with kept(before, "chroma") as data_folder:
        await data_folder.store.put([*stay, *gone])
        vectors = {each.id: vector(3, 4) for each in [*stay, *gone]}
        await data_folder.store.set_vectors("hashed:2", vectors)
    steps = exchanged(exchanger, shutil.copytree(before, tmp_path / "undisturbed"), 0)
    assert steps > 3
    for last in range(max(1, steps - KILLS + 1), steps + 1):
        folder = shutil.copytree(before, tmp_path / f"killed-{last}")
        assert exchanged(exchanger, folder, last) == 0
        async with kept(folder, "chroma") as data_folder:
            assert await everything(data_folder.store) == stay
            found = await data_folder.store.vectors([each.id for each in stay])
            assert found.keys() == {each.id for each in stay}
            assert not await data_folder.traces.left()
        assert files_with(folder, SECRET) == []
        assert not [each.name for each in folder.iterdir() if each.name.startswith("rewrite")]
