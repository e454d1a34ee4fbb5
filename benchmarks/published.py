"""`python -m benchmarks.published --data FOLDER`: retrieval in the units that others publish.

Recall at 5 and at 10, by turn and by session, of the published sets whose folders are there
(LongMemEval-S, LoCoMo, BEAM-100K, MemDaily), whole unless `--lives`, `--messages` or
`--questions` cut them; `--system` as in `benchmarks.gate` (by default words, dense, fusion and
tidemark). What is ranked is what the system ranks before it decides how much to
show; a session ranks by its best turn. Nothing is answered and no model is called.

    python -m benchmarks.published --data FOLDER --set longmemeval --json

Keys: `benchmark`, `embedder`, `messages`, `questions`, `seed` (the options), `seconds`, `problems`,
`machine` (see `benchmarks.machine`), `sizes` (of each set `lives`, `messages`, `questions`, `idle`:
turns that need nothing, not asked here), `digests` (SHA-256 over the names and digests of a
set's files, in the order of their names) and `sets`: by set, system and unit (`turn`, `session`)

- `any_at_5`, `any_at_10`: questions for which one of the first five or ten holds evidence
- `share_at_5`, `share_at_10`: the share of the evidence that they hold

each as {`n`, `value`, `low`, `high`} (questions, mean, and the interval that 95 of 100 resamples
lie in), and `categories`, where `any_at_5` and `share_at_10` are told by type of question. What a
question of LongMemEval without an answer ranks is not counted, as its authors do.
"""

import time
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from ..core.ports import Embedder
from .command import progress, run, sets_parser, workspace
from .comparing.asking import question_of, told
from .comparing.axes import Record, mean
from .comparing.catalogue import made
from .comparing.keeping import Keeping
from .comparing.sets import SOURCES, BoardSet, Sample, Samples, sets
from .datasets.reading import Complaints, NoData, digest_of
from .embedders import embedder_of, saved
from .living.script import Life, Part

SETS = ("longmemeval", "locomo", "beam", "memdaily", "precision", "halumem")
SYSTEMS = ("words", "dense", "fusion", "tidemark")
FIRST = (5, 10)
MEASURED = ("embedder", "messages", "questions", "seed")

type Unit = Callable[[str], str]


def session_of(label: str) -> str:
    """The session of a turn: what stands before the number of the turn."""
    return label.rpartition(":")[0] or label


UNITS: Mapping[str, Unit] = {"turn": str, "session": session_of}


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if there is no set or the embedder is not installed."""
    top = sets_parser("published", sets=SETS)
    top.add_argument("--system", action="append", help="repeatable")
    top.add_argument("--resume", type=Path, help="keep what is finished here and take it up")
    return run(top, _measured, argv)


async def _measured(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    began, names = time.monotonic(), options.system or SYSTEMS
    sample = Sample(options.lives, options.messages, options.questions, options.seed)
    boards = sets(options.data, options.set or SETS, Samples(sample), complaints)
    if not boards:
        raise NoData(f"{options.data} has no published set")
    keeping = Keeping(options.resume, repr([getattr(options, name) for name in MEASURED]))
    async with embedder_of(options) as embedder:
        found: dict[str, dict[str, Any]] = {}
        for board in boards:
            found[board.name] = {}
            for name in names:
                asked = await _asked(board, name, embedder, keeping, options)
                found[board.name][name] = _units(asked, options.seed)
                await saved(embedder)
    return {
        **{name: getattr(options, name) for name in MEASURED},
        "sizes": {board.name: board.size for board in boards},
        "digests": {board.name: digest_of(options.data / SOURCES[board.name]) for board in boards},
        "sets": found,
        "seconds": round(time.monotonic() - began, 1),
        "problems": complaints.found,
    }


async def _asked(
    board: BoardSet, name: str, embedder: Embedder | None, keeping: Keeping, options: Namespace
) -> list[Record]:
    progress(f"{board.name}: {name}, {len(board.lives)} lives")
    records: list[Record] = []
    for life in board.lives:
        kept = keeping.read(board.name, name, life.name)
        if kept is None:
            with workspace(options.folder) as folder:
                kept = {"records": await _ranked(life, name, folder, embedder, options.seed)}
            keeping.write(kept, board.name, name, life.name)
        records += kept["records"]
    return records


async def _ranked(
    life: Life, name: str, folder: Path, embedder: Embedder | None, seed: int
) -> list[Record]:
    """A record of each question: for each unit and number the share of the evidence."""
    system, learns = made(name, folder, embedder, life, Random(seed))
    try:
        await told(life, system, learns=learns)
        records: list[Record] = []
        for need in life.needs:
            answer = await system.block(question_of(life, need.text, need.before, need))
            await system.answered()
            ranked = [item.ids for item in answer.ranked]
            held = {
                f"{unit}@{first}": held_in(need.parts, ranked, first, of)
                for unit, of in UNITS.items()
                for first in FIRST
            }
            records.append({"category": need.category, **held})
        return records
    finally:
        await system.close()


def held_in(
    parts: Sequence[Part], ranked: Iterable[frozenset[str]], first: int, unit: Unit
) -> float:
    """The share of the parts that the first units of a ranking of turns hold."""
    seen: dict[frozenset[str], None] = {}
    for ids in ranked:
        if ids:
            seen.setdefault(frozenset(map(unit, ids)))
        if len(seen) == first:
            break
    units = frozenset[str]().union(*seen)
    wanted = {frozenset(map(unit, part.labels)) for part in parts}
    return sum(bool(each & units) for each in wanted) / len(wanted)


def _units(records: Sequence[Record], seed: int) -> dict[str, Any]:
    by_category: defaultdict[str, list[Record]] = defaultdict(list)
    for each in records:
        by_category[str(each["category"])].append(each)
    found: dict[str, Any] = {}
    for unit in UNITS:
        found[unit] = {
            f"{name}_at_{first}": dict(mean(records, _figure(unit, first, of), seed))
            for first in FIRST
            for name, of in _FIGURES.items()
        }
        found[unit]["categories"] = {
            category: {
                "n": len(own),
                "any_at_5": _plain(own, _figure(unit, 5, _FIGURES["any"])),
                "share_at_10": _plain(own, _figure(unit, 10, _FIGURES["share"])),
            }
            for category, own in sorted(by_category.items())
        }
    return found


_FIGURES: Mapping[str, Callable[[float], float]] = {
    "any": lambda share: float(share > 0.0),
    "share": float,
}


def _figure(unit: str, first: int, of: Callable[[float], float]) -> Callable[[Record], float]:
    return lambda record: of(record[f"{unit}@{first}"])


def _plain(records: Sequence[Record], figure: Callable[[Record], float]) -> float:
    return round(sum(map(figure, records)) / len(records), 4)
