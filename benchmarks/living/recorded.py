"""A chat model whose learning replies were recorded: it knows what rests on which turns."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ...core.capture.statements import extract
from ...core.model.conversation import Turn
from ...core.model.lesson import Candidate
from ...core.ports import ChatModel, Completion, Prompt
from ...core.prompts.judge import PairAnswer
from ...core.prompts.schema import MOST_FACTS
from .script import Recorded


@dataclass(slots=True)
class RecordedModel:
    """Answers the learning call for the episode that it was told of last.

    What people say beside the recorded turns is read by the rules. Asked about notes it names those
    whose slot has another value by the episode; who helped is left to the words: nobody recorded
    that. Notes with the texts `opposed` are so; `names` are of a type each. Without `rules_too` and
    recordings nothing is learnt.
    """

    recordings: Sequence[Recorded] = ()
    rules_too: bool = True
    episode: Sequence[Turn] = ()
    told: Mapping[int, str] = field(default_factory=dict[int, str])
    opposed: Collection[str] = ()
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    calls: int = 0

    async def complete(self, prompt: Prompt, *, session: str) -> Completion:
        """The memories of the episode."""
        told: Mapping[str, object]
        match prompt.name:
            case "verdict":
                told = {"changed": self._changed(prompt)}
            case "judge":
                told = self._judged(prompt)
            case "enrich":
                told = {"notes": [self._named(line) for line in prompt.user.splitlines()[1:]]}
            case _:
                told = {"facts": self._memories()}
        self.calls += 1
        return Completion(json.dumps(told, ensure_ascii=False))

    def _changed(self, prompt: Prompt) -> list[str]:
        """The letters of notes that tell a former value of what this episode tells."""
        labels = {self.told[turn.seq] for turn in self.episode if turn.seq in self.told}
        new = [each for each in self.recordings if each.rests_on <= labels and not each.over]
        old = {
            one.text
            for each in new
            for one in self.recordings
            if one.slot and _subject(one) == _subject(each) and one.value != each.value
        }
        notes = (line.partition(". ") for line in prompt.user.splitlines())
        return [letter for letter, _, told in notes if any(text in told for text in old)]

    def _named(self, line: str) -> Mapping[str, object]:
        found = [{"name": name, "type": type} for name, type in self.names.items() if name in line]
        return {"letter": line.partition(".")[0], "entities": found}

    def _judged(self, prompt: Prompt) -> Mapping[str, str]:
        """What the two notes under each letter are to one another."""
        return {
            one.partition(". ")[0]: PairAnswer.OPPOSED
            if all(any(text in line for text in self.opposed) for line in (one, other))
            else PairAnswer.BOTH
            for one, other in pairwise(prompt.user.splitlines())
            if ". 1) " in one
        }

    def _memories(self) -> list[dict[str, object]]:
        numbers = {
            self.told[turn.seq]: number
            for number, turn in enumerate(self.episode, start=1)
            if turn.seq in self.told
        }
        heard = [
            _recorded(each, numbers)
            for each in self.recordings
            # What rests on turns of several episodes is learnt from the last of them.
            if max(each.rests_on, key=_order) in numbers
        ]
        known = frozenset[str]().union(*(each.rests_on for each in self.recordings))
        read = {numbers[label] for label in numbers if label in known}
        by_rules = extract(self.episode).candidates if self.rules_too else ()
        heard += [_by_rules(each) for each in by_rules if read.isdisjoint(each.turns)]
        return heard[:MOST_FACTS]


@dataclass(frozen=True, slots=True)
class OneModel:
    """The same model for every chat."""

    model: ChatModel
    settled: bool = True

    async def choose(self, session: str) -> ChatModel | None:
        """That one."""
        return self.model


def _subject(recorded: Recorded) -> tuple[str, str]:
    """The fact that it tells a value of: of a change, its id and its slot."""
    (first, *_) = sorted(recorded.rests_on)
    return first.partition(":")[0], recorded.slot


def _order(label: str) -> tuple[int, ...]:
    """Of "D3:12" and "m104": by their numbers."""
    digits = "".join(each if each.isdigit() else " " for each in label)
    return tuple(map(int, digits.split()))


def _recorded(recorded: Recorded, numbers: Mapping[str, int]) -> dict[str, object]:
    memory: dict[str, object] = {
        "text": recorded.text,
        "kind": recorded.kind.value,
        "turns": sorted(numbers[label] for label in recorded.rests_on if label in numbers),
        "causes": sorted(numbers[label] for label in recorded.causes if label in numbers),
        "importance": recorded.importance,
        "confidence": 0.8,
    }
    if recorded.slot:
        memory |= {"slot": recorded.slot, "value": recorded.value, "over": recorded.over}
    return memory


def _by_rules(candidate: Candidate) -> dict[str, object]:
    return {
        "text": candidate.text,
        "summary": candidate.summary,
        "kind": candidate.kind.value,
        "turns": list(candidate.turns),
        "importance": candidate.importance,
        "confidence": candidate.confidence,
    }
