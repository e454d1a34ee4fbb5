"""`python -m benchmarks.gate --data FOLDER [--fast]`: the one command a change is judged by.

One JSON with every figure that a change of recall, learning or sleep may move: of every set of the
data folder, and of the changes written for these benchmarks; the processor time of a turn, of its
recall and of single searches; what the embedded store does.

Every system hears the same lives, message by message with the clock of the data, and is asked the
same questions. `words` (BM25), `dense` (the embedder alone) and `fusion` (both by reciprocal rank)
are what anybody could build in an afternoon. `tidemark` is the product with everything on,
learning by rules, where a cycle of decay takes a year; `tidemark-words` and `tidemark-hashed` are
the same without the local embedder, `tidemark-recorded` learns from recorded replies. A line that
shows neighbours pays for them. With `--system` (repeatable) others are compared, and these alone:
`fusion-recorded` (with the recorded facts beside the turns), `tidemark-unlearnt`,
`tidemark-forgetting` (forgetting as it does by default), `tidemark-ranks` (fusion by the legs'
ranks), `tidemark-graphless`, and any `module:Class` of the contract in
`benchmarks/comparing/system.py`; with `--set` (repeatable) some sets alone. Then nothing else is
measured, with the vectors of `--embedder`.

Sets: `proactive` (ProactiveMemBench), `madial` (MADial-Bench), `locomo` (LoCoMo), `cdconv` (CDConv:
what contradicts itself), `longmemeval` (LongMemEval-S, `longmemeval_s*.json` in the folder
`longmemeval_s`), `beam` (BEAM, chats of 100K), `memdaily` (MemDaily), `changes`; a set whose folder
is missing is left out. Where the published ones are to be had: `benchmarks/data/README.md`. Beside
its own questions a life is asked turns that need nothing: everyday ones, openings, and questions
about other lives.

`--fast` takes a sample drawn with `--seed`, in some six minutes; without it the whole takes some
forty. `--resume FOLDER` keeps every life and part that is finished and takes it up again.
`--vectors FOLDER` keeps the vectors. `--against FILE` compares with an earlier run of the same
sample: `moved` names each figure that lies outside of the interval it had, and `worse` those of
them that moved for the worse; the exit code is then 1 if there is any.

Keys: `benchmark`, `fast`, `seed`, `commit`, `seconds`, `problems`, `machine` (see
`benchmarks.machine`); `sizes` (of each set `lives`, `messages`, `questions` and `idle` turns);
`sets` and `changes`: by set and system `axes`, `categories` and `costs`; `hashed` (the same of
vectors and fusion with hashed vectors); `turn` (see `benchmarks.turn`), `store` (see
`benchmarks.scale`); `moved`, `worse` with `--against`. An axis is {`n`, `value`, `low`, `high`}:
questions, figure, and the interval that 95 of 100 resamples of the questions lie in.

- `evidence@5`, `evidence@10`: mean share of what a question needs among the first 5 and 10 of the
  ranking; `in_200_tokens`, `in_400_tokens`, `in_1000_tokens`: in a block of at
  most so many
- `another's@10`, `shuffled@10`: controls; the same with what another question of that life needs,
  and with messages drawn by chance
- `served_precision`: of all lines shown to questions that need something, those that hold it
- `both_sides`: of questions about what contradicts itself, both statements are shown
- `gone`: of what questions need, what nothing that is remembered holds any more; `learnt`: of the
  recorded facts, those that something learnt rests on
- `silent_though_found`: nothing shown though the first 10 hold it
- `silent_when_idle`, `lines_when_idle`, `tokens_when_idle`: for turns that need nothing; `tokens`:
  for the others
- `abstention_auc`: how often a question that needs something is held for more certain to need it
  than one that does not
- `current_first`, `stale_shown`, `stale_unmarked`: after a change, of what is shown
- `categories`: by category of the questions `n`, `evidence@10` and `in_1000_tokens`, means
- `costs`: of a question `ms_p50` and `ms_p95` by the clock, `processor_ms_p50` and
  `processor_ms_p95` of the processor; `processor_ms_per_message` (hearing, learning and sleeping),
  `model_calls`, `megabytes` of the stores, `processor_seconds`
"""

import asyncio
import json
import time
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ..core.ports import Embedder
from . import machine, scale, turn
from .command import ALL, data_parser, emit, progress, workspace
from .comparing.asking import asked_of
from .comparing.axes import axes, categories, costs
from .comparing.catalogue import NAMES, made
from .comparing.keeping import Keeping
from .comparing.sets import SOURCES, BoardSet, Sample, Samples, sets
from .datasets.reading import Complaints, NoData
from .embedders import embedder_of, saved
from .living.script import IdleTurn, Life

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
type Limits = tuple[int, int, int]
"""Lives of a set, and of each its messages and questions."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of everything is measured; `own` of the sets that have limits of their own."""

    usual: Limits
    own: Mapping[str, Limits] = field(default_factory=dict[str, Limits])
    sizes: tuple[int, ...] = (1_000, 10_000)
    turns: int = 100
    store: int = 10_000

    def samples(self, seed: int) -> Samples:
        """Of all sets."""
        own = {name: Sample(*limits, seed, own=True) for name, limits in self.own.items()}
        return Samples(Sample(*self.usual, seed), own)


WHOLE = Extent((ALL, ALL, ALL), {"memdaily": (3, ALL, ALL)})
FAST = Extent(
    (1, 50, 12),
    # What they ask is told over the whole of a life.
    {"beam": (1, ALL, 12), "cdconv": (1, ALL, 12), "changes": (3, ALL, 8)},
    (1_000,),
    turns=40,
    store=1_000,
)


def main(argv: Sequence[str]) -> int:
    """Measure and print. 1 if a figure moved for the worse, 2 if there is nothing to measure."""
    top = data_parser("gate")
    top.add_argument("--fast", action="store_true", help="a sample, in some six minutes")
    top.add_argument("--set", action="append", choices=list(SOURCES), help="these alone")
    top.add_argument("--system", action="append", help=f"{', '.join(NAMES)}, or module:Class")
    top.add_argument("--resume", type=Path, help="keep what is finished here and take it up")
    top.add_argument("--against", type=Path, help="an earlier run's document")
    options = top.parse_args(argv)
    try:
        result = asyncio.run(_measured(options))
    except NoData as problem:
        progress(str(problem))
        return 2
    emit(result, as_json=True)
    return 1 if result.get("worse") else 0


async def _measured(options: Namespace) -> dict[str, Any]:
    began, before, commit = time.monotonic(), machine.load(), machine.commit()
    if options.resume is not None:
        # What is not committed may be anything: nothing of it is taken up.
        options.resume = None if commit.endswith("-dirty") else options.resume / commit
    board = _Board(options, FAST if options.fast else WHOLE)
    result = {
        "benchmark": "gate",
        "fast": options.fast,
        "seed": options.seed,
        "commit": commit,
        **await (_some if options.set or options.system else _everything)(board),
        "seconds": round(time.monotonic() - began, 1),
        "problems": [*dict.fromkeys(board.complaints.found)],
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
    }
    return result if options.against is None else result | compared(result, _read(options.against))


async def _some(board: "_Board") -> dict[str, Any]:
    options = board.options
    names, systems = options.set or (*SETS, *CHANGES), options.system or (*PLAIN, *OURS)
    return dict(await board.of(names, systems, options.embedder))


async def _everything(board: "_Board") -> dict[str, Any]:
    options, extent = board.options, board.extent
    usual = {"seed": options.seed, "folder": options.folder}
    turns = {"sizes": extent.sizes, "turns": extent.turns, "embedder": "hashed"}
    store = {"backends": ("sqlite",), "sizes": (extent.store,), "scope": extent.store}

    async def part(name: str, measure: Callable[[], Awaitable[Document]]) -> Document:
        """Measured, or taken up from an earlier run of this commit."""
        known = board.keeping.read("gate", name)
        if known is None:
            progress(f"gate: {name}")
            known = json.loads(json.dumps(await measure()))
            board.keeping.write(known, "gate", name)
        return known

    ours = await part("sets", lambda: board.of(SETS, (*PLAIN, *OURS), "local"))
    hashed = await part("hashed", lambda: board.of(SETS, ("dense", "fusion"), "hashed"))
    changes = await part("changes", lambda: board.of(CHANGES, (*PLAIN, *LEARNT), "local"))
    taken = await part("turn", lambda: turn.measure(Namespace(**usual, **turns)))
    filled = await part("store", lambda: scale.measure(Namespace(**usual, **store, queries=100)))
    return {
        "sizes": {**ours["sizes"], **changes["sizes"]},
        "sets": ours["sets"],
        "hashed": hashed["sets"],
        "changes": changes["sets"],
        "turn": taken["measured"],
        "store": filled["measured"],
    }


def _read(file: Path) -> Document:
    return json.loads(file.read_text("utf-8"))


class _Board:
    """Systems over sets, with one embedder at a time."""

    def __init__(self, options: Namespace, extent: Extent) -> None:
        self.options = options
        self.extent = extent
        self.complaints = Complaints()
        self.keeping = Keeping(options.resume, repr([extent, options.seed]))

    async def of(self, names: Sequence[str], systems: Sequence[str], embedder: str) -> Document:
        """Sizes of the sets that are there, and each system's figures. Raises NoData for none."""
        options = self.options
        asked = sets(options.data, names, self.extent.samples(options.seed), self.complaints)
        if not asked:
            raise NoData(f"{options.data} has none of {', '.join(names)}")
        chosen = {"embedder": embedder, "models": options.models, "vectors": options.vectors}
        async with embedder_of(Namespace(**chosen)) as shared:
            found = {
                each.name: {
                    name: await self._compared(each, name, shared, embedder) for name in systems
                }
                for each in asked
            }
        return {"sizes": {each.name: each.size for each in asked}, "sets": found}

    async def _compared(
        self, asked: BoardSet, name: str, shared: Embedder | None, embedder: str
    ) -> dict[str, Any]:
        """Axes and costs of one system over one set."""
        progress(f"{asked.name}: {name}, {len(asked.lives)} lives")
        told: list[Document] = []
        for life, idle in zip(asked.lives, asked.idle, strict=True):
            place = (embedder, asked.name, name, life.name)
            lived = self.keeping.read(*place)
            if lived is None:
                lived = await self._lived(life, idle, name, shared)
                self.keeping.write(lived, *place)
                await saved(shared)
            told.append(lived)
        return _summed(told, sum(len(life.lines) for life in asked.lives), self.options.seed)

    async def _lived(
        self, life: Life, idle: Sequence[IdleTurn], name: str, shared: Embedder | None
    ) -> dict[str, Any]:
        """The records of what was asked, and what it cost."""
        began, chance = time.process_time(), Random(self.options.seed)
        with workspace(self.options.folder) as folder:
            system, learns = made(name, folder, shared, life, chance)
            try:
                records, seconds = await asked_of(life, idle, system, learns=learns)
            finally:
                calls = await system.close()
            size = machine.size_mb(folder)
        return {
            "records": records,
            "hearing": seconds,
            "model_calls": calls,
            "megabytes": size,
            "processor_seconds": time.process_time() - began,
        }


def _summed(told: Sequence[Document], messages: int, seed: int) -> dict[str, Any]:
    records = [record for lived in told for record in lived["records"]]
    hearing = sum(lived["hearing"] for lived in told)
    return {
        "axes": axes(records, seed),
        "categories": categories(records),
        "costs": {
            **costs(records),
            "processor_ms_per_message": round(1000 * hearing / max(1, messages), 2),
            "model_calls": sum(lived["model_calls"] for lived in told),
            "megabytes": round(sum(lived["megabytes"] for lived in told), 1),
            "processor_seconds": round(sum(lived["processor_seconds"] for lived in told), 1),
        },
    }


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
