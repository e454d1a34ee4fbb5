"""Queued capture work: index a turn as evidence, apply what an episode taught."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..conversation import Episode, Role, Turn
from ..forgetting.lifecycle import forgotten_by_hand
from ..forgetting.tmd import TmdParameters
from ..learning import Candidate
from ..memory import Extractor, Kind, Memory, Succession, Successor
from ..ports import AuditEntry, Extraction, Journal, MemoryStore
from ..text.tokens import normalise
from . import learn
from .evidence import (
    answer_to,
    answered_by,
    evidence_id,
    evidence_of,
    says_something_new,
    with_reply,
    worth_keeping,
)
from .remember import memories_of, replaced_by, succession_of

SIMILAR = 20
"""Memories looked at for one that says the same; raw turns with the same words rank among them."""


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
        turns = await self.journal.turns_of(turn.episode)
        if turn.role is Role.ASSISTANT:
            await self._index_reply(turn, answered_by(turn, turns))
            return
        earlier = [other for other in turns if other.seq < seq]
        before = earlier[-1] if earlier else None
        evidence = evidence_of(turn, before, journal=self.journal.id, parameters=self.parameters)
        await self.store.put([evidence])
        reply = answer_to(turn, turns)
        if reply is not None:
            await self._index_reply(reply, turn)

    async def apply(self, extraction: Extraction, episode: Episode) -> list[Memory]:
        """Store what a kept reply proposes, link what it follows. Returns its memories.

        What rests on a raw turn that somebody has forgotten by hand is left out.
        """
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
        forgotten = await self._forgotten(turns)
        proposed = [
            (candidate, memory)
            for candidate, memory in zip(lesson.candidates, memories, strict=True)
            if forgotten.isdisjoint(memory.origin.turns)
        ]
        memories = [memory for _, memory in proposed]
        keepers = await self._keepers(memories)
        fresh = [m for m, keeper in zip(memories, keepers, strict=True) if keeper == m.id]
        await self.store.put(fresh)
        await self.journal.audit([_created(memory) for memory in fresh])
        for (candidate, memory), keeper in zip(proposed, keepers, strict=True):
            await self._follow(candidate, memory, keeper, extraction.known)
        return fresh

    async def _forgotten(self, turns: Sequence[Turn]) -> frozenset[int]:
        ids = [evidence_id(self.journal.id, turn.seq) for turn in turns]
        found = await self.store.find(ids)
        return frozenset(t for m in found if forgotten_by_hand(m) for t in m.origin.turns)

    async def _index_reply(self, reply: Turn, asked: Turn | None) -> None:
        if asked is None:
            return
        injected = await self.journal.injected_in(asked.episode)
        shown = [item.memory for item in injected if item.turn == asked.seq]
        known = [asked.text, *(memory.text for memory in await self.store.find(shown))]
        if says_something_new(reply.text, known):
            target = evidence_id(self.journal.id, asked.seq)
            await self.store.amend([target], lambda memory: with_reply(memory, reply))

    async def _keepers(self, memories: Sequence[Memory]) -> list[str]:
        """For each, the id of the memory that keeps what it says: its own, or an earlier one's."""
        keeper: dict[tuple[Kind, str], str] = {}
        for memory in memories:
            if _statement(memory) not in keeper:
                keeper[_statement(memory)] = await self._keeper(memory)
        return [keeper[_statement(memory)] for memory in memories]

    async def _keeper(self, memory: Memory) -> str:
        # The same statement is often said again; one memory of it is enough.
        scope = frozenset({memory.scope})
        hits = await self.store.search_text(memory.text, scope, limit=SIMILAR)
        for other in await self.store.find([memory.id, *(hit.id for hit in hits)], scope):
            if other.id == memory.id or _statement(other) == _statement(memory):
                return other.id
        return memory.id

    async def _follow(
        self, candidate: Candidate, memory: Memory, keeper: str, known: Mapping[int, str]
    ) -> None:
        follows = succession_of(candidate)
        if follows is None or known[follows[0]] == keeper:
            return
        number, how = follows
        older = known[number]
        # The raw turn that said it must not say it again in its place.
        said = await self._said_in(older) if how is Succession.CORRECTS else []
        await self.store.amend(
            [older, *said], lambda record: replaced_by(record, keeper, how, memory.text)
        )
        # Not from what changed: a repetition after a crash finds the link made, not noted.
        linked = await self.store.find([older])
        await self.journal.audit(
            [
                AuditEntry(
                    key=f"{how}:{older}",
                    memory=older,
                    scope=record.scope,
                    action=how.value,
                    by="learning",
                    at=memory.created_at,
                    detail=json.dumps({"by_memory": keeper}),
                )
                for record in linked
                if record.successor == Successor(keeper, how)
            ]
        )

    async def _said_in(self, memory: str) -> list[str]:
        found = await self.store.find([memory])
        return [evidence_id(self.journal.id, t) for record in found for t in record.origin.turns]


def _statement(memory: Memory) -> tuple[Kind, str]:
    return memory.kind, normalise(memory.text)


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
