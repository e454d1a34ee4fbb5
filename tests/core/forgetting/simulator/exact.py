"""The simulation told event by event in plain Python, memory by memory and slot by slot.

It shares nothing with the vectorised one but the profiles' weights. Slow, and easy to believe.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from astrbot_plugin_tidemark.core.forgetting.tmd import TmdParameters
from astrbot_plugin_tidemark.core.simulation.run import Conditions
from astrbot_plugin_tidemark.core.simulation.usage_profiles import Profile


@dataclass
class Life:
    """A memory; days are whole numbers."""

    profile: Profile
    born: int
    strength: int
    score: float = 0.0
    counted_from: int = 0


@dataclass
class ExactOutcome:
    """The living by tier, and the days everybody lived."""

    tiers: list[int]
    lives: list[int]


def live_through(
    seed: int, conditions: Conditions, profiles: Sequence[Profile], tmd: TmdParameters
) -> ExactOutcome:
    """One run, with Python's own random numbers."""
    rng = random.Random(seed)
    alive: list[Life] = []
    lives: list[int] = []
    for day in range(1, conditions.days + 1):
        calls = rng.randint(conditions.fewest_calls, conditions.most_calls)
        born = rng.choices(profiles, [profile.new_prob for profile in profiles], k=calls)
        alive += [Life(profile, day, profile.strength, counted_from=day) for profile in born]
        _recall(rng, alive, calls * conditions.top_k, day, conditions, profiles, tmd)
        for life in alive:
            age = day - life.born
            if life.profile.yearly and age and age % 365 == 0:
                _judge(life, True, day, tmd)
            _decay(life, day, tmd)
        lives += [day - life.born for life in alive if life.strength <= 0]
        alive = [life for life in alive if life.strength > 0]
    tiers = [0, 0, 0]
    for life in alive:
        tiers[_tier(life, tmd)] += 1
    return ExactOutcome(tiers, lives + [conditions.days - life.born for life in alive])


def _recall(
    rng: random.Random,
    alive: list[Life],
    slots: int,
    day: int,
    conditions: Conditions,
    profiles: Sequence[Profile],
    tmd: TmdParameters,
) -> None:
    weights = [profile.weight(day, conditions.days) for profile in profiles]
    among = {p: [life for life in alive if life.profile is p] for p in profiles}
    for profile in rng.choices(profiles, weights, k=slots):
        if among[profile]:
            _judge(rng.choice(among[profile]), rng.random() < conditions.useful_prob, day, tmd)


def _judge(life: Life, useful: bool, day: int, tmd: TmdParameters) -> None:
    if useful:
        life.strength += tmd.useful_boost
        life.score += tmd.consolidate_speed
        life.counted_from = day
    elif _tier(life, tmd) == 1:
        life.strength -= 1


def _decay(life: Life, day: int, tmd: TmdParameters) -> None:
    if _tier(life, tmd) == 0 and day - life.counted_from >= tmd.cycle_tier0_days:
        life.strength -= 1
        life.counted_from = day


def _tier(life: Life, tmd: TmdParameters) -> int:
    return (life.score >= tmd.tier0_threshold) + (life.score >= tmd.tier1_threshold)
