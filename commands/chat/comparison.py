"""Two policies compared on halves of the people and groups, and how useful each sort proves."""

from ...core.actions.answers import Refused
from ...core.actions.policy_comparison import Comparison, Half, RecallOutcomes, compare_policies
from ...core.text.quoting import quoted
from .records import answer
from .request import Request

LONGEST_POLICY = 200


async def ab(request: Request) -> str:
    """Outcomes of both groups side by side, whether they differ, and rates by kind."""
    found = await compare_policies(request.context)
    if isinstance(found, Refused):
        return request.refused(found)
    lines = [request.say("ab.one", policy=found.policy)]
    if found.halves:
        halves = [_half(request, half) for half in found.halves]
        lines = [request.say("ab.header"), *halves, _conclusion(request, found)]
    if found.rates:
        lines.append(request.say("ab.rates"))
    lines += [
        request.say(
            "ab.rate",
            sort=request.say(f"kind.{kind}"),
            rate=f"{posterior.mean:.0%}",
            spread=f"{posterior.deviation:.0%}",
            judged=posterior.judged,
        )
        for kind, posterior in found.rates.items()
    ]
    return answer(lines)


def _half(request: Request, half: Half) -> str:
    outcome = half.outcome
    return request.say(
        "ab.group",
        group=half.group,
        policy=quoted(half.policy, LONGEST_POLICY),
        scopes=half.scopes,
        live=half.live,
        recalls=outcome.recalls,
        shown=outcome.shown,
        characters=round(outcome.characters / outcome.blocks) if outcome.blocks else 0,
        rate=_share(outcome),
        judged=outcome.useful + outcome.useless,
    )


def _conclusion(request: Request, found: Comparison) -> str:
    chance = f"{found.chance:.2g}"
    if found.differ:
        return request.say("ab.differ", chance=chance)
    return request.say("ab.alike", chance=chance)


def _share(outcome: RecallOutcomes) -> str:
    judged = outcome.useful + outcome.useless
    return f"{outcome.useful / judged:.0%}" if judged else "-"
