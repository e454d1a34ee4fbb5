"""Trying a model folder before it is used: whether it works, how well and how fast."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import median

from ..embedding.calibrator import SAMPLED, Calibrator
from ..embedding.folder.embedder import FolderEmbedder
from ..embedding.folder.layout import NETWORKS, read_layout
from ..embedding.folder.network import LOGITS, LONGEST_PAIR, FolderNetwork
from ..embedding.onnx.session import runtime_installed
from ..model.errors import EmbeddingUnavailable, RerankUnavailable
from ..model.jobs import Job, JobKind, Tell, no_progress
from ..recall.rerank import JUDGED
from ..recall.rerank_scores import sound_scores
from .context import Context, for_admins

QUERIES = 12
RIVALS = 3
"""Unrelated memories that the right one of a turn is judged beside."""

TIMED = 3
"""Times that as many candidates are judged as a recall has judged."""

MOST_FOLDERS = 100
TRIALS = (JobKind.EMBEDDER_TRIAL, JobKind.RERANKER_TRIAL)


@dataclass(frozen=True, slots=True)
class FolderTrial:
    """What was measured here. `apart` tells by language whether it knows meanings on the sample;
    milliseconds of the middle query, documents a second; `megabytes` of its files, which is
    about what it takes in memory.
    """

    name: str
    dimension: int
    pooling: str
    prefixes: tuple[str, str]
    apart: Mapping[str, bool]
    query_ms: float
    documents_per_s: float
    megabytes: int


@dataclass(frozen=True, slots=True)
class RerankerTrial:
    """The same of a reranker: of `asked` turns of the sample it put the right memory first for
    `right`; it judges the `candidates` of a recall in so many milliseconds, where the whole recall
    has `deadline_ms`.
    """

    name: str
    right: int
    asked: int
    candidates: int
    milliseconds: float
    deadline_ms: int
    megabytes: int


@dataclass(frozen=True, slots=True)
class FolderRefused:
    """Why it cannot be used, in a sentence."""

    problem: str


@dataclass(frozen=True, slots=True)
class ModelFolders:
    """Those that may be tried by name, and what the settings name; whether anything runs them."""

    names: Sequence[str]
    embedder: str
    reranker: str
    runtime: bool


@for_admins
async def model_folders(context: Context) -> ModelFolders:
    """The folders with a network in the folder of models, and those of the settings."""
    embedder, reranker = context.settings.embedding.folder, context.settings.recall.rerank_model
    there = await asyncio.to_thread(_folders, context.services.installation.folder)
    names = dict.fromkeys([*there, *filter(None, (embedder, reranker))])
    return ModelFolders(list(names), embedder, reranker, runtime_installed())


@for_admins
async def start_trial(context: Context, kind: JobKind, name: str) -> Job | None:
    """Try one of `model_folders` as a job of one of the kinds `TRIALS`; nothing is changed.

    The trial that is under way, if one is; None if there is no such folder.
    """
    jobs = context.services.jobs
    for each in TRIALS:
        if (running := jobs.running(each)) is not None:
            return running
    found = await model_folders(context)
    assert isinstance(found, ModelFolders)
    if name not in found.names:
        return None
    folder, by = context.services.installation.folder / name, context.caller.signature
    if kind is JobKind.EMBEDDER_TRIAL:
        work = partial(_tried, context, folder)
        jobs.start(kind, work, subject=name, by=by, outcome=_told)
    else:
        judge = partial(_judged, context, folder)
        jobs.start(kind, judge, subject=name, by=by, outcome=_told_of_reranker)
    return jobs.newest(kind)


@for_admins
async def try_folder(context: Context, name: str) -> FolderTrial | FolderRefused:
    """Load it, learn the built-in sample and measure; nothing is changed. Some seconds."""
    try:
        return await _tried(context, context.services.installation.folder / name, no_progress)
    except EmbeddingUnavailable as error:
        return FolderRefused(str(error))


@for_admins
async def try_reranker(context: Context, name: str) -> RerankerTrial | FolderRefused:
    """The same of a reranker."""
    try:
        return await _judged(context, context.services.installation.folder / name, no_progress)
    except (EmbeddingUnavailable, RerankUnavailable) as error:
        return FolderRefused(str(error))


def _folders(models: Path) -> list[str]:
    if not models.is_dir():
        return []
    found = (each for each in models.iterdir() if any((each / one).is_file() for one in NETWORKS))
    return sorted(each.name for each in found)[:MOST_FOLDERS]


async def _tried(context: Context, folder: Path, tell: Tell) -> FolderTrial:
    embedder = FolderEmbedder(folder)
    try:
        return await _measured(context, embedder, tell)
    finally:
        await embedder.aclose()


async def _measured(context: Context, embedder: FolderEmbedder, tell: Tell) -> FolderTrial:
    steps = QUERIES + 2
    identity = await embedder.identity()
    assert embedder.network is not None
    layout = embedder.network.layout
    calibrator = Calibrator(context.store)
    tell(1, steps)
    await calibrator.learn(embedder)
    took: list[float] = []
    for number, (_, turn, _) in enumerate(SAMPLED[:QUERIES]):
        tell(2 + number, steps)
        began = time.perf_counter()
        await embedder.embed_query(turn)
        took.append(1000 * (time.perf_counter() - began))
    documents = [memory for _, _, memory in SAMPLED]
    began = time.perf_counter()
    await embedder.embed_documents(documents)
    return FolderTrial(
        layout.name,
        identity.dimension,
        layout.pooling,
        (layout.query_prefix, layout.document_prefix),
        calibrator.tells_apart(identity.fingerprint),
        median(took),
        len(documents) / (time.perf_counter() - began),
        _megabytes(layout.size),
    )


async def _judged(context: Context, folder: Path, tell: Tell) -> RerankerTrial:
    network = await asyncio.to_thread(
        lambda: FolderNetwork(read_layout(folder), LOGITS, LONGEST_PAIR)
    )
    asked, right, seen = _choices(), 0, set[float]()
    steps = len(asked) + TIMED
    for number, (turn, memories) in enumerate(asked):
        tell(number, steps)
        scores = await asyncio.to_thread(_scores, network, turn, memories)
        right += scores[0] > max(scores[1:])
        seen.update(scores)
    if len(seen) < 2:
        raise EmbeddingUnavailable("the network gives every memory the same score")
    # As a recall has them judged: many, and each as long as memories are.
    turn, memories = asked[0][0], [memory for _, _, memory in (*SAMPLED, *SAMPLED)][:JUDGED]
    took: list[float] = []
    for number in range(TIMED):
        tell(len(asked) + number, steps)
        began = time.perf_counter()
        await asyncio.to_thread(_scores, network, turn, memories)
        took.append(1000 * (time.perf_counter() - began))
    return RerankerTrial(
        network.layout.name,
        right,
        len(asked),
        len(memories),
        median(took),
        context.settings.recall.deadline_ms,
        _megabytes(network.layout.size),
    )


def _choices() -> list[tuple[str, list[str]]]:
    """Turns of each language of the sample, the memory of each and then unrelated ones."""
    found: list[tuple[str, list[str]]] = []
    for _, rows in groupby(SAMPLED, key=lambda row: row[0]):
        pairs = [(turn, memory) for _, turn, memory in rows]
        ring = [memory for _, memory in pairs] * 2
        found += [
            (turn, ring[place : place + 1 + RIVALS])
            for place, (turn, _) in enumerate(pairs[: QUERIES // 2])
        ]
    return found


def _scores(network: FolderNetwork, turn: str, memories: Sequence[str]) -> list[float]:
    logits = network.logits([network.pair(turn, memory) for memory in memories])
    source = f"the reranker in {network.layout.name}"
    sound = sound_scores(enumerate(logits), count=len(memories), source=source, logits=True)
    return [score for score in sound.values if score is not None]


def _told(trial: FolderTrial) -> Mapping[str, str | int]:
    apart = sorted(language for language, told in trial.apart.items() if told and language)
    return {
        "milliseconds": f"{trial.query_ms:.1f}",
        "rate": f"{trial.documents_per_s:.1f}",
        "megabytes": trial.megabytes,
        "dimension": trial.dimension,
        "languages": ", ".join(apart) or "-",
    }


def _told_of_reranker(trial: RerankerTrial) -> Mapping[str, str | int]:
    return {
        "right": trial.right,
        "asked": trial.asked,
        "candidates": trial.candidates,
        "milliseconds": round(trial.milliseconds),
        "deadline": trial.deadline_ms,
        "megabytes": trial.megabytes,
    }


def _megabytes(size: int) -> int:
    return -(-size // 1_000_000)
