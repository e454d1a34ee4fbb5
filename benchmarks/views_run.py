"""The benchmark of views: its command line, the runs, and their figures."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np

from ..core.model.conversation import Role
from ..core.ports import Embedder, Filter, MemoryStore, Vector
from . import machine
from .command import printed, progress, workspace
from .datasets import madial, proactive
from .datasets.reading import Complaints
from .datasets.world import World
from .figures import timed
from .recall_quality_answers import Answered, Views, ask_all
from .recall_quality_figures import mean, mean_scores, scores
from .recall_quality_run import MODELS, chosen_embedder

RECORDED = "recorded"
"""Cues as text of the memory alone: what the views by cues are compared with."""

DRAWN = 2_000
"""Samples of the questions, with replacement, of which an interval is made."""

MOST_TIMED = 40
"""Questions of a world whose search by meaning is timed."""


@dataclass(slots=True)
class Run:
    """One source of views over every world: the answers, and what its vectors cost."""

    answered: list[Answered] = field(default_factory=list[Answered])
    memories: int = 0
    vectors: int = 0
    size: int = 0
    spent: list[float] = field(default_factory=list[float])
    named: list[bool] = field(default_factory=list[bool])


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if there is nothing to measure or the embedder is not installed."""
    options = _parser().parse_args(argv)
    complaints = Complaints()
    measure = partial(_measure, options, complaints)
    return printed(measure, as_json=options.json, complaints=complaints)


def digest(text: str) -> str:
    """What names a memory's text in a file of cues."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.views")
    top.add_argument("--data", type=Path, required=True, help="folder with the data set's files")
    top.add_argument("--dataset", choices=("madial", "proactive"), required=True)
    top.add_argument("--cues", type=Path, help="recorded cues by the digest of a memory's text")
    top.add_argument("--embedder", choices=("local", "hashed"), default="local")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--vectors", type=Path, help="keep vectors of documents in this folder")
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    top.add_argument("--seed", type=int, default=1)
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    return top


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    cues = {} if options.cues is None else json.loads(options.cues.read_text("utf-8"))
    worlds = _worlds(options, complaints)
    told = [_with_cues(world, cues) for world in worlds]
    plans: dict[str, tuple[Sequence[World], Views]] = {
        "off": (worlds, "off"),
        "clauses": (worlds, "clauses"),
    }
    if cues:
        plans |= {RECORDED: (told, "off"), "cues": (told, "cues")}
    runs: dict[str, Run] = {}
    async with chosen_embedder(options) as embedder:
        assert embedder is not None
        for name, (these, views) in plans.items():
            progress(name)
            runs[name] = await _run(these, embedder, views, options)
    return {
        "benchmark": "views",
        "dataset": options.dataset,
        "embedder": options.embedder,
        "seed": options.seed,
        "memories": runs["off"].memories,
        "with_cues": sum(bool(memory.cues) for world in told for memory in world.memories),
        "questions": len(_counted(runs["off"])),
        "by_views": {name: _figures(run, runs["off"]) for name, run in runs.items()},
        "problems": complaints.found,
        "machine": machine.facts(),
    }


def _worlds(options: Namespace, complaints: Complaints) -> list[World]:
    if options.dataset == "madial":
        return madial.read(options.data, complaints)
    worlds = [half_year.world() for half_year in proactive.read(options.data, complaints)]
    return worlds if options.cues is None else list(map(_as_learnt, worlds))


def _as_learnt(world: World) -> World:
    """Each turn of the person as a memory that was learnt: cues of raw turns are no views."""
    memories = tuple(
        madial.memory_of(said.label, said.text, world.scope, said.at)
        for said in world.turns
        if said.role is Role.USER
    )
    labels = frozenset(memory.id for memory in memories)
    probes = (replace(probe, gold=probe.gold & labels) for probe in world.probes)
    return replace(
        world, turns=(), memories=memories, probes=tuple(probe for probe in probes if probe.gold)
    )


def _with_cues(world: World, cues: Mapping[str, Sequence[str]]) -> World:
    memories = [
        replace(memory, cues=tuple(cues.get(digest(memory.text), ()))) for memory in world.memories
    ]
    return replace(world, memories=tuple(memories))


async def _run(
    worlds: Sequence[World], embedder: Embedder, views: Views, options: Namespace
) -> Run:
    run = Run()
    fingerprint = (await embedder.identity()).fingerprint
    for world in worlds:
        progress(f"{world.name}: {len(world.turns)} turns, {len(world.probes)} questions")
        queries = [await embedder.embed_query(one.text) for one in world.probes[:MOST_TIMED]]
        look = partial(_costs, run, queries, fingerprint, frozenset({world.scope.key}))
        with workspace(options.folder) as folder:
            chance = Random(options.seed)
            run.answered += await ask_all(
                world, folder, embedder, without=frozenset(), chance=chance, views=views, look=look
            )
    return run


async def _costs(
    run: Run,
    queries: Sequence[Vector],
    fingerprint: str,
    scopes: frozenset[str],
    store: MemoryStore,
) -> None:
    ids = [memory.id async for memory in store.iterate(Filter(status=None))]
    for each in (await store.vectors(ids)).values():
        run.memories += 1
        run.vectors += 1 + len(each.views)
        run.size += 2 * each.vector.size * (1 + len(each.views))
    for query in queries:
        with timed() as watch:
            hits = await store.search_vector(query, fingerprint, scopes)
        run.spent.append(watch.milliseconds)
        run.named.append(bool(hits and hits[0].view))


def _figures(run: Run, off: Run) -> dict[str, Any]:
    counted, plain = _counted(run), _counted(off)
    own, before = (
        [scores(one.ranked, one.probe.gold)["recall@5"] for one in each]
        for each in (counted, plain)
    )
    whole = mean_scores([scores(one.ranked, one.probe.gold) for one in counted])
    more = {f"{name}_more": _difference(counted, plain, name) for name in ("recall@5", "recall@10")}
    return {
        "vectors": round(run.vectors / run.memories, 2),
        "megabytes": round(run.size / 1e6, 2),
        **{name: whole[name] for name in ("recall@5", "recall@10", "mrr")},
        **more,
        "evidence_in_1000_tokens": mean(len(o.wide) / len(o.probe.gold) for o in counted),
        "silent": mean(not one.served for one in counted),
        "gained": sum(a > b for a, b in zip(own, before, strict=True)),
        "lost": sum(a < b for a, b in zip(own, before, strict=True)),
        "search_ratio": round(median(run.spent) / median(off.spent), 2),
        "named": mean(run.named),
    }


def _difference(own: Sequence[Answered], before: Sequence[Answered], name: str) -> list[float]:
    """How much more of it there is: the mean, and where .95 of means of questions drawn lie."""
    differences = np.array(
        [
            scores(a.ranked, a.probe.gold)[name] - scores(b.ranked, b.probe.gold)[name]
            for a, b in zip(own, before, strict=True)
        ]
    )
    drawn = np.random.default_rng(1).choice(differences, (DRAWN, len(differences))).mean(axis=1)
    found = (differences.mean(), *np.percentile(drawn, [2.5, 97.5]))
    return [round(float(each), 4) for each in found]


def _counted(run: Run) -> list[Answered]:
    return [one for one in run.answered if one.probe.counted]
