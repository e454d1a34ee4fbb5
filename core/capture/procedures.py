"""A procedure is remembered once the bot has used the same tools in the same way twice."""

from dataclasses import dataclass

from ..forgetting.tmd import TmdParameters
from ..model.conversation import Turn
from ..model.memory import RAW, Memory
from ..ports import AuditLog, MemoryStore
from ..records.duplicates import created
from ..records.procedures import done_again, procedure_id, procedure_of, steps_of

LIKE = 20
"""Raw turns with the same tools that are looked at for the same steps."""


@dataclass(frozen=True, slots=True)
class Procedures:
    """Done again it finds the same: the id follows from the tools. `journal` is its identity."""

    store: MemoryStore
    audit: AuditLog
    journal: str
    parameters: TmdParameters

    async def notice(self, asked: Turn, answer: Turn) -> None:
        """Remember how it was done, if that is how something was done before."""
        steps = steps_of(answer.text)
        if not steps:
            return
        id = procedure_id(self.journal, asked.place.scope, steps)
        if await self.store.find([id]):
            await self.store.amend([id], lambda memory: done_again(memory, asked, answer))
            return
        before = await self._before(asked, steps)
        if before is None:
            return
        procedure = procedure_of(
            asked, answer, before, journal=self.journal, parameters=self.parameters
        )
        await self.store.put([procedure])
        await self.audit.audit([created(procedure, by=procedure.extractor.value)])

    async def _before(self, asked: Turn, steps: tuple[str, ...]) -> Memory | None:
        """Evidence of another turn here that was answered with the same steps."""
        scope = frozenset({asked.place.scope})
        hits = await self.store.search_text(" ".join(steps), scope, limit=LIKE, kinds=RAW)
        for memory in await self.store.find([hit.id for hit in hits], scope):
            if asked.seq not in memory.origin.turns and steps_of(memory.text) == steps:
                return memory
        return None
