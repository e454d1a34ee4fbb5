"""What the journal and the store have written down of a lived stage, against what was true."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ...core.conflict.trust import CONTRADICTS, CORROBORATES, linked
from ...core.ports import AuditLog, Filter, MemoryReader, Recalls
from .script import Life


@dataclass(frozen=True, slots=True)
class LedgerVerdict:
    """That a memory was judged useful, or not, for the turn in which it was shown."""

    turn: int
    memory: str
    useful: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """What the model was shown in a turn, and which of it held what was needed."""

    turn: int
    right: frozenset[str]
    wrong: frozenset[str]


class Ledger(Recalls, AuditLog, Protocol):
    """What was shown, and what was made of it."""


type Counts = dict[str, int]

_SAID = ("useful", "useless")


async def verdicts_in(episode: str, journal: Ledger) -> list[LedgerVerdict]:
    """The verdicts on what was shown in an episode that has been learnt from."""
    shown = {item.memory: item.turn for item in await journal.injected_in(episode)}
    return [
        LedgerVerdict(turn, memory, entry.action == "useful")
        for memory, turn in shown.items()
        for entry in await journal.audit_of(memory, limit=8)
        if entry.key == f"judged:{turn}:{memory}"
    ]


def against_truth(verdicts: Iterable[LedgerVerdict], shown: Iterable[Shown]) -> Counts:
    """Verdicts by what they said and whether that is true; turns that needed nothing included."""
    held = {(one.turn, memory): True for one in shown for memory in one.right}
    held |= {(one.turn, memory): False for one in shown for memory in one.wrong}
    counts: Counts = {f"{said}_{is_so}": 0 for said in _SAID for is_so in ("right", "wrong")}
    for verdict in verdicts:
        truth = held.get((verdict.turn, verdict.memory))
        if truth is not None:
            said = "useful" if verdict.useful else "useless"
            counts[f"{said}_{'right' if truth is verdict.useful else 'wrong'}"] += 1
    return counts | {"shown": len(held), "shown_right": sum(held.values())}


async def corroborations(store: MemoryReader) -> Counts:
    """Memories that have been corroborated, and how many there are at all."""
    told = agreed = 0
    async for memory in store.iterate(Filter(status=None)):
        told += 1
        agreed += bool(linked(memory, CORROBORATES))
    return {"memories": told, "corroborated": agreed}


async def false_contradictions(store: MemoryReader, consistent: Sequence[Life]) -> Counts:
    """Pairs that are linked as contradicting each other where nobody contradicts himself."""
    scopes = frozenset(life.scope.key for life in consistent)
    pairs: set[frozenset[str]] = set()
    memories = 0
    if scopes:
        async for memory in store.iterate(Filter(scopes=scopes, status=None)):
            memories += 1
            pairs |= {frozenset({memory.id, other}) for other in linked(memory, CONTRADICTS)}
    return {"memories": memories, "pairs": len(pairs)}
