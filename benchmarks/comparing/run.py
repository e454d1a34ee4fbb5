"""The scoreboard: its command line, every system over every set, and what is printed."""

import asyncio
import importlib
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from ...core.embedding.hashed import HashedEmbedder
from ...core.model.conversation import ScopeKind
from ...core.ports import Embedder
from ...core.text.token_count import best_counter
from .. import machine
from ..command import emit, progress, workspace
from ..datasets.reading import Complaints, NoData
from ..living.installation import Learning
from ..living.run import embedder_of
from ..living.script import Life
from ..progress_bar import ProgressBar
from ..recall_quality_run import MODELS
from .asking import asked_of
from .axes import axes, costs
from .baselines import Baseline
from .sets import SOURCES, BoardSet, sets
from .system import MemorySystem
from .table import table
from .tidemark import Tidemark

SYSTEMS: Mapping[str, tuple[frozenset[str], bool]] = {
    "words": (frozenset({"words"}), False),
    "dense": (frozenset({"vectors"}), False),
    "fusion": (frozenset({"words", "vectors"}), False),
    "fusion-recorded": (frozenset({"words", "vectors"}), True),
}
"""Baselines: their legs, and whether the recorded facts are told to them."""

LEARNING: Mapping[str, tuple[Learning, str]] = {
    "tidemark": ("rules", "shared"),
    "tidemark-words": ("rules", "none"),
    "tidemark-hashed": ("rules", "hashed"),
    "tidemark-unlearnt": ("none", "shared"),
    "tidemark-recorded": ("recorded", "shared"),
}
"""The product: how it learns, and its embedder."""

USUAL = ("words", "dense", "fusion", "tidemark", "tidemark-recorded")


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if there is nothing to measure or the embedder is not installed."""
    options = _parser().parse_args(argv)
    complaints = Complaints()
    try:
        result = asyncio.run(_measure(options, complaints))
    except NoData as problem:
        print(problem, file=sys.stderr)
        return 2
    for problem in complaints.found:
        progress(f"left out: {problem}")
    if options.markdown is not None:
        options.markdown.write_text(table(result), "utf-8")
    emit(result, as_json=options.json)
    return 0


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.scoreboard")
    top.add_argument("--data", type=Path, required=True, help="folder with a folder per data set")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--markdown", type=Path, help="write the tables to this file")
    names = ", ".join([*SYSTEMS, *LEARNING])
    top.add_argument("--system", action="append", help=f"{names}, or module:Class; repeatable")
    top.add_argument("--set", action="append", choices=list(SOURCES), help="repeatable")
    top.add_argument("--questions", type=int, default=100, help="asked of a life, at most")
    top.add_argument("--embedder", choices=("local", "hashed", "none"), default="local")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--vectors", type=Path, help="keep vectors in this folder")
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    top.add_argument("--seed", type=int, default=1)
    return top


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    before, names = machine.load(), options.system or USUAL
    asked = sets(options.data, options.set or list(SOURCES), options.seed, complaints)
    if not asked:
        raise NoData(f"{options.data} has no set of the scoreboard")
    results: dict[str, dict[str, Any]] = {each.name: {} for each in asked}
    async with embedder_of(options) as (embedder, kept):
        for each in asked:
            for name in names:
                results[each.name][name] = await _compared(each, name, embedder, options)
                if kept is not None:
                    await kept.save()
    return {
        "benchmark": "scoreboard",
        "embedder": options.embedder,
        "seed": options.seed,
        "sets": results,
        "problems": complaints.found,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
    }


async def _compared(
    asked: BoardSet, name: str, embedder: Embedder | None, options: Namespace
) -> dict[str, Any]:
    progress(f"{asked.name}: {name}, {len(asked.lives)} lives")
    records: list[dict[str, Any]] = []
    calls, heard, megabytes, lines = 0, 0.0, 0.0, 0
    began = time.process_time()
    with ProgressBar(len(asked.lives)) as bar:
        for number, (life, idle) in enumerate(zip(asked.lives, asked.idle, strict=True), start=1):
            with workspace(options.folder) as folder:
                chance = Random(options.seed)
                system, learns = made(name, folder, embedder, life, chance)
                try:
                    found, seconds = await asked_of(
                        life, idle, system, learns=learns, most=options.questions, chance=chance
                    )
                finally:
                    calls += await system.close()
                megabytes += machine.size_mb(folder)
            records += found
            heard, lines = heard + seconds, lines + len(life.lines)
            bar.show(number)
    return {
        "axes": axes(records, options.seed),
        "costs": {
            **costs(records),
            "ms_per_message": round(1000 * heard / max(1, lines), 2),
            "model_calls": calls,
            "megabytes": round(megabytes, 1),
            "processor_seconds": round(time.process_time() - began, 1),
        },
    }


def made(
    name: str, folder: Path, embedder: Embedder | None, life: Life, chance: Random
) -> tuple[MemorySystem, bool]:
    """The system of a name for one life, and whether it is told the recorded facts.

    Raises NoData for a name that is none.
    """
    if name in SYSTEMS:
        legs, learns = SYSTEMS[name]
        if "vectors" in legs and embedder is None:
            raise NoData(f"{name} needs an embedder")
        return Baseline(embedder, best_counter()[0], chance, legs), learns
    if name in LEARNING:
        learning, own = LEARNING[name]
        shared = {"shared": embedder, "none": None, "hashed": HashedEmbedder()}[own]
        group = life.scope.kind is ScopeKind.GROUP
        return Tidemark(folder, shared, learning, group, life.language), learning == "recorded"
    module, colon, kind = name.partition(":")
    if not colon:
        raise NoData(f"no system is called {name}")
    try:
        return getattr(importlib.import_module(module), kind)(folder, embedder), True
    except (ImportError, AttributeError) as error:
        raise NoData(f"{name}: {error}") from error
