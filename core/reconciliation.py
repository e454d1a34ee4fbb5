"""What contradicts each other in a recall is compared again in the background, and linked.

Nothing that is remembered is changed: both memories state what the other is to them, and their
trust follows from that.
"""

from dataclasses import dataclass, replace
from functools import partial

from .calibration import Frames
from .compare import compared
from .conflict.verdict import Stance, conflict
from .knowledge import Relation
from .memory import Memory
from .ports import EmbedderSource, Journal, MemoryStore, WorkKind
from .recall.trace import Trace
from .trust import CONTRADICTS, CORROBORATES


async def queue_contradictions(trace: Trace, journal: Journal) -> None:
    """Queue each contradictory pair of a recall to be compared again; once for ever."""
    pairs = {tuple(sorted((each.memory, each.behind))) for each in trace.candidates if each.behind}
    for one, other in sorted(pairs):
        key = reconciliation_key(one, other)
        await journal.enqueue(WorkKind.RECONCILE, key, {"memories": [one, other]})


def reconciliation_key(one: str, other: str) -> str:
    """The same for both orders."""
    return "reconcile:" + ":".join(sorted((one, other)))


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """Compares two memories as they are now."""

    store: MemoryStore
    embedders: EmbedderSource
    frames: Frames

    async def reconcile(self, one: str, other: str) -> Stance:
        """Link two memories if they contradict or corroborate each other; what was found.

        Only memories that may still be recalled, of one scope: a memory never tells of one that
        others may not see. Raises StorageError.
        """
        pair = await self.store.find([one, other])
        if len(pair) < 2 or pair[0].scope != pair[1].scope or not all(m.recallable for m in pair):
            return Stance.UNRELATED
        embedder = await self.embedders.choose()
        alike = await compared(pair, self.store, embedder, self.frames)
        stance = conflict(pair[0], pair[1], float(alike[0, 1])).stance
        if stance is not Stance.UNRELATED:
            await self.store.amend([one, other], partial(_linked, (one, other), stance))
        return stance


def _linked(pair: tuple[str, str], stance: Stance, memory: Memory) -> Memory:
    """The memory with its relation to the other of the pair; the opposite one is withdrawn."""
    (other,) = set(pair) - {memory.id}
    kept = [each for each in memory.relations if not _links(memory.id, each, other)]
    relation = Relation(memory.id, stance.value, other)
    if relation in memory.relations and len(kept) + 1 == len(memory.relations):
        return memory
    return replace(memory, relations=(*kept, relation))


def _links(own: str, relation: Relation, other: str) -> bool:
    judged = relation.predicate in (CONTRADICTS, CORROBORATES)
    return judged and (relation.subject, relation.object) == (own, other)
