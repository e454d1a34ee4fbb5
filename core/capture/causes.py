"""Causes as they were said: links between the memories of a lesson and known ones."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..graph.links import CAUSED_BY
from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from ..languages.telling import tells
from ..model.conversation import Role, Turn
from ..model.knowledge import Relation
from ..model.lesson import Candidate
from ..model.memory import Memory
from ..ports import MemoryRecords
from ..records.evidence import evidence_id

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


FARTHEST = 3
"""Turns back to what a cause or an effect belongs to, the bot's answers among them."""

LONGEST = 300
"""Characters of a turn that says one thing: of longer ones it is not known what is meant."""


def said_causes(turns: Sequence[Turn]) -> Iterator[tuple[int, int]]:
    """Numbers, from 1, of the turns of an episode: what came about, and why."""
    for place, turn in enumerate(turns):
        before = _before(turns, place)
        if before is None or turn.role is Role.ASSISTANT or not _is_told(turn):
            continue
        if _begins(turn, Marker.THEREFORE):
            yield place + 1, before + 1
        elif _begins(turn, Marker.BECAUSE) or _is_asked_why(turns[place - 1]):
            yield before + 1, place + 1


def _before(turns: Sequence[Turn], place: int) -> int | None:
    """What the same person told just before, if nobody else has spoken since but the bot."""
    for earlier in range(place - 1, max(-1, place - 1 - FARTHEST), -1):
        turn = turns[earlier]
        if turn.role is not Role.ASSISTANT:
            own = turn.speaker.id == turns[place].speaker.id and _is_told(turn)
            return earlier if own else None
    return None


def _is_told(turn: Turn) -> bool:
    return len(turn.text) <= LONGEST and tells(turn.text)


def _begins(turn: Turn, what: Marker) -> bool:
    text = turn.text.lstrip()
    return marker(what, codes_in(text)).match(text) is not None


def _is_asked_why(reply: Turn) -> bool:
    if reply.role is not Role.ASSISTANT or reply.private_reply:
        return False
    return marker(Marker.ASKS_WHY, codes_in(reply.text)).search(reply.text) is not None
