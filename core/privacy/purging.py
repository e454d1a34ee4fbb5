"""Deletes single memories for good, with the recorded messages that only they rest on."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

from ..forgetting.lifecycle import doomed, due, to_purge
from ..model.conversation import Turn, reply_id
from ..model.memory import Memory, Succession
from ..ports import AuditEntry, Condition, Erasure, Journal, MemoryStore
from ..records.evidence import evidence_id, quotation, raw_turns, without_quotes
from ..records.learnt import without_correction
from ..records.threads import release

BIN = "bin"
"""The actor of the bin's own purges in the audit log."""


@dataclass(frozen=True, slots=True)
class PurgeCount:
    """How many memories and recorded messages, answers included, are gone."""

    memories: int = 0
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Purging:
    """Deletes for good at a time, by somebody. Cut short it can be repeated: memories go last."""

    store: MemoryStore
    journal: Journal
    now: float
    by: str = BIN

    async def due(self) -> int:
        """Delete what has lain in the bin long enough; returns how many memories.

        With it go the turns it comes from, unless their evidence is not due itself or what was
        learnt from them is still alive.
        """
        purged = 0
        while ids := await self.store.purge_due(self.now):
            claimed = await self._claimed(ids, lambda memory: due(memory, self.now))
            unheld = sorted(await self._unheld(claimed))
            learnt = await self.store.distilled(unheld, _scopes(claimed))
            gone, _ = await self._purge(claimed, [turn for turn in unheld if not learnt.get(turn)])
            purged += len(gone)
        return purged

    async def of(self, ids: Sequence[str]) -> PurgeCount:
        """Delete those that lie in the bin, and the turns they come from unless still held.

        A turn is held while its own evidence is live or archived; evidence in the bin goes too.
        """
        asked = await self._claimed(ids)
        raw = [evidence_id(self.journal.id, n) for memory in asked for n in memory.origin.turns]
        claimed = await self._claimed([*(memory.id for memory in asked), *raw])
        gone, erased = await self._purge(claimed, await self._unheld(claimed))
        return PurgeCount(sum(memory.id in gone for memory in asked), len(erased))

    async def _purge(
        self, claimed: Sequence[Memory], turns: Collection[int]
    ) -> tuple[frozenset[str], frozenset[int]]:
        """Ids of the memories, and seqs of the turns, that are gone."""
        if not claimed:
            return frozenset(), frozenset()
        ids = [memory.id for memory in claimed]
        await self._unquote(turns)
        await self._uncorrect(claimed)
        # What was summarised goes from the bin one day; its summary stands for it.
        summaries = self.by != BIN
        await release(self.store, self.journal, _scopes(claimed), ids, summaries=summaries)
        erasure = Erasure(turns=frozenset(turns), memories=frozenset(ids))
        erased = await self.journal.erase(erasure)
        # Before they go: a crash in between would leave a deletion that nobody has noted.
        await self.journal.audit([self._noted(memory) for memory in claimed])
        return await self.store.purge(ids, doomed), erased

    async def _claimed(
        self, ids: Sequence[str], wanted: Condition = lambda memory: True
    ) -> list[Memory]:
        """Those of the bin that can no longer be restored from now on.

        One that was restored before is left out; one that a crash left half deleted is among them.
        """
        now = self.now
        await self.store.amend(ids, lambda each: to_purge(each, now=now) if wanted(each) else each)
        return [memory for memory in await self.store.find(ids) if doomed(memory)]

    async def _unheld(self, memories: Sequence[Memory]) -> frozenset[int]:
        """The turns they come from whose evidence is gone or goes with them."""
        seqs = {seq for memory in memories for seq in memory.origin.turns}
        raw = {seq: evidence_id(self.journal.id, seq) for seq in sorted(seqs)}
        evidence = {memory.id for memory in await self.store.find(list(raw.values()))}
        held = evidence - {memory.id for memory in memories}
        return frozenset(seq for seq, id in raw.items() if id not in held)

    async def _unquote(self, seqs: Collection[int]) -> None:
        """Remove the texts of turns, and of their answers, from the cues of other evidence."""
        by_episode: dict[str, set[int]] = defaultdict(set)
        for seq in sorted(seqs):
            turn = await self.journal.turn(seq)
            if turn is not None:
                by_episode[turn.episode].add(seq)
        for episode, going in by_episode.items():
            turns = await self.journal.turns_of(episode)
            change = partial(without_quotes, quotes=_quotations(turns, going))
            await self.store.amend([evidence_id(self.journal.id, t.seq) for t in turns], change)

    async def _uncorrect(self, memories: Sequence[Memory]) -> None:
        """Remove the text of purged memories from what they corrected: it stands there too."""
        going, corrects = {memory.id for memory in memories}, Succession.CORRECTS
        links = (link for memory in memories for link in memory.relations)
        corrected = [link.object for link in links if link.predicate == corrects]
        older = await self.store.find(corrected)
        raw = [turn for memory in older for turn in raw_turns(self.journal.id, memory)]
        ids = [*(memory.id for memory in older), *raw]
        await self.store.amend(ids, lambda memory: without_correction(memory, going))

    def _noted(self, memory: Memory) -> AuditEntry:
        since = memory.standing.since
        return AuditEntry.of(memory, "purged", "purged", self.by, self.now, binned_at=since)


def _scopes(memories: Sequence[Memory]) -> frozenset[str]:
    return frozenset(memory.scope for memory in memories)


def _quotations(turns: Sequence[Turn], seqs: Collection[int]) -> frozenset[str]:
    answers = {reply_id(seq) for seq in seqs}
    return frozenset(quotation(t.text) for t in turns if t.seq in seqs or t.message_id in answers)
