"""Every policy by its name. Adding one: its module, and a line in `POLICIES`. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

from .activation import Actr, BaseLevel, ReflectionSummary
from .caches import Lru, RandomDrop
from .curves import DecayScore, Differential, Ebbinghaus, Hybrid, Priority
from .fsrs import FsrsParameters
from .policy import ForgettingPolicy
from .tiered import Paces, Tiered, TmdExtensions
from .tmd import Tmd

WEIGHTY_PACE = 200.0
"""Of `tmd+`: with a cycle of a day, what is weighty outlasts several years without a use."""


class PolicyParameters(Protocol):
    """The parameters of a policy; they make it. `label` is what it is called, by language."""

    name: ClassVar[str]
    label: ClassVar[Mapping[str, str]]

    def policy(self, tmd: Tmd, target_population: int) -> ForgettingPolicy:
        """The policy with these parameters. Raises TidemarkError if a package is missing."""
        ...


@dataclass(frozen=True, slots=True)
class PlainTmd:
    """TMD; its thresholds and speeds are settings of their own, since its bookkeeping is shared."""

    name: ClassVar[str] = "tmd"
    label: ClassVar[Mapping[str, str]] = {"zh": "TMD", "en": "TMD"}

    def policy(self, tmd: Tmd, target_population: int) -> ForgettingPolicy:
        """TMD, with what goes beyond the paper where that is asked for."""
        return Tiered(tmd, TmdExtensions(target_population=target_population))


@dataclass(frozen=True, slots=True)
class TmdPlus:
    """The parameters of `tmd+`: where it differs from TMD.

    They were chosen in simulated worlds for what is needed and still there at TMD's storage.
    """

    name: ClassVar[str] = "tmd+"
    label: ClassVar[Mapping[str, str]] = {"zh": "TMD+", "en": "TMD+"}

    cycle_days: float = 1.0
    consolidate_speed: float = 5.0
    demote_after_days: float = 15.0
    pace_instruction: float = 4.0
    pace_preference: float = 4.0
    pace_workflow: float = 1.5
    pace_episodic: float = 0.5
    pace_evidence: float = 0.75

    def policy(self, tmd: Tmd, target_population: int) -> ForgettingPolicy:
        """TMD's bookkeeping with these parameters in the place of its own."""
        paces = Paces(
            instruction=self.pace_instruction,
            preference=self.pace_preference,
            workflow=self.pace_workflow,
            episodic=self.pace_episodic,
            evidence=self.pace_evidence,
            weighty=WEIGHTY_PACE,
        )
        own = replace(
            tmd.parameters,
            cycle_tier0_days=self.cycle_days,
            consolidate_speed=self.consolidate_speed,
        )
        extensions = TmdExtensions(self.demote_after_days, target_population, paces)
        return Tiered(replace(tmd, parameters=own), extensions, self.name)


POLICIES: tuple[type[PolicyParameters], ...] = (
    PlainTmd,
    TmdPlus,
    Ebbinghaus,
    Actr,
    BaseLevel,
    Differential,
    DecayScore,
    Priority,
    ReflectionSummary,
    Lru,
    RandomDrop,
    Hybrid,
    FsrsParameters,
)
"""In the order in which they are offered."""

NAMES: tuple[str, ...] = tuple(policy.name for policy in POLICIES)


def labels(language: str) -> tuple[str, ...]:
    """What each policy is called where one is chosen, in the order of `NAMES`."""
    return tuple(policy.label[language] for policy in POLICIES)


DEFAULTS: tuple[PolicyParameters, ...] = tuple(policy() for policy in POLICIES)


_TMD = Tmd()


def policy_named(
    name: str,
    tmd: Tmd = _TMD,
    target_population: int = 0,
    own: tuple[PolicyParameters, ...] = DEFAULTS,
) -> ForgettingPolicy:
    """The policy of that name. Raises FsrsMissing if its package is not installed."""
    (made,) = (each for each in own if each.name == name)
    return made.policy(tmd, target_population)
