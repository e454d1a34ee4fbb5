"""Records what SQLite and Python do to the files of one folder, in the order in which they do it.

SQLite's part comes from its own file layer (a VFS): the library that Python's `sqlite3` uses is
given a copy of the system's in which opening, deleting, writing, truncating and syncing are told
first. Python's part comes from the few functions that write, sync and rename.
"""

import _sqlite3
import ctypes
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from pathlib import Path
from threading import RLock
from typing import Any
from unittest.mock import patch

from .disk import (
    Created,
    Event,
    FolderSynced,
    Marked,
    Renamed,
    Synced,
    Truncated,
    Unlinked,
    Written,
)

CREATES = 0x4
SYNCS_ITS_FOLDER = 0x800 | 0x4000 | 0x80000
"""Journals and logs: SQLite syncs the folder of a new one with its first sync."""


class Vfs(ctypes.Structure):
    """`sqlite3_vfs`, as far as it is looked into; what follows is copied as it is."""


Vfs._fields_ = [
    ("version", c_int),
    ("file_size", c_int),
    ("longest_path", c_int),
    ("next", c_void_p),
    ("name", c_char_p),
    ("data", c_void_p),
    ("open", c_void_p),
    ("delete", c_void_p),
    ("others", c_void_p * 12),
]


class IoMethods(ctypes.Structure):
    """`sqlite3_io_methods`, version 3."""

    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", c_void_p),
        ("truncate", c_void_p),
        ("sync", c_void_p),
        ("others", c_void_p * 13),
    )


OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
"""The name as an address: SQLite relies on the one it gave outliving the file."""

DELETE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
CLOSE = CFUNCTYPE(c_int, c_void_p)
WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
SYNC = CFUNCTYPE(c_int, c_void_p, c_int)


class Unrecordable(Exception):
    """Python's SQLite shows nothing of its inside here."""


class Recorder:
    """The events of one folder, and which file each name stands for at present."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.events: list[Event] = []
        self._names: dict[str, int] = {}
        self._files = 0
        self._lock = RLock()

    def mark(self, what: str) -> None:
        self._add(Marked(what))

    def relative(self, path: str | os.PathLike[str]) -> str | None:
        """The path inside the folder; None for one outside of it."""
        whole = os.path.abspath(os.fspath(path))
        inside = whole.startswith(f"{self.folder}{os.sep}")
        return os.path.relpath(whole, self.folder) if inside else None

    def file(self, name: str, *, is_folder: bool = False) -> int:
        """The file that stands under this name, a new one if there was none."""
        with self._lock:
            if name not in self._names:
                if parent := os.path.dirname(name):
                    self.file(parent, is_folder=True)
                self._files += 1
                self._names[name] = self._files
                self.events.append(Created(name, self._files, is_folder))
            return self._names[name]

    def wrote(self, file: int, offset: int, data: bytes) -> None:
        self._add(Written(file, offset, data))

    def truncated(self, file: int, size: int) -> None:
        self._add(Truncated(file, size))

    def syncing(self, file: int) -> Callable[[], None]:
        """To be called when the sync is over: it covers what was written before it began."""
        covered = len(self.events)
        return lambda: self._add(Synced(file, covered))

    def folder_syncing(self, name: str) -> Callable[[], None]:
        covered = len(self.events)
        return lambda: self._add(FolderSynced(name, covered))

    def unlinked(self, name: str) -> None:
        with self._lock:
            if self._names.pop(name, None) is not None:
                self.events.append(Unlinked(name))

    def emptied(self, name: str) -> None:
        for each in [n for n in self._names if n == name or n.startswith(f"{name}/")]:
            self.unlinked(each)

    def renamed(self, before: str, after: str) -> None:
        """A file, or a folder with all that is in it."""
        with self._lock:
            self._names.pop(after, None)
            for each in [n for n in self._names if n == before or n.startswith(f"{before}/")]:
                to = after + each.removeprefix(before)
                file = self._names[to] = self._names.pop(each)
                within = None if each == before else after
                self.events.append(Renamed(each, to, file, within))

    def whole(self, name: str, path: str) -> int:
        """Take note of all that a file holds which Python has written."""
        known = name in self._names
        file = self.file(name)
        if not known:
            self.wrote(file, 0, Path(path).read_bytes())
        return file

    def _add(self, event: Event) -> None:
        with self._lock:
            self.events.append(event)


@contextmanager
def recording(folder: Path) -> Iterator[Recorder]:
    """Everything in the block that files of the folder are opened by. Raises Unrecordable."""
    recorder = Recorder(folder)
    with ExitStack() as stack:
        stack.enter_context(_sqlite(recorder))
        stack.enter_context(_python(recorder))
        yield recorder


@contextmanager
def _sqlite(recorder: Recorder) -> Iterator[None]:
    library = ctypes.CDLL(_sqlite3.__file__)
    try:
        find, register, unregister = (
            getattr(library, f"sqlite3_vfs_{name}") for name in ("find", "register", "unregister")
        )
    except AttributeError as error:
        raise Unrecordable(str(error)) from error
    find.restype = POINTER(Vfs)
    vfs = _Shim(recorder, find(None).contents).vfs
    register(ctypes.byref(vfs), 1)
    try:
        yield
    finally:
        unregister(ctypes.byref(vfs))


class _Shim:
    """The copy of the system's file layer. Kept for ever: connections may outlast the recording."""

    _all: list["_Shim"] = []  # noqa: RUF012 - SQLite holds pointers into them

    def __init__(self, recorder: Recorder, system: Vfs) -> None:
        self._all.append(self)
        self._recorder = recorder
        self._files: dict[int, tuple[int, str, int]] = {}
        self._methods: dict[int, tuple[IoMethods, tuple[Any, ...]]] = {}
        self.vfs = Vfs.from_buffer_copy(system)
        self.vfs.name = b"recorded"
        self._open, self._delete = OPEN(system.open), DELETE(system.delete)
        self._kept = OPEN(self.on_open), DELETE(self.on_delete)
        self.vfs.open, self.vfs.delete = (ctypes.cast(each, c_void_p).value for each in self._kept)

    def on_open(self, vfs: int, name: int | None, file: int, flags: int, out: int) -> int:
        path = None if name is None else self._inside(name)
        if path is not None and (whole := self._recorder.folder / path).exists():
            self._recorder.whole(path, str(whole))
        elif path is not None:
            self._recorder.unlinked(path)
        status = self._open(vfs, name, file, flags, out)
        if status == 0 and path is not None:
            self._files[file] = self._recorder.file(path), path, flags
            self._replace_methods(file)
        return status

    def on_delete(self, vfs: int, name: int, sync: int) -> int:
        status, path = self._delete(vfs, name, sync), self._inside(name)
        if status == 0 and path is not None:
            self._recorder.unlinked(path)
            if sync:
                self._recorder.folder_syncing(os.path.dirname(path))()
        return status

    def _inside(self, name: int) -> str | None:
        return self._recorder.relative(os.fsdecode(ctypes.string_at(name)))

    def _replace_methods(self, file: int) -> None:
        place = ctypes.cast(file, POINTER(c_void_p))
        at = place[0]
        assert at is not None
        if at not in self._methods:
            system = ctypes.cast(at, POINTER(IoMethods)).contents
            self._methods[at] = self._told(system)
        place[0] = ctypes.addressof(self._methods[at][0])

    def _told(self, system: IoMethods) -> tuple[IoMethods, tuple[Any, ...]]:
        close, write = CLOSE(system.close), WRITE(system.write)
        truncate, sync = TRUNCATE(system.truncate), SYNC(system.sync)

        def on_close(file: int) -> int:
            self._files.pop(file, None)
            return close(file)

        def on_write(file: int, data: int, size: int, offset: int) -> int:
            self._recorder.wrote(self._files[file][0], offset, ctypes.string_at(data, size))
            return write(file, data, size, offset)

        def on_truncate(file: int, size: int) -> int:
            self._recorder.truncated(self._files[file][0], size)
            return truncate(file, size)

        def on_sync(file: int, how: int) -> int:
            number, path, flags = self._files[file]
            told = [self._recorder.syncing(number)]
            if flags & CREATES and flags & SYNCS_ITS_FOLDER:
                told.append(self._recorder.folder_syncing(os.path.dirname(path)))
                self._files[file] = number, path, 0
            status = sync(file, how)
            for each in told if status == 0 else ():
                each()
            return status

        copy = IoMethods.from_buffer_copy(system)
        kept = CLOSE(on_close), WRITE(on_write), TRUNCATE(on_truncate), SYNC(on_sync)
        for name, function in zip(("close", "write", "truncate", "sync"), kept, strict=True):
            setattr(copy, name, ctypes.cast(function, c_void_p).value)
        return copy, (*kept, close, write, truncate, sync)


@contextmanager
def _python(recorder: Recorder) -> Iterator[None]:
    fsync, replace, rename, unlink, rmdir = os.fsync, os.replace, os.rename, os.unlink, os.rmdir
    rmtree = shutil.rmtree

    def on_fsync(handle: int) -> None:
        path = os.readlink(f"/proc/self/fd/{handle}")
        name = recorder.relative(path)
        if path == str(recorder.folder):
            name = ""
        if name is None:
            return fsync(handle)
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            told = recorder.folder_syncing(name)
        else:
            told = recorder.syncing(recorder.whole(name, path))
        fsync(handle)
        return told()

    def moved(move: Callable[..., None]) -> Callable[..., None]:
        def on_move(before: Any, after: Any, **how: Any) -> None:
            names = recorder.relative(before), recorder.relative(after)
            if names[0] and os.path.isfile(before):
                recorder.whole(names[0], before)
            move(before, after, **how)
            if names[0] and names[1]:
                recorder.renamed(names[0], names[1])

        return on_move

    def gone(remove: Callable[..., None]) -> Callable[..., None]:
        def on_remove(path: Any, **how: Any) -> None:
            remove(path, **how)
            if not how and (name := recorder.relative(path)):
                recorder.unlinked(name)

        return on_remove

    def on_rmtree(path: Any, *args: Any, **how: Any) -> None:
        rmtree(path, *args, **how)
        if name := recorder.relative(path):
            recorder.emptied(name)

    with ExitStack() as stack:
        for target, name, value in (
            (os, "fsync", on_fsync),
            (os, "replace", moved(replace)),
            (os, "rename", moved(rename)),
            (os, "unlink", gone(unlink)),
            (os, "remove", gone(unlink)),
            (os, "rmdir", gone(rmdir)),
            (shutil, "rmtree", on_rmtree),
        ):
            stack.enter_context(patch.object(target, name, value))
        yield
