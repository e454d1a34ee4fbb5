"""A policy judging the events of a life, night by night: what is needed and gone, noise kept. Pure.

At equal storage every policy keeps the same share of all there has been so far: what it would let
go of last. Else it lets go of what it does by itself.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from operator import attrgetter

import numpy as np

from ...core.forgetting.lifecycle import DAY
from ...core.forgetting.policy import Action, ForgettingPolicy
from ...core.forgetting.population import Flags, Floats, Ints, Population
from ...core.forgetting.rates import Posterior
from .events import Events, NeededRows, ShownRow

WEIGHT = 10.0
"""Verdicts that the rate of all memories counts for in the rate of a sort."""

type Night = dict[str, int]
"""Counts until a night: `needs`, of which `gone`; `lines` shown of what was kept, of which `stale`
ones; `made` so far, of which `kept` in the night, of which `noise`, and `ended`.
"""


class SortRates:
    """How often memories of a sort are useful, beside how often any is.

    `by` is the place of the sort in `Events.sorts`. It is known from the verdicts on other lives;
    with None, from those before in the life itself.
    """

    def __init__(self, by: int, verdicts: str, others: Sequence[Events] | None) -> None:
        self._by = by
        self._known: defaultdict[str, Posterior] = defaultdict(Posterior)
        for events in others or ():
            for one in events.shown:
                if (useful := getattr(one, verdicts)) is not None:
                    self._count(events, one.row, useful)
        self._learning = others is None

    def judged(self, events: Events, verdicts: Mapping[int, bool]) -> None:
        """Learn from verdicts by row, if that is how it learns."""
        if self._learning:
            for row, useful in verdicts.items():
                self._count(events, row, useful)

    def _count(self, events: Events, row: int, useful: bool) -> None:
        self._known[events.sorts[row][self._by]] += Posterior(int(useful), int(not useful))

    def factors(self, events: Events) -> Floats:
        """The rate of each row's sort over that of all; 1 where none was."""
        every = sum(self._known.values(), Posterior())
        usual = every.useful / max(every.judged, 1)
        of_sort = {
            sort: (one.useful + WEIGHT * usual) / (one.judged + WEIGHT) / usual
            for sort, one in self._known.items()
            if usual > 0
        }
        return np.array([of_sort.get(sorts[self._by], 1.0) for sorts in events.sorts])


def lived(
    events: Events,
    policy: ForgettingPolicy,
    verdicts: str,
    share: Fraction | None = None,
    usefulness: SortRates | None = None,
) -> list[Night]:
    """All nights of a life, with the `verdicts` of that name of `ShownRow`."""
    life = _Life(events, policy, verdicts, share, usefulness)
    return list(life.nights())


@dataclass(slots=True)
class _Life:
    events: Events
    policy: ForgettingPolicy
    verdicts: str
    share: Fraction | None
    usefulness: SortRates | None
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
                if (useful := getattr(one, self.verdicts)) is not None:
                    told[one.row] = useful
        if not told:
            return
        rows, useful = np.array(list(told)), np.array(list(told.values()))
        self.people = self.policy.judge_rows(self.people, rows, useful, now=at)
        if self.usefulness is not None:
            self.usefulness.judged(self.events, told)

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
        times = self._times(left, rows)
        last_first = np.lexsort((left.last_access_at, times))[::-1]
        self.gone[rows[last_first[most:]]] = True

    def _times(self, there: Population, rows: Ints) -> Floats:
        """When each would be let go of; its life from here on as much longer as it is useful."""
        times = self.policy.forgotten_times(there)
        if self.usefulness is None:
            return times
        begun = np.maximum(there.last_access_at, there.last_recalled_at)
        return begun + (times - begun) * self.usefulness.factors(self.events)[rows]

    def _at(self, rows: Ints, now: float) -> Population:
        """These rows; what no longer holds ages from then on."""
        there, ends = self.people.take(rows), self.events.holds_until[rows]
        over = there.holds & (ends <= now)
        settled = np.where(over, np.maximum(there.settled_at, ends), there.settled_at)
        return replace(there, holds=there.holds & ~over, settled_at=settled)
