"""Records what a program and all that it starts do to the files of a folder, call by call.

`strace` tells of every call of the system, also of code that is not Python's. A write into memory
that stands for a file is not seen: only SQLite's index of a log is written so, and made anew.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

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

CALLS = (
    "openat,write,pwrite64,lseek,ftruncate,fsync,fdatasync,"
    "unlink,unlinkat,rename,renameat,mkdir,mkdirat,rmdir"
)
UNSEEN = "writev,pwritev,pwritev2,fallocate,truncate,renameat2,link,linkat,copy_file_range,sendfile"
"""Calls that nobody makes here. One that touches the folder is an error."""

MARK = b"said "
"""Begins a line of the program that is a mark."""

_LINE = re.compile(r"(\d+) +(.*)")
_CALL = re.compile(r"(\w+)\((.*?)(?:\) += (-?\d+).*| <unfinished \.\.\.>)?$", re.S)
_RESUMED = re.compile(r"<\.\.\. (\w+) resumed>.* = (-?\d+)")
_OPENED = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_NAMED = re.compile(r'(?:(?:\w+)<([^>]*)>, )?"((?:\\x[0-9a-f]{2})*)"')
_HANDLE = re.compile(r"(\d+)<([^>]*)>(?!\(deleted)")


class Unrecordable(Exception):
    """Nobody can follow a program here."""


class Recorder:
    """The events of one folder, and which file each name stands for at present."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.events: list[Event] = []
        self._names: dict[str, int] = {}
        self._files = 0
        self._folders = set[int]()

    def mark(self, what: str) -> None:
        self.events.append(Marked(what))

    def relative(self, path: str | os.PathLike[str]) -> str | None:
        """The path inside the folder; None for one outside of it."""
        whole = os.path.abspath(os.fspath(path))
        inside = whole.startswith(f"{self.folder}{os.sep}")
        return os.path.relpath(whole, self.folder) if inside else None

    def file(self, name: str, *, is_folder: bool = False) -> int:
        """The file that stands under this name, a new one if there was none."""
        if name not in self._names:
            if parent := os.path.dirname(name):
                self.file(parent, is_folder=True)
            self._files += 1
            self._names[name] = self._files
            self._folders |= {self._files} if is_folder else set()
            self.events.append(Created(name, self._files, is_folder))
        return self._names[name]

    def is_folder(self, name: str) -> bool:
        return self._names.get(name) in self._folders

    def wrote(self, file: int, offset: int, data: bytes) -> None:
        self.events.append(Written(file, offset, data))

    def truncated(self, file: int, size: int) -> None:
        self.events.append(Truncated(file, size))

    def syncing(self, file: int) -> Callable[[], None]:
        """To be called when the sync is over: it covers what was written before it began."""
        covered = len(self.events)
        return lambda: self.events.append(Synced(file, covered))

    def folder_syncing(self, name: str) -> Callable[[], None]:
        covered = len(self.events)
        return lambda: self.events.append(FolderSynced(name, covered))

    def unlinked(self, name: str) -> None:
        if self._names.pop(name, None) is not None:
            self.events.append(Unlinked(name))

    def renamed(self, before: str, after: str) -> None:
        """A file, or a folder with all that is in it."""
        self._names.pop(after, None)
        for each in [n for n in self._names if n == before or n.startswith(f"{before}/")]:
            to = after + each.removeprefix(before)
            file = self._names[to] = self._names.pop(each)
            within = None if each == before else after
            self.events.append(Renamed(each, to, file, within))


def traced(folder: Path, log: Path, *command: str) -> Recorder:
    """Run Python with these arguments to its end; a line that begins with `MARK` is one.

    Raises Unrecordable where `strace` is not to be had or not allowed.
    """
    tracing = shutil.which("strace")
    if tracing is None or not sys.platform.startswith("linux"):
        raise Unrecordable("there is no strace")
    options = ["-f", "-y", "-xx", "-s", "10000000", "-e", f"trace={CALLS},{UNSEEN}"]
    # No other call is stopped at.
    options.append("--seccomp-bpf")
    done = subprocess.run(
        [tracing, *options, "-o", str(log), sys.executable, *command],
        capture_output=True,
        check=False,
    )
    if b"ptrace" in done.stderr:
        raise Unrecordable(done.stderr.decode())
    assert done.returncode == 0, done.stderr.decode()
    assert b"report" not in done.stdout, done.stdout.decode()
    recorder = Recorder(folder)
    with log.open(encoding="ascii") as lines:
        _Replay(recorder).all(lines)
    return recorder


class _Replay:
    """Tells a recorder of the calls, in the order in which they were begun or had ended."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._begun: dict[str, tuple[str, str, Callable[[], None] | None]] = {}
        self._offsets: dict[tuple[str, str], int] = {}

    def all(self, lines: Iterator[str]) -> None:
        for line in lines:
            found = _LINE.match(line.rstrip("\n"))
            assert found is not None, line
            self._line(*found.groups())

    def _line(self, thread: str, said: str) -> None:
        if (ended := _RESUMED.match(said)) is not None:
            call, arguments, over = self._begun.pop(thread)
            if int(ended[2]) >= 0:
                self._ended(call, arguments, int(ended[2]), over)
            return
        if (begun := _CALL.match(said)) is None:
            return
        call, arguments, result = begun.groups()
        over = self._beginning(call, arguments)
        if result is None:
            self._begun[thread] = call, arguments, over
        elif int(result) >= 0:
            self._ended(call, arguments, int(result), over)

    def _beginning(self, call: str, arguments: str) -> Callable[[], None] | None:
        """A sync covers what was written before it began."""
        if call not in ("fsync", "fdatasync"):
            return None
        _, path = _handle(arguments)
        if path == str(self._recorder.folder):
            return self._recorder.folder_syncing("")
        name = self._recorder.relative(path)
        if name is None:
            return None
        if self._recorder.is_folder(name):
            return self._recorder.folder_syncing(name)
        return self._recorder.syncing(self._recorder.file(name))

    def _ended(
        self, call: str, arguments: str, result: int, over: Callable[[], None] | None
    ) -> None:
        match call:
            case "fsync" | "fdatasync":
                if over is not None:
                    over()
            case "openat":
                self._opened(arguments, result)
            case "write" | "pwrite64" | "lseek" | "ftruncate":
                self._on_handle(call, arguments, result)
            case "unlink" | "unlinkat" | "rmdir":
                if (name := self._named(arguments)[0]) is not None:
                    self._recorder.unlinked(name)
            case "mkdir" | "mkdirat":
                if (name := self._named(arguments)[0]) is not None:
                    self._recorder.file(name, is_folder=True)
            case "rename" | "renameat":
                before, after = self._named(arguments)
                if before is not None and after is not None:
                    self._recorder.renamed(before, after)
            case _:
                assert str(self._recorder.folder) not in _decoded(arguments), call

    def _opened(self, arguments: str, result: int) -> None:
        name = self._named(arguments)[0]
        if name is None or "O_DIRECTORY" in arguments:
            return
        if "O_CREAT" in arguments:
            file = self._recorder.file(name)
            if "O_TRUNC" in arguments:
                self._recorder.truncated(file, 0)
        self._offsets[name, str(result)] = 0

    def _on_handle(self, call: str, arguments: str, result: int) -> None:
        handle, path = _handle(arguments)
        rest = arguments.partition(">, ")[2]
        if call == "write" and handle == "1" and _content(rest).startswith(MARK):
            self._recorder.mark(_content(rest).removeprefix(MARK).decode().strip())
        name = self._recorder.relative(path)
        if name is None:
            return
        file, at = self._recorder.file(name), self._offsets.get((name, handle), 0)
        match call:
            case "write":
                self._recorder.wrote(file, at, _content(rest)[:result])
                self._offsets[name, handle] = at + result
            case "pwrite64":
                self._recorder.wrote(file, int(rest.rpartition(", ")[2]), _content(rest)[:result])
            case "lseek":
                self._offsets[name, handle] = result
            case _:
                self._recorder.truncated(file, int(rest))

    def _named(self, arguments: str) -> list[str | None]:
        """The paths that are told, each of them in the folder before it, if there is one."""
        found = _NAMED.findall(arguments)
        paths = [os.path.join(_decoded(folder), _decoded(name)) for folder, name in found]
        return [self._recorder.relative(path) if os.path.isabs(path) else None for path in paths]


def _handle(arguments: str) -> tuple[str, str]:
    found = _HANDLE.match(arguments)
    return (found[1], _decoded(found[2])) if found is not None else ("", "")


def _decoded(shown: str) -> str:
    return re.sub(r"\\x([0-9a-f]{2})", lambda code: chr(int(code[1], 16)), shown)


def _content(shown: str) -> bytes:
    found = _OPENED.search(shown)
    assert found is not None, shown
    return bytes.fromhex(found[1].replace("\\x", ""))
