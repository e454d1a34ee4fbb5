"""Every policy by its name. Adding one: its module, and a line in `POLICIES`. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

from ..model.declaration import Words, declared
from .activation import Actr, ReflectionSummary
from .caches import Lru, RandomDrop
from .curves import DecayScore, Differential, Ebbinghaus, Hybrid, Priority
from .fsrs import FsrsParameters
from .policy import ForgettingPolicy
from .retention_value import CommonParameters
from .tiered import Paces, Tiered, TmdExtensions
from .tmd import Tmd

WEIGHTY_PACE = 200.0
"""Of `tmd+`: with a cycle of a day, what is weighty outlasts several years without a use."""


class PolicyParameters(Protocol):
    """The parameters of a policy, declared as settings; they make the policy.

    `words` are its label, and what is said of its parameters, by language.
    """

    name: ClassVar[str]
    words: ClassVar[Mapping[str, Words]]

    def policy(self, tmd: Tmd, common: CommonParameters) -> ForgettingPolicy:
        """The policy with these parameters. Raises TidemarkError if a package is missing."""
        ...


@dataclass(frozen=True, slots=True)
class PlainTmd:
    """TMD; its thresholds and speeds are settings of their own, since its bookkeeping is shared."""

    name: ClassVar[str] = "tmd"
    words: ClassVar[Mapping[str, Words]] = {
        "zh": ("TMD", "层级与速度在“衰减”里设置"),
        "en": ("TMD", "Thresholds and speeds are set under decay"),
    }

    def policy(self, tmd: Tmd, common: CommonParameters) -> ForgettingPolicy:
        """TMD, with what goes beyond the paper where that is asked for."""
        return Tiered(tmd, TmdExtensions(target_population=common.target_population))


@dataclass(frozen=True, slots=True)
class TmdPlus:
    """The parameters of `tmd+`: where it differs from TMD.

    They were chosen in simulated worlds for what is needed and still there at TMD's storage.
    """

    name: ClassVar[str] = "tmd+"
    words: ClassVar[Mapping[str, Words]] = {
        "zh": ("TMD+", "只在策略是 tmd+ 时有用"),
        "en": ("TMD+", "Used only by the policy tmd+"),
    }

    cycle_days: float = declared(
        1.0, within=(1.0, 365.0), zh=("衰减周期（天）", ""), en=("Cycle (days)", "")
    )
    consolidate_speed: float = declared(
        5.0,
        within=(0.01, 100.0),
        zh=("巩固速度", "每次判为有用增加的有用分"),
        en=("Consolidation speed", "What a useful verdict adds to the useful score"),
    )
    demote_after_days: float = declared(
        15.0,
        within=(0.0, 3_650.0),
        zh=("降层天数", "0 为不降"),
        en=("Demote after days", "0 is never"),
    )
    pace_instruction: float = declared(
        4.0,
        within=(0.1, 1_000.0),
        zh=("指令的倍数", "指令的周期是上面的多少倍"),
        en=("Pace of instructions", "How many cycles they take for one"),
    )
    pace_preference: float = declared(
        4.0,
        within=(0.1, 1_000.0),
        zh=("偏好与事实的倍数", ""),
        en=("Pace of preferences and facts", ""),
    )
    pace_workflow: float = declared(
        1.5, within=(0.1, 1_000.0), zh=("做法的倍数", ""), en=("Pace of ways of working", "")
    )
    pace_episodic: float = declared(
        0.5, within=(0.1, 1_000.0), zh=("经历的倍数", ""), en=("Pace of episodes", "")
    )
    pace_evidence: float = declared(
        0.75, within=(0.1, 1_000.0), zh=("原话的倍数", ""), en=("Pace of raw turns", "")
    )

    def policy(self, tmd: Tmd, common: CommonParameters) -> ForgettingPolicy:
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
        days, target = self.demote_after_days, common.target_population
        extensions = TmdExtensions(days, target, paces)
        return Tiered(replace(tmd, parameters=own), extensions, self.name)


POLICIES: tuple[type[PolicyParameters], ...] = (
    PlainTmd,
    TmdPlus,
    Ebbinghaus,
    Actr,
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
    return tuple(policy.words[language][0] for policy in POLICIES)


DEFAULTS: tuple[PolicyParameters, ...] = tuple(policy() for policy in POLICIES)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Those of every policy, and what several share."""

    own: tuple[PolicyParameters, ...] = DEFAULTS
    common: CommonParameters = CommonParameters()


_TMD = Tmd()
_PARAMETERS = Parameters()


def policy_named(
    name: str, tmd: Tmd = _TMD, parameters: Parameters = _PARAMETERS
) -> ForgettingPolicy:
    """The policy of that name. Raises FsrsMissing if its package is not installed."""
    (own,) = (own for own in parameters.own if own.name == name)
    return own.policy(tmd, parameters.common)
