"""Deletes single memories for good, with the recorded messages that only they rest on."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..forgetting.lifecycle import doomed, due, to_purge
from ..model.conversation import Turn, reply_id
from ..model.memory import Memory, Succession
from ..ports import AuditEntry, Condition, Erasure, Journal, MemoryRecords, MemoryStore
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


async def purge_due(*, store: MemoryStore, journal: Journal, now: float) -> int:
    """Delete what has lain in the bin long enough; returns how many memories.

    With it go the turns it comes from, unless their evidence is not due itself or what was
    learnt from them is still alive.
    """
    purged = 0
    while ids := await store.purge_due(now):
        claimed = await _claimed(ids, store, now, lambda memory: due(memory, now))
        scopes = frozenset(memory.scope for memory in claimed)
        unheld = sorted(await _unheld(claimed, store, journal))
        learnt = await store.distilled(unheld, scopes)
        turns = frozenset(turn for turn in unheld if not learnt.get(turn))
        gone, _ = await _purge(claimed, turns, store, journal, by=BIN, now=now)
        purged += len(gone)
    return purged


async def purge(
    ids: Sequence[str], *, store: MemoryRecords, journal: Journal, by: str, now: float
) -> PurgeCount:
    """Delete those that lie in the bin, and the turns they come from unless these are still held.

    A turn is held while its own evidence is live or archived; evidence in the bin goes with it.
    Cut short, it can be repeated: the memories go last.
    """
    asked = await _claimed(ids, store, now)
    raw = [evidence_id(journal.id, seq) for memory in asked for seq in memory.origin.turns]
    claimed = await _claimed([*(memory.id for memory in asked), *raw], store, now)
    turns = await _unheld(claimed, store, journal)
    gone, erased = await _purge(claimed, turns, store, journal, by=by, now=now)
    return PurgeCount(sum(memory.id in gone for memory in asked), len(erased))


async def _purge(
    claimed: Sequence[Memory],
    turns: frozenset[int],
    store: MemoryRecords,
    journal: Journal,
    *,
    by: str,
    now: float,
) -> tuple[frozenset[str], frozenset[int]]:
    """Ids of the memories, and seqs of the turns, that are gone."""
    if not claimed:
        return frozenset(), frozenset()
    ids = [memory.id for memory in claimed]
    await _unquote(turns, store, journal)
    await _uncorrect(claimed, store, journal)
    # What was summarised goes from the bin one day; its summary stands for it.
    scopes = frozenset(memory.scope for memory in claimed)
    await release(store, journal, scopes, ids, summaries=by != BIN)
    erased = await journal.erase(Erasure(turns=turns, memories=frozenset(ids)))
    # Before they go: a crash in between would leave a deletion that nobody has noted.
    await journal.audit([_purged(memory, by, now) for memory in claimed])
    return await store.purge(ids, doomed), erased


async def _claimed(
    ids: Sequence[str], store: MemoryRecords, now: float, wanted: Condition = lambda memory: True
) -> list[Memory]:
    """Those of the bin that can no longer be restored from now on.

    One that was restored before is left out; one that a crash left half deleted is among them.
    """
    await store.amend(ids, lambda each: to_purge(each, now=now) if wanted(each) else each)
    return [memory for memory in await store.find(ids) if doomed(memory)]


async def _unheld(
    memories: Sequence[Memory], store: MemoryRecords, journal: Journal
) -> frozenset[int]:
    """The turns they come from whose evidence is gone or goes with them."""
    seqs = {seq for memory in memories for seq in memory.origin.turns}
    going = {memory.id for memory in memories}
    evidence = await store.find([evidence_id(journal.id, seq) for seq in sorted(seqs)])
    held = {memory.id for memory in evidence} - going
    return frozenset(seq for seq in seqs if evidence_id(journal.id, seq) not in held)


async def _unquote(seqs: Collection[int], store: MemoryRecords, journal: Journal) -> None:
    """Remove the texts of these turns, and of their answers, from the cues of other evidence."""
    by_episode: dict[str, set[int]] = defaultdict(set)
    for seq in sorted(seqs):
        turn = await journal.turn(seq)
        if turn is not None:
            by_episode[turn.episode].add(seq)
    for episode, going in by_episode.items():
        turns = await journal.turns_of(episode)
        quotes = _quotations(turns, going)
        ids = [evidence_id(journal.id, turn.seq) for turn in turns]
        await store.amend(ids, lambda memory, quotes=quotes: without_quotes(memory, quotes))


def _quotations(turns: Sequence[Turn], seqs: Collection[int]) -> frozenset[str]:
    answers = {reply_id(seq) for seq in seqs}
    return frozenset(quotation(t.text) for t in turns if t.seq in seqs or t.message_id in answers)


async def _uncorrect(memories: Sequence[Memory], store: MemoryRecords, journal: Journal) -> None:
    """Remove the text of purged memories from what they corrected: it stands there too."""
    going = {memory.id for memory in memories}
    older = await store.find(
        [
            link.object
            for memory in memories
            for link in memory.relations
            if link.predicate == Succession.CORRECTS
        ]
    )
    raw = [turn for memory in older for turn in raw_turns(journal.id, memory)]
    ids = [*(memory.id for memory in older), *raw]
    await store.amend(ids, lambda memory: without_correction(memory, going))


def _purged(memory: Memory, by: str, now: float) -> AuditEntry:
    since = memory.standing.since
    return AuditEntry.of(memory, "purged", "purged", by, now, binned_at=since)
