"""The judging call: pairs of memories that may not both be so, or say the same. Pure.

One word a pair. Each pair is asked about twice, the other way round the second time: a small model
that prefers a word, or a place, contradicts itself and has said nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..languages.scripts import language_of
from ..model.memory import Memory
from ..ports import Prompt
from ..text.quoting import quoted
from .instructions import OURS, Instructions
from .reading import object_in
from .reply import one_of
from .schema import choice_of, object_of
from .verdict import letter

VERSION = 2

LONGEST_MEMORY = 300

ONE_WORD: Mapping[int, "PairAnswer"] = {}
"""What is read of a reply that says one word of several pairs."""


class PairAnswer(StrEnum):
    """What two notes are to each other."""

    SAME = "same"
    FIRST = "first"
    SECOND = "second"
    OPPOSED = "opposed"
    BOTH = "both"

    @property
    def turned(self) -> "PairAnswer":
        """The same answer about the same two notes the other way round."""
        return {self.FIRST: PairAnswer.SECOND, self.SECOND: PairAnswer.FIRST}.get(self, self)


@dataclass(frozen=True, slots=True)
class Side:
    """A memory, and what speaks for it besides its words."""

    memory: Memory
    corroborated: int = 0


def build(
    pairs: Sequence[tuple[Side, Side]],
    show_time: Callable[[float], str],
    instructions: Instructions = OURS,
) -> Prompt:
    """The prompt for these pairs, each as it is under a letter, and turned round under another."""
    every = [*pairs, *((other, one) for one, other in pairs)]
    texts = " ".join(side.memory.text for pair in pairs for side in pair)
    lines = [
        f"{letter(place)}. 1) {_told(one, show_time)}\n   2) {_told(other, show_time)}"
        for place, (one, other) in enumerate(every, start=1)
    ]
    words = [answer.value for answer in PairAnswer]
    return Prompt(
        system=f"tidemark:judge/{VERSION}\n{instructions.of('judge', language_of(texts))}",
        user="\n".join(lines),
        schema=object_of({letter(n): choice_of(words) for n in range(1, len(every) + 1)}),
        name="judge",
    )


def parse(text: str, pairs: int) -> Mapping[int, PairAnswer]:
    """The answers that are the same both ways, by the place of the pair from 0.

    Of several pairs that are all alike, and not both so, none is heard: who says one word of all
    may have looked at none (`ONE_WORD`). Raises ReplyMalformed if nothing can be read.
    """
    letters = [letter(place) for place in range(1, 2 * pairs + 1)]
    document = object_in(text, letters)
    told = [one_of(PairAnswer, str(document.get(each)).strip(" .\"'\n")) for each in letters]
    if pairs > 1 and len({*told}) == 1 and PairAnswer.BOTH not in told:
        return ONE_WORD
    both = zip(told[:pairs], told[pairs:], strict=True)
    return {
        place: one
        for place, (one, again) in enumerate(both)
        if one is not None and again is not None and again.turned is one
    }


def _told(side: Side, show_time: Callable[[float], str]) -> str:
    memory = side.memory
    told = [show_time(memory.created_at)]
    if side.corroborated:
        told.append(f"x{side.corroborated + 1}")
    if memory.feedback.accurate is not None:
        told.append("confirmed" if memory.feedback.accurate else "denied")
    return f"({', '.join(told)}) {quoted(memory.text, LONGEST_MEMORY)}"
