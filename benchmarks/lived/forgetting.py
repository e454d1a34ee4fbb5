"""A policy judging the events of a life, night by night: what is needed and gone, noise kept. Pure.

At equal storage every policy keeps the same share of all there has been so far: what it would let
go of last. Else it lets go of what it does by itself.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from operator import attrgetter

import numpy as np

from ...core.forgetting.lifecycle import DAY
from ...core.forgetting.policy import Action, ForgettingPolicy
from ...core.forgetting.population import Flags, Ints, Population
from .events import Events, NeededRows, ShownRow

type Night = dict[str, int]
"""Counts until a night: `needs`, of which `gone`; `lines` shown of what was kept, of which `stale`
ones; `made` so far, of which `kept` in the night, of which `noise`, and `ended`.
"""


def lived(events: Events, policy: ForgettingPolicy, share: Fraction | None = None) -> list[Night]:
    """All nights of a life."""
    life = _Life(events, policy, share)
    return list(life.nights())


@dataclass(slots=True)
class _Life:
    events: Events
    policy: ForgettingPolicy
    share: Fraction | None
    people: Population = field(init=False)
    gone: Flags = field(init=False)
    counts: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def __post_init__(self) -> None:
        self.people = self.events.born
        self.gone = np.zeros(len(self.people), dtype=np.bool_)

    def nights(self) -> Iterator[Night]:
        events, noise = self.events, self.events.noise
        happened = sorted([*events.needed, *events.shown], key=attrgetter("at"))
        days = {night: list(some) for night, some in groupby(happened, lambda one: one.at // DAY)}
        first = int(events.born.created_at.min() // DAY)
        for day in range(first, int(max(days)) + 1):
            self.counts = dict.fromkeys(("needs", "gone", "lines", "stale"), 0)
            for at, some in groupby(days.get(day, ()), attrgetter("at")):
                self._happen(at, list(some))
            now = (day + 1) * DAY
            made = (events.born.created_at < now) & (now < events.until)
            self._forget(np.flatnonzero(made & ~self.gone), int(made.sum()), now)
            kept = made & ~self.gone
            ended = kept & (events.stale_from < now)
            sizes = {"made": made, "kept": kept, "noise": kept & noise, "ended": ended}
            yield self.counts | {name: int(each.sum()) for name, each in sizes.items()}

    def _happen(self, at: float, some: Sequence[NeededRows | ShownRow]) -> None:
        """One message: what it needs, what is shown for it, and the verdicts on that."""
        told: dict[int, bool] = {}
        for one in some:
            if isinstance(one, NeededRows):
                self.counts["needs"] += 1
                self.counts["gone"] += bool(self.gone[list(one.rows)].all())
            elif not self.gone[one.row]:
                self.counts["lines"] += 1
                self.counts["stale"] += bool(self.events.stale_from[one.row] < at)
                if one.useful is not None:
                    told[one.row] = one.useful
        if not told:
            return
        rows, useful = np.array(list(told)), np.array(list(told.values()))
        self.people = self.policy.judge_rows(self.people, rows, useful, now=at)

    def _forget(self, rows: Ints, made: int, now: float) -> None:
        there = self._at(rows, now)
        self.policy = self.policy.fitted(there, now=now)
        fates = self.policy.fates(there, now=now)
        left = replace(
            there,
            strength=fates.strength,
            useful_score=fates.useful_score,
            last_decay_at=fates.last_decay_at,
        )
        for name in ("strength", "useful_score", "last_decay_at"):
            column = getattr(self.people, name).copy()
            column[rows] = getattr(left, name)
            self.people = replace(self.people, **{name: column})
        if self.share is None:
            self.gone[rows[fates.action != Action.KEEP]] = True
            return
        most = -int(-self.share * made // 1)
        times = self.policy.forgotten_times(left)
        last_first = np.lexsort((left.last_access_at, times))[::-1]
        self.gone[rows[last_first[most:]]] = True

    def _at(self, rows: Ints, now: float) -> Population:
        """These rows; what no longer holds ages from then on."""
        there, ends = self.people.take(rows), self.events.holds_until[rows]
        over = there.holds & (ends <= now)
        settled = np.where(over, np.maximum(there.settled_at, ends), there.settled_at)
        return replace(there, holds=there.holds & ~over, settled_at=settled)
