"""Forecast of forgetting for everybody's memories, under the policy in force and another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..forgetting.lifecycle import DAY
from ..forgetting.policy import ForgettingPolicy
from ..model.conversation import Scope
from ..model.memory import LEARNT
from ..ports import Filter
from ..sleep.sweep import ForgettingTime
from .answers import MemoryView, Refusal
from .context import Context, over_everybody
from .forgetting import policy_called
from .masking import masked_by, seen

HORIZON = (7.0, 14.0, *map(float, range(30, 331, 30)), 365.0)
"""Days of the curve."""

NAMED = 12
"""Learnt memories that are named, the first to go."""


@dataclass(frozen=True, slots=True)
class Going:
    """A learnt memory and when it goes, Unix seconds; under the other policy `elsewhere`.

    `elsewhere` is None where that keeps it, or where nothing is compared.
    """

    memory: MemoryView
    at: float
    elsewhere: float | None


@dataclass(frozen=True, slots=True)
class ForeseenPolicy:
    """One policy: what is `left` after each of the days, and how many go within the days asked."""

    policy: str
    left: Sequence[int]
    going: int
    first: Sequence[Going]


@dataclass(frozen=True, slots=True)
class Foresight:
    """All live memories, those that are never forgotten, and each policy, that in force first,
    with what is left after each of the `days`.

    Not `comparable`: the other policy looks at all memories of a scope together, so that it does
    not say of a single one when it goes.
    """

    days: Sequence[float]
    live: int
    kept: int
    policies: Sequence[ForeseenPolicy]
    comparable: bool
    why_masked: Refusal | None


@over_everybody
async def foresee(context: Context, days: float, other: str = "", owner: str = "") -> Foresight:
    """Of everybody, or of one owner; `other` is one of NAMES, "" for the policy in force alone."""
    beside = policy_called(context, other) if other else None
    live = await context.store.scopes()
    scopes = frozenset(key for key in live if owner in ("", Scope.parse(key).owner))
    found = [await _foreseen(context, scopes, days, None, beside)]
    if beside is not None:
        found.append(await _foreseen(context, scopes, days, beside, beside))
    memories = {each.memory.id: each.memory for one in found for each in one.first}
    shown = await seen(context, list(memories.values()), f"foresight {owner}")
    by_id = {view.memory.id: view for view in shown}
    total = sum(live[key] for key in scopes)
    return Foresight(
        (0.0, *HORIZON),
        total,
        await context.store.count(Filter(scopes=scopes, exempt=True)),
        [_told(one, total, by_id) for one in found],
        beside is None or not beside.needs_other_memories,
        masked_by(context, shown),
    )


@dataclass(frozen=True, slots=True)
class _Raw:
    policy: str
    counts: Sequence[int]
    first: Sequence[ForgettingTime]
    elsewhere: Sequence[float | None]


async def _foreseen(
    context: Context,
    scopes: frozenset[str],
    days: float,
    policy: ForgettingPolicy | None,
    beside: ForgettingPolicy | None,
) -> _Raw:
    sweeper, now = context.engine.sweeper, context.now
    told = await sweeper.foretell(
        scopes, now=now, days=(*HORIZON, days), limit=NAMED, named=LEARNT, policy=policy
    )
    first = [each for each in told.soonest if each.at <= now + days * DAY]
    other = beside if policy is None else None
    elsewhere = [
        None
        if beside is None or beside.needs_other_memories
        else (other or sweeper.policy).forgotten_at(each.memory)
        for each in first
    ]
    name = (policy or sweeper.policy).name
    return _Raw(name, told.counts, first, elsewhere)


def _told(one: _Raw, total: int, views: Mapping[str, MemoryView]) -> ForeseenPolicy:
    *curve, going = one.counts
    first = [
        Going(views[each.memory.id], each.at, elsewhere)
        for each, elsewhere in zip(one.first, one.elsewhere, strict=True)
    ]
    return ForeseenPolicy(one.policy, [total, *(total - gone for gone in curve)], going, first)
