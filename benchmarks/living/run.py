"""The life benchmark's command line: the months lived through, and their figures."""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...core.ports import Embedder
from ...core.settings import Settings
from .. import machine
from ..command import data_parser, progress, run, workspace
from ..comparing.keeping import Keeping
from ..datasets import cdconv, everyday
from ..datasets.reading import Complaints, NoData
from ..embedders import embedder_of
from ..progress_bar import ProgressBar
from .figures import summed_up
from .installation import SLEEPS, sleeping
from .plan import Material, months
from .sources import lives
from .stages import Sampling, Stage, StageResult, played

MEASURED = ("embedder", "learning", "lives", "patience", "sleep", "idle", "seed")
"""Options that decide the figures: only what was lived with the same is taken up again."""


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if there is nothing to measure or the embedder is not installed."""
    return run(_parser(), _measure, argv)


def _parser() -> ArgumentParser:
    top = data_parser("life")
    top.add_argument("--learning", choices=("rules", "recorded", "none"), default="rules")
    usual = Settings().forgetting.patience
    top.add_argument("--patience", type=float, default=usual, help="months: forgetting.patience")
    top.add_argument("--sleep", choices=SLEEPS, default="on", help="as in use, decay alone, never")
    top.add_argument("--lives", default="", help="these alone, by their beginnings")
    top.add_argument("--idle", type=int, default=12, help="turns of a class asked of a life")
    top.add_argument("--written", type=Path, default=everyday.OWN, help="everyday turns, changes")
    top.add_argument("--resume", type=Path, help="keep what is finished here and take it up")
    return top


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    before, began = machine.load(), (time.monotonic(), time.process_time())
    stage = months(_material(options, complaints))
    stage = replace(stage, settings=sleeping(stage.settings, options.sleep))
    async with embedder_of(options) as embedder:
        outcome, spent = await _outcome(stage, embedder, options)
    wall, processor = time.monotonic() - began[0], time.process_time() - began[1]
    return {
        "benchmark": "life",
        **{name: getattr(options, name) for name in MEASURED},
        **summed_up(outcome.asked),
        "totals": {**outcome.totals, **spent},
        "seconds": round(wall, 1),
        "processor_seconds": round(processor, 1),
        "problems": complaints.found,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
    }


def _material(options: Namespace, complaints: Complaints) -> Material:
    told = lives(options.data, complaints)
    told = [life for life in told if life.name.startswith(tuple(options.lives.split(",")))]
    if not told:
        raise NoData(f"{options.data} has no data set of a life")
    chat = options.data / "cdconv_dev"
    return Material(
        told,
        everyday.everyday(complaints, options.written),
        [] if options.lives else everyday.changes(complaints, options.written),
        cdconv.exchanges(chat, complaints) if chat.is_dir() else [],
        options.seed,
        options.patience,
    )


async def _outcome(
    stage: Stage, embedder: Embedder | None, options: Namespace
) -> tuple[StageResult, dict[str, float]]:
    measured = repr([getattr(options, name) for name in MEASURED])
    keeping = Keeping(options.resume, measured)
    told = keeping.read(stage.name)
    if told is not None:
        return StageResult(told["asked"], told["totals"]), told["spent"]
    progress(f"{len(stage.lives)} lives, about {stage.expected} lines")
    began = (time.monotonic(), time.process_time())
    sampling = Sampling(options.idle, options.seed)
    with workspace(options.folder) as folder, ProgressBar(stage.expected) as bar:
        outcome = await played(stage, folder, embedder, options.learning, sampling, bar.show)
    spent = {
        "seconds": round(time.monotonic() - began[0], 1),
        "processor_seconds": round(time.process_time() - began[1], 1),
    }
    document = {"asked": outcome.asked, "totals": outcome.totals, "spent": spent}
    keeping.write(document, stage.name)
    return outcome, spent
