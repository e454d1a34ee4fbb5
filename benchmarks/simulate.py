"""`python -m benchmarks.simulate [--json]`: what becomes of memories under a forgetting policy.

    python -m benchmarks.simulate --days 365 --calls 500 --top-k 10 --useful-prob 0.05 \\
        --consolidate-speed 2.5 --policy tmd --seed 7 [--profiles FILE] [--grid] [--json]

Each call makes a memory and recalls `--top-k`. `--calls 400-600` draws the calls of each day.
`--set NAME=VALUE` sets any other parameter of TMD. `--profiles` reads other profiles than the six
published ones; benchmarks/profiles.yaml is how such a file looks. Lives of days, shares 0..1.

JSON: `created`, `forgotten`, `deletion_ratio`, `survivors`, `tier0`, `tier1`, `tier2`,
`mean_lifetime_days`, `p90_lifetime_days`, `monthly_survivors` (at the end of every thirtieth day),
and `profiles` with the same of each. With `--grid`: a list of such objects, each with its
`initial_strength` and `useful_boost`.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from ..core.forgetting.fsrs import FsrsMissing
from ..core.simulation.experiment import Experiment, read_experiment
from ..core.simulation.runner import Cost, cost_of
from ..core.simulation.summary import Figures, Summary
from ..core.simulation.usage_profiles import Profile

STRENGTHS = (4, 5, 6, 7, 8)
BOOSTS = (1, 2, 3)
"""The grid, unless others are asked for."""

type Share = Annotated[float, Field(ge=0, le=1e6)]

MOST_MEGABYTES = 8_000.0
MOST_SECONDS = 3_600.0

OPTIONS = ("days", "calls", "top_k", "useful_prob", "consolidate_speed", "policy", "seed")


def main(arguments: Sequence[str]) -> int:
    """Simulate and print; 2 with every problem on stderr if it cannot be done as asked."""
    options = _parser().parse_args(arguments)
    experiment, problems = _experiment(options)
    if not problems:
        problems = _too_large(experiment, options)
    if problems:
        print("\n".join(problems), file=sys.stderr)
        return 2
    if options.grid:
        _print_grid(list(_grid(experiment, options)), as_json=options.json)
    else:
        _print(experiment.run(), as_json=options.json)
    return 0


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.simulate")
    for name in OPTIONS:
        top.add_argument(f"--{name.replace('_', '-')}", metavar=name.upper())
    top.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    top.add_argument("--profiles", type=Path, metavar="FILE")
    top.add_argument("--grid", action="store_true", help="every initial strength and useful boost")
    top.add_argument("--strengths", default=",".join(map(str, STRENGTHS)), help="of the grid")
    top.add_argument("--boosts", default=",".join(map(str, BOOSTS)), help="of the grid")
    top.add_argument("--json", action="store_true")
    return top


def _experiment(options: Namespace) -> tuple[Experiment, list[str]]:
    """What was asked for, and everything that is wrong with it."""
    given = {name: getattr(options, name) for name in OPTIONS if getattr(options, name) is not None}
    pairs = [setting.partition("=") for setting in options.set]
    given |= {name.strip(): value.strip() for name, _, value in pairs}
    problems: list[str] = []
    base = Experiment()
    if options.profiles is not None:
        try:
            base = replace(base, profiles=read_profiles(options.profiles))
        except (OSError, ValueError, yaml.YAMLError) as error:
            problems.append(f"{options.profiles}: {error}")
    read = read_experiment(given, base)
    if isinstance(read, Experiment):
        try:
            read.forgetting()
        except FsrsMissing as error:
            problems.append(str(error))
        return read, problems + _bad_grid(options)
    return base, problems + [str(problem) for problem in read] + _bad_grid(options)


class WrittenProfile(BaseModel):
    """A profile as a file has it."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    name: str = Field(min_length=1)
    strength: int = Field(ge=1, le=1_000)
    p_start: Share = 0.0
    p_mid: Share = 0.0
    p_end: Share = 0.0
    hot_days: int = Field(0, ge=0, le=36_500)
    new_prob: Share = 1.0
    yearly: bool = False


class WrittenProfiles(BaseModel):
    """A file of them."""

    profiles: list[WrittenProfile] = Field(min_length=1, max_length=100)

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if len({each.name for each in self.profiles}) < len(self.profiles):
            raise ValueError("two profiles have the same name")
        if sum(each.new_prob for each in self.profiles) <= 0:
            raise ValueError("new_prob is 0 everywhere, so that no memory is ever made")
        return self


def read_profiles(file: Path) -> tuple[Profile, ...]:
    """Those of a file. Raises OSError, YAMLError, or ValueError with all that is wrong."""
    told = WrittenProfiles.model_validate(yaml.safe_load(file.read_text("utf-8")))
    return tuple(Profile(**each.model_dump()) for each in told.profiles)


def _bad_grid(options: Namespace) -> list[str]:
    return [
        f"{name} must be whole numbers {low}..{high} with commas between, not {given!r:.60}"
        for name, given, low, high in (
            ("strengths", options.strengths, 1, 1_000),
            ("boosts", options.boosts, 0, 100),
        )
        if not all(_in_range(part, low, high) for part in given.split(","))
    ]


def _in_range(text: str, low: int, high: int) -> bool:
    return text.isascii() and text.isdigit() and low <= int(text[:9]) <= high


def _too_large(experiment: Experiment, options: Namespace) -> list[str]:
    cost = cost_of(experiment.forgetting(), experiment.conditions, experiment.profiles)
    if options.grid:
        cells = len(_numbers(options.strengths)) * len(_numbers(options.boosts))
        cost = Cost(cost.megabytes, cost.seconds * cells)
    if cost.megabytes <= MOST_MEGABYTES and cost.seconds <= MOST_SECONDS:
        return []
    return [
        f"too large: about {cost.megabytes:,.0f} MB and {cost.seconds:,.0f} s;"
        f" at most {MOST_MEGABYTES:,.0f} MB and {MOST_SECONDS:,.0f} s"
    ]


def _grid(experiment: Experiment, options: Namespace) -> Iterator[dict[str, Any]]:
    for strength in _numbers(options.strengths):
        profiles = tuple(_with_strength(p, strength) for p in experiment.profiles)
        for boost in _numbers(options.boosts):
            parameters = replace(experiment.parameters, useful_boost=boost)
            cell = replace(experiment, profiles=profiles, parameters=parameters)
            names = {"initial_strength": strength, "useful_boost": boost}
            yield names | cell.run().overall.to_json()


def _with_strength(profile: Profile, strength: int) -> Profile:
    return replace(profile, strength=strength)


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _print(summary: Summary, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(summary.to_json(), indent=2))
        return
    columns = f"{'created':>10}{'forgotten':>11}{'alive':>9}{'T0':>9}{'T1':>8}{'T2':>8}"
    print(f"{'':<24}{columns}{'mean life':>11}{'p90':>6}")
    for name, figures in {"all": summary.overall, **summary.profiles}.items():
        print(_row(name, figures))
    monthly = " ".join(str(count) for count in summary.overall.monthly_survivors)
    print(f"alive every 30 days: {monthly}")


def _row(name: str, figures: Figures) -> str:
    tiers = f"{figures.tiers[0]:>9}{figures.tiers[1]:>8}{figures.tiers[2]:>8}"
    life = f"{figures.mean_lifetime_days:>11.1f}{figures.p90_lifetime_days:>6}"
    gone = f"{figures.deletion_ratio:>11.1%}"
    return f"{name[:23]:<24}{figures.created:>10}{gone}{figures.survivors:>9}{tiers}{life}"


def _print_grid(rows: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    shown = ("initial_strength", "useful_boost", "created", "deletion_ratio", "survivors")
    shown += ("tier0", "tier1", "tier2", "mean_lifetime_days", "p90_lifetime_days")
    print("  ".join(shown))
    for row in rows:
        print("  ".join(f"{row[name]:>{len(name)}}" for name in shown))
