"""What a memory system must do to be compared, and what it says of itself.

A system of one's own is a class made with `(folder, embedder)`: an empty folder to keep its files
in, and the embedder that every system of the run shares (None: words alone). It hears each `Line`
of a life: its `text`, said by `speaker` at `at` seconds since 1970, with the bot's `answer`, ""
for none. `label` is what the evidence of questions calls it, "" for noise; to a bystander's line
the bot only listens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..living.script import Line, Recorded


@dataclass(frozen=True, slots=True)
class Question:
    """A message to answer. `before` are the messages of its own chat, oldest first."""

    text: str
    asker: str
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """Something remembered: the labels of the lines it rests on, and its text.

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

    async def learn(self, fact: Recorded) -> None:
        """Before the lines: what a good reader learns once the last that it rests on is heard."""
        ...

    async def add(self, line: Line) -> None:
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
