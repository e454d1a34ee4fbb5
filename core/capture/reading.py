"""An episode as a model reads it: its turns, what was shown in it, what is known beside. Pure."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate

from ..model.conversation import Role, Scope, ScopeKind, Turn
from ..model.lesson import Candidate
from ..model.memory import Memory
from .known import Gap

PASSING = -0.5
"""Logit of telling what lasts, from which on a turn is shown to a careless model, too."""

LAST, FEWEST, CARELESS = 50, 5, 0.25
"""Episodes in which it is seen how a model picks, and of the turns there that pass from how many,
and from which share, a careless one picks. Of those that a hand marked .02 hold a fact."""

OFTEN = 1 / 3
"""Share of turns that pass, from which it is small talk: of messages that tell a fact .13 do."""

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
        """The turns for which the raw turn is enough, as their vectors say."""
        return frozenset(number for number, logit in self.lasting.items() if logit < PASSING)

    def telling(self, turns: Sequence[Turn]) -> list[Turn]:
        """Of these those of people that do not pass, with the bot's just before and after them.

        None where no person's is left.
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


@dataclass(slots=True)
class Picking:
    """How a model has picked from turns that pass: of each of its last episodes the turns whose
    vectors are known, those of them that pass, and those of these from which it picked.

    A small one picks from every line that it sees, and tells what lasts better, and more of it,
    where it sees no others. A choosy one is shown all: of what answers a question later .10 passes.
    """

    seen: deque[tuple[int, int, int]] = field(default_factory=lambda: deque(maxlen=LAST))

    @property
    def careless(self) -> bool:
        """Whether turns that pass are better not shown; as long as the episodes say so."""
        turns, shown, picked = (sum(each) for each in zip((0, 0, 0), *self.seen, strict=True))
        return picked >= max(FEWEST, CARELESS * shown) and shown >= OFTEN * turns

    def note(self, reading: EpisodeReading, picked: Iterable[Candidate], hidden: bool) -> None:
        """What it picked of an episode; what passes was shown unless it was `hidden`."""
        cited = reading.passing & {number for each in picked for number in each.turns}
        shown = (len(reading.lasting), len(reading.passing), len(cited))
        self.seen.append((0, 0, 0) if hidden else shown)


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
