"""The life benchmark's command line: stages, one after the other, and their figures."""

import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ...core.embedding.hashed import HashedEmbedder
from ...core.embedding.local.embedder import LocalEmbedder
from ...core.embedding.local.files import ModelFileState, status
from ...core.ports import Embedder
from ...core.settings import Settings
from .. import machine
from ..command import printed, progress, whole_numbers, workspace
from ..datasets import cdconv, everyday
from ..datasets.reading import Complaints, NoData
from ..kept_vectors import KeptVectors
from ..progress_bar import ProgressBar
from ..recall_quality_run import MODELS
from .figures import SIZES, compared, summed_up
from .installation import SLEEPS, sleeping
from .plan import Material, stages
from .sources import lives
from .stages import Sampling, Stage, StageResult, played
from .traditional import in_traditional

MEASURED = ("embedder", "learning", "lives", "script", "patience", "sizes", "needs", "idle", "seed")
"""Options that decide the figures: only a stage with the same ones is taken up again."""


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if there is nothing to measure or the embedder is not installed."""
    options = _parser().parse_args(argv)
    complaints = Complaints()
    measure = partial(_measure, options, complaints)
    return printed(measure, as_json=options.json, complaints=complaints)


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.life")
    top.add_argument("--data", type=Path, required=True, help="folder with a folder per data set")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--embedder", choices=("local", "hashed", "none"), default="local")
    top.add_argument("--learning", choices=("rules", "recorded", "none"), default="rules")
    top.add_argument("--script", choices=("simplified", "traditional"), default="simplified")
    usual = Settings().forgetting.patience
    top.add_argument("--patience", type=float, default=usual, help="months: forgetting.patience")
    sizes = ",".join(map(str, SIZES))
    top.add_argument("--sleep", type=_sleeps, default="on", help="on, sweep, off; with commas")
    top.add_argument("--lives", default="", help="these alone, by their beginnings")
    top.add_argument("--sizes", type=whole_numbers, default=sizes, help=f"default {sizes}")
    top.add_argument("--needs", type=int, default=60, help="questions asked at a size, at most")
    top.add_argument("--idle", type=int, default=12, help="turns of a class asked at a time")
    top.add_argument("--stages", help="only those whose name begins so, with commas between")
    top.add_argument("--written", type=Path, default=everyday.OWN, help="everyday turns, changes")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--vectors", type=Path, help="keep vectors in this folder")
    top.add_argument("--resume", type=Path, help="keep finished stages here and take them up")
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    top.add_argument("--seed", type=int, default=1)
    return top


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    before, began = machine.load(), (time.monotonic(), time.process_time())
    every = _chosen(stages(_material(options, complaints)), options.stages)
    async with embedder_of(options) as (embedder, kept):
        lived = {how: await _lived(every, how, embedder, kept, options) for how in options.sleep}
    wall, processor = time.monotonic() - began[0], time.process_time() - began[1]
    several = {"ways": lived, "compared": compared(lived)} if len(lived) > 1 else {}
    return {
        "benchmark": "life",
        **{name: getattr(options, name) for name in MEASURED},
        "sleep": list(options.sleep),
        **next(iter(lived.values())),
        **several,
        "seconds": round(wall, 1),
        "processor_seconds": round(processor, 1),
        "problems": complaints.found,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
    }


async def _lived(
    every: Sequence[Stage],
    how: str,
    embedder: Embedder | None,
    kept: KeptVectors | None,
    options: Namespace,
) -> dict[str, Any]:
    """The figures of all stages with one of `SLEEPS`."""
    records: list[dict[str, Any]] = []
    totals: dict[str, Any] = {}
    for plain in every:
        stage = replace(plain, settings=sleeping(plain.settings, how))
        outcome, spent = await _stage(stage, how, embedder, options)
        records += outcome.asked
        totals[stage.name] = {**outcome.totals, **spent}
        if kept is not None:
            await kept.save()
    return {**summed_up(records, options.sizes), "stages": totals}


def _sleeps(text: str) -> tuple[str, ...]:
    """Some of `SLEEPS`, each once. Raises ValueError on any other text."""
    names = tuple(dict.fromkeys(text.split(",")))
    if not set(names) <= set(SLEEPS):
        raise ValueError(f"sleep is one of {', '.join(SLEEPS)}")
    return names


def _material(options: Namespace, complaints: Complaints) -> Material:
    told = lives(options.data, complaints)
    told = [life for life in told if life.name.startswith(tuple(options.lives.split(",")))]
    if not told:
        raise NoData(f"{options.data} has no data set of a life")
    chat = options.data / "cdconv_dev"
    material = Material(
        told,
        everyday.everyday(complaints, options.written),
        [] if options.lives else everyday.changes(complaints, options.written),
        cdconv.exchanges(chat, complaints) if chat.is_dir() else [],
        options.sizes,
        options.seed,
        options.patience,
    )
    return in_traditional(material) if options.script == "traditional" else material


def _chosen(every: Sequence[Stage], names: str | None) -> list[Stage]:
    if names is None:
        return list(every)
    return [stage for stage in every if stage.name.startswith(tuple(names.split(",")))]


async def _stage(
    stage: Stage, how: str, embedder: Embedder | None, options: Namespace
) -> tuple[StageResult, dict[str, float]]:
    kept = _kept_file(stage, how, options)
    if kept is not None and kept.is_file():
        told = json.loads(kept.read_text("utf-8"))
        return StageResult(told["asked"], told["totals"]), told["spent"]
    progress(f"{stage.name}, sleep {how}: {len(stage.lives)} lives, about {stage.expected} lines")
    began = (time.monotonic(), time.process_time())
    sampling = Sampling(options.needs, options.idle, options.seed)
    with workspace(options.folder) as folder, ProgressBar(stage.expected) as bar:
        outcome = await played(stage, folder, embedder, options.learning, sampling, bar.show)
    spent = {
        "seconds": round(time.monotonic() - began[0], 1),
        "processor_seconds": round(time.process_time() - began[1], 1),
    }
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        document = {"asked": outcome.asked, "totals": outcome.totals, "spent": spent}
        fresh = kept.with_suffix(".new")
        fresh.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
        fresh.replace(kept)
    return outcome, spent


def _kept_file(stage: Stage, how: str, options: Namespace) -> Path | None:
    if options.resume is None:
        return None
    measured = repr([how, *(getattr(options, name) for name in MEASURED)])
    digest = blake2b(measured.encode(), digest_size=6).hexdigest()
    return options.resume / f"{stage.name}-{digest}.json"


@asynccontextmanager
async def embedder_of(
    options: Namespace,
) -> AsyncIterator[tuple[Embedder | None, KeptVectors | None]]:
    match options.embedder:
        case "none":
            yield None, None
        case "hashed":
            yield HashedEmbedder(), None
        case _:
            if status(options.models) is not ModelFileState.READY:
                raise NoData(f"the local embedder is not installed in {options.models}")
            local = LocalEmbedder(options.models)
            try:
                if options.vectors is None:
                    yield local, None
                else:
                    kept = KeptVectors(local, options.vectors, queries=True)
                    try:
                        yield kept, kept
                    finally:
                        await kept.save()
            finally:
                await local.aclose()
