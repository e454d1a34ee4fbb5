"""Two policies compared on halves of the people and groups, and how useful each sort proves."""

from collections import Counter
from collections.abc import Mapping

from ...core.forgetting.policies import ComparisonGroup, group_of
from ...core.forgetting.rates import Posterior, chance_of_difference
from ...core.ports import RecallOutcomes
from .records import answer
from .request import Request

SIGNIFICANT = 0.05


async def ab(request: Request) -> str:
    """Outcomes of both groups side by side, whether they differ, and rates by kind."""
    policies, parts = request.engine.sweeper.policies, request.engine.parts
    lines = [request.say("ab.one", policy=policies.usual.name)]
    if policies.trial is not None:
        lines = await _groups(
            request,
            {ComparisonGroup.A: policies.usual.name, ComparisonGroup.B: policies.trial.name},
        )
    rates = await request.engine.usefulness.rates(now=parts.clock.now())
    if rates.overall.judged:
        lines.append(request.say("ab.rates"))
    for kind, posterior in sorted(rates.by_kind.items()):
        lines.append(_rate(request, request.say(f"kind.{kind}"), posterior))
    return answer(lines)


async def _groups(request: Request, names: Mapping[ComparisonGroup, str]) -> list[str]:
    parts = request.engine.parts
    outcomes = {group: RecallOutcomes() for group in ComparisonGroup}
    for scope, outcome in (await parts.journal.outcomes()).items():
        outcomes[group_of(scope)] += outcome
    live, scopes = Counter[ComparisonGroup](), Counter[ComparisonGroup]()
    for scope, count in (await parts.store.scopes()).items():
        live[group_of(scope)] += count
        scopes[group_of(scope)] += 1
    lines = [request.say("ab.header")]
    for group, name in names.items():
        outcome = outcomes[group]
        per_turn = round(outcome.characters / outcome.blocks) if outcome.blocks else 0
        lines.append(
            request.say(
                "ab.group",
                group=group,
                policy=name,
                scopes=scopes[group],
                live=live[group],
                recalls=outcome.recalls,
                shown=outcome.shown,
                characters=per_turn,
                rate=_share(outcome),
                judged=outcome.useful + outcome.useless,
            )
        )
    return [*lines, _verdict(request, outcomes)]


def _verdict(request: Request, outcomes: Mapping[ComparisonGroup, RecallOutcomes]) -> str:
    chance = chance_of_difference(
        _posterior(outcomes[ComparisonGroup.A]), _posterior(outcomes[ComparisonGroup.B])
    )
    told = f"{chance:.2g}"
    if chance < SIGNIFICANT:
        return request.say("ab.differ", chance=told)
    return request.say("ab.alike", chance=told)


def _rate(request: Request, sort: str, posterior: Posterior) -> str:
    return request.say(
        "ab.rate",
        sort=sort,
        rate=f"{posterior.mean:.0%}",
        spread=f"{posterior.deviation:.0%}",
        judged=posterior.judged,
    )


def _posterior(outcome: RecallOutcomes) -> Posterior:
    return Posterior(outcome.useful, outcome.useless)


def _share(outcome: RecallOutcomes) -> str:
    judged = outcome.useful + outcome.useless
    return f"{outcome.useful / judged:.0%}" if judged else "-"
