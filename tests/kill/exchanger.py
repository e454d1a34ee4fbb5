"""Writes the files of a Chroma folder anew while they are in use, and kills itself at one step.

Its arguments: the folder, and before which of its renamings and deletions it dies; it prints how
many there were if it lived.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import conftest  # noqa: F401 - mounts the checkout as a package
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.core.transfer.residue import Traces
from astrbot_plugin_tidemark.storage.files import LocalFiles

STEPS = ("os.rename", "os.remove", "os.rmdir")


async def main(folder: Path, last: int) -> None:
    files = LocalFiles(folder)
    data_folder = await DataFolder.open(files, "chroma")
    await data_folder.store.purge([f"s{n}" for n in range(10)])
    done = 0

    def step(event: str, _: object) -> None:
        nonlocal done
        if event in STEPS:
            done += 1
            if done == last:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(step)
    traces = Traces(files, data_folder.journal, data_folder.backends)
    await traces.remove_in_use(data_folder.store)
    sys.stdout.write(f"{done}\n")
    sys.stdout.flush()
    await data_folder.aclose()


asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
