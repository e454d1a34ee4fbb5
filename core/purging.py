"""Deleting single memories for good, with the recorded messages that only they rest on."""

import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .capture.evidence import evidence_id, quotation, raw_turns, without_quotes
from .capture.remember import without_correction
from .conversation import Turn, reply_id
from .memory import Memory, Status, Succession
from .ports import AuditEntry, Erasure, Journal, MemoryStore

BIN = "bin"
"""Who purges what has lain in the bin long enough, for the audit log."""


@dataclass(frozen=True, slots=True)
class Purged:
    """How many memories and recorded messages, answers included, are gone."""

    memories: int = 0
    turns: int = 0


async def purge_due(*, store: MemoryStore, journal: Journal, now: float) -> int:
    """Delete what has lain in the bin long enough; returns how many memories.

    With it go the turns it comes from, unless their evidence or what was learnt from them is
    still alive.
    """
    purged = 0
    while ids := await store.purge_due(now):
        asked = await _binned(ids, store)
        scopes = frozenset(memory.scope for memory in asked)
        unheld = sorted(await _unheld(asked, store, journal))
        learnt = await store.distilled(unheld, scopes)
        turns = frozenset(turn for turn in unheld if not learnt.get(turn))
        purged += (await _purge(asked, turns, store, journal, by=BIN, now=now)).memories
    return purged


async def purge(
    ids: Sequence[str], *, store: MemoryStore, journal: Journal, by: str, now: float
) -> Purged:
    """Delete those that lie in the bin, and the turns they come from unless these are still held.

    A turn is held while its own evidence is live or archived. Cut short, it can be repeated:
    the memories go last.
    """
    asked = await _binned(ids, store)
    turns = await _unheld(asked, store, journal)
    return await _purge(asked, turns, store, journal, by=by, now=now)


async def _purge(
    asked: Sequence[Memory],
    turns: frozenset[int],
    store: MemoryStore,
    journal: Journal,
    *,
    by: str,
    now: float,
) -> Purged:
    if not asked:
        return Purged()
    gone = {memory.id for memory in asked} | {evidence_id(journal.id, seq) for seq in turns}
    await _unquote(turns, store, journal)
    await _uncorrect(asked, store, journal)
    erased = await journal.erase(Erasure(turns=turns, memories=frozenset(gone)))
    await store.purge(sorted(gone))
    await journal.audit([_purged(memory, by, now) for memory in asked])
    return Purged(len(asked), len(erased))


async def _binned(ids: Sequence[str], store: MemoryStore) -> list[Memory]:
    return [m for m in await store.find(ids) if m.standing.status is Status.BINNED]


async def _unheld(
    memories: Sequence[Memory], store: MemoryStore, journal: Journal
) -> frozenset[int]:
    seqs = {seq for memory in memories for seq in memory.origin.turns}
    evidence = await store.find([evidence_id(journal.id, seq) for seq in sorted(seqs)])
    held = {memory.id for memory in evidence if memory.standing.status is not Status.BINNED}
    return frozenset(seq for seq in seqs if evidence_id(journal.id, seq) not in held)


async def _unquote(seqs: Collection[int], store: MemoryStore, journal: Journal) -> None:
    """Take the texts of these turns, and of their answers, out of the cues of other evidence."""
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


async def _uncorrect(memories: Sequence[Memory], store: MemoryStore, journal: Journal) -> None:
    """What a purged memory corrected holds its text as the correction; take it out."""
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
    return AuditEntry(
        key=f"purged:{memory.id}",
        memory=memory.id,
        scope=memory.scope,
        action="purged",
        by=by,
        at=now,
        detail=json.dumps({"binned_at": memory.standing.since}),
    )
