"""Two policies compared on halves of the people and groups, and how useful each kind proves."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..forgetting.permutation_test import chance_of_difference
from ..forgetting.policies import ComparisonGroup, group_of
from ..forgetting.rates import Posterior
from ..model.conversation import Scope
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
    written = context.settings.forgetting.comparison.parameters
    on_trial = f"{policies.trial.name} ({written})" if written else policies.trial.name
    names = {ComparisonGroup.A: policies.usual.name, ComparisonGroup.B: on_trial}
    outcomes = await context.journal.outcomes()
    halves = await _halves(context, names, outcomes)
    a, b = (_by_owner(outcomes, group) for group in names)
    chance = await asyncio.to_thread(chance_of_difference, a, b)
    return Comparison(policies.usual.name, halves, chance, by_kind)


def _by_owner(outcomes: Mapping[str, RecallOutcomes], group: ComparisonGroup) -> list[Posterior]:
    """What verdicts say of each person and chat group of that group, under all personas."""
    verdicts = defaultdict[str, Posterior](Posterior)
    for scope, outcome in outcomes.items():
        if group_of(scope) is group:
            verdicts[Scope.parse(scope).owner] += Posterior(outcome.useful, outcome.useless)
    return list(verdicts.values())


async def _halves(
    context: Context,
    names: Mapping[ComparisonGroup, str],
    by_scope: Mapping[str, RecallOutcomes],
) -> list[Half]:
    outcomes = {group: RecallOutcomes() for group in names}
    for scope, outcome in by_scope.items():
        outcomes[group_of(scope)] += outcome
    live, scopes = Counter[ComparisonGroup](), Counter[ComparisonGroup]()
    for scope, count in (await context.store.scopes()).items():
        live[group_of(scope)] += count
        scopes[group_of(scope)] += 1
    return [
        Half(group, name, scopes[group], live[group], outcomes[group])
        for group, name in names.items()
    ]
