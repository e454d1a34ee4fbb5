"""The benchmark of published embedders: its command line, its runs, and their figures."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from . import machine
from .command import printed, progress, workspace
from .datasets import madial, published_ranks
from .datasets.published_ranks import Ranks
from .datasets.reading import Complaints
from .datasets.world import World
from .ranked_embedder import ranked_embedder
from .recall_quality_answers import Answered, ask_all
from .recall_quality_figures import found, mean_scores, scores

MEASURED = ("recall@5", "recall@10")
CLASSES = {"strong": True, "dense": False}


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if there is nothing to measure."""
    top = ArgumentParser(prog="benchmarks.published_embedders")
    top.add_argument("--data", type=Path, required=True, help="folder with the data set's files")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    top.add_argument("--seed", type=int, default=1)
    options, complaints = top.parse_args(argv), Complaints()
    measure = partial(_measure, options, complaints)
    return printed(measure, as_json=options.json, complaints=complaints)


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    worlds, before = madial.read(options.data, complaints), machine.load()
    published = published_ranks.read(options.data, complaints)
    told = {
        name: await _compared(name, ranks, worlds, options) for name, ranks in published.items()
    }
    least = {
        each: round(
            min(one[each][axis] - one["own"][axis] for one in told.values() for axis in MEASURED), 4
        )
        for each in CLASSES
    }
    return {
        "benchmark": "published_embedders",
        "seed": options.seed,
        "dialogues": sum(len(world.probes) for world in worlds),
        "embedders": told,
        "least": least,
        "problems": complaints.found,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
    }


async def _compared(
    name: str, ranks: Ranks, worlds: Sequence[World], options: Namespace
) -> dict[str, dict[str, float]]:
    progress(name)
    figures = {"own": _own(ranks, worlds)}
    for each, strong in CLASSES.items():
        answered: list[Answered] = []
        for world in worlds:
            chance = Random(options.seed)
            embedder = ranked_embedder(name, world, ranks, chance, strong=strong)
            with workspace(options.folder) as folder:
                # The ranks know nothing of what was said before a question.
                answered += await ask_all(
                    world, folder, embedder, without=frozenset(), chance=chance, talks=False
                )
        of_all = mean_scores([scores(one.ranked, one.probe.gold) for one in answered])
        silent = fmean(not one.served for one in answered)
        figures[each] = {axis: of_all[axis] for axis in MEASURED} | {"silent": round(silent, 4)}
    return figures


def _own(ranks: Ranks, worlds: Sequence[World]) -> dict[str, float]:
    """What its own first 5 and 10 hold."""
    asked = [probe for world in worlds for probe in world.probes]
    orders = [ranks.get(tuple(said.text for said in probe.before), ()) for probe in asked]
    pairs = list(zip(asked, orders, strict=True))

    def share(count: int) -> float:
        held = (
            len(found([frozenset(order[:count])], probe.gold)) / len(probe.gold)
            for probe, order in pairs
        )
        return round(fmean(held), 4)

    return {f"recall@{count}": share(count) for count in (5, 10)}
