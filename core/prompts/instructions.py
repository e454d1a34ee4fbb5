"""The instructions of the model calls by name: ours, and an owner's in their place. Pure.

The schema of a reply, its reader and the checks behind it are not an owner's to change: another
text may cost quality, and lets nothing through that would be refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from ..languages.registry import languages

LONGEST = 3_900
"""Characters of an owner's instructions: with its name one message of chat holds them."""

_NEEDED = {
    "learn": ("facts", "words", "who", "fact", "kind", "slot", "value"),
    "verdict": ("used", "done", "dropped", "changed", "wrong", "again"),
    "judge": ("same", "first", "second", "opposed", "both"),
    "enrich": (
        *("notes", "letter", "entities", "relations", "event", "cause"),
        *("mood", "asked", "needed", "without"),
    ),
    "story": ("sentences", "text", "cites"),
    "rewording": ("lines", "number", "text"),
}
"""By the name of the call, what its reader looks for in a reply."""


class InstructionFault(StrEnum):
    """Why a text cannot be the instructions of a call; UNKNOWN: no call has that name."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    UNREADABLE = "unreadable"
    LACKING = "lacking"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Instruction:
    """Our `text` of a call in a language, and the words that any other text has to name, too."""

    text: str
    needed: tuple[str, ...]

    def lacking(self, text: str) -> list[str]:
        """Of the needed words those that a text does not name."""
        return [word for word in self.needed if word not in text]

    def fault(self, text: str) -> InstructionFault | None:
        """What is wrong with a text in the place of ours."""
        if not text.strip():
            return InstructionFault.EMPTY
        if len(text) > LONGEST:
            return InstructionFault.TOO_LONG
        if not text.replace("\n", "").replace("\t", "").isprintable():
            return InstructionFault.UNREADABLE
        return InstructionFault.LACKING if self.lacking(text) else None


@cache
def catalogue() -> Mapping[str, Instruction]:
    """Ours, by the call and its language: "learn.zh"."""
    worded = [(each.code, each.learning) for each in languages() if each.learning]
    return {
        f"{call}.{code}": Instruction(
            words.instructions if call == "learn" else getattr(words, call), needed
        )
        for call, needed in _NEEDED.items()
        for code, words in worded
    }


def call_of(name: str) -> str:
    """The call that the instructions of this name are for."""
    return name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Instructions:
    """What each call says; `own` has an owner's texts, by the names of the catalogue."""

    own: Mapping[str, str] = field(default_factory=dict[str, str])

    def of(self, call: str, language: str = "") -> str:
        """The text of a call; of a language without one the last, which is English."""
        names = [name for name in catalogue() if call_of(name) == call]
        name = next((each for each in names if each == f"{call}.{language}"), names[-1])
        return self.own.get(name, catalogue()[name].text)


OURS = Instructions()
