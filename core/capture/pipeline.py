"""Queued capture work: index a turn as evidence, apply what an episode taught."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..conversation import Episode, Role
from ..forgetting.tmd import TmdParameters
from ..learning import Candidate, Lesson
from ..memory import Extractor, Memory
from ..ports import AuditEntry, Extraction, Journal, MemoryStore
from ..text.tokens import normalise
from . import learn
from .evidence import evidence_id, evidence_of, with_reply, worth_keeping
from .remember import memories_of, replaced_by, succession_of


@dataclass(frozen=True, slots=True)
class Capture:
    """Turns and lessons into the store. Every step may be repeated and then changes nothing."""

    store: MemoryStore
    journal: Journal
    parameters: TmdParameters

    async def index_turn(self, seq: int) -> None:
        """Make a user's turn recallable, or add the bot's answer to the turn it answers."""
        turn = await self.journal.turn(seq)
        if turn is None or not worth_keeping(turn):
            return
        before, after = await self.journal.neighbours(seq)
        if turn.role is Role.ASSISTANT:
            if before is not None and before.role is not Role.ASSISTANT:
                target = evidence_id(self.journal.id, before.seq)
                await self.store.amend([target], lambda memory: with_reply(memory, turn))
            return
        evidence = evidence_of(turn, before, journal=self.journal.id, parameters=self.parameters)
        if after is not None and after.role is Role.ASSISTANT:
            evidence = with_reply(evidence, after)
        await self.store.put([evidence])

    async def apply(self, extraction: Extraction, episode: Episode) -> list[Memory]:
        """Store what a kept reply proposes, link what it follows. Returns its memories."""
        lesson = learn.read(extraction)
        turns = await self.journal.turns_of(episode.id)
        memories = memories_of(
            lesson.candidates,
            episode,
            turns,
            extraction.known,
            journal=self.journal.id,
            extractor=Extractor(extraction.source),
            parameters=self.parameters,
        )
        fresh = [memory for memory in memories if not await self._repeats(memory)]
        await self.store.put(fresh)
        kept = {memory.id for memory in fresh}
        await self.journal.audit([_created(memory) for memory in fresh])
        await self._link(lesson, memories, kept, extraction.known)
        return fresh

    async def _repeats(self, memory: Memory) -> bool:
        # The same statement is often said again; one memory of it is enough.
        scope = frozenset({memory.scope})
        hits = await self.store.search_text(memory.text, scope, limit=3)
        said = normalise(memory.text)
        found = await self.store.find([hit.id for hit in hits], scope)
        return any(
            other.id != memory.id and other.kind is memory.kind and normalise(other.text) == said
            for other in found
        )

    async def _link(
        self,
        lesson: Lesson,
        memories: Sequence[Memory],
        kept: set[str],
        known: Mapping[int, str],
    ) -> None:
        for candidate, memory in zip(lesson.candidates, memories, strict=True):
            if memory.id in kept:
                await self._follow(candidate, memory, known)

    async def _follow(self, candidate: Candidate, memory: Memory, known: Mapping[int, str]) -> None:
        follows = succession_of(candidate)
        if follows is None:
            return
        number, how = follows
        older = known[number]
        changed = await self.store.amend(
            [older], lambda record: replaced_by(record, memory.id, how, memory.text)
        )
        await self.journal.audit(
            [
                AuditEntry(
                    key=f"{how}:{older}",
                    memory=older,
                    scope=done.after.scope,
                    action=how.value,
                    by="learning",
                    at=memory.created_at,
                    detail=json.dumps({"by_memory": memory.id}),
                )
                for done in changed
            ]
        )


def _created(memory: Memory) -> AuditEntry:
    detail = {
        "kind": memory.kind,
        "importance": memory.importance,
        "strength": memory.vitality.strength,
        "extractor": memory.extractor,
    }
    return AuditEntry(
        key=f"created:{memory.id}",
        memory=memory.id,
        scope=memory.scope,
        action="created",
        by=memory.extractor.value,
        at=memory.created_at,
        detail=json.dumps(detail),
    )
