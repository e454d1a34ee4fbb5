"""What others were shown of a person's private memories: noted for them, and taken back."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import batched
from typing import Any
from uuid import uuid4

from ..forgetting.summary import without_parts
from ..model.conversation import REPLY_TO, Scope, ScopeKind, Turn
from ..model.memory import Extractor, Kind, Memory, Part, Source
from ..ports import AuditEntry, AuditLog, Clock, Erasure, Filter, Journal, MemoryRecords, WorkKind
from ..records.evidence import quotation, with_reply, without_quotes, without_reply
from ..records.learnt import without_successor
from ..records.threads import release
from .consents import Consents

AT_ONCE = 500

type Window = tuple[str, float, float]
"""A session, and from when to when a question was waiting for its answer there."""


@dataclass(frozen=True, slots=True)
class _Answers:
    """The private replies, and how memories of the group may hold them."""

    by_episode: Mapping[str, Sequence[Turn]]
    seqs: frozenset[int]
    asked: frozenset[int]
    windows: Sequence[Window]

    def made(self, memory: Memory) -> bool:
        """Whether the memory was learnt from one, or written by the tool while one was made."""
        if memory.extractor is Extractor.TOOL and memory.source is Source.INFERRED:
            session, at = memory.origin.session, memory.created_at
            return any(session == w[0] and w[1] <= at <= w[2] for w in self.windows)
        if without_parts(memory, self._tells) is not None:
            return False
        return not self.seqs.isdisjoint(memory.origin.turns)

    def _tells(self, part: Part) -> bool:
        return not self.seqs.isdisjoint(part.turns)

    def cleared(self, memory: Memory) -> Memory:
        """Evidence without these answers in its text and its cues, a summary without lines of
        them.
        """
        memory = without_parts(memory, self._tells) or memory
        said = self.by_episode.get(memory.origin.episode)
        if memory.kind is not Kind.EVIDENCE or said is None:
            return memory
        bare = without_reply(memory)
        answered = not self.asked.isdisjoint(memory.origin.turns)
        if answered or any(with_reply(bare, turn) == memory for turn in said):
            memory = bare
        return without_quotes(memory, {quotation(turn.text) for turn in said})


@dataclass(frozen=True, slots=True)
class Unsharing:
    """Deletes for good. May be repeated: the answers, which tell what there is to do, go last."""

    store: MemoryRecords
    journal: Journal

    async def queue(self, owners: frozenset[str], *, in_groups: bool = False) -> None:
        """Have it done in the background, also if the process ends before."""
        key = f"{WorkKind.UNSHARE}:{uuid4().hex}"
        payload = {"owners": sorted(owners), "in_groups": in_groups}
        await self.journal.enqueue(WorkKind.UNSHARE, key, payload)

    async def purge(self, owners: frozenset[str], *, in_groups: bool = False) -> int:
        """Delete what answers out of these owners' memories left elsewhere; how many answers.

        With `in_groups` only there.
        """
        turns = await self.journal.private_replies_for(owners)
        if in_groups:
            turns = [turn for turn in turns if Scope.kind_of(turn.place.scope) is ScopeKind.GROUP]
        if not turns:
            return 0
        answers = await self._answers(turns)
        scopes = frozenset(turn.place.scope for turn in turns)
        gone, touched = await self._reach(answers, scopes)
        await self.journal.erase(Erasure(memories=gone))
        for ids in batched(sorted(touched), AT_ONCE):
            await self.store.amend(
                ids, lambda memory: without_successor(answers.cleared(memory), gone)
            )
        await release(self.store, self.journal, scopes, gone)
        for ids in batched(sorted(gone), AT_ONCE):
            await self.store.purge(ids)
        await self.journal.erase(Erasure(turns=answers.seqs))
        return len(turns)

    async def _answers(self, turns: Sequence[Turn]) -> _Answers:
        by_episode: dict[str, list[Turn]] = {}
        asked: set[int] = set()
        windows: list[Window] = []
        for turn in turns:
            by_episode.setdefault(turn.episode, []).append(turn)
            question = await self._question(turn)
            if question is not None:
                asked.add(question.seq)
                windows.append((turn.place.session, question.at, turn.at))
        seqs = frozenset(turn.seq for turn in turns)
        return _Answers(by_episode, seqs, frozenset(asked), windows)

    async def _question(self, answer: Turn) -> Turn | None:
        named = answer.message_id.removeprefix(REPLY_TO)
        if named == answer.message_id or not named.isdecimal():
            return None
        return await self.journal.turn(int(named))

    async def _reach(
        self, answers: _Answers, scopes: frozenset[str]
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Ids of the memories that go, and of those that hold something of what goes."""
        gone: set[str] = set()
        quoting: set[str] = set()
        followed: dict[str, str] = {}
        async for memory in self.store.iterate(Filter(scopes=scopes, status=None)):
            if answers.made(memory):
                gone.add(memory.id)
                continue
            if answers.cleared(memory) != memory:
                quoting.add(memory.id)
            if memory.successor is not None:
                followed[memory.id] = memory.successor.memory
        corrected = {old for old, newer in followed.items() if newer in gone}
        return frozenset(gone), frozenset(quoting | corrected)


NEWEST = 500
"""Entries of an owner that are read."""


class RevelationKind(StrEnum):
    """How somebody else came to see private memories, by its name in the audit log."""

    REVEALED = "revealed"
    EXPORTED = "exported"
    JOINED = "joined"


@dataclass(frozen=True, slots=True)
class Justification:
    """Who was shown it, as the audit log names them, and the reason they gave."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Revelations:
    """Whose memories are whose, and the notes of those that were shown to others."""

    journal: AuditLog
    consents: Consents
    clock: Clock

    async def foreign(self, place: Scope, keys: Iterable[str]) -> frozenset[str]:
        """Those of the scopes that are private and of none of the accounts whose chat this is."""
        private = {key for key in keys if Scope.kind_of(key) is ScopeKind.PRIVATE}
        if not private:
            return frozenset()
        own = await self.consents.owners(place)
        return frozenset(key for key in private if Scope.parse(key).owner not in own)

    async def note(
        self, act: RevelationKind, why: Justification, told: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """That private memories of these owners are about to be shown or handed out: how many,
        which (else all there are), and `until` when if that ends. Raises StorageError.
        """
        entries, now = list[AuditEntry](), self.clock.now()
        for owner, each in told.items():
            detail = json.dumps({"reason": why.reason, **each}, ensure_ascii=False)
            entries.append(AuditEntry(f"{act}:{uuid4()}", owner, owner, act, why.by, now, detail))
        await self.journal.audit(entries)

    async def of(self, person: Scope) -> list[AuditEntry]:
        """What was noted of a person's memories, on all accounts, oldest first."""
        found: list[AuditEntry] = []
        for owner in await self.consents.owners(person):
            found += await self.journal.audit_of(Scope.parse(owner).owner, limit=NEWEST)
        return sorted(found, key=lambda entry: entry.at)

    async def of_memory(self, memory: Memory) -> list[AuditEntry]:
        """What was noted of one memory, alone or with all of its owner's, oldest first."""
        owner = Scope.parse(memory.scope).owner
        noted = await self.journal.audit_of(owner, limit=NEWEST)
        return [entry for entry in noted if _is_about(entry, memory)]


async def carry_revelations(present: AuditLog, older: AuditLog) -> None:
    """Write what was noted of revelations into a journal that takes the place of the present one.

    Otherwise going back to a backup would undo the note, and not what was seen.
    """
    await older.audit(await present.audit_by_action(frozenset(RevelationKind)))


def _is_about(entry: AuditEntry, memory: Memory) -> bool:
    told = json.loads(entry.detail)
    shown, until = told.get("memories"), told.get("until", entry.at)
    return memory.created_at <= until if shown is None else memory.id in shown
