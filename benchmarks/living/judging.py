"""What one recall did, against what the turn needed. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...core.model.memory import Memory
from ...core.recall.trace import Recalled
from ..datasets.reading import literal
from ..rankings import Labels
from .script import Asked, Need, Part

MARKS = ("此前", "曾", "截至", "至今", "已过", "旧", "formerly", "before", "until", "previously")
"""Of these one stands beside the words of a memory that no longer holds."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A recall with the records of its candidates, and the labels that each rests on."""

    recalled: Recalled
    records: Mapping[str, Memory]
    labels: Mapping[str, Labels]

    @property
    def confidence(self) -> float:
        """The probability that the turn needs any of it."""
        return self.recalled.trace.worth or 0.0


def holds(part: Part, text: str, labels: Labels) -> bool:
    """Whether a memory of this text, resting on these turns, is what the part asks for."""
    if part.text:
        return literal(part.text) in literal(text)
    return not part.labels.isdisjoint(labels)


def parts_held(need: Need, text: str, labels: Labels) -> Labels:
    """Numbers of the need's parts that a memory holds."""
    return frozenset(
        str(number) for number, part in enumerate(need.parts) if holds(part, text, labels)
    )


def judged_change(asked: Asked, recalled: Recalled) -> dict[str, object]:
    """Of the lines that were shown, which are right and which are outdated, and which is first."""
    return judged_lines(asked, [(line, memory.text) for line, memory in shown_lines(recalled)])


def judged_lines(asked: Asked, lines: Sequence[tuple[str, str]]) -> dict[str, object]:
    """The same of lines as they were shown, each with what is remembered alone."""
    right = [any(_in(text, line) for text in asked.current) for line, _ in lines]
    stale = [
        not fits and any(_in(text, line) for text in asked.stale)
        for fits, (line, _) in zip(right, lines, strict=True)
    ]
    beside = [line.replace(text, "").casefold() for line, text in lines]
    marked = [any(mark in rest for mark in MARKS) for rest in beside]
    kinds = [fits for fits, old in zip(right, stale, strict=True) if fits or old]
    return {
        "current_shown": any(right),
        "stale_shown": any(stale),
        "stale_unmarked": any(s and not m for s, m in zip(stale, marked, strict=True)),
        "current_first": bool(kinds) and kinds[0],
        "stale_first": bool(kinds) and not kinds[0],
    }


def shown_lines(recalled: Recalled) -> list[tuple[str, Memory]]:
    """Each line of the block with its memory, in the order of the block."""
    lines = recalled.block.split("\n")
    numbered = [
        (f"[{candidate.number}] ", candidate.memory)
        for candidate in recalled.trace.candidates
        if candidate.number is not None
    ]
    memories = {memory.id: memory for memory in recalled.memories}
    numbered.sort(key=lambda each: int(each[0].strip("[] ")))
    return [
        (line, memories[memory])
        for head, memory in numbered
        for line in lines
        if line.startswith(head)
    ]


def _in(text: str, line: str) -> bool:
    return literal(text) in literal(line)
