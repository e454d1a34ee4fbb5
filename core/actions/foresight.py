"""Forecast of forgetting for everybody's memories, under the policy in force and another."""

from collections.abc import Sequence
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
    sweeper, now = context.engine.sweeper, context.now
    policies = [sweeper.policy] if beside is None else [sweeper.policy, beside]
    told = [
        await sweeper.foretell(
            scopes, now=now, days=(*HORIZON, days), limit=NAMED, named=LEARNT, policy=each
        )
        for each in policies
    ]
    first = [[one for one in each.soonest if one.at <= now + days * DAY] for each in told]
    memories = {one.memory.id: one.memory for each in first for one in each}
    shown = await seen(context, list(memories.values()), f"foresight {owner}")
    by_id = {view.memory.id: view for view in shown}
    comparable = beside is None or not beside.needs_other_memories

    def going(one: ForgettingTime, other: ForgettingPolicy) -> Going:
        elsewhere = other.forgotten_at(one.memory) if beside is not None and comparable else None
        return Going(by_id[one.memory.id], one.at, elsewhere)

    total = sum(live[key] for key in scopes)
    return Foresight(
        (0.0, *HORIZON),
        total,
        await context.store.count(Filter(scopes=scopes, exempt=True)),
        [
            ForeseenPolicy(
                policy.name,
                [total, *(total - gone for gone in each.counts[:-1])],
                each.counts[-1],
                [going(one, other) for one in soonest],
            )
            for policy, other, each, soonest in zip(
                policies, reversed(policies), told, first, strict=True
            )
        ],
        comparable,
        masked_by(context, shown),
    )
