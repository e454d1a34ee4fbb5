"""Deletes what a person's private memories left in groups, once sharing is off, and in the chats of
accounts that an alias joined, once they are parted.

What the bot said out of them is a private reply: nothing of it becomes the group's own memory.
Here the recorded answers go, and with them whatever had been made of them before they were marked
as private.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import batched
from uuid import uuid4

from ..forgetting.summary import without_parts
from ..model.conversation import REPLY_TO, Scope, ScopeKind, Turn
from ..model.memory import Extractor, Kind, Memory, Part, Source
from ..ports import Erasure, Filter, Journal, MemoryRecords, WorkKind
from ..records.evidence import quotation, with_reply, without_quotes, without_reply
from ..records.learnt import without_successor
from ..records.threads import release

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
