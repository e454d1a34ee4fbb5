"""Facts about the `machine`, without which the figures of a `benchmark` mean nothing.

`cores`, `memory_gib`, `python`, `sqlite`, `numpy`, `faiss` (null if absent), `system`,
`load_before` and `load_after` (1-minute load average, null where the system has none).
"""

import importlib.metadata
import os
import platform
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import psutil

MIB = 2**20
GIB = 2**30


def facts() -> dict[str, Any]:
    """What does not change during a run."""
    return {
        "cores": os.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / GIB),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "numpy": np.__version__,
        "faiss": _version("faiss-cpu"),
        "system": platform.platform(terse=True),
    }


def commit() -> str:
    """Of the checkout that this runs from, "-dirty" after it where files differ; "" without git."""
    asked = "git describe --always --dirty --exclude=*".split()
    own = Path(__file__).parent
    try:
        done = subprocess.run(asked, cwd=own, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def load() -> float | None:
    """The 1-minute load average."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def resident_mb() -> float:
    """Resident memory of this process in MiB."""
    return round(psutil.Process().memory_info().rss / MIB, 1)


def size_mb(folder: Path) -> float:
    """Size of the folder's files in MiB."""
    return round(sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / MIB, 1)


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
