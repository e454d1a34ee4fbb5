"""A day's verdicts on a pool, many of them on the same memory. Pure."""

from dataclasses import replace

import numpy as np

from ..forgetting.policy import ForgettingPolicy
from ..forgetting.population import Flags, Ints
from ..forgetting.retention_value import CurvePolicy
from ..forgetting.tiered import Tiered
from ..forgetting.tmd import Tmd
from .pool import Pool

LIFT = 1 << 40
"""Added to strengths for the verdicts of a day, so that no floor at zero is met before evening."""


def judge(
    pool: Pool,
    policy: ForgettingPolicy,
    rows: Ints,
    useful: Flags,
    *,
    now: float,
    floor: bool = False,
) -> Ints:
    """Apply verdicts in the order given within each row; `rows` ascending, rows may repeat.

    Without `floor` strength may fall below zero within the day, so that a memory recalled in
    vain beyond its strength needs as many useful verdicts to see the next day; the published
    figures come out only so. With it every verdict stops at zero, as the policy's own does.
    Returns the rows that are left with no strength.
    """
    telling = _telling(pool, policy.tmd, rows, useful)
    touch(pool, rows[~telling], now=now)
    rows, useful = rows[telling], useful[telling]
    if not len(rows):
        return rows
    if not floor and books_as_tmd(policy):
        return _at_once(pool, policy.tmd, rows, useful, now)
    return _in_rounds(pool, policy, rows, useful, now, 0 if floor else LIFT)


def touch(pool: Pool, rows: Ints, *, now: float) -> None:
    """Each of these rows recalled once more per mention, without a verdict."""
    population = pool.population
    population.recalls[:] += np.bincount(rows, minlength=len(population))
    population.last_access_at[rows] = now


def books_as_tmd(policy: ForgettingPolicy) -> bool:
    """Whether its verdicts are TMD's and nothing more."""
    return isinstance(policy, Tiered) or type(policy) is CurvePolicy


def _telling(pool: Pool, tmd: Tmd, rows: Ints, useful: Flags) -> Flags:
    """Which verdicts do more than count a recall.

    Those on rows that are of tier 1, or come to be judged useful today.
    """
    p, score = tmd.parameters, pool.population.useful_score
    affected = (score >= p.tier0_threshold) & (score < p.tier1_threshold)
    affected[rows[useful]] = True
    return affected[rows]


def _at_once(pool: Pool, tmd: Tmd, rows: Ints, useful: Flags, now: float) -> Ints:
    """All verdicts in one go: without a floor each costs or brings what its tier says."""
    starts = np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]]))
    distinct = rows[starts]
    p, people = tmd.parameters, pool.population
    so_far = np.cumsum(useful) - useful
    repeats = np.diff(np.append(starts, len(rows)))
    score = people.useful_score[rows] + p.consolidate_speed * (
        so_far - np.repeat(so_far[starts], repeats)
    )
    tier1 = (score >= p.tier0_threshold) & (score < p.tier1_threshold)
    change = np.where(useful, p.useful_boost, np.where(tier1, -1, 0))
    won = np.add.reduceat(useful.astype(np.int64), starts)
    strength = people.strength[distinct] + np.add.reduceat(change, starts)
    people.strength[distinct] = np.maximum(0, strength)
    people.useful_count[distinct] += won
    people.useful_score[distinct] += p.consolidate_speed * won
    people.last_recalled_at[distinct[won > 0]] = now
    people.recalls[distinct] += repeats
    people.last_access_at[distinct] = now
    return distinct[strength <= 0]


def _in_rounds(
    pool: Pool, policy: ForgettingPolicy, rows: Ints, useful: Flags, now: float, lift: int
) -> Ints:
    """By the policy's own rule: one round per further recall, so that none holds a row twice."""
    first = np.concatenate([[True], rows[1:] != rows[:-1]])
    starts, place = np.flatnonzero(first), np.cumsum(first) - 1
    rank = np.arange(len(rows)) - starts[place]
    distinct = rows[starts]
    part = pool.population.take(distinct)
    part = replace(part, strength=part.strength + lift)
    for nth in range(int(rank.max()) + 1):
        turn = rank == nth
        part = policy.judge_rows(part, place[turn], useful[turn], now=now)
    strength = part.strength - lift
    pool.write(distinct, replace(part, strength=np.maximum(0, strength)))
    return distinct[strength <= 0]
