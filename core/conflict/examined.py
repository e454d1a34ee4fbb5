"""The pairs of memories already checked for conflicts, kept from one sleep to the next."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

type Pair = tuple[str, str]
"""Two ids, in order."""

MOST = 1_000
"""Pairs of each sort that are kept, the newest."""


def pair_of(one: str, other: str) -> Pair:
    """The same, whichever comes first."""
    return (one, other) if one < other else (other, one)


@dataclass(frozen=True, slots=True)
class Examined:
    """`since` is when it was last looked for new ones; `done` those that were looked at.

    `open` are the conflicts that were found, with the last turn in which both had been shown then.
    `left` are to be asked about as soon as a model can be asked.
    """

    since: float = 0.0
    done: tuple[Pair, ...] = ()
    open: Mapping[Pair, int] = field(default_factory=dict[Pair, int])
    left: tuple[Pair, ...] = ()

    def with_done(self, pair: Pair, shown: int | None = None) -> "Examined":
        """It was looked at; with `shown` it is an open conflict."""
        rest = {each: turn for each, turn in self.open.items() if each != pair}
        return replace(
            self,
            done=_newest((*self.done, pair)),
            open=rest if shown is None else {**rest, pair: shown},
            left=tuple(each for each in self.left if each != pair),
        )

    def with_left(self, *pairs: Pair) -> "Examined":
        """They are to be asked about another night."""
        return replace(self, left=_newest((*self.left, *pairs)))

    def written(self) -> str:
        """As text; `read` is the inverse."""
        conflicts = list(self.open.items())[-MOST:]
        return json.dumps(
            {
                "since": self.since,
                "done": self.done,
                "open": [[*pair, turn] for pair, turn in conflicts],
                "left": self.left,
            },
            separators=(",", ":"),
        )

    @classmethod
    def read(cls, mark: str) -> "Examined":
        """What a step has kept; nothing at first."""
        if not mark:
            return cls()
        kept = json.loads(mark)
        return cls(
            float(kept["since"]),
            tuple((one, other) for one, other in kept["done"]),
            {(one, other): int(turn) for one, other, turn in kept["open"]},
            tuple((one, other) for one, other in kept["left"]),
        )


def _newest(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    every = list(dict.fromkeys(pairs))
    return tuple(islice(every, max(0, len(every) - MOST), None))
