"""What a simulation would cost, before it is run. Pure; measured on one core of a small server."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..forgetting.policy import ForgettingPolicy
from .run import Conditions
from .usage_profiles import Profile

_BYTES_PER_MEMORY = 450
"""All columns, and what a day computes over them."""

_BYTES_PER_RECALL = 120
_SECONDS_PER_DAY = 0.0012
_SECONDS_PER_RECALL = 1.2e-7
_SECONDS_PER_MEMORY_AND_DAY = 8e-8
_LASTING = 0.02
"""Share of the created that reaches tier 2 or stays in tier 1, generously."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Estimates, rather too high than too low."""

    megabytes: float
    seconds: float


def cost_of(policy: ForgettingPolicy, conditions: Conditions, profiles: Sequence[Profile]) -> Cost:
    """Of one run. Under another policy than TMD nothing may ever be forgotten: that is assumed."""
    created = conditions.most_calls * conditions.days
    most = float(created)
    if policy.plan is not None:
        idle = max(profile.strength for profile in profiles) * policy.plan.cycle / 86_400
        most = min(most, 1.5 * conditions.most_calls * idle + _LASTING * created)
    recalls = conditions.most_calls * conditions.top_k
    size = most * _BYTES_PER_MEMORY + recalls * _BYTES_PER_RECALL
    daily = _SECONDS_PER_DAY + recalls * _SECONDS_PER_RECALL + most * _SECONDS_PER_MEMORY_AND_DAY
    return Cost(size / 2**20, conditions.days * daily)
