"""The recall quality benchmark: its command line, the runs over the worlds, and their figures."""

from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from ..core.embedding.hashed import HashedEmbedder
from ..core.embedding.local.embedder import LocalEmbedder
from ..core.embedding.local.files import ModelFileState, status
from ..core.ports import Embedder
from ..core.recall.trace import Leg
from . import machine
from .command import Result, printed, progress, workspace
from .datasets import cdconv, locomo, madial, temporal
from .datasets.reading import Complaints, NoData
from .datasets.world import World
from .figures import quantile
from .kept_vectors import KeptVectors
from .recall_quality_answers import Answered, ask_all
from .recall_quality_figures import found, mean, mean_scores, scores
from .recall_quality_times import judged

MODELS = Path(__file__).resolve().parent.parent / ".astrbot-dev" / "models"


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if there is nothing to measure or the embedder is not installed."""
    options = _parser().parse_args(argv)
    complaints = Complaints()

    def measure() -> Result | Coroutine[Any, Any, Result]:
        return _times(options, complaints) or _measure(options, complaints)

    return printed(measure, as_json=options.json, complaints=complaints)


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.recall_quality")
    top.add_argument("--data", type=Path, required=True, help="folder with the data set's files")
    top.add_argument(
        "--dataset", choices=("locomo", "madial", "temporal", "silence"), required=True
    )
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--without", action="append", default=[], type=Leg, help="a leg; repeatable")
    top.add_argument("--embedder", choices=("local", "hashed", "none"), default="local")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--vectors", type=Path, help="keep vectors of documents in this folder")
    top.add_argument("--memories", type=Path, help="silence: MADial's folder (default: made up)")
    top.add_argument("--sample", type=int, default=500, help="silence: chit-chat turns, 0 for all")
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    top.add_argument("--seed", type=int, default=1)
    return top


def _times(options: Namespace, complaints: Complaints) -> dict[str, Any] | None:
    if options.dataset != "temporal":
        return None
    figures = judged(temporal.read(options.data, complaints))
    named = {"benchmark": "recall_quality", "dataset": "temporal"}
    return named | figures | {"problems": complaints.found}


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    worlds = _worlds(options, complaints)
    before = machine.load()
    answered: list[Answered] = []
    async with chosen_embedder(options) as embedder:
        for world in worlds:
            answered += await _answered(world, embedder, options)
    load = {"load_before": before, "load_after": machine.load()}
    figures = _silence(answered) if options.dataset == "silence" else _quality(answered)
    return {
        "benchmark": "recall_quality",
        "dataset": options.dataset,
        "embedder": options.embedder,
        "seed": options.seed,
        "without": [leg.value for leg in options.without],
        **figures,
        "latency_ms": _latency(answered),
        "problems": complaints.found,
        "machine": machine.facts() | load,
    }


def _worlds(options: Namespace, complaints: Complaints) -> list[World]:
    match options.dataset:
        case "locomo":
            return locomo.read(options.data, complaints)
        case "madial":
            return madial.read(options.data, complaints)
        case _:
            return cdconv.read(
                options.data, options.memories, options.sample, options.seed, complaints
            )


@asynccontextmanager
async def chosen_embedder(options: Namespace) -> AsyncIterator[Embedder | None]:
    """The embedder that a command line asks for; None for none. Raises NoData without weights."""
    match options.embedder:
        case "none":
            yield None
        case "hashed":
            yield HashedEmbedder()
        case _:
            if status(options.models) is not ModelFileState.READY:
                raise NoData(f"the local embedder is not installed in {options.models}")
            local = LocalEmbedder(options.models)
            kept = None if options.vectors is None else KeptVectors(local, options.vectors)
            try:
                yield kept or local
            finally:
                if kept is not None:
                    await kept.save()
                await local.aclose()


async def _answered(world: World, embedder: Embedder | None, options: Namespace) -> list[Answered]:
    progress(
        f"{world.name}: {len(world.turns)} turns, {len(world.memories)} memories, "
        f"{len(world.probes)} questions"
    )
    chance = Random(options.seed)
    without = frozenset(options.without)
    with workspace(options.folder) as folder:
        return await ask_all(world, folder, embedder, without=without, chance=chance)


def _quality(answered: Sequence[Answered]) -> dict[str, Any]:
    counted = [one for one in answered if one.probe.counted]
    categories = sorted({one.probe.category for one in answered})
    return {
        "questions": len(counted),
        **_scores(counted),
        "by_category": {
            category: _category([one for one in answered if one.probe.category == category])
            for category in categories
        },
        **_served(counted),
        "tokens": mean(one.tokens for one in counted),
        "evidence_in_1000_tokens": mean(len(one.wide) / len(one.probe.gold) for one in counted),
        "silent": mean(not one.served for one in counted),
    }


def _served(answered: Sequence[Answered]) -> dict[str, Any]:
    lines = [(line, one.probe.gold) for one in answered for line in one.served]
    told = [found(one.served, one.probe.gold) for one in answered]
    return {
        "served": mean(
            len(some) / len(one.probe.gold) for some, one in zip(told, answered, strict=True)
        ),
        "precision": mean(bool(found([line], gold)) for line, gold in lines),
        "precision_by_question": mean(
            mean(bool(found([line], one.probe.gold)) for line in one.served)
            for one in answered
            if one.served
        ),
        "lines": mean(len(one.served) for one in answered),
    }


def _category(answered: Sequence[Answered]) -> dict[str, Any]:
    return {"questions": len(answered), **_scores(answered)}


def _scores(answered: Sequence[Answered]) -> dict[str, float]:
    return mean_scores([scores(one.ranked, one.probe.gold) for one in answered])


def _silence(answered: Sequence[Answered]) -> dict[str, Any]:
    chat = [one for one in answered if one.probe.category == cdconv.CHIT_CHAT]
    second = [one for one in answered if one.probe.category == cdconv.MID_CHAT]
    true = [one for one in answered if one.probe.category == cdconv.TRUE]
    in_reach = _in_reach(true)
    in_talk = _in_reach([one for one in answered if one.probe.category == cdconv.TRUE_IN_TALK])
    return {
        "chit_chat": len(chat),
        "silent": mean(not one.served for one in chat),
        "chit_chat_tokens": mean(one.tokens for one in chat),
        "mid_chat": len(second),
        "mid_chat_silent": mean(not one.served for one in second),
        "true": len(true),
        "found": mean(one in in_reach for one in true),
        "lost": mean(not one.served for one in in_reach),
        "lost_in_talk": mean(not one.served for one in in_talk),
    }


def _in_reach(answered: Sequence[Answered]) -> list[Answered]:
    return [one for one in answered if found(one.ranked[:10], one.probe.gold)]


def _latency(answered: Sequence[Answered]) -> dict[str, float]:
    whole = sorted(one.milliseconds for one in answered)
    rest = sorted(one.milliseconds - one.embedding for one in answered)
    spent = sum(one.embedding for one in answered)
    return {
        "p50": round(quantile(whole, 0.5), 2),
        "p95": round(quantile(whole, 0.95), 2),
        "embedding_share": round(spent / sum(whole), 4),
        "rest_p50": round(quantile(rest, 0.5), 2),
        "rest_p95": round(quantile(rest, 0.95), 2),
    }
