"""What a data set asks of a memory: who said what, what is remembered, and what should be found."""

from dataclasses import dataclass

from ...core.model.conversation import Role, Scope, Speaker
from ...core.model.memory import Memory

PRESENT = 1_735_689_600.0
"""The present of data without dates: 1 January 2025, UTC."""


@dataclass(frozen=True, slots=True)
class Said:
    """A turn that a data set tells of. `label` is what its questions call it, "" if nothing."""

    speaker: Speaker
    text: str
    at: float
    label: str = ""
    role: Role = Role.USER


@dataclass(frozen=True, slots=True)
class Probe:
    """A question and the labels of what answers it; none for chit-chat.

    `before` are the turns of its own chat, the asking one last; empty where nobody is chatting.
    What is not `counted` appears under its category only. `answer` is what the data set has
    answered, "" if nothing.
    """

    text: str
    gold: frozenset[str]
    category: str
    before: tuple[Said, ...] = ()
    counted: bool = True
    answer: str = ""


@dataclass(frozen=True, slots=True)
class World:
    """One scope at the time `now`: its turns, oldest first, its memories, and the questions.

    The label of a memory is its id.
    """

    name: str
    scope: Scope
    now: float
    turns: tuple[Said, ...] = ()
    memories: tuple[Memory, ...] = ()
    probes: tuple[Probe, ...] = ()
