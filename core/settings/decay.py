"""Settings of TMD: its pace, and parameters that differ from the paper's."""

from dataclasses import dataclass

from ..forgetting.tmd import TmdParameters
from ..model.declaration import declared

FASTEST = 1e9
"""Keeps every useful score finite, whatever the consolidation speed."""


@dataclass(frozen=True, slots=True)
class DecayOverride:
    """TMD's parameters; used only when `enabled`."""

    enabled: bool = declared(False)
    tier0_threshold: float = declared(3.0, when=("enabled", True))
    tier1_threshold: float = declared(10.0, when=("enabled", True))
    consolidate_speed: float = declared(2.5, when=("enabled", True))
    cycle_tier0_days: float = declared(3.0, when=("enabled", True))
    forget_speed: float = declared(1.0, when=("enabled", True))
    tier0_forget_speed: float = declared(1.0, when=("enabled", True))
    useful_boost: int = declared(1, within=(0, 100), step=1, when=("enabled", True))


@dataclass(frozen=True, slots=True)
class DecaySettings:
    """How forgetting is paced."""

    interval_hours: float = 6.0
    """Hours between sweeps: strengths change by days."""

    purge_hours: float = 24.0
    """Hours between purges: the bin keeps for days."""

    bin_days: float = declared(30.0, within=(1.0, 3_650.0))
    override: DecayOverride = declared(DecayOverride())

    def parameters(self) -> TmdParameters:
        """TMD's parameters, corrected: Algorithms, section 1.

        The upper threshold is raised to the lower one; speeds have the floor 0.01, the cycle
        one day.
        """
        o = self.override
        if not o.enabled:
            return TmdParameters()
        return TmdParameters(
            tier0_threshold=o.tier0_threshold,
            tier1_threshold=max(o.tier0_threshold, o.tier1_threshold),
            consolidate_speed=min(max(0.01, o.consolidate_speed), FASTEST),
            cycle_tier0_days=max(1.0, o.cycle_tier0_days),
            forget_speed=max(0.01, o.forget_speed),
            tier0_forget_speed=max(0.01, o.tier0_forget_speed),
            useful_boost=o.useful_boost,
        )
