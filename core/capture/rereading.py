"""The second reading of an episode: only the turns that were overlooked, only for what is new."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from ..model.conversation import Turn
from ..model.errors import ReplyMalformed
from ..model.lesson import Candidate, Lesson
from ..model.memory import Extractor
from ..ports import Extraction, Prompt
from ..prompts import learn
from ..prompts.lesson_json import lesson_to_json
from ..settings import LearningSettings
from .citing import cited
from .dating import dated
from .reading import LEFT_OUT


@dataclass(frozen=True, slots=True)
class SecondReading:
    """The `overlooked` turns of an episode, and by which settings they are learnt from."""

    episode: str
    turns: Sequence[Turn]
    overlooked: frozenset[int]
    settings: LearningSettings

    @property
    def shown(self) -> list[int]:
        """Places in the episode of what is shown: each overlooked turn after the one before it."""
        missed = {n for n, turn in enumerate(self.turns) if turn.seq in self.overlooked}
        return sorted(missed | {place - 1 for place in missed if place})

    def prompt(self, show_time: Callable[[float], str]) -> Prompt:
        """The learning call, of these turns alone."""
        turns = [self.turns[place] for place in self.shown]
        shown = [replace(turn, text=LEFT_OUT) if turn.private_reply else turn for turn in turns]
        language = learn.language_in(shown)
        return learn.build(
            shown,
            shown_time=show_time,
            language=language,
            wishes=self.settings.instructions,
            instructions=self.settings.prompts,
        )

    def extraction(self, reply: str, where: tzinfo | None) -> Extraction:
        """What is kept of a model's reply: new memories that rest on an overlooked turn.

        Nothing is corrected or closed by it: what has been said since may be otherwise. A reply
        that does not fit teaches nothing.
        """
        try:
            told = learn.parse(reply)
        except ReplyMalformed:
            told = []
        shown = [self.turns[place] for place in self.shown]
        placed = [self._placed(candidate) for candidate in cited(told, shown, where)]
        missed = {n for n, turn in enumerate(self.turns, start=1) if turn.seq in self.overlooked}
        lesson = Lesson(candidates=tuple(each for each in placed if missed & {*each.turns}))
        body = lesson_to_json(dated(lesson, self.turns, where))
        return Extraction(self.episode, {}, body, Extractor.MODEL, again=True)

    def _placed(self, candidate: Candidate) -> Candidate:
        """With the numbers that its turns have in the episode."""
        shown = self.shown
        turns, causes = (
            tuple(shown[number - 1] + 1 for number in numbers)
            for numbers in (candidate.turns, candidate.causes)
        )
        return replace(candidate, turns=turns, causes=causes)
