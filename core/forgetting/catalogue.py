"""Every policy by its name. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .activation import Actr, ReflectionSummary
from .caches import Lru, RandomDrop
from .curves import DecayScore, Differential, Ebbinghaus, Hybrid, Priority
from .fsrs import BIN_BELOW, fsrs_policy
from .policy import ForgettingPolicy, PolicyName
from .retention_value import ByWorth, Counting, Curve
from .tiered import Beyond, Paces, Tiered
from .tmd import Tmd

WEIGHTY_PACE = 200.0
"""Of `tmd+`: with a cycle of a day, what is weighty outlasts several years without a use."""


@dataclass(frozen=True, slots=True)
class TmdPlus:
    """The parameters of `tmd+`: where it differs from TMD.

    They were chosen in simulated worlds for what is needed and still there at TMD's storage.
    """

    cycle_days: float = 1.0
    consolidate_speed: float = 5.0
    beyond: Beyond = Beyond(
        demote_after_days=15.0,
        paces=Paces(
            instruction=4.0,
            preference=4.0,
            workflow=1.5,
            episodic=0.5,
            evidence=0.75,
            weighty=WEIGHTY_PACE,
        ),
    )

    def over(self, tmd: Tmd) -> Tmd:
        """TMD's bookkeeping with these parameters in the place of its own."""
        p = tmd.parameters
        changed = replace(
            p, cycle_tier0_days=self.cycle_days, consolidate_speed=self.consolidate_speed
        )
        return Tmd(changed)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Those of every policy but TMD, whose own are its thresholds and speeds."""

    beyond: Beyond = Beyond()
    tmd_plus: TmdPlus = TmdPlus()
    ebbinghaus: Ebbinghaus = Ebbinghaus()
    actr: Actr = Actr()
    differential: Differential = Differential()
    decay_score: DecayScore = DecayScore()
    priority: Priority = Priority()
    reflection_summary: ReflectionSummary = ReflectionSummary()
    lru: Lru = Lru()
    random_drop: RandomDrop = RandomDrop()
    hybrid: Hybrid = Hybrid()
    fsrs_bin_below: float = BIN_BELOW
    counting: Counting = Counting.RECALLED

    @property
    def curves(self) -> Mapping[PolicyName, Curve]:
        """Those of the policies that go by worth, FSRS apart."""
        curves: tuple[Curve, ...] = (
            self.ebbinghaus,
            self.actr,
            self.differential,
            self.decay_score,
            self.priority,
            self.reflection_summary,
            self.lru,
            self.random_drop,
            self.hybrid,
        )
        return {curve.name: curve for curve in curves}


_TMD = Tmd()
_PARAMETERS = Parameters()


def policy_named(
    name: PolicyName, tmd: Tmd = _TMD, parameters: Parameters = _PARAMETERS
) -> ForgettingPolicy:
    """The policy of that name. Raises FsrsMissing if its package is not installed."""
    match name:
        case PolicyName.TMD:
            return Tiered(tmd, parameters.beyond)
        case PolicyName.TMD_PLUS:
            plus = parameters.tmd_plus
            return Tiered(plus.over(tmd), plus.beyond, name)
        case PolicyName.FSRS:
            floor = parameters.fsrs_bin_below
            return fsrs_policy(tmd, counting=parameters.counting, bin_below=floor)
        case _:
            return ByWorth(parameters.curves[name], tmd, parameters.counting)
