"""People who talk in private and in groups, and all that is kept of it, for tests of erasing."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from astrbot_plugin_tidemark.core.conflict.slots import own
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Role, Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Claim
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin
from astrbot_plugin_tidemark.core.model.sleeping import SleepCause
from astrbot_plugin_tidemark.core.ports import WorkKind
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings
from astrbot_plugin_tidemark.storage import open_journal, open_store

from ...kit import Fragile, Fuse, files_with, place
from ...rig import START, Rig, open_rig

PATIENT = Settings(recall=RecallSettings(deadline_ms=10_000))

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
POET = Scope(ScopeKind.PRIVATE, "qq", "901", "poet")
ANN_ELSEWHERE = Scope(ScopeKind.PRIVATE, "tg", "ann", "default")
BEN = Scope(ScopeKind.PRIVATE, "qq", "902", "default")
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")
TG_GROUP = Scope(ScopeKind.GROUP, "tg", "77", "default")
STRANGER = Scope(ScopeKind.PRIVATE, "dc", "901", "default")
STRANGE_GROUP = Scope(ScopeKind.GROUP, "dc", "5000", "default")


@dataclass
class ErasureRig:
    """A rig in which everybody may speak everywhere. Nothing runs of itself."""

    rig: Rig
    folder: Path

    async def say(self, scope: Scope, user: str, text: str, reply: str = "") -> int:
        """A turn, what is recalled for it, and its answer; the turn's seq."""
        self.rig.clock.at += 1
        speaker = Speaker(user, user.title())
        turn = NewTurn(place(scope), Role.USER, speaker, text, self.rig.clock.at)
        seq = (await self.rig.engine.observe(turn)).turn.seq
        await self.rig.engine.recalls.recall(RecallRequest(scope, text, seq, asker=user))
        if reply:
            await self.answer(scope, seq, reply)
        return seq

    async def answer(self, scope: Scope, seq: int, text: str) -> bool:
        """The bot's answer to the turn `seq`; whether it was written."""
        speaker = Speaker("bot", "")
        turn = NewTurn(place(scope), Role.ASSISTANT, speaker, text, self.rig.clock.at)
        return await self.rig.engine.answer(turn, to=seq) is not None

    async def work(self) -> None:
        """Do everything that is queued, after ending every episode."""
        rig = self.rig
        await rig.engine.recalls.recorded()
        await rig.journal.close_silent(quiet_since=rig.clock.at, at=rig.clock.at)
        for kind in (WorkKind.INDEX_TURN, WorkKind.LEARN):
            due = rig.journal.due(
                rig.clock.at, kinds=frozenset({kind}), limit=999, skip=frozenset()
            )
            for work in await due:
                await rig.engine.jobs.table()[kind](work)
                await rig.journal.finish(work.id)

    async def sleep(self) -> None:
        """A night in every scope, with everything learnt before it."""
        rig, kinds = self.rig, frozenset({WorkKind.SLEEP})
        await self.work()
        rig.clock.at += 1
        await rig.engine.rhythm.begin_all(SleepCause.COMMAND, rig.clock.at)
        while due := await rig.journal.due(9e9, kinds=kinds, limit=99, skip=frozenset()):
            for work in due:
                await rig.engine.pipeline.work(work)
                await rig.journal.finish(work.id)

    async def said_twice(
        self, scope: Scope, user: str, value: str, turns: tuple[int, int]
    ) -> list[str]:
        """What two turns told, learnt in two wordings: sleep makes one memory of them."""
        ids: list[str] = []
        subject = own(user if scope.kind is ScopeKind.GROUP else "")
        claim = Claim(subject, "hobby", value, START)
        for turn, told in zip(turns, ("likes", "enjoys"), strict=True):
            ids.append(str(uuid4()))
            await self.rig.keep(
                f"{user} {told} {value}",
                scope,
                id=ids[-1],
                kind=Kind.SEMANTIC,
                speaker=Speaker(user, user.title()),
                claim=claim,
                origin=Origin(turns=(turn,)),
            )
        return ids

    async def erase_later(self) -> int:
        """Do the erasures that are queued, as the worker would; how many."""
        kinds = frozenset({WorkKind.ERASE})
        due = await self.rig.journal.due(9e9, kinds=kinds, limit=99, skip=frozenset())
        for work in due:
            await self.rig.engine.eraser.work(work)
        return len(due)

    async def joined(self) -> None:
        """Ann's accounts are one person."""
        await self.rig.journal.set_alias("qq", "901", "ann")
        await self.rig.journal.set_alias("tg", "ann", "ann")

    async def kept(self) -> dict[str, Memory]:
        """Every memory by id."""
        return {memory.id: memory for memory in await self.rig.memories()}

    async def mentions(self, word: str) -> list[str]:
        """Where a word is left: texts of memories, bytes of files."""
        told = [memory.id for memory in await self.rig.memories() if word in repr(asdict(memory))]
        return told + files_with(self.folder, word)

    async def close(self) -> None:
        await self.rig.engine.close()


async def erasure_rig(
    folder: Path, *, backend: str = "sqlite", fuse: Fuse | None = None
) -> ErasureRig:
    """An empty one, learning by the rules; a `fuse` is in every call of store and journal."""
    store: Any = await open_store(backend, folder)
    journal: Any = await open_journal(folder)
    if fuse is not None:
        store, journal = Fragile(store, fuse), Fragile(journal, fuse)
    rig = await open_rig(folder, PATIENT, store=store, journal=journal)
    rig.model.present = False
    return ErasureRig(rig, folder)
