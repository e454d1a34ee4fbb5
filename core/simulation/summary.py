"""What a simulation comes to: counts, life spans and how they changed from month to month. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..forgetting.population import Codes, Floats, Ints

LONG_LIVED = 0.9
"""The quantile of life spans that is told beside the mean."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one profile or of all. Life spans are days; a living memory's is its age.

    `monthly_survivors` are the living at the end of every thirtieth day.
    """

    created: int
    tiers: tuple[int, int, int]
    mean_lifetime_days: float
    p90_lifetime_days: int
    monthly_survivors: tuple[int, ...]

    @property
    def survivors(self) -> int:
        """Alive at the end."""
        return sum(self.tiers)

    @property
    def forgotten(self) -> int:
        """Let go before the end."""
        return self.created - self.survivors

    @property
    def deletion_ratio(self) -> float:
        """Share of the created that was forgotten, 0..1; 0 of none."""
        return self.forgotten / self.created if self.created else 0.0

    def to_json(self) -> dict[str, Any]:
        """With the keys of the command line."""
        return {
            "created": self.created,
            "forgotten": self.forgotten,
            "deletion_ratio": round(self.deletion_ratio, 6),
            "survivors": self.survivors,
            "tier0": self.tiers[0],
            "tier1": self.tiers[1],
            "tier2": self.tiers[2],
            "mean_lifetime_days": round(self.mean_lifetime_days, 4),
            "p90_lifetime_days": self.p90_lifetime_days,
            "monthly_survivors": list(self.monthly_survivors),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The whole, each profile, living memories by day (row) and tier (column), life spans.

    `survival` per profile: share of the created that lived longer than 0, 1, 2 … days, those
    still alive counted with the age they have reached.
    """

    overall: Figures
    profiles: Mapping[str, Figures]
    tiers_by_day: Ints
    survival: Mapping[str, Floats]

    def to_json(self) -> dict[str, Any]:
        """With the keys of the command line."""
        profiles = {name: figures.to_json() for name, figures in self.profiles.items()}
        return {**self.overall.to_json(), "profiles": profiles}


@dataclass(slots=True, eq=False)
class Tables:
    """Counts of a run under way: lives by profile and days, tiers by day."""

    lives: Ints
    tiers: Ints
    monthly: list[Ints]

    @classmethod
    def empty(cls, profiles: int, days: int) -> "Tables":
        """Before the first day."""
        return cls(
            lives=np.zeros((profiles, days + 1), dtype=np.int64),
            tiers=np.zeros((days, 3), dtype=np.int64),
            monthly=[],
        )

    def add_lives(self, profile: Codes, days: Ints) -> None:
        """These memories have come to an end, or to that of the run, after so many days."""
        width = self.lives.shape[1]
        flat = np.bincount(profile * np.int64(width) + days, minlength=self.lives.size)
        self.lives += flat.reshape(self.lives.shape)

    def summary(self, names: Sequence[str], tiers: Ints) -> Summary:
        """Of a finished run; `tiers` are the living by profile and tier."""
        months = np.array(self.monthly, dtype=np.int64).reshape(-1, len(names))
        overall = _figures(self.lives.sum(axis=0), tiers.sum(axis=0), months.sum(axis=1))
        profiles = {
            name: _figures(self.lives[code], tiers[code], months[:, code])
            for code, name in enumerate(names)
        }
        survival = {name: _survival(self.lives[code]) for code, name in enumerate(names)}
        return Summary(overall, profiles, self.tiers, survival)


def _figures(lives: Ints, tiers: Ints, monthly: Ints) -> Figures:
    created = int(lives.sum())
    days = np.arange(len(lives))
    # The first number of days that at most one in ten outlives.
    p90 = int(np.searchsorted(np.cumsum(lives), LONG_LIVED * created)) if created else 0
    return Figures(
        created=created,
        tiers=(int(tiers[0]), int(tiers[1]), int(tiers[2])),
        mean_lifetime_days=float(lives @ days) / created if created else 0.0,
        p90_lifetime_days=p90,
        monthly_survivors=tuple(int(count) for count in monthly),
    )


def _survival(lives: Ints) -> Floats:
    """Share that lived longer than each number of days; 0 of none."""
    created = max(1, int(lives.sum()))
    return 1.0 - np.cumsum(lives) / created
