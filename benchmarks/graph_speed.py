"""The graph benchmark: PageRank at several sizes, and what a recall asks of it."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

from ..core.graph.walking import personalised_pagerank
from ..core.languages.entity_matching import candidates
from ..core.model.conversation import Scope, ScopeKind
from ..core.model.knowledge import Entity
from ..core.model.memory import Access, Extractor, Kind, Memory, Source, Vitality
from ..core.recall.graph_proximity import closeness
from ..core.text.display_names import entity_id
from . import machine
from .command import emit, parser, target
from .figures import Spread, spread, timed

EDGES_A_NODE = 4
CANDIDATES, NAMES = 60, 40
LIMIT_MS = 5.0
LIMIT_NODES = 5_000

_SCOPE = Scope(ScopeKind.PRIVATE, "bench", "1").key


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = parser("graph", sizes="1000,5000")
    top.add_argument("--runs", type=int, default=200, help="of each kind (default 200)")
    options = top.parse_args(argv)
    emit(measure(options), as_json=options.json)
    return 0


def measure(options: Namespace) -> dict[str, Any]:
    """Every size in turn, then the parts of a recall."""
    before = machine.load()
    pagerank = [_pagerank(size, options) for size in options.sizes]
    in_reach = [each["ms"]["p50"] for each in pagerank if each["nodes"] <= LIMIT_NODES]
    chance = Random(options.seed)
    records = {memory.id: memory for memory in (_memory(chance, at) for at in range(CANDIDATES))}
    asked = entity_id("Where did 小雨 go with Rosa last week? " * 60)[:2_000]
    return {
        "benchmark": "graph",
        "seed": options.seed,
        "pagerank": pagerank,
        "closeness_ms": _timed(lambda: closeness(records, ["name 1", "name 2"]), options.runs),
        "candidates_ms": _timed(lambda: candidates(asked), options.runs),
        "targets": {"pagerank_p50_ms": target(LIMIT_MS, max(in_reach, default=None))},
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
    }


def _pagerank(nodes: int, options: Namespace) -> dict[str, Any]:
    chance = np.random.default_rng(options.seed)
    edges = chance.integers(0, nodes, (EDGES_A_NODE * nodes, 2))
    seeds = dict.fromkeys(chance.integers(0, nodes, 3).tolist(), 1.0)
    once = _timed(lambda: personalised_pagerank(edges, seeds, nodes=nodes), options.runs)
    return {"nodes": nodes, "edges": len(edges), "ms": once}


def _timed(work: Callable[[], object], runs: int) -> Spread:
    samples: list[float] = []
    for _ in range(runs):
        with timed() as watch:
            work()
        samples.append(watch.milliseconds)
    return spread(samples)


def _memory(chance: Random, number: int) -> Memory:
    names = [f"name {chance.randrange(NAMES)}" for _ in range(3)]
    return Memory(
        id=f"m{number}",
        scope=_SCOPE,
        kind=Kind.EVIDENCE,
        text="",
        summary="",
        created_at=0.0,
        happened_at=0.0,
        vitality=Vitality(1),
        access=Access(0.0, 0.0),
        source=Source.USER,
        extractor=Extractor.TURN,
        entities=tuple(Entity(name, name) for name in names),
    )
