"""The child process: Chroma over a folder, asked through pipes.

Run by its path with the bot's Python. Requests and answers are pickles over its standard pipes, so
that nobody else on the machine can ask it anything. It ends when its input ends: with the bot,
however that ended.
"""

import faulthandler
import os
import pickle
import shutil
import signal
import sqlite3
import struct
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, BinaryIO

LOCK = "tidemark.lock"
"""In the folder; locked by whoever has it open."""

DATABASE = "chroma.sqlite3"
"""What Chroma makes first in the folder."""

LOCK_SECONDS = 120.0
"""How long to wait for a process that still has the folder. Longer than one can be stuck."""

STUCK_SECONDS = 90.0
"""A call that keeps the interpreter to itself for so long will not end, nor see the bot's end."""

BEAT_SECONDS = 5.0
LAST_SECONDS = 10.0
"""For what is under way when requests end."""

CALLS_AT_ONCE = 5

type Request = tuple[int, str, str, Mapping[str, Any]]
"""Its number, what to do, with which collection ("" for none), and how."""

type Answer = tuple[int, str, Any]
"""The request's number, `DONE` with the result, or a sort of failure with what it says."""

DONE, CHROMA, MISSING, OTHER = "done", "chroma", "missing", "other"


INDEX_ENDS = b"."
"""The last byte of the pickle by which Chroma knows an index; a torn one is never read here."""

INDEX_HEADER = struct.Struct("<i6QiI3QdQ")
"""Of `header.bin`: the format; an offset, elements there is room for, elements, bytes of each,
where in them the label and the vector begin; the highest layer, where a search begins; links of an
element in a layer, in the lowest, and as asked for; a factor of the layers, and how many
candidates are kept.
"""

INDEX_FORMAT = 1
NEWEST_FORMAT = 99
"""Chroma counts its formats; a number beyond is none."""

INDEX_FILES = ("data_level0.bin", "length.bin", "link_lists.bin")

LENGTH, LINK, LABEL = 4, 4, 8
"""Bytes of an element in `length.bin`, of a link and of a label in `data_level0.bin`."""

INDEX_OF = """
    SELECT segments.id FROM segments JOIN collections ON collections.id = segments.collection
    WHERE segments.scope = 'VECTOR' AND collections.name = ?
"""
"""Chroma names the folder of a collection's index so, in its own database."""


def drop_torn_indexes(home: str) -> None:
    """Delete what a power failure has left of an index that Chroma had not synced.

    With a part of its files nothing of the collection can be read, not even its records; without
    them the records can, and the vectors are known to be lost.
    """
    for each in os.scandir(home):
        if each.is_dir() and _is_torn(each.path):
            shutil.rmtree(each.path)


def _is_torn(index: str) -> bool:
    known = os.path.join(index, "index_metadata.pickle")
    if not os.path.isfile(known):
        # Chroma does not know of it and begins anew.
        return False
    with open(known, "rb") as pickled:
        pickled.seek(0, os.SEEK_END)
        pickled.seek(max(0, pickled.tell() - 1))
        if pickled.read() != INDEX_ENDS:
            return True
    try:
        with open(os.path.join(index, "header.bin"), "rb") as header:
            told = INDEX_HEADER.unpack(header.read(INDEX_HEADER.size))
        sizes = [os.path.getsize(os.path.join(index, name)) for name in INDEX_FILES]
    except (OSError, struct.error):
        return True
    form, _, room, filled, size, label, vector, _, first, *links, _, _ = told
    if form != INDEX_FORMAT:
        return not INDEX_FORMAT < form <= NEWEST_FORMAT
    sound = (
        filled <= room
        and (first < filled or not filled)
        and links == [links[2], 2 * links[2], links[2]]
        and vector == LINK * (links[1] + 1)
        and vector < label == size - LABEL
    )
    # Of an index that has grown only the elements are on the disk, not the room for more.
    return not sound or sizes[0] < filled * size or sizes[1] < filled * LENGTH


def drop_indexes(home: str, names: Iterable[str]) -> None:
    """Delete the indexes of these collections: Chroma crashed over them.

    Their records stay, in its database; vectors are known to be lost, and are made again.
    """
    database = sqlite3.connect(os.path.join(home, DATABASE))
    try:
        for name in names:
            for (index,) in database.execute(INDEX_OF, (name,)):
                shutil.rmtree(os.path.join(home, index), ignore_errors=True)
    finally:
        database.close()


class Chroma:
    """What requests are about."""

    def __init__(self) -> None:
        self._api: Any = None
        self._lock: sqlite3.Connection | None = None
        self._collections: dict[str, Any] = {}

    def perform(self, call: str, name: str, arguments: Mapping[str, Any]) -> Any:
        """Carry out a request."""
        match call:
            case "open":
                return self._open(**arguments)
            case "heartbeat":
                return self._api.heartbeat()
            case "list_collections":
                return [self._noted(each) for each in self._api.list_collections(**arguments)]
            case "get_or_create_collection":
                return self._noted(self._api.get_or_create_collection(name, **arguments))
            case "delete_collection":
                self._collections.pop(name, None)
                return self._api.delete_collection(name)
            case _:
                return getattr(self._collection(name), call)(**arguments)

    def close(self) -> None:
        """Release the folder."""
        if self._api is not None:
            self._api.close()
        if self._lock is not None:
            self._lock.close()

    def _open(self, home: str, damaged: Sequence[str]) -> int:
        """Returns the most records that Chroma takes in one call.

        `damaged` are collections whose indexes are dropped.
        """
        os.makedirs(home, exist_ok=True)
        lock = os.path.join(home, LOCK)
        # Where that is not possible the system tells why; SQLite would not.
        with open(lock, "ab"):
            pass
        # SQLite's lock ends with the process on every system.
        self._lock = sqlite3.connect(
            lock, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._lock.execute("BEGIN EXCLUSIVE")
        drop_torn_indexes(home)
        if damaged:
            drop_indexes(home, damaged)
        chromadb = import_module("chromadb")
        settings = chromadb.config.Settings(anonymized_telemetry=False)
        self._api = chromadb.PersistentClient(home, settings=settings)
        return self._api.get_max_batch_size()

    def _noted(self, collection: Any) -> tuple[str, Mapping[str, Any] | None]:
        self._collections[collection.name] = collection
        return collection.name, collection.metadata

    def _collection(self, name: str) -> Any:
        if name not in self._collections:
            found = self._api.get_collection(name, embedding_function=None)
            self._collections[name] = found
        return self._collections[name]


class Answers:
    """The way back. Thread-safe."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._lock = threading.Lock()

    def give(self, number: int, future: Future[Any]) -> None:
        """Answer a request that was carried out, or was not."""
        error = future.exception()
        answer = (DONE, future.result()) if error is None else _told(error)
        with self._lock:
            pickle.dump((number, *answer), self._out, pickle.HIGHEST_PROTOCOL)
            self._out.flush()
        if error is not None and not isinstance(error, Exception):
            # Chroma's own code broke off in the middle; what it has in memory is no good any more.
            os._exit(1)


def _told(error: BaseException) -> tuple[str, str]:
    match error:
        case sqlite3.Error():
            code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
            return CHROMA, f"{error} (code: {code})"
        case ImportError():
            return MISSING, f"{error}"
        case UnicodeEncodeError() | OverflowError():
            return CHROMA, f"{error}"
        case OSError():
            return CHROMA, f"{error.strerror} (os error {error.errno})"
    errors = sys.modules.get("chromadb.errors")
    sort = CHROMA if errors is not None and isinstance(error, errors.ChromaError) else OTHER
    return sort, f"{error}" if sort == CHROMA else f"{type(error).__name__}: {error}"


def _beat(over: threading.Event) -> None:
    """For as long as this thread gets its turn the process is not stuck."""
    while not over.is_set():
        faulthandler.dump_traceback_later(STUCK_SECONDS, exit=True)
        over.wait(BEAT_SECONDS)
    faulthandler.dump_traceback_later(LAST_SECONDS, exit=True)


def _serve(requests: BinaryIO, answers: Answers) -> None:
    """Until requests end; then the process does."""
    chroma, over = Chroma(), threading.Event()
    pool = ThreadPoolExecutor(CALLS_AT_ONCE)
    threading.Thread(target=_beat, args=[over], daemon=True).start()
    with suppress(EOFError, pickle.UnpicklingError, OSError):
        while True:
            number, call, name, arguments = pickle.load(requests)
            future = pool.submit(chroma.perform, call, name, arguments)
            future.add_done_callback(partial(answers.give, number))
    over.set()
    pool.shutdown(cancel_futures=True)
    chroma.close()
    # Taking the interpreter apart takes longer than all this.
    os._exit(0)


def main() -> None:
    """Serve the bot that started this."""
    # The bot says when to go; whoever interrupts the bot need not interrupt this as well.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    answers = Answers(os.fdopen(os.dup(1), "wb"))
    # What a library prints is no answer.
    os.dup2(2, 1)
    # The packages may lie where only the bot looks.
    sys.path[:] = pickle.load(sys.stdin.buffer)
    _serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
