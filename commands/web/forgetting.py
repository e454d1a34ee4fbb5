"""Forgetting: the policies, what each would take and when, and years of it in seconds."""

from ...core.actions import foresight, simulations
from ...core.actions.answers import CodeNeeded, PackageMissing, Refused
from ...core.actions.foresight import HORIZON
from ...core.actions.forgetting import NAMES, usefulness
from ...core.actions.simulations import (
    BadParameters,
    Busy,
    Simulated,
    SimulationStopped,
    Summary,
    TooLarge,
)
from ...core.model.errors import INSTALL
from .forgetting_shapes import (
    ForeseenShape,
    ForesightShape,
    LifeShape,
    PoliciesShape,
    RateShape,
    SimulationShape,
)
from .request import BadRequest, WebRequest, revealing
from .tide import Begun

MOST_YEARS = 10


async def policies(request: WebRequest) -> PoliciesShape | Refused:
    """Which policy decides, and what verdicts say."""
    found = await usefulness(request.context)
    if isinstance(found, Refused):
        return found
    rates = [RateShape(kind, p.mean, p.deviation, p.judged) for kind, p in found.rates.items()]
    return PoliciesShape(list(NAMES), found.policy, rates)


async def foresee(request: WebRequest) -> ForesightShape | Refused | CodeNeeded:
    """What goes within some days, and what is left over a year."""
    days, owner = float(request.number("within", 30, 1, 365)), request.text("owner")
    context, other = request.context, _policy(request, "other")
    found = await revealing(
        lambda reveal: foresight.foresee(context, days, other, owner, reveal), request.reveal
    )
    match found:
        case Refused() | CodeNeeded():
            return found
        case PackageMissing(package):
            return ForesightShape([], 0, 0, [], False, INSTALL[package], "")
    return ForesightShape(
        [0.0, *HORIZON],
        found.live,
        found.kept,
        [
            ForeseenShape(each.policy, [found.live, *each.left], each.going, each.first)
            for each in found.policies
        ],
        found.comparable,
        "",
        found.why_masked or "",
    )


async def simulate(request: WebRequest) -> SimulationShape | Refused:
    """Years under the policy in force and under another."""
    given = {"years": str(request.number("years", 3, 1, MOST_YEARS))}
    if policy := _policy(request, "policy"):
        given["policy"] = policy
    done = await simulations.simulate(request.context, given)
    match done:
        case Refused():
            return done
        case BadParameters(problems):
            raise BadRequest(problems[0].name)
        case PackageMissing(package):
            return SimulationShape([], 0.0, False, "missing", INSTALL[package])
        case Busy():
            return SimulationShape([], 0.0, False, "busy", "")
        case TooLarge():
            return SimulationShape([], 0.0, False, "too_large", "")
        case SimulationStopped():
            return SimulationShape([], 0.0, False, "stopped", "")
        case Simulated():
            now = [_life(done.policy_before, done.before)] if done.before else []
            lives = [*now, _life(done.policy, done.summary)]
            return SimulationShape(lives, done.years, done.complete, "", "")


async def stop(request: WebRequest) -> Begun | Refused:
    """Stop the simulation that is running."""
    stopped = await simulations.stop_simulation(request.context)
    return stopped if isinstance(stopped, Refused) else Begun(not stopped)


def _policy(request: WebRequest, parameter: str) -> str:
    name = request.text(parameter)
    if name not in ("", *NAMES):
        raise BadRequest(parameter)
    return name


def _life(policy: str, summary: Summary) -> LifeShape:
    figures = summary.overall
    return LifeShape(
        policy,
        figures.created,
        list(figures.tiers),
        figures.deletion_ratio,
        figures.mean_lifetime_days,
        list(figures.monthly_survivors),
    )
