"""Intentions as they are said: marked turn by turn; closed by what a model hears of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial

from ..conflict.clauses import content
from ..model.conversation import Role, Turn
from ..model.memory import Extractor, Kind, Memory
from ..ports import AuditEntry, Journal, MemoryStore
from ..records.evidence import worth_keeping
from ..records.intentions import closed
from ..records.learnt import marked_id, memories_of
from ..records.merging import created, find_duplicate
from .dating import dated
from .grounding import overlap
from .statements import extract

ALIKE = 0.3
ALIKE_OTHERWISE = 0.6
"""Least overlap of content for what learning proposes to be the intention marked in its turn, and
for what it takes for another kind."""


@dataclass(frozen=True, slots=True)
class Intentions:
    """Every step may be repeated and then changes nothing."""

    store: MemoryStore
    journal: Journal

    async def mark(self, turns: Sequence[Turn], where: tzinfo | None = None) -> list[Memory]:
        """Keep the intentions that people state in these turns of an episode, and return them."""
        said = [turn for turn in turns if turn.role is not Role.ASSISTANT and worth_keeping(turn)]
        episode = await self.journal.episode(said[0].episode) if said else None
        if episode is None:
            return []
        stated: list[Memory] = []
        for turn in said:
            lesson = dated(extract([turn], where), [turn], where)
            intended = [each for each in lesson.candidates if each.kind is Kind.PROSPECTIVE]
            memories = memories_of(
                intended, episode, [turn], {}, journal=self.journal.id, extractor=Extractor.RULES
            )
            stated += [
                replace(memory, id=marked_id(self.journal.id, turn.seq, ordinal))
                for ordinal, memory in enumerate(memories)
            ]
        return await self._kept(stated)

    async def close(
        self, ids: Sequence[str], *, at: float, key: str, by: str, raw: str = "", given_up: bool
    ) -> None:
        """Close these intentions and note it, once by each `key`."""
        await self.store.amend(ids, partial(closed, at=at, by=raw, given_up=given_up))
        # Not from what changed: a repetition after a crash finds it closed, not noted.
        over = [m for m in await self.store.find(ids) if m.intention and not m.intention.pending]
        action = "given_up" if given_up else "closed"
        await self.journal.audit(
            [AuditEntry(f"{key}:{m.id}", m.id, m.scope, action, by, at) for m in over]
        )

    async def _kept(self, stated: Sequence[Memory]) -> list[Memory]:
        fresh = [m for m in stated if (await find_duplicate(self.store, m)).id == m.id]
        await self.store.put(fresh)
        await self.journal.audit([created(m, by=m.extractor.value) for m in fresh])
        return await self.store.find([memory.id for memory in stated])


def same_as_marked(proposed: Sequence[Memory], marked: Sequence[Memory]) -> dict[str, Memory]:
    """By the ids of what learning proposes the intention that was marked when it was said.

    What claims something is no intention: it holds when that is over.
    """
    left, found = list(marked), dict[str, Memory]()
    for memory in proposed:
        if memory.claim is not None and memory.kind is not Kind.PROSPECTIVE:
            continue
        least = ALIKE if memory.kind is Kind.PROSPECTIVE else ALIKE_OTHERWISE
        own = [each for each in left if {*each.origin.turns} & {*memory.origin.turns}]
        best = max(own, key=lambda each: _alike(each, memory), default=None)
        if best is not None and _alike(best, memory) >= least:
            left.remove(best)
            found[memory.id] = best
    return found


def retold(marked: Memory, memory: Memory) -> Memory:
    """A marked intention in the words of whoever has read the whole episode."""
    intended = marked.intention
    if marked.extractor is not Extractor.RULES or memory.kind is not Kind.PROSPECTIVE:
        return marked
    if memory.extractor is Extractor.RULES or intended is None or memory.intention is None:
        return marked
    # What another turn has put off is not told as it was before, nor by that turn alone.
    if not {*marked.origin.turns} <= {*memory.origin.turns}:
        return marked
    due_at = memory.intention.due_at or intended.due_at
    links = [
        replace(each, subject=marked.id) if each.subject == memory.id else each
        for each in memory.relations
    ]
    return replace(
        marked.with_relations(links),
        text=memory.text,
        summary=memory.summary,
        cues=memory.cues,
        importance=memory.importance,
        confidence=memory.confidence,
        about=memory.about,
        entities=memory.entities,
        sentiment=memory.sentiment,
        happened_at=memory.happened_at,
        extractor=memory.extractor,
        intention=replace(intended, type=memory.intention.type, due_at=due_at),
        origin=replace(
            marked.origin, turns=tuple(sorted({*marked.origin.turns, *memory.origin.turns}))
        ),
    )


def _alike(one: Memory, other: Memory) -> float:
    return overlap(content(one.text), content(other.text))
