"""Chroma's child processes forked from one that has imported Chroma."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from astrbot_plugin_tidemark.storage.chroma import child, folder

from .forking import POSSIBLE, ForkServer, Program
from .piped import Piped

TEXT = f"import runpy; runpy.run_path({child.__file__!r}, run_name='__main__')"


@contextmanager
def forked_chroma(*, at_once: bool = False) -> Iterator[None]:
    """Within the block every child is forked, in processes that are forked there, too, if the
    server begins `at_once`.
    """
    if not POSSIBLE:
        yield
        return
    server = ForkServer(["chromadb"])

    def popen(command: Sequence[str], **streams: Any) -> Piped:
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
        return Piped(server, Program(TEXT, [child.__file__], [], Path.cwd(), environment))

    if at_once:
        popen([]).stdin.close()

    folder.subprocess = SimpleNamespace(**vars(subprocess) | {"Popen": popen})
    try:
        yield
    finally:
        folder.subprocess = subprocess
        server.close()
