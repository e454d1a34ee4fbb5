"""What came of recalls: verdicts, and how much was shown. Values only."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Judged:
    """How often a memory was judged useful and useless."""

    memory: str
    useful: int
    useless: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of recalls: how many turns had one, memories shown, and verdicts on them.

    `characters` and `blocks`: of the injected blocks that are still kept.
    """

    recalls: int = 0
    shown: int = 0
    blocks: int = 0
    characters: int = 0
    useful: int = 0
    useless: int = 0

    def __add__(self, other: "Outcome") -> "Outcome":
        return Outcome(
            self.recalls + other.recalls,
            self.shown + other.shown,
            self.blocks + other.blocks,
            self.characters + other.characters,
            self.useful + other.useful,
            self.useless + other.useless,
        )
