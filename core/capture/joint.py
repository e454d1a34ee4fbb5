"""The episodes of one learning call, their turns numbered through. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, zip_longest

from ..model.conversation import Episode, Role, Scope, ScopeKind, Turn
from ..model.lesson import Candidate, Lesson
from ..model.memory import Memory
from .covering import Gap

LEFT_OUT = "…"
"""Stands for what a lesson must not repeat."""

ENOUGH_TURNS = 30
"""Turns that are worth a call of their own."""

MOST_TURNS = 60
MOST_CHARACTERS = 12_000
"""What one call is about if others are taken along; an episode by itself may have more."""

MOST_BESIDE = 40
"""Memories known beside several episodes that one call has, the nearest of each first."""


@dataclass(frozen=True, slots=True)
class JoinedEpisode:
    """An episode as a call has it, and what the model was shown in it.

    `answers` are the bot's, by the id of a memory, to those whom it was shown for. `judged` are the
    ids of the memories that were shown for a turn which was answered.
    """

    episode: str
    turns: Sequence[Turn]
    shown: Sequence[Memory] = ()
    answers: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    judged: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Joint:
    """Parts in the order of their times, and what is known `beside` what was shown in them.

    Turns are numbered from 1 through all parts, and so are memories. One that was shown in several
    parts has a number for each: whether it was of use is asked of each.
    """

    parts: Sequence[JoinedEpisode]
    beside: Sequence[Memory] = ()

    @cached_property
    def turns(self) -> Sequence[Turn]:
        """Of all parts."""
        return [turn for part in self.parts for turn in part.turns]

    @cached_property
    def known(self) -> Mapping[int, Memory]:
        """By number, all that is known."""
        shown = [memory for part in self.parts for memory in part.shown]
        seen = {memory.id for memory in shown}
        others = {memory.id: memory for memory in self.beside if memory.id not in seen}
        return dict(enumerate([*shown, *others.values()], start=1))

    @property
    def repeatable(self) -> Mapping[int, Memory]:
        """Of these, what a lesson may repeat.

        A private memory that its person lets be used in a group answers that person alone there;
        what the model makes of it would be the group's.
        """
        kinds = {Scope.parse(turn.place.scope).kind for turn in self.turns}
        if ScopeKind.GROUP not in kinds:
            return self.known
        return {
            number: memory
            for number, memory in self.known.items()
            if Scope.parse(memory.scope).kind is not ScopeKind.PRIVATE
        }

    def shown_in(self, place: int) -> Mapping[int, Memory]:
        """By number, what was shown in one part."""
        first = sum(len(part.shown) for part in self.parts[:place])
        return dict(enumerate(self.parts[place].shown, start=first + 1))

    def lessons(self, lesson: Lesson) -> list[Lesson]:
        """What each part taught of what all taught.

        What rests on turns of several parts is learnt from the last of them; not if another person
        said the earlier ones: what they take back would have to take it along. What is over is so
        by the end, and where nobody has judged nobody has anywhere.
        """
        if len(self.parts) == 1:
            return [lesson]
        last, found = len(self.parts) - 1, list[Lesson]()
        for place in range(len(self.parts)):
            own = frozenset(self.shown_in(place))
            found.append(
                Lesson(
                    lesson.summary if place == last else "",
                    tuple(self._candidates(lesson.candidates, place)),
                    None if lesson.useful is None else lesson.useful & own,
                    done=lesson.done if place == last else frozenset(),
                    given_up=lesson.given_up if place == last else frozenset(),
                    covered=tuple(
                        (turn - self._before[place], known)
                        for turn, known in lesson.covered
                        if self._place(turn) == place
                    ),
                )
            )
        return found

    @property
    def _before(self) -> list[int]:
        """How many turns there are before each part."""
        return [0, *accumulate(len(part.turns) for part in self.parts)][:-1]

    def _place(self, number: int) -> int:
        return max(place for place, before in enumerate(self._before) if number > before)

    def _candidates(self, candidates: Sequence[Candidate], place: int) -> list[Candidate]:
        return [
            self._placed(each, place)
            for each in candidates
            if self._place(max(each.turns)) == place and self._of_one_speaker(each, place)
        ]

    def _placed(self, candidate: Candidate, place: int) -> Candidate:
        """With the numbers that its turns have in the part."""
        before = self._before[place]
        turns, causes = (
            tuple(number - before for number in numbers if self._place(number) == place)
            for numbers in (candidate.turns, candidate.causes)
        )
        return replace(candidate, turns=turns, causes=causes)

    def _of_one_speaker(self, candidate: Candidate, place: int) -> bool:
        own = {self._speaker(n) for n in candidate.turns if self._place(n) == place}
        earlier = {self._speaker(n) for n in candidate.turns if self._place(n) != place}
        return earlier <= own | {None}

    def _speaker(self, number: int) -> str | None:
        """Who said the turn; None for the bot."""
        turn = self.turns[number - 1]
        return None if turn.role is Role.ASSISTANT else turn.speaker.id


@dataclass(frozen=True, slots=True)
class EpisodeReading:
    """What is read, and of each part what is new.

    `awaiting`: memories were shown to the bot, and whether they helped nobody can tell yet.
    """

    joint: Joint
    gaps: Sequence[Gap] = (Gap(),)
    awaiting: bool = False

    @property
    def turns(self) -> list[Turn]:
        """As a model sees them: without what must not be repeated."""
        told = self.joint.turns
        return [replace(turn, text=LEFT_OUT) if turn.private_reply else turn for turn in told]

    @property
    def news(self) -> bool:
        """Whether anything is told that is not known."""
        return any(each.news for each in self.gaps)

    @property
    def tells_nothing(self) -> bool:
        """Whether there is nothing to ask about."""
        return not self.news and not self.awaiting


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


def are_many(episodes: Sequence[Episode]) -> bool:
    """Whether they are enough for a call of their own."""
    turns = sum(each.turns for each in episodes)
    return turns >= ENOUGH_TURNS or sum(each.characters for each in episodes) >= MOST_CHARACTERS


def fitting(own: Episode, held: Sequence[Episode]) -> list[Episode]:
    """Of the `held` episodes, the oldest ones that one call about `own` has room for."""
    turns, characters, found = own.turns, own.characters, list[Episode]()
    for each in held:
        turns, characters = turns + each.turns, characters + each.characters
        if turns > MOST_TURNS or characters > MOST_CHARACTERS:
            break
        found.append(each)
    return found


def together(own: EpisodeReading, others: Sequence[EpisodeReading]) -> EpisodeReading:
    """Readings of single episodes as one, in the order of their times.

    Of what is known beside an episode without news only what it tells again is taken along.
    """
    readings = sorted([own, *others], key=lambda each: [turn.seq for turn in each.turns[:1]])
    again = [each.joint.known[by] for each in readings for by in each.gaps[0].covered.values()]
    parts = [each.joint.parts[0] for each in readings]
    told = [each.joint.beside for each in readings if each is own or each.news]
    near = {m.id: m for place in zip_longest(*told) for m in place if m is not None}
    joint = Joint(parts, [*list(near.values())[:MOST_BESIDE], *again])
    numbers = {memory.id: number for number, memory in reversed([*joint.known.items()])}
    gaps = [
        Gap(found.telling, {n: numbers[each.joint.known[by].id] for n, by in found.covered.items()})
        for each in readings
        for found in each.gaps
    ]
    return EpisodeReading(joint, gaps, any(each.awaiting for each in readings))
