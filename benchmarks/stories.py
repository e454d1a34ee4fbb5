"""`python -m benchmarks.stories --data FOLDER --json`: which stories of a life become threads?

`--data` has `locomo_dev`. Its conversations are told to the product with their recorded facts, it
sleeps as it does, and the threads that it has at the end are held against stories listed by hand
(`data/stories.json`: the turns in which each is told). No model words them here.

| option | default | |
|---|---|---|
| `--models` | `.astrbot-dev/models` | the local embedding model |
| `--vectors` | none | folder in which vectors of documents are kept from run to run |
| `--seed` | `1` | |

Keys: `benchmark`, `seed`, `machine`; `lives`: by conversation `threads`, `lines` (mean of a thread)
and `stories`, by story the greatest share of its turns that one thread tells; `found` is the share
of all stories of which a thread tells at least `LEAST`.
"""

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from ..core.ports import Embedder
from .command import ALL, progress, run, sets_parser, workspace
from .comparing.asking import told
from .comparing.catalogue import made
from .comparing.sets import Sample, Samples, sets
from .comparing.tidemark import Tidemark
from .datasets.reading import Complaints
from .embedders import embedder_of
from .living.script import Life

LISTED = Path(__file__).parent / "data" / "stories.json"
LEAST = 0.5

type Turns = frozenset[str]


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if there is nothing to measure or the embedder is not installed."""
    return run(sets_parser("stories", sets=("locomo",)), measured, argv)


async def measured(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    """Every life that has stories listed."""
    listed: Mapping[str, Mapping[str, Sequence[str]]] = json.loads(LISTED.read_text("utf-8"))
    samples = Samples(Sample(ALL, ALL, 0, options.seed), {})
    [board] = sets(options.data, ["locomo"], samples, complaints)
    lives: dict[str, Any] = {}
    async with embedder_of(options) as embedder:
        for life in board.lives:
            if life.name in listed:
                progress(life.name)
                threads = await _threads(life, embedder, options)
                lives[life.name] = {
                    "threads": len(threads),
                    "lines": round(sum(map(len, threads)) / max(1, len(threads)), 1),
                    "stories": {
                        name: round(max((_share(turns, own) for own in threads), default=0.0), 2)
                        for name, turns in listed[life.name].items()
                    },
                }
    shares = [share for each in lives.values() for share in each["stories"].values()]
    return {
        "seed": options.seed,
        "lives": lives,
        "found": round(sum(share >= LEAST for share in shares) / max(1, len(shares)), 3),
        "problems": complaints.found,
    }


async def _threads(life: Life, embedder: Embedder | None, options: Namespace) -> list[list[Turns]]:
    """Of each thread at the end of a life, by line the turns that are told."""
    with workspace(options.folder) as folder:
        system, learns = made("tidemark-recorded", folder, embedder, life, Random(options.seed))
        assert isinstance(system, Tidemark)
        system.recalls = False
        try:
            await told(life, system, learns=learns)
            return await system.threads()
        finally:
            await system.close()


def _share(turns: Sequence[str], thread: Sequence[Turns]) -> float:
    said = {label.rpartition("/")[2] for label in frozenset[str]().union(*thread)}
    return len(said.intersection(turns)) / len(turns)
