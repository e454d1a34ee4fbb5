"""What a memory system must do to be compared, and what it says of itself.

A system of one's own is a class made with `(folder, embedder)`: an empty folder to keep its files
in, and the embedder that every system of the run shares (None: words alone).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Turn:
    """One message, at `at` seconds since 1970. `answer` is what the bot said to it, "" if nothing.

    `id` is what the evidence of questions calls it, "" for noise. `group`: the bot only listens.
    """

    id: str
    speaker: str
    text: str
    at: float
    answer: str = ""
    group: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """What a good reader learns, resting on the turns of these ids.

    `slot` and `value` say which attribute it tells, "" if none; `over`: when it was said, it was
    so no longer.
    """

    id: str
    text: str
    rests_on: frozenset[str]
    slot: str = ""
    value: str = ""
    over: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A message to answer. `before` are the messages of its own chat, oldest first."""

    text: str
    asker: str
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """Something remembered: the ids of the turns it rests on, and its text.

    `learnt`: it is no message but was made of some. `line` is how it reads in the block, with
    whatever marks it as outdated; "" for the text alone.
    """

    ids: frozenset[str]
    text: str
    line: str = ""
    learnt: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system brings up for a question.

    `ranked` is its ranking, best first, before it decides what to show; `shown` what it would put
    into the prompt, which may be nothing; `tokens` the length of that. `certainty` grows with how
    sure it is that anything is needed, on a scale of its own.
    """

    ranked: tuple[Item, ...]
    shown: tuple[Item, ...]
    tokens: int
    certainty: float


class MemorySystem(Protocol):
    """One person's or one group's memory. Called one after the other, in the order of time."""

    async def learn(self, fact: Fact) -> None:
        """Before the turns: what shall be learnt once the last of its turns is heard."""
        ...

    async def add(self, turn: Turn) -> None:
        """Hear a message."""
        ...

    async def rest(self, at: float) -> None:
        """Nothing more is heard until `at`; what is asked comes then."""
        ...

    async def block(self, question: Question, budget: int | None = None) -> Answer:
        """What is brought up: by its own defaults, or as much as fits into `budget` tokens."""
        ...

    async def answered(self) -> None:
        """The question is over, and nothing of it may be remembered. Not part of its time."""
        ...

    async def memories(self) -> Sequence[Item]:
        """All that could be brought up now, in any order."""
        ...

    async def close(self) -> int:
        """Free what is held. Returns how often a model was called."""
        ...
