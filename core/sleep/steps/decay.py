"""Decay: memories past their retention, or let go by the policy, leave recall."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...forgetting.lifecycle import RETENTION, UNDECIDED, UNDONE, restored
from ...forgetting.summary import SummaryLine
from ...forgetting.tmd import initial_strength
from ...model.memory import Memory, Status
from ...model.sleeping import Decided, Decision, Deed, SleepCause, Undone
from ...ports import MemoryRecords
from ...privacy.retention import Retention
from ...records.threads import unsummarised
from ..pipeline import EVERY, StepRun
from ..sweep import SUMMARISED, Sweeper


@dataclass(frozen=True, slots=True)
class DecayStep:
    """Retention and the policy of one scope, up to the time of the sleep."""

    name: ClassVar[str] = "decay"
    causes: ClassVar[frozenset[SleepCause]] = EVERY

    store: MemoryRecords
    retention: Retention
    sweeper: Sweeper

    async def run(self, run: StepRun) -> None:
        """Let go of what is due in the scope."""
        scope = frozenset({run.scope})
        expired = await self.retention.apply_in(run.scope, run.at)
        run.count(Deed.EMPTIED, expired.emptied)

        async def tell(texts: Sequence[str]) -> Sequence[SummaryLine]:
            found = await run.story(texts, ()) if run.may_ask else None
            return [(text, [cite - 1 for cite in cites]) for text, cites in found or ()]

        count = await self.sweeper.decay(run.at, scope, tell)
        run.count(Deed.WEAKENED, count.weakened)
        run.count(Deed.DEMOTED, count.demoted)
        if run.resumed or expired.binned or count.binned or count.archived:
            async for moved in self.sweeper.moved(run.scope, run.at):
                await run.decide(*map(_decision, moved))

    async def undo(self, decided: Decided, now: float) -> Undone:
        """Bring it back, as restoring by hand does, and out of the summary made of it."""

        def back(memory: Memory) -> Memory:
            # What nobody had decided on does not come to life by that.
            if memory.standing.since != decided.at or memory.standing.reason == UNDECIDED:
                return memory
            strength = initial_strength(memory.importance)
            return restored(memory, now=now, reason=UNDONE, strength=strength)

        ids = decided.decision.memories
        if not await self.store.find(ids):
            return Undone.GONE
        await self.store.amend(ids, back)
        left = await self.store.find(ids)
        live = [memory.id for memory in left if memory.standing.status is Status.LIVE]
        if not live:
            return Undone.GONE
        if decided.decision.deed is Deed.SUMMARISED:
            await unsummarised(self.store, frozenset({decided.scope}), live)
        return Undone.DONE


def _decision(memory: Memory) -> Decision:
    reason = memory.standing.reason
    if memory.standing.status is Status.ARCHIVED:
        deed = Deed.ARCHIVED
    else:
        deed = Deed.SUMMARISED if reason.startswith(SUMMARISED) else Deed.BINNED
    word = RETENTION if reason == RETENTION else reason.partition(" ")[0]
    return Decision(f"{deed}:{memory.id}", deed, (memory.id,), word)
