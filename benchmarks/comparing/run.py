"""The scoreboard: its command line, every system over every set, and what is printed."""

import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from ...core.ports import Embedder
from .. import machine
from ..command import progress, run, workspace
from ..datasets.reading import Complaints, NoData
from ..embedders import embedder_of, saved
from ..living.script import IdleTurn, Life
from ..progress_bar import ProgressBar
from .asking import Step, asked_of
from .axes import axes, categories, costs
from .catalogue import NAMES, USUAL, made
from .command_line import parser
from .download import PUBLISHED, download
from .keeping import Keeping, Lived
from .sets import SOURCES, BoardSet, Sample, Samples, sets

MEASURED = ("embedder", "messages", "questions", "seed")
"""Options that decide a life's figures: only what was measured with the same is taken up again."""


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if there is nothing to measure or the embedder is not installed."""
    return run(board_parser(), measured, argv)


def board_parser() -> ArgumentParser:
    """The scoreboard's options."""
    top = parser("scoreboard", sets=SOURCES)
    top.add_argument("--download", action="store_true", help="fetch sets that can be had by git")
    top.add_argument("--system", action="append", help=f"{', '.join(NAMES)}, or module:Class")
    top.add_argument(
        "--sample", action="append", type=_sample, default=[], help="SET=LIVES:MESSAGES:QUESTIONS"
    )
    top.add_argument("--resume", type=Path, help="keep what is finished here and take it up")
    top.add_argument(
        "--finished", action="store_true", help="measure nothing: the lives that all have finished"
    )
    return top


async def measured(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    """Every system over every set. Raises NoData if there is none."""
    before, names, began = machine.load(), options.system or USUAL, time.monotonic()
    for name in options.set or PUBLISHED if options.download else ():
        if name in PUBLISHED:
            download(PUBLISHED[name], options.data)
    usual = Sample(options.lives, options.messages, options.questions, options.seed)
    own = {
        name: Sample(lives, messages, questions, options.seed, own=True)
        for name, (lives, messages, questions) in options.sample
    }
    samples = Samples(usual, own)
    asked = sets(options.data, options.set or list(SOURCES), samples, complaints)
    if not asked:
        raise NoData(f"{options.data} has no set of the scoreboard")
    keeping = {each.name: _keeping(options, samples.of(each.name)) for each in asked}
    pairs = [(each, tuple(names)) for each in asked]
    if options.finished:
        pairs = [
            pair for each in asked if (pair := _finished(each, names, keeping[each.name]))[0].lives
        ]
    async with embedder_of(options) as embedder:
        board = _Board(embedder, keeping, options.folder, options.seed, machine.commit())
        results = {
            each.name: {name: await board.compared(each, name) for name in own}
            for each, own in pairs
        }
    return {
        "benchmark": "scoreboard",
        **{name: getattr(options, name) for name in (*MEASURED, "lives")},
        "sizes": {each.name: each.size for each, _ in pairs},
        "samples": {
            name: {"lives": each.lives, "messages": each.messages, "questions": each.questions}
            for name, each in own.items()
        },
        "sets": results,
        "seconds": round(time.monotonic() - began, 1),
        "commits": sorted(board.measured),
        "problems": complaints.found,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
    }


def _sample(written: str) -> tuple[str, tuple[int, int, int]]:
    name, _, told = written.partition("=")
    try:
        lives, messages, questions = map(int, told.split(":"))
    except ValueError as error:
        raise ArgumentTypeError(f"not SET=LIVES:MESSAGES:QUESTIONS: {written}") from error
    if name not in SOURCES:
        raise ArgumentTypeError(f"no set is called {name}")
    return name, (lives, messages, questions)


def _keeping(options: Namespace, sample: Sample) -> Keeping:
    measured = vars(options) | {"messages": sample.messages, "questions": sample.questions}
    return Keeping(options.resume, repr([measured[name] for name in MEASURED]))


@dataclass(frozen=True, slots=True)
class _Board:
    embedder: Embedder | None
    keeping: Mapping[str, Keeping]
    folder: Path | None
    seed: int
    commit: str
    measured: set[str] = field(default_factory=set[str])
    """The commits of all that was told of."""

    async def compared(self, asked: BoardSet, name: str) -> dict[str, Any]:
        """Axes and costs of one system over one set."""
        progress(f"{asked.name}: {name}, {len(asked.lives)} lives")
        told: list[Lived] = []
        steps, keeping = count(1), self.keeping[asked.name]
        with ProgressBar(asked.steps) as bar:
            for life, idle in zip(asked.lives, asked.idle, strict=True):
                lived = keeping.find(asked.name, name, life.name)
                if lived is None:
                    lived = await self._lived(life, idle, name, lambda: bar.show(next(steps)))
                    keeping.keep(lived, asked.name, name, life.name)
                    await saved(self.embedder)
                told.append(lived)
                self.measured.add(lived.commit)
        return _summed(told, sum(len(life.lines) for life in asked.lives), self.seed)

    async def _lived(self, life: Life, idle: Sequence[IdleTurn], name: str, step: Step) -> Lived:
        began, chance = time.process_time(), Random(self.seed)
        with workspace(self.folder) as folder:
            system, learns = made(name, folder, self.embedder, life, chance)
            try:
                records, seconds = await asked_of(life, idle, system, learns=learns, step=step)
            finally:
                calls = await system.close()
            size = machine.size_mb(folder)
        spent = time.process_time() - began
        return Lived(records, seconds, calls, size, spent, self.commit)


def _finished(
    asked: BoardSet, names: Sequence[str], keeping: Keeping
) -> tuple[BoardSet, tuple[str, ...]]:
    """The systems that have been through any life of a set, and the lives that all of them have."""
    done = {
        name: {
            index
            for index, life in enumerate(asked.lives)
            if keeping.find(asked.name, name, life.name) is not None
        }
        for name in names
    }
    begun = tuple(name for name in names if done[name])
    every = sorted(set(range(len(asked.lives))).intersection(*(done[name] for name in begun)))
    part = replace(
        asked,
        lives=tuple(asked.lives[index] for index in every if begun),
        idle=tuple(asked.idle[index] for index in every if begun),
    )
    return part, begun


def _summed(told: Sequence[Lived], messages: int, seed: int) -> dict[str, Any]:
    records = [record for lived in told for record in lived.records]
    hearing = sum(lived.seconds_hearing for lived in told)
    return {
        "axes": axes(records, seed),
        "categories": categories(records),
        "costs": {
            **costs(records),
            "processor_ms_per_message": round(1000 * hearing / max(1, messages), 2),
            "model_calls": sum(lived.model_calls for lived in told),
            "megabytes": round(sum(lived.megabytes for lived in told), 1),
            "processor_seconds": round(sum(lived.processor_seconds for lived in told), 1),
        },
    }
