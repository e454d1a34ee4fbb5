"""`dev.py fuzz`: whatever people and models type, nothing breaks, leaks or is lost."""

import argparse
import json
import random
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .fuzzing import commands, config, isolation, replies
from .fuzzing.findings import Findings

type Fuzz = Callable[[int, int], Awaitable[Findings]]

KINDS: Mapping[str, Fuzz] = MappingProxyType(
    {
        commands.KIND: commands.run,
        config.KIND: config.run,
        replies.KIND: replies.run,
        isolation.KIND: isolation.run,
    }
)
"""What can be fuzzed: each takes a number of cases and a seed."""


@dataclass(frozen=True, slots=True)
class FuzzOutcome:
    """One kind of input: cases tried, seconds taken and the findings as JSON values."""

    cases: int
    seconds: float
    findings: list[dict[str, Any]]


async def main(arguments: argparse.Namespace, workspace: Path) -> int:
    """0 if every case held, else 1."""
    seed = random.randrange(2**32) if arguments.seed is None else arguments.seed
    outcomes: dict[str, FuzzOutcome] = {}
    for kind in [arguments.only] if arguments.only else KINDS:
        outcomes[kind] = await _tried(KINDS[kind], arguments.cases, seed)
        if not arguments.json:
            _tell(kind, outcomes[kind], seed)
    if arguments.json:
        json.dump(summary(seed, outcomes), sys.stdout, indent=2)
        print()
    return 1 if any(outcome.findings for outcome in outcomes.values()) else 0


def summary(seed: int, outcomes: Mapping[str, FuzzOutcome]) -> dict[str, Any]:
    """All outcomes as one JSON value."""
    kinds = {
        kind: {"cases": outcome.cases, "seconds": outcome.seconds, "findings": outcome.findings}
        for kind, outcome in outcomes.items()
    }
    return {"seed": seed, "kinds": kinds}


async def _tried(fuzz: Fuzz, cases: int, seed: int) -> FuzzOutcome:
    began = time.monotonic()
    findings = await fuzz(cases, seed)
    return FuzzOutcome(cases, round(time.monotonic() - began, 1), findings.listed())


def _tell(kind: str, outcome: FuzzOutcome, seed: int) -> None:
    print(
        f"{kind}: {outcome.cases} cases in {outcome.seconds} s, seed {seed},"
        f" {len(outcome.findings)} findings",
        flush=True,
    )
    for finding in outcome.findings:
        print(f"  {finding['problem']} ({finding['seen']} times, first case {finding['case']})")
        print(f"    {finding['input']}", flush=True)
