"""Taking the memories of an export into a store: line by line, each whole or not at all."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from hmac import compare_digest
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from ..forgetting.summary import without_parts
from ..model.memory import REPLY_MARK, Kind, Memory, Part, unmarked
from ..model.sleeping import Tell, no_progress
from ..ports import Ledger, MemoryReader, MemoryStore
from ..privacy.erasure import accounts_of
from ..records.evidence import quotation, without_quotes, without_reply
from ..records.learnt import without_correction
from .copying import attach, seal_of
from .lines import (
    LONGEST_LINE,
    ExportedMemory,
    Header,
    LineProblem,
    Rejected,
    Trailer,
    limited,
    read_header,
    read_line,
)

PAGE = 200
SHOWN = 10
"""Rejected lines that are kept to be shown; all are counted."""

type Adding = Callable[[Sequence[Memory]], Awaitable[None]]


@dataclass(slots=True)
class LaterErasures:
    """Whoever was erased after the erasure `known`; it must `look` at all before it judges any."""

    ledger: Ledger
    known: int
    _ids: set[str] = field(default_factory=set[str])
    _seqs: set[int] = field(default_factory=set[int])
    _quotes: set[str] = field(default_factory=set[str])

    def look(self, memory: Memory) -> None:
        """Take note of what is theirs, for what rests on it or quotes it."""
        if not self._is_theirs(memory):
            return
        self._ids.add(memory.id)
        if memory.kind is Kind.EVIDENCE:
            said, _, answer = memory.text.partition(f"\n{REPLY_MARK} ")
            self._seqs.update(memory.origin.turns)
            self._quotes.update(quotation(text) for text in (said, answer) if text)

    def holds(self, memory: Memory) -> bool:
        """Whether a memory is theirs, or rests on what they said. A thread may: it is told anew."""
        left = self._without_parts(memory) or memory
        rests = not self._seqs.isdisjoint(left.origin.turns)
        return self._is_theirs(memory) or rests or memory.is_thread

    def cleared(self, memory: Memory) -> Memory:
        """A memory of others, without what it quotes of them."""
        if memory.kind is Kind.EVIDENCE:
            memory = without_quotes(memory, self._quotes)
        memory = self._without_parts(memory) or memory
        return without_correction(memory, self._ids)

    def _without_parts(self, memory: Memory) -> Memory | None:
        def is_gone(part: Part) -> bool:
            return not (self._seqs.isdisjoint(part.turns) and self._ids.isdisjoint(part.memories))

        return without_parts(memory, is_gone)

    def _is_theirs(self, memory: Memory) -> bool:
        return any(self.ledger.erased_since(each, self.known) for each in accounts_of(memory))


@dataclass(frozen=True, slots=True)
class Rejection:
    """A line that was not taken: its number in the file, from 1, and why."""

    line: int
    problem: LineProblem
    field: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did. `known` were there before, whatever has become of them since.

    `held` belong to people who had themselves erased after the file was written.
    `unreadable` lines hold what could not be read where it came from.

    `complete` if the file ended as an export ends; `missing` counts the lines its trailer
    promises and it does not have. `batch` is by what it can be taken back.
    """

    added: int = 0
    known: int = 0
    rejected: int = 0
    rejections: tuple[Rejection, ...] = ()
    unreadable: int = 0
    held: int = 0
    complete: bool = False
    missing: int = 0
    batch: str = ""


@dataclass(slots=True)
class Looked:
    """What an import would add and what is known, by scope; and how much would not come."""

    new: Counter[str] = field(default_factory=Counter[str])
    known: Counter[str] = field(default_factory=Counter[str])
    held: int = 0
    rejected: int = 0


@dataclass(slots=True)
class _Page:
    """Some lines of a file, read and checked."""

    entries: list[ExportedMemory] = field(default_factory=list[ExportedMemory])
    rejections: list[Rejection] = field(default_factory=list[Rejection])
    aside: int = 0
    held: int = 0
    trailer: Trailer | None = None


@dataclass(slots=True)
class ExportFile:
    """An export opened for reading. Every line is read once; `read` blocks."""

    source: BinaryIO
    header: Header
    line: int = 1

    def read(self, size: int) -> _Page | None:
        """The next lines; None after the last."""
        page = _Page()
        lines = list(islice(limited(self.source), size))
        for line in lines:
            self.line += 1
            if line.strip():
                self._add(line, page)
        return page if lines else None

    def is_whole(self) -> bool:
        """Whether the rest is sound and ends as it should. Reads it."""
        seen, trailer = 0, None
        while (page := self.read(PAGE)) is not None:
            seen += len(page.entries)
            trailer = page.trailer or trailer
            if page.rejections:
                return False
        return trailer is not None and trailer.count == seen

    def _add(self, line: bytes, page: _Page) -> None:
        try:
            found = read_line(line)
        except Rejected as error:
            page.rejections.append(Rejection(self.line, error.problem, error.field))
            return
        if isinstance(found, Trailer):
            page.trailer = found
        elif found is None:
            page.aside += 1
        else:
            page.entries.append(found)


def open_export(file: Path) -> ExportFile:
    """Open a file and read its header. Blocks. Raises NotOurExport and OSError."""
    source = file.open("rb")
    try:
        return ExportFile(source, read_header(source.readline(LONGEST_LINE)))
    except BaseException:
        source.close()
        raise


def erasures_in(file: Path) -> int:
    """How many erasures an export of our own takes account of. Blocks. Raises as `open_export`."""
    export = open_export(file)
    with export.source:
        return export.header.erasures


async def entries(file: Path) -> AsyncIterator[list[ExportedMemory]]:
    """The sound lines of an export of our own, by the page. Raises NotOurExport and OSError."""
    async for page in _pages(file):
        yield page.entries


async def _pages(file: Path) -> AsyncIterator[_Page]:
    export = await asyncio.to_thread(open_export, file)
    with export.source:
        while (page := await asyncio.to_thread(export.read, PAGE)) is not None:
            yield page


async def import_file(
    store: MemoryStore,
    file: Path,
    adding: Adding,
    ledger: Ledger | None = None,
    tell: Tell = no_progress,
) -> Imported:
    """Add what the file has and the store has not; repeated, it changes nothing.

    Without what belongs to whom the `ledger` says to be erased since it was written, and without
    answers of the bot's that were not exported here; without a ledger all is taken as it is.
    `adding` is told beforehand what will be, by the page. A memory that is known stays as it is,
    and gets the file's vector if it says the same and has none. Raises NotOurExport for a file
    that is refused as a whole, and OSError.
    """
    done = Imported()
    expected: int | None = None
    seen = 0
    async for page in _sifted(file, ledger):
        seen += len(page.entries) + len(page.rejections) + page.held
        done = await _take(store, page, done, adding)
        tell(seen, 0)
        expected = page.trailer.count if page.trailer else expected
    missing = max(0, (expected or 0) - seen)
    return replace(done, complete=expected is not None and not missing, missing=missing)


async def look(store: MemoryReader, file: Path, ledger: Ledger) -> Looked:
    """What `import_file` would do, by scope; nothing is changed.

    Raises NotOurExport and OSError.
    """
    looked = Looked()
    async for page in _sifted(file, ledger):
        looked.rejected += len(page.rejections)
        looked.held += page.held
        ids = [entry.memory.id for entry in page.entries]
        known = {memory.id for memory in await store.find(ids)}
        for entry in page.entries:
            counts = looked.known if entry.memory.id in known else looked.new
            counts[entry.memory.scope] += 1
    return looked


async def _sifted(file: Path, ledger: Ledger | None) -> AsyncIterator[_Page]:
    """The pages with what may be taken; without a ledger all of it may."""
    later = None if ledger is None else await _later(file, ledger)
    async for page in _pages(file):
        if ledger is not None:
            page.entries = [vouched(entry, ledger) for entry in page.entries]
        if later is not None:
            taken = [entry for entry in page.entries if not later.holds(entry.memory)]
            page.held = len(page.entries) - len(taken)
            page.entries = [replace(each, memory=later.cleared(each.memory)) for each in taken]
        yield page


async def _later(file: Path, ledger: Ledger) -> LaterErasures | None:
    """The people to hold back, read from the whole file; None if there are none."""
    export = await asyncio.to_thread(open_export, file)
    export.source.close()
    known = ledger.since(export.header.installation, export.header.erasures)
    if not any(number > known for number in ledger.numbers.values()):
        return None
    later = LaterErasures(ledger, known)
    async for page in entries(file):
        for entry in page:
            later.look(entry.memory)
    return later


def vouched(entry: ExportedMemory, ledger: Ledger) -> ExportedMemory:
    """The entry, with an answer of the bot's only where its seal is ours.

    Of a turn, any other answer goes: the record is what a person said, and as words it would be
    quoted as theirs. A mark elsewhere becomes an arrow, as in everything people write.
    """
    memory = entry.memory
    seal = seal_of(memory, ledger)
    if seal and compare_digest(seal.encode(), entry.seal.encode("utf-8", "replace")):
        return entry
    said = without_reply(memory).text if memory.kind is Kind.EVIDENCE else memory.text
    text = unmarked(said if said.strip() else memory.text)
    told = replace(memory, text=text, summary=unmarked(memory.summary))
    # The vector was made of other words; it would still find the memory by them.
    return entry if told == memory else replace(entry, memory=told, vector=None)


async def _put(store: MemoryStore, page: Sequence[ExportedMemory]) -> frozenset[str]:
    """Add memories and the vectors of those that say what they were made of; the ids added."""
    added = await store.put([entry.memory for entry in page])
    ids = [entry.memory.id for entry in page if entry.vector is not None]
    stored = {memory.id: memory for memory in await store.find(ids)}
    have = await store.vectors(ids)
    vectors = {
        entry.memory.id: entry.vector
        for entry in page
        if entry.vector is not None
        and entry.memory.id not in have
        and _says(stored[entry.memory.id]) == _says(entry.memory)
    }
    await attach(store, vectors)
    return added


async def _take(store: MemoryStore, page: _Page, done: Imported, adding: Adding) -> Imported:
    by_id = {entry.memory.id: entry.memory for entry in reversed(page.entries)}
    known = {memory.id for memory in await store.find(list(by_id))}
    # Noted first: what is in the store and not in the log could not be taken back.
    await adding([by_id[id] for id in sorted(by_id.keys() - known)])
    new = await _put(store, page.entries) if page.entries else frozenset[str]()
    return replace(
        done,
        added=done.added + len(new),
        known=done.known + len(page.entries) - len(new),
        rejected=done.rejected + len(page.rejections),
        unreadable=done.unreadable + page.aside,
        held=done.held + page.held,
        rejections=(*done.rejections, *page.rejections)[:SHOWN],
    )


def _says(memory: Memory) -> tuple[str, ...]:
    """What a vector is made of."""
    return (memory.text, *memory.cues)
