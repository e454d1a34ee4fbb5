"""What the people of an episode say again, and the known memories that say the same."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import islice

from ..conflict.settlement import ageing
from ..forgetting.policy import ForgettingPolicy
from ..languages.first_person import is_first_person
from ..languages.telling import clauses, sentences
from ..languages.terms import content_terms
from ..model.conversation import Role, Scope, ScopeKind, Turn
from ..model.memory import Kind, Memory
from ..ports import MemoryStore
from ..records.corroboration import (
    Proposition,
    Restatement,
    corroborated,
    proposition_in,
    proposition_of,
    without_names,
)
from ..records.evidence import LONGEST_TURN, evidence_id

MOST_STATEMENTS = 200
"""Of one episode that are looked up."""

LIKE = 10
"""Memories of each sort that are compared with a statement."""

LEAST_CONTENT = 2
"""Terms of a statement that is known only by a raw turn: "I am tired" is said by everybody."""

_RAW = frozenset({Kind.EVIDENCE})
_LEARNT = frozenset(Kind) - _RAW


@dataclass(frozen=True, slots=True)
class _Statement:
    """What a person states in a turn."""

    turn: Turn
    text: str

    @property
    def proposition(self) -> Proposition:
        return proposition_in(without_names(self.text, [self.turn.speaker.name]))

    def may_repeat(self, known: Memory) -> bool:
        """Whether it is older, and may mean the same: in a group "I" is somebody else."""
        if known.origin.episode == self.turn.episode:
            return False
        if Scope.kind_of(known.scope) is not ScopeKind.GROUP:
            return True
        own = known.speaker is not None and known.speaker.id == self.turn.speaker.id
        return own or not (is_first_person(self.text) or known.about)


@dataclass(frozen=True, slots=True)
class Repetition:
    """Corroborates what is said again. May be repeated and then changes nothing."""

    store: MemoryStore
    journal: str
    policy: ForgettingPolicy

    async def corroborate(
        self,
        turns: Sequence[Turn],
        kept: Sequence[tuple[Memory, str]],
        covered: Sequence[tuple[int, str]] = (),
    ) -> frozenset[str]:
        """Ids of the memories that an episode said again.

        `turns` are those that may be learnt from; `kept` are memories that were proposed, with
        the id of the one that keeps what each says. `covered` are turns that told nothing but what
        was known then, with the id of what told it. What the bot says repeats nothing.
        """
        people = {turn.seq: turn for turn in turns if turn.role is not Role.ASSISTANT}
        # An episode's end may have moved since they were indexed.
        own = {evidence_id(self.journal, seq) for seq in people}
        said: dict[str, set[int]] = defaultdict(set)
        for memory, kept_id in kept:
            if memory.id != kept_id:
                said[kept_id].update(people.keys() & memory.origin.turns)
        for seq, known in covered:
            said[known].update({seq} & people.keys())
        for statement in islice(_statements(people), MOST_STATEMENTS):
            for known in await self._known(statement, own):
                said[known].add(statement.turn.seq)
        for known, seqs in said.items():
            if seqs:
                await self._corroborate(known, people[max(seqs)], frozenset(seqs))
                await self._let_fade([people[seq] for seq in seqs], known)
        return frozenset(known for known, seqs in said.items() if seqs)

    async def _known(self, statement: _Statement, own: Set[str]) -> list[str]:
        """The best memory that was learnt of what is stated, else a raw turn that states it."""
        stated, scope = statement.proposition, frozenset({statement.turn.place.scope})
        if not stated.content:
            return []
        for kinds in (_LEARNT, _RAW):
            hits = await self.store.search_text(statement.text, scope, limit=LIKE, kinds=kinds)
            found = await self.store.find([hit.id for hit in hits], scope)
            same = [m for m in found if m.id not in own and proposition_of(m) == stated]
            if older := [known for known in same if statement.may_repeat(known)]:
                # Always the same one, or none of them would gain by being said often.
                return [max(older, key=lambda known: (known.access.count, -known.created_at)).id]
            if len(stated.content) < LEAST_CONTENT:
                return []
        return []

    async def _corroborate(self, known: str, turn: Turn, seqs: frozenset[int]) -> None:
        raw = evidence_id(self.journal, turn.seq)
        again = Restatement(raw, turn.episode, seqs, turn.account, turn.at)
        await self.store.amend([known], lambda memory: corroborated(memory, again, self.policy))

    async def _let_fade(self, turns: Sequence[Turn], known: str) -> None:
        """Raw turns that say nothing but what is known are not kept for it."""
        for older in await self.store.find([known]):
            said = content_terms(older.text)
            for turn in turns:
                if content_terms(turn.text) <= said:
                    raw = evidence_id(self.journal, turn.seq)
                    await self.store.amend([raw], partial(ageing, at=turn.at))


def _statements(turns: Mapping[int, Turn]) -> Iterator[_Statement]:
    """Whole sentences, and the clauses of those that have several."""
    for turn in turns.values():
        for sentence in sentences(turn.text[:LONGEST_TURN]):
            texts = dict.fromkeys([sentence, *clauses(sentence)])
            yield from (_Statement(turn, text) for text in texts)
