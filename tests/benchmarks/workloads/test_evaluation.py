"""Workloads with ground truth, and what an evaluation counts in them."""

from dataclasses import replace

import numpy as np
from astrbot_plugin_tidemark.benchmarks.workloads.evaluation import (
    EvaluationResult,
    Judging,
    average,
    evaluate,
)
from astrbot_plugin_tidemark.benchmarks.workloads.item_profiles import ITEM_PROFILES, ItemProfile
from astrbot_plugin_tidemark.benchmarks.workloads.workload import Workload, make_workload
from astrbot_plugin_tidemark.core.forgetting.catalogue import policy_named
from astrbot_plugin_tidemark.core.forgetting.curves import Differential
from astrbot_plugin_tidemark.core.forgetting.retention_value import CurvePolicy

KEEP_ALL = CurvePolicy(Differential(0.0, 0.0, 0.0, 0.0))
DROP_ALL = CurvePolicy(Differential(100.0, 100.0, 100.0, 100.0))

SIXTH = Judging(share=1 / 6)


def workload(
    seed: int = 1, days: int = 400, profiles: tuple[ItemProfile, ...] = ITEM_PROFILES
) -> Workload:
    return make_workload(np.random.default_rng(seed), days, 3.0, profiles)


def evaluated(policy: object, where: Workload, judging: Judging = SIXTH) -> EvaluationResult:
    return evaluate(policy, where, judging, np.random.default_rng(7))  # pyright: ignore


def test_who_keeps_all_answers_all_and_who_drops_all_hardly_any() -> None:
    outcome = evaluated(KEEP_ALL, workload())
    assert outcome == EvaluationResult(1.0, 1.0, 1.0, 1.0, 0.0, 1.0)
    profiles = tuple(replace(profile, marked=0.0) for profile in ITEM_PROFILES)
    judging = Judging(share=0.0, spare=0)
    outcome = evaluated(DROP_ALL, workload(profiles=profiles), judging)
    assert outcome.hit_rate < 0.01
    assert outcome.yearly == 0.0
    assert outcome.noise_dropped == 1.0
    assert outcome.storage < 0.01


def test_tmd_plus_and_more_judging_answer_more_at_no_more_cost() -> None:
    where, tmd = workload(days=500), policy_named("tmd")
    rates = [evaluated(tmd, where, Judging(share)).hit_rate for share in (0.0, 1 / 6, 1.0)]
    assert rates == sorted(rates)
    assert rates[2] > rates[0] + 0.1
    seeds = (1, 2, 3)
    workloads = [make_workload(np.random.default_rng(seed), 800, 10.0) for seed in seeds]
    plain = average([evaluated(policy_named("tmd"), where) for where in workloads])
    plus = average([evaluated(policy_named("tmd+"), where) for where in workloads])
    assert plus.storage <= plain.storage
    assert plus.hit_rate >= 1.2 * plain.hit_rate
    assert plus.precious == 1.0 > plain.precious
    assert plus.yearly > plain.yearly
