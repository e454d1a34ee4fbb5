"""The store benchmark: scopes of several sizes, then populations of many scopes."""

import asyncio
from argparse import Namespace
from collections.abc import Sequence
from typing import Any, cast, get_args

from . import machine
from .command import emit, parser, progress, target, whole_numbers, workspace
from .installation import Backend
from .population_speed import SCOPES, ManyScopes, measure_population
from .scope_speed import Plan, measure_scope

BACKENDS: tuple[Backend, ...] = get_args(Backend.__value__)
USUAL = "sqlite"
READY_WITHIN_MS = 1_000.0
STALL_MS = 50.0


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = parser("store", sizes="10000,100000")
    top.add_argument("--records", type=whole_numbers, default="100000,1000000")
    top.add_argument("--scopes", type=int, default=SCOPES, help=f"of --records, default {SCOPES}")
    top.add_argument("--queries", type=int, default=200, help="of each kind (default 200)")
    top.add_argument("--feedbacks", type=int, default=100, help="batches of ten (default 100)")
    top.add_argument("--restarts", type=int, default=5, help="cold starts (default 5)")
    top.add_argument(
        "--backends", type=_backends, default=USUAL, help=f"of {BACKENDS}, default {USUAL}"
    )
    options = top.parse_args(argv)
    emit(asyncio.run(measure(options)), as_json=options.json)
    return 0


async def measure(options: Namespace) -> dict[str, Any]:
    """Every backend and size in turn."""
    before = machine.load()
    scopes = [
        await _scope(backend, size, options)
        for backend in options.backends
        for size in options.sizes
    ]
    populations = [
        await _population(backend, records, options)
        for backend in options.backends
        for records in options.records
    ]
    return {
        "benchmark": "store",
        "seed": options.seed,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
        "scopes": scopes,
        "populations": populations,
        "targets": _targets([*scopes, *populations]),
    }


def _backends(text: str) -> tuple[Backend, ...]:
    names = text.split(",")
    if unknown := set(names) - set(BACKENDS):
        raise ValueError(f"no such backend: {unknown}")
    return tuple(cast("Backend", name) for name in names)


async def _scope(backend: Backend, size: int, options: Namespace) -> dict[str, Any]:
    progress(f"{backend}: one scope of {size}")
    plan = Plan(backend, size, options.seed, options.queries, options.feedbacks, options.restarts)
    with workspace(options.folder) as folder:
        return await measure_scope(plan, folder)


async def _population(backend: Backend, records: int, options: Namespace) -> dict[str, Any]:
    progress(f"{backend}: {records} records in {options.scopes} scopes")
    crowd = ManyScopes(backend, records, options.scopes, options.seed, options.restarts)
    with workspace(options.folder) as folder:
        return await measure_population(crowd, folder)


def _targets(measured: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Goals of the default backend."""
    installed = [each for each in measured if each["backend"] == "sqlite"]
    ready = max((each["cold_start"]["ready_ms"]["p50"] for each in installed), default=None)
    stalls = [beats["max"] for each in installed for beats in each["stalls"].values()]
    stall = max(stalls, default=None)
    return {
        "slowest_cold_start_p50_ms": target(READY_WITHIN_MS, ready),
        "longest_stall_ms": target(STALL_MS, stall),
    }
