"""What every test stands on."""

import gc
import importlib
import os
import runpy
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "astrbot_plugin_tidemark"
MEMORY = Path("/dev/shm")
ROOM = 6 << 30
"""Bytes that have to be free there for all folders of all tests."""

# Two processes test at once: threads of OpenBLAS that wait for a core by spinning would cost
# several times what they compute. Hosts and servers started by tests inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Programs that tests start would compile all they import at every start, and each run of a few
# tests would rewrite their assertions, which is most of the time until the first of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def _roomy() -> bool:
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < ROOM:
        return False
    return not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC


# Half of the time of a test would be waiting for the disk, at every write of its stores.
if _roomy():
    os.environ.setdefault("TMPDIR", str(MEMORY))
    tempfile.tempdir = None

runpy.run_path(str(Path(__file__).with_name("mounted.py")))

importlib.import_module(f"{PACKAGE}.tests.strength").examples()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """What is made while tests are collected stays to the end: looking through it for garbage, then
    and later, would cost a third of the time of collecting and of many tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def chroma_imported_once() -> Iterator[None]:
    """Processes with Chroma are forked from one of each worker, which starts with the first."""
    forks = importlib.import_module(f"{PACKAGE}.tests.forks.chroma")
    with forks.forked_chroma():
        yield


@pytest.fixture(scope="session", autouse=True)
def texts_hashed_once() -> Iterator[None]:
    """Every engine reads the same sample of texts to learn what its embedder's cosines mean."""
    hashed = importlib.import_module(f"{PACKAGE}.core.embedding.hashed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashed, "vector", lru_cache(5_000)(hashed.vector))
        yield


@pytest.fixture
def quick_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: stores wait for a disk at every write."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(prefix="tidemark-", dir=MEMORY))
    yield folder
    shutil.rmtree(folder)
