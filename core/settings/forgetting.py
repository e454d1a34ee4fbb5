"""Which policy forgets, and by what."""

from dataclasses import dataclass

from ..forgetting.catalogue import DEFAULTS, NAMES, PolicyParameters, policy_named
from ..forgetting.policy import ForgettingPolicy
from ..forgetting.tmd import Tmd
from ..model.declaration import declared


@dataclass(frozen=True, slots=True)
class ForgettingSettings:
    """Who decides what is forgotten. TMD's own thresholds are with the pace of decay.

    `keep_current`: facts that hold do not fade. `patience`: how many cycles a strength takes of
    what nothing else says; 1 is TMD as published. `target_population`: memories of a scope beyond
    which the cycle shrinks; 0 is never.
    """

    policy: str = declared("tmd", choices=NAMES)
    keep_current: bool = declared(True)
    patience: float = declared(30.0, within=(1.0, 1_000.0))
    target_population: int = declared(0, within=(0, 10_000_000))
    own: tuple[PolicyParameters, ...] = DEFAULTS
    """Of each policy: what is published with its formula, or was found by measuring."""

    def in_force(self, tmd: Tmd) -> ForgettingPolicy:
        """The policy that decides. Raises FsrsMissing if it is FSRS and its package is missing."""
        return self.policy_called(self.policy, tmd)

    def policy_called(self, name: str, tmd: Tmd) -> ForgettingPolicy:
        """Another one under the same settings. Raises as `in_force`."""
        return policy_named(name, tmd, self.target_population, self.own)
