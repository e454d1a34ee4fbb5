"""Applying verdicts: each once, to the store, the ledger and the audit log."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..forgetting.lifecycle import BinPolicy, accessed, to_bin
from ..forgetting.tmd import Tmd, already_judged
from ..memory import Memory, Status
from ..ports import Amendment, AuditEntry, Journal, MemoryStore

USELESS = "recalled in vain"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judgement of one memory for the turn it was injected in."""

    memory: str
    turn: int
    useful: bool


def verdicts_of(
    injected: Mapping[str, int], known: Mapping[int, str], useful: frozenset[int]
) -> list[Verdict]:
    """Useful as judged, useless for the rest of what was injected.

    `injected` maps memory to the last turn that showed it: a memory shown in several turns of
    an episode is judged once.
    """
    helped = {known[number] for number in useful if number in known}
    return [Verdict(memory, turn, memory in helped) for memory, turn in sorted(injected.items())]


async def credit(
    verdicts: Sequence[Verdict],
    *,
    store: MemoryStore,
    journal: Journal,
    policy: Tmd,
    bin_policy: BinPolicy,
    source: str,
    now: float,
) -> list[Amendment]:
    """Apply verdicts in one transaction, then note them. Doing it again changes nothing."""
    by_memory = {verdict.memory: verdict for verdict in verdicts}

    def judged(memory: Memory) -> Memory:
        return _judged(memory, by_memory[memory.id], policy, bin_policy, now)

    amendments = await store.amend(list(by_memory), judged)
    for useful in (True, False):
        pairs = [(v.turn, v.memory) for v in verdicts if v.useful is useful]
        await journal.record_verdicts(pairs, useful=useful, source=source, at=now)
    existing = {memory.id: memory for memory in await store.find(list(by_memory))}
    await journal.audit(
        [
            _entry(verdict, existing[verdict.memory], source, now)
            for verdict in verdicts
            if verdict.memory in existing
        ]
    )
    return amendments


def _judged(
    memory: Memory, verdict: Verdict, policy: Tmd, bin_policy: BinPolicy, now: float
) -> Memory:
    if already_judged(memory.vitality, verdict.turn):
        return memory
    vitality = policy.judge(memory.vitality, useful=verdict.useful, turn=verdict.turn, now=now)
    changed = accessed(replace(memory, vitality=vitality), now=now)
    if changed.standing.status is Status.LIVE and policy.forgets(changed):
        return to_bin(changed, now=now, reason=USELESS, policy=bin_policy)
    return changed


def _entry(verdict: Verdict, memory: Memory, source: str, now: float) -> AuditEntry:
    vitality = memory.vitality
    detail = {
        "turn": verdict.turn,
        "strength": vitality.strength,
        "useful_score": vitality.useful_score,
        "status": memory.standing.status,
    }
    return AuditEntry(
        key=f"judged:{verdict.turn}:{verdict.memory}",
        memory=verdict.memory,
        scope=memory.scope,
        action="useful" if verdict.useful else "useless",
        by=source,
        at=now,
        detail=json.dumps(detail),
    )
