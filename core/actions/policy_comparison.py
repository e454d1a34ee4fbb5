"""Two policies compared on halves of the people and groups, and how useful each kind proves."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..forgetting.policies import ComparisonGroup, group_of
from ..forgetting.rates import Posterior, chance_of_difference
from ..model.memory import Kind
from ..ports import RecallOutcomes
from .context import Context, for_admins

__all__ = ["ComparisonGroup", "Posterior", "RecallOutcomes"]

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class Half:
    """One group, its policy, what lives in it and what came of its recalls."""

    group: ComparisonGroup
    policy: str
    scopes: int
    live: int
    outcome: RecallOutcomes


@dataclass(frozen=True, slots=True)
class Comparison:
    """`halves` is empty where one policy decides for all; `chance` that they do not differ."""

    policy: str
    halves: Sequence[Half]
    chance: float
    rates: Mapping[Kind, Posterior]

    @property
    def differ(self) -> bool:
        """Whether the difference is more than chance explains."""
        return self.chance < SIGNIFICANT


@for_admins
async def compare_policies(context: Context) -> Comparison:
    """Outcomes of both groups side by side, whether they differ, and rates by kind."""
    policies = context.engine.sweeper.policies
    rates = await context.engine.usefulness.rates(now=context.now)
    by_kind = dict(sorted(rates.by_kind.items()))
    if policies.trial is None:
        return Comparison(policies.usual.name, (), 1.0, by_kind)
    names = {ComparisonGroup.A: policies.usual.name, ComparisonGroup.B: policies.trial.name}
    halves = await _halves(context, names)
    a, b = (Posterior(half.outcome.useful, half.outcome.useless) for half in halves)
    return Comparison(policies.usual.name, halves, chance_of_difference(a, b), by_kind)


async def _halves(context: Context, names: Mapping[ComparisonGroup, str]) -> list[Half]:
    outcomes = {group: RecallOutcomes() for group in names}
    for scope, outcome in (await context.journal.outcomes()).items():
        outcomes[group_of(scope)] += outcome
    live, scopes = Counter[ComparisonGroup](), Counter[ComparisonGroup]()
    for scope, count in (await context.store.scopes()).items():
        live[group_of(scope)] += count
        scopes[group_of(scope)] += 1
    return [
        Half(group, name, scopes[group], live[group], outcomes[group])
        for group, name in names.items()
    ]
