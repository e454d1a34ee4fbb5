"""Moving all memories to another backend while the bot goes on talking.

Turns are recorded and memories recalled meanwhile; what would write memories waits, as while a
server is away. Copied page by page and compared value by value before the other backend is in
force. The old one is kept until somebody confirms, or until something is deleted for good, which
would stay readable there. What is under way is noted in the journal and goes on after a restart:
what has been copied is not copied again.
"""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

from ..model.errors import StorageError, TidemarkError
from ..ports import DataFiles, Journal, MemoryStore
from ..records.background import Background, uninterrupted
from ..records.notes import value_note
from .copying import EVERYTHING, held_by, make_hold
from .ownership import Backends, Ownership
from .switchable_store import SwitchingStore

NOTE = "migration"


class MigrationStage(StrEnum):
    """How far a migration is. FAILED: the old backend is in force as before."""

    COPYING = "copying"
    FAILED = "failed"
    SWITCHED = "switched"


class NotMoved(StrEnum):
    """Why a migration is not begun, confirmed or cancelled."""

    SAME = "same"
    RUNNING = "running"
    UNCONFIRMED = "unconfirmed"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Move:
    """One migration. `copied` of `total` memories have been looked at.

    `at` is when it was begun, Unix seconds.
    """

    source: str
    target: str
    at: float
    stage: MigrationStage = MigrationStage.COPYING
    copied: int = 0
    total: int = 0
    problem: str = ""


class CopyDiffers(TidemarkError):
    """The copy does not hold what the original holds."""


@dataclass(eq=False)
class Migration(Background):
    """At most one at a time. Whoever made it closes it, before the stores."""

    files: DataFiles
    store: SwitchingStore
    journal: Journal
    backends: Backends
    report: Callable[[str, BaseException], None]
    move: Move | None = None
    """The one under way, or the last that is not settled."""

    def __post_init__(self) -> None:
        self._siblings = Ownership(self.files, self.journal)

    async def resume(self) -> None:
        """Go on with what a restart has cut short.

        What was noted of it may be damaged: that is reported, and no migration is under way.
        """
        try:
            move = await value_note(self.journal, NOTE, Move)
        except StorageError as error:
            self.report("migration", error)
            return
        if move is None:
            return
        if move.stage is MigrationStage.COPYING and move.target == self.backends.in_force:
            move = replace(move, stage=MigrationStage.SWITCHED)
        self.move = move
        if move.stage is MigrationStage.COPYING:
            self.start()
        if move.stage is MigrationStage.FAILED:
            with suppress(TidemarkError, OSError):
                await self._drop(move)

    async def begin(self, target: str, now: float) -> NotMoved | None:
        """Start moving to another backend, in the background; or why not."""
        refusal = self.refusal(target)
        if refusal is not None:
            return refusal
        move = Move(self.backends.in_force, target, now)
        await self._note(move)
        self.start()
        return None

    def refusal(self, target: str) -> NotMoved | None:
        """Why moving to that backend could not begin now."""
        if self.running:
            return NotMoved.RUNNING
        if self.move is not None and self.move.stage is MigrationStage.SWITCHED:
            return NotMoved.UNCONFIRMED
        if target == self.backends.in_force:
            return NotMoved.SAME
        return None

    async def confirm(self) -> Move | NotMoved:
        """Delete the memories of the old backend: the migration is settled. Raises StorageError."""
        move = self.move
        if move is None or move.stage is not MigrationStage.SWITCHED:
            return NotMoved.RUNNING if self.running else NotMoved.NOTHING
        await self.files.discard(move.source)
        await self._siblings.part(move.source)
        await self._note(None)
        return move

    async def drop_other_copy(self) -> None:
        """Delete the backend that is not in force, in which nothing is ever forgotten.

        Not the copy under way: nothing is deleted while it is made. Raises StorageError and
        OSError, which are reported: it is tried again at the next deletion.
        """
        move = self.move
        if move is None or move.stage is MigrationStage.COPYING:
            return
        # It may still be closing the old one.
        await self.done()
        await self._drop(move)

    async def cancel(self) -> Move | NotMoved:
        """Stop, and delete what has been copied. Raises StorageError."""
        move = self.move
        if move is None:
            return NotMoved.NOTHING
        await self.aclose()
        if self.backends.in_force == move.target:
            return NotMoved.UNCONFIRMED
        await self.files.discard(move.target)
        await self._siblings.part(move.target)
        await self._note(None)
        return move

    async def _run(self) -> None:
        move = self.move
        assert move is not None, "begun, or noted"
        try:
            await self._carry_out(move)
        except (TidemarkError, OSError) as error:
            self.report("migration", error)
            switched = self.backends.in_force == move.target
            stage = MigrationStage.SWITCHED if switched else MigrationStage.FAILED
            told = "" if switched else f"{type(error).__name__}: {error}"[:500]
            self.move = replace(self.move or move, stage=stage, problem=told)
            await self._note(self.move)
            if not switched:
                with suppress(TidemarkError, OSError):
                    await self._drop(self.move)

    async def _drop(self, move: Move) -> None:
        """Delete what a move has left beside the backend in force."""
        try:
            if move.stage is MigrationStage.SWITCHED:
                await self.confirm()
            elif move.target != self.backends.in_force:
                await self.files.discard(move.target)
        except (TidemarkError, OSError) as error:
            self.report("migration", error)
            raise

    async def _carry_out(self, move: Move) -> None:
        source, target = self.store.store, await self.files.store(move.target)
        try:
            async with self.store.refuse_writes(move.target):
                stale = await self._copied(move, source, target)
                total = await source.count(EVERYTHING)
                if total != await target.count(EVERYTHING):
                    raise CopyDiffers("the copy and the original are not the same")
                done = replace(move, stage=MigrationStage.SWITCHED, copied=total, total=total)
                await uninterrupted(asyncio.ensure_future(self._commit(done, target, stale)))
        finally:
            await (source if self.store.store is target else target).close()

    async def _copied(self, move: Move, source: MemoryStore, target: MemoryStore) -> bool:
        """Copy what differs, delete what is too much, then compare everything once more.

        Whether anything was deleted.
        """
        total = await source.count(EVERYTHING)

        def tell(copied: int, _: int) -> None:
            self.move = replace(move, copied=copied, total=max(total, copied))

        stale = await make_hold(target, held_by(source), tell)
        async for page in source.pages(EVERYTHING):
            there = {each.id: each for each in await target.find([each.id for each in page])}
            if any(there.get(memory.id) != memory for memory in page):
                raise CopyDiffers("memories differ after they were copied")
        return stale

    async def _commit(self, move: Move, target: MemoryStore, stale: bool) -> None:
        await self._siblings.bind(move.target, target)
        await self.backends.switch(move.target)
        self.store.put_in_force(target)
        if stale:
            await self.store.before_purge()
        await self._note(move)

    async def _note(self, move: Move | None) -> None:
        await self.journal.set_note(NOTE, json.dumps(move, default=asdict))
        self.move = move
