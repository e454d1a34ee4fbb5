"""A file layer that behaves like Windows, under everything that goes through Python's `os`.

A file that this process or a child of it has open can be neither renamed, replaced nor deleted, nor
can a folder with such a file in it; `rename` replaces nothing; folders cannot be opened, and so not
synced; there is no database of time zones. What SQLite does by itself it does in its own layer,
which has a version for Windows. With TIDEMARK_FILES=windows and `-p tests.windows_files` any
test runs over it.
"""

import os
import shutil
import sys
import zoneinfo
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

LONGEST = 240
"""Characters of a path."""

ROOM = 120
"""Of them for the data folder itself."""

FORBIDDEN = frozenset('<>:"/\\|?*')
DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"com{n}" for n in range(10))})


def open_files() -> set[str]:
    """The real paths of the files that this process and its children have open."""
    found: set[str] = set()
    for process in [os.getpid(), *_children(os.getpid())]:
        folder = f"/proc/{process}/fd"
        for handle in _listed(folder):
            try:
                found.add(os.readlink(f"{folder}/{handle}"))
            except OSError:
                continue
    return found


def unfit_names(folder: Path) -> list[str]:
    """Paths in a folder that Windows would not take, or would take for another one."""
    problems: list[str] = []
    for each in folder.rglob("*"):
        name, inside = each.name, str(each.relative_to(folder))
        device = name.casefold().partition(".")[0] in DEVICES
        if device or FORBIDDEN.intersection(name) or name != name.rstrip(". "):
            problems.append(inside)
        if len(inside) > LONGEST - ROOM:
            problems.append(f"{inside}: {len(inside)} characters")
        alike = [other.name for other in each.parent.iterdir()]
        if sum(other.casefold() == name.casefold() for other in alike) > 1:
            problems.append(f"{inside}: more than once")
    return problems


def _children(process: int) -> list[int]:
    every: list[int] = []
    for task in _listed(f"/proc/{process}/task"):
        try:
            told = Path(f"/proc/{process}/task/{task}/children").read_text("ascii")
        except OSError:
            continue
        every += map(int, told.split())
    return every


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _refuse_open(*paths: Any) -> None:
    opened = open_files()
    for path in paths:
        real = os.path.realpath(path)
        if real in opened or any(each.startswith(f"{real}/") for each in opened):
            raise PermissionError(32, "in use by a process", str(path))


def like_windows(patch: pytest.MonkeyPatch) -> None:
    """From now on `os` behaves so."""
    real: dict[str, Callable[..., Any]] = {
        name: getattr(os, name) for name in ("replace", "rename", "unlink", "rmdir", "open")
    }

    def replace(source: Any, target: Any, **more: Any) -> None:
        _refuse_open(source, target)
        if os.path.isdir(target):
            raise PermissionError(5, "is a folder", str(target))
        real["replace"](source, target, **more)

    def rename(source: Any, target: Any, **more: Any) -> None:
        _refuse_open(source)
        if os.path.exists(target):
            raise FileExistsError(183, "exists", str(target))
        real["rename"](source, target, **more)

    def unlink(path: Any, **more: Any) -> None:
        _refuse_open(path)
        real["unlink"](path, **more)

    def open_(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if os.path.isdir(path):
            raise PermissionError(13, "a folder cannot be opened", str(path))
        return real["open"](path, flags, *more, **named)

    patch.setattr(os, "replace", replace)
    patch.setattr(os, "rename", rename)
    patch.setattr(os, "unlink", unlink)
    patch.setattr(os, "remove", unlink)
    patch.setattr(os, "open", open_)
    patch.setattr(shutil, "_use_fd_functions", False)
    # Of a package that is found already, what is within it would be found too.
    for name in {"tzdata", *(each for each in sys.modules if each.startswith("tzdata."))}:
        patch.setitem(sys.modules, name, None)
    zoneinfo.reset_tzpath(())
    zoneinfo.ZoneInfo.clear_cache()


@pytest.fixture
def windows_files(tmp_path: Path) -> Iterator[None]:
    """The layer, for one test; all it leaves in its folder would have a name there too."""
    with pytest.MonkeyPatch.context() as patch:
        like_windows(patch)
        yield
        assert unfit_names(tmp_path) == []
    zoneinfo.reset_tzpath()
    zoneinfo.ZoneInfo.clear_cache()


@pytest.fixture(autouse=os.environ.get("TIDEMARK_FILES") == "windows")
def everywhere(request: pytest.FixtureRequest) -> None:
    """The layer, for whatever test there is."""
    if os.environ.get("TIDEMARK_FILES") == "windows":
        request.getfixturevalue("windows_files")
