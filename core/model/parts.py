"""What each line of a summary of many memories rests on. Values only."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """One line: ids of the memories that say it, their turns, and the first of their times (Unix
    seconds); ids of the entities and names of the people that they are about.
    """

    memories: tuple[str, ...]
    turns: tuple[int, ...] = ()
    created_at: float = 0.0
    happened_at: float = 0.0
    entities: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
