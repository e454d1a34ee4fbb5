"""Forgetting: the policies, what each would take and when, and years of it in seconds."""

from ...core.actions import forgetting as forgetting_
from ...core.actions.configuration import UnfitValues
from ...core.actions.forgetting import NAMES, Foresight, Simulated
from .request import BadRequest, WebRequest
from .tide import Begun

MOST_YEARS = 10


async def foresee(request: WebRequest) -> Foresight:
    """What goes within some days, and what is left over a year."""
    days, owner = float(request.number("within", 30, 1, 365)), request.text("owner")
    return await forgetting_.foresee(request.context, days, _policy(request, "other"), owner)


async def simulate(request: WebRequest) -> Simulated:
    """Years under the policy in force and under another."""
    given = {"years": str(request.number("years", 3, 1, MOST_YEARS))}
    if policy := _policy(request, "policy"):
        given["policy"] = policy
    try:
        return await forgetting_.simulate(request.context, given)
    except UnfitValues as unfit:
        raise BadRequest(unfit.problems[0].name) from None


async def stop(request: WebRequest) -> Begun:
    """Stop the simulation that is running."""
    return Begun(not await forgetting_.stop_simulation(request.context))


def _policy(request: WebRequest, parameter: str) -> str:
    name = request.text(parameter)
    if name not in ("", *NAMES):
        raise BadRequest(parameter)
    return name
