"""An episode as a model reads it: its turns, what was shown in it, what is known beside. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate

from ..model.conversation import Role, Scope, ScopeKind, Turn
from ..model.memory import Memory
from .known import Gap

PASSING = -1.0
"""Logit of telling what lasts, from which on a model is asked about a turn."""

LEFT_OUT = "…"
"""Stands for what a lesson must not repeat."""


@dataclass(frozen=True)
class EpisodeReading:
    """An episode, its turns numbered from 1, and so are the memories: shown ones, others `beside`.

    `answers` are the bot's, by the id of a memory, to those whom it was shown for. `judged` are the
    ids of the memories that were shown for a turn which was answered. `lasting` are logits of
    turns telling what is worth knowing weeks later, by their vectors; `gap` is what is new.
    """

    episode: str
    spoken: Sequence[Turn]
    shown: Sequence[Memory] = ()
    answers: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    judged: frozenset[str] = frozenset()
    lasting: Mapping[int, float] = field(default_factory=dict[int, float])
    beside: Sequence[Memory] = ()
    gap: Gap = Gap()

    @property
    def turns(self) -> list[Turn]:
        """As a model sees them: without what must not be repeated."""
        return [
            replace(turn, text=LEFT_OUT) if turn.private_reply else turn for turn in self.spoken
        ]

    @cached_property
    def known(self) -> Mapping[int, Memory]:
        """By number, all that is known."""
        every = {memory.id: memory for memory in [*self.shown, *self.beside]}
        return dict(enumerate(every.values(), start=1))

    @property
    def brought_up(self) -> Mapping[int, Memory]:
        """Of these, what the bot was shown."""
        return {
            number: memory for number, memory in self.known.items() if number <= len(self.shown)
        }

    @property
    def repeatable(self) -> Mapping[int, Memory]:
        """Of these, what a lesson may repeat.

        A private memory that its person lets be used in a group answers that person alone there;
        what the model makes of it would be the group's.
        """
        kinds = {Scope.parse(turn.place.scope).kind for turn in self.spoken}
        if ScopeKind.GROUP not in kinds:
            return self.known
        return {
            number: memory
            for number, memory in self.known.items()
            if Scope.parse(memory.scope).kind is not ScopeKind.PRIVATE
        }

    @property
    def passing(self) -> frozenset[int]:
        """The turns for which the raw turn is enough."""
        return frozenset(number for number, logit in self.lasting.items() if logit < PASSING)

    def telling(self, turns: Sequence[Turn]) -> list[Turn]:
        """Of these those that a model is asked about, with the bot's just before and after them.

        A small one picks from every line that it sees. None where no person's is left.
        """
        passing = {self.spoken[number - 1].seq for number in self.passing}
        asked = [t.role is not Role.ASSISTANT and t.seq not in passing for t in turns]
        return [
            turn
            for n, turn in enumerate(turns)
            if asked[n] or (turn.role is Role.ASSISTANT and any(asked[max(0, n - 1) : n + 2]))
        ]

    @property
    def tells_nothing(self) -> bool:
        """Whether there is nothing to ask about: nothing new, and no verdict that is awaited.

        What people said again themselves is not judged, nor what the model is not shown.
        """
        known = {memory.id: number for number, memory in self.repeatable.items()}
        judged = {known[id] for id in self.judged if id in known}
        return not self.gap.news and judged <= {*self.gap.covered.values()}


def pieces(turns: Sequence[Turn], halvings: int) -> list[Sequence[Turn]]:
    """The turns cut so often into halves of like length, each with a line of a person at least.

    The later half of two begins with such a line. What has but one is not cut.
    """
    people = [n for n, turn in enumerate(turns) if turn.role is not Role.ASSISTANT]
    if not halvings or len(people) < 2:
        return [turns]
    before = [0, *accumulate(len(turn.text) for turn in turns)]
    middle = min(people[1:], key=lambda n: abs(before[n] - before[-1] / 2))
    return [*pieces(turns[:middle], halvings - 1), *pieces(turns[middle:], halvings - 1)]
