"""The gate: every set, the cost of a turn and the store's speed in one document."""

import asyncio
import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import machine, scale_cost, turn_run
from ..command import MODELS, emit, progress
from ..datasets.reading import Complaints, NoData
from .keeping import Keeping
from .run import board_parser, measured

SETS = ("proactive", "madial", "locomo", "cdconv", "beam", "memdaily")
CHANGES = ("changes",)
OURS = ("tidemark", "tidemark-hashed", "tidemark-words")
PLAIN = ("words", "dense", "fusion")
LEARNT = ("tidemark", "tidemark-recorded")

LESS_IS_BETTER = (
    *("stale_unmarked", "gone", "silent_though_found"),
    *("lines_when_idle", "tokens_when_idle", "stale_shown"),
)
NO_MERIT = ("tokens", "another's@10", "shuffled@10", "learnt")

type Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of everything is measured: lives of a set, of each its messages and questions."""

    lives: int
    messages: int
    questions: int
    own: Mapping[str, tuple[int, int, int]] = field(default_factory=dict[str, Any])
    recalls: tuple[int, ...] = (1_000, 10_000)
    asked: int = 100
    store: int = 10_000


MUCH = 1_000_000
WHOLE = Extent(MUCH, MUCH, MUCH, {"memdaily": (3, MUCH, MUCH)})
FAST = Extent(
    1,
    50,
    12,
    # What they ask is told over the whole of a life.
    {"beam": (1, MUCH, 12), "cdconv": (1, MUCH, 12), "changes": (3, MUCH, 8)},
    (1_000,),
    asked=40,
    store=1_000,
)


def main(argv: Sequence[str]) -> int:
    """Measure and print. 1 if a figure moved for the worse, 2 if there is nothing to measure."""
    options = _parser().parse_args(argv)
    try:
        result = asyncio.run(_measure(options))
    except NoData as problem:
        progress(str(problem))
        return 2
    emit(result, as_json=True)
    return 1 if result.get("worse") else 0


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.gate")
    top.add_argument("--data", type=Path, required=True, help="folder with a folder per data set")
    top.add_argument("--fast", action="store_true", help="a sample, in some six minutes")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--vectors", type=Path, help="keep vectors in this folder")
    top.add_argument("--resume", type=Path, help="keep what is finished here and take it up")
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    top.add_argument("--against", type=Path, help="an earlier run's document")
    top.add_argument("--seed", type=int, default=1)
    return top


async def _measure(options: Namespace) -> dict[str, Any]:
    extent, began, before = FAST if options.fast else WHOLE, time.monotonic(), machine.load()
    complaints, commit = Complaints(), machine.commit()
    if options.resume is not None:
        # What is not committed may be anything: nothing of it is taken up.
        options.resume = None if commit.endswith("-dirty") else options.resume / commit
    keeping = Keeping(options.resume, repr([options.fast, options.seed]))

    async def part(name: str, made: Callable[[], Awaitable[Document]]) -> Document:
        """Measured, or taken up from an earlier run of this commit."""
        known = keeping.read("gate", name)
        if known is None:
            progress(f"gate: {name}")
            known = json.loads(json.dumps(await made()))
            keeping.write(known, "gate", name)
        return known

    async def board(sets: Sequence[str], systems: Sequence[str], embedder: str) -> Document:
        return await measured(_board(options, extent, sets, systems, embedder), complaints)

    ours = await part("sets", lambda: board(SETS, (*PLAIN, *OURS), "local"))
    hashed = await part("hashed", lambda: board(SETS, ("dense", "fusion"), "hashed"))
    changes = await part("changes", lambda: board(CHANGES, (*PLAIN, *LEARNT), "local"))
    turn = await part("turn", lambda: turn_run.measure(_turns(options, extent)))
    store = await part("store", lambda: scale_cost.measure(_store(options, extent)))
    result = {
        "benchmark": "gate",
        "fast": options.fast,
        "seed": options.seed,
        "commit": commit,
        "sizes": {**ours["sizes"], **changes["sizes"]},
        "sets": ours["sets"],
        "hashed": hashed["sets"],
        "changes": changes["sets"],
        "turn": turn["measured"],
        "store": store["measured"],
        "seconds": round(time.monotonic() - began, 1),
        "problems": [*dict.fromkeys(complaints.found)],
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
    }
    return result if options.against is None else result | compared(result, _read(options.against))


def _read(file: Path) -> Document:
    return json.loads(file.read_text("utf-8"))


def _board(
    options: Namespace, extent: Extent, sets: Sequence[str], systems: Sequence[str], embedder: str
) -> Namespace:
    """The scoreboard's options, of which only what differs from its defaults is told."""
    told = ["--data", str(options.data), "--seed", str(options.seed), "--embedder", embedder]
    told += ["--models", str(options.models)]
    told += [word for name in sets for word in ("--set", name)]
    told += [word for name in systems for word in ("--system", name)]
    for name in ("vectors", "resume", "folder"):
        if (given := getattr(options, name)) is not None:
            told += [f"--{name}", str(given)]
    told += ["--lives", str(extent.lives), "--messages", str(extent.messages)]
    told += ["--questions", str(extent.questions)]
    for name, limits in extent.own.items():
        if name in sets:
            told += ["--sample", f"{name}={':'.join(map(str, limits))}"]
    return board_parser().parse_args(told)


def _turns(options: Namespace, extent: Extent) -> Namespace:
    own = {"sizes": extent.recalls, "turns": extent.asked, "embedder": "hashed"}
    return Namespace(**own, seed=options.seed, folder=options.folder)


def _store(options: Namespace, extent: Extent) -> Namespace:
    own = {"backends": ("sqlite",), "sizes": (extent.store,), "scope": extent.store, "queries": 100}
    return Namespace(**own, seed=options.seed, folder=options.folder)


def compared(after: Document, before: Document) -> dict[str, list[str]]:
    """The figures that lie outside of the interval they had, and those that are the worse for it.

    Raises NoData if the two runs are of different samples.
    """
    if (after["fast"], after["seed"]) != (before["fast"], before["seed"]):
        raise NoData("the other run is of another sample")
    moved, worse = list[str](), list[str]()
    for where, axis, now, then in _pairs(after, before):
        if axis in NO_MERIT or then["low"] <= now["value"] <= then["high"]:
            continue
        told = f"{where}, {axis}: {then['value']:.3f} to {now['value']:.3f}"
        moved.append(told)
        if (now["value"] > then["value"]) is (axis in LESS_IS_BETTER):
            worse.append(told)
    return {"moved": moved, "worse": worse}


def _pairs(after: Document, before: Document) -> Iterator[tuple[str, str, Any, Any]]:
    """Each figure of the product that both runs have, with its place and its axis."""
    for part in ("sets", "changes"):
        for name, systems in after[part].items():
            for system in systems:
                then = before[part].get(name, {}).get(system)
                if then is None or not system.startswith("tidemark"):
                    continue
                for axis, now in systems[system]["axes"].items():
                    if axis in then["axes"]:
                        yield f"{name}, {system}", axis, now, then["axes"][axis]
