"""What the page is sent of forgetting: policies, what they take, and a simulated life."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.actions.foresight import Going
from ...core.model.memory import Kind


@dataclass(frozen=True, slots=True)
class RateShape:
    """How often memories of a kind prove useful, 0..1, and how far that may be off."""

    kind: Kind
    mean: float
    deviation: float
    judged: int


@dataclass(frozen=True, slots=True)
class PoliciesShape:
    """Every policy, the one in force, and how useful each kind proves."""

    names: list[str]
    policy: str
    rates: list[RateShape]


@dataclass(frozen=True, slots=True)
class ForeseenShape:
    """One policy: what is left after each of the days, how many go within those asked for."""

    policy: str
    left: list[int]
    going: int
    first: Sequence[Going]


@dataclass(frozen=True, slots=True)
class ForesightShape:
    """What time takes. `missing`: the command that installs what the other policy lacks, or ""."""

    days: list[float]
    live: int
    kept: int
    policies: list[ForeseenShape]
    comparable: bool
    missing: str
    why_masked: str


@dataclass(frozen=True, slots=True)
class LifeShape:
    """What a simulated life came to. `monthly`: how many were alive every thirty days."""

    policy: str
    created: int
    tiers: list[int]
    forgotten: float
    mean_days: float
    monthly: list[int]


@dataclass(frozen=True, slots=True)
class SimulationShape:
    """The lives under the policy in force and another; `problem` is why there are none, or "".

    Not `complete`: rates that are not known of this bot are assumed.
    """

    lives: list[LifeShape]
    years: float
    complete: bool
    problem: str
    missing: str
