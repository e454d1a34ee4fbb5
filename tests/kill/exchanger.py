"""Writes the files of a Chroma folder anew while they are in use, and kills itself at one step.

A life for each line of input: the folder, and before which of its renamings and deletions it dies.
One that lives says how many there were.
"""

import os
import runpy
import signal
import sys
from pathlib import Path

runpy.run_path(str(Path(__file__).resolve().parents[1] / "mounted.py"))

from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder, Traces
from astrbot_plugin_tidemark.storage.files import LocalFiles
from astrbot_plugin_tidemark.tests.kill.living import live_by_lines, say

STEPS = ("os.rename", "os.remove", "os.rmdir")


async def exchange(folder: Path, last: str) -> None:
    files = LocalFiles(folder)
    data_folder = await DataFolder.open(files, "chroma")
    await data_folder.store.purge([f"s{n}" for n in range(10)])
    done = 0

    def step(event: str, _: object) -> None:
        nonlocal done
        if event in STEPS:
            done += 1
            if done == int(last):
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(step)
    traces = Traces(files, data_folder.journal, data_folder.backends)
    await traces.remove_in_use(data_folder.store)
    say(f"steps {done}")
    await data_folder.aclose()


if __name__ == "__main__":
    live_by_lines(exchange)
