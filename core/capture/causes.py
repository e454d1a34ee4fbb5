"""Causes as they were said: links between the memories of a lesson and known ones."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..graph.links import CAUSED_BY
from ..model.conversation import Role, Turn
from ..model.knowledge import Relation
from ..model.lesson import Candidate
from ..model.memory import Memory
from ..ports import MemoryRecords
from ..records.evidence import evidence_id
from .said_causes import said_causes

MOST_CAUSES = 8
"""That one memory names."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """A candidate, the memory made of it, and the id of the memory that keeps what it says."""

    candidate: Candidate
    memory: Memory
    kept_id: str


@dataclass(frozen=True, slots=True)
class Causes:
    """Writes `caused_by` from a memory to its causes. May be repeated, then changes nothing."""

    store: MemoryRecords
    journal: str

    async def link(self, learnt: Sequence[Learnt], turns: Sequence[Turn]) -> None:
        """As the reply named them by number, else as people said; `turns` are of the episode."""
        named = self._named(learnt, turns)
        named = {**self._said(learnt, turns), **{id: found for id, found in named.items() if found}}
        wanted = {cause for causes in named.values() for cause in causes}
        # What is gone, or of another scope, is no cause that could be told here.
        known = {memory.id: memory.scope for memory in await self.store.find(list(wanted))}
        for effect, causes in named.items():
            await self.store.amend([effect], partial(_linked, causes, known))

    def _named(self, learnt: Sequence[Learnt], turns: Sequence[Turn]) -> dict[str, list[str]]:
        resting = _resting(learnt)
        named: defaultdict[str, list[str]] = defaultdict(list)
        for each in learnt:
            for number in each.candidate.causes:
                said = [id for id in resting.get(number, ()) if id != each.kept_id]
                named[each.kept_id] += said or self._raw(number, each.candidate, turns)
        return named

    def _said(self, learnt: Sequence[Learnt], turns: Sequence[Turn]) -> Mapping[str, list[str]]:
        """As people said it in words, whatever was learnt of it: else between the raw turns."""
        resting = _resting(learnt)
        said: defaultdict[str, list[str]] = defaultdict(list)

        def of(number: int) -> list[str]:
            return resting.get(number) or [evidence_id(self.journal, turns[number - 1].seq)]

        for effect, cause in said_causes(turns):
            for id in of(effect):
                said[id] += of(cause)
        return said

    def _raw(self, number: int, effect: Candidate, turns: Sequence[Turn]) -> list[str]:
        """The raw turn, if nothing was learnt of it and the effect does not rest on it itself."""
        turn = turns[number - 1]
        if number in effect.turns or turn.role is Role.ASSISTANT:
            return []
        return [evidence_id(self.journal, turn.seq)]


def _resting(learnt: Sequence[Learnt]) -> Mapping[int, list[str]]:
    """By number of a turn the memories that were learnt of it."""
    resting: defaultdict[int, list[str]] = defaultdict(list)
    for each in learnt:
        for number in each.candidate.turns:
            resting[number].append(each.kept_id)
    return resting


def _linked(causes: Sequence[str], known: Mapping[str, str], effect: Memory) -> Memory:
    told = [
        Relation(effect.id, CAUSED_BY, cause)
        for cause in dict.fromkeys(causes)
        if cause != effect.id and known.get(cause) == effect.scope
    ]
    missing = [link for link in told[:MOST_CAUSES] if link not in effect.relations]
    return replace(effect, relations=(*effect.relations, *missing)) if missing else effect
