"""The comparison of forgetting policies: trials, tables, JSON."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from ..core.forgetting.catalogue import NAMES, policy_named
from ..core.forgetting.fsrs import FsrsMissing
from ..core.forgetting.policy import ForgettingPolicy
from .command import emit, progress
from .progress_bar import ProgressBar
from .workloads.evaluation import EvaluationResult, Judging, average, evaluate
from .workloads.workload import Workload, make_workload

COLUMNS = ("hit_rate", "yearly", "identity", "precious", "noise_dropped", "storage")


@dataclass(frozen=True, slots=True)
class Plan:
    """Workloads by seed, the share of recalls judged, and what is compared."""

    workloads: Mapping[int, Workload]
    share: Fraction
    policies: Mapping[str, ForgettingPolicy]

    def outcome(self, policy: ForgettingPolicy) -> EvaluationResult:
        """Over all workloads; every policy meets the same ones and the same luck in them."""
        judging = Judging(float(self.share))
        return average(
            [
                evaluate(policy, workload, judging, np.random.default_rng((seed, 1)))
                for seed, workload in self.workloads.items()
            ]
        )


def main(arguments: Sequence[str]) -> int:
    """Compare and print."""
    options = _parser().parse_args(arguments)
    policies = dict(installed(options.policies))
    workloads = workloads_of(options.seeds, options.days, options.per_day)
    tables = {
        str(share): compare(Plan(workloads, share, policies), str(share))
        for share in options.shares
    }
    if options.json:
        emit({"days": options.days, "seeds": options.seeds, "judged": tables}, as_json=True)
        return 0
    for share, rows in tables.items():
        print(f"{share} of recalls judged:")
        _print(rows)
    return 0


def installed(names: Sequence[str]) -> list[tuple[str, ForgettingPolicy]]:
    """Those that can be had here; stderr is told of the others."""
    found: list[tuple[str, ForgettingPolicy]] = []
    for name in names:
        try:
            found.append((name, policy_named(name)))
        except FsrsMissing as error:
            print(f"left out: {name}: {error}", file=sys.stderr)
    return found


def workloads_of(seeds: Sequence[int], days: int, per_day: float) -> dict[int, Workload]:
    """A workload per seed."""
    return {seed: make_workload(np.random.default_rng(seed), days, per_day) for seed in seeds}


def compare(plan: Plan, label: str) -> dict[str, dict[str, float]]:
    """Figures by policy."""
    rows: dict[str, dict[str, float]] = {}
    with ProgressBar(len(plan.policies)) as bar:
        for number, (name, policy) in enumerate(plan.policies.items(), 1):
            rows[name] = _rounded(asdict(plan.outcome(policy)))
            bar.show(number)
    progress(f"{label} of recalls judged: done")
    return rows


def _rounded(row: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in row.items()}


def _print(rows: Mapping[str, Mapping[str, float]]) -> None:
    print(f"{'':<20}" + "".join(f"{name:>15}" for name in COLUMNS))
    for name, row in rows.items():
        print(f"{name:<20}" + "".join(f"{row[column]:>15.3f}" for column in COLUMNS))


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.forgetting_compare")
    top.add_argument("--json", action="store_true")
    top.add_argument("--days", type=partial(_whole, 2, 3_650), default=800)
    top.add_argument("--per-day", type=partial(_whole, 1, 200), default=10)
    top.add_argument("--seeds", type=_seeds, default=[1, 2, 3])
    top.add_argument("--shares", type=shares, default=shares("1/6,1/2,1"))
    top.add_argument("--policies", type=names, default=NAMES)
    return top


def _whole(low: int, high: int, text: str) -> int:
    if text.isascii() and text.isdigit() and low <= int(text[:9]) <= high:
        return int(text)
    raise ArgumentTypeError(f"must be a whole number {low}..{high}, not {text!r}")


def _seeds(text: str) -> list[int]:
    return [_whole(0, 2**32, part) for part in text.split(",")]


def shares(text: str) -> list[Fraction]:
    """Shares 0..1 from "1/4,1/2". Raises ArgumentTypeError on any other text."""
    try:
        found = [Fraction(part) for part in text.split(",")]
    except (ValueError, ZeroDivisionError) as error:
        raise ArgumentTypeError(f"must be shares such as 1/6,1/2,1, not {text!r}") from error
    if not all(0 <= share <= 1 for share in found):
        raise ArgumentTypeError("a share is 0..1")
    return found


def names(text: str) -> list[str]:
    """Names of policies. Raises ArgumentTypeError on any other text."""
    unknown = [part for part in text.split(",") if part not in NAMES]
    if unknown:
        choices = ", ".join(NAMES)
        raise ArgumentTypeError(f"no such policy: {', '.join(unknown)}; there are {choices}")
    return text.split(",")
