"""Fitting what a turn asks for: command line, the regression, figures, and the file it writes."""

import asyncio
import json
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from ..core.embedding.local.embedder import LocalEmbedder
from ..core.host.coefficients import MEMORY_NEED
from ..core.languages.scripts import in_one_script
from ..core.scoring.memory_need import ByMeaning, MemoryNeed, grams_of
from ..core.scoring.memory_need_file import VERSION
from .command import emit, progress
from .fit_memory_need_turns import FITTED, JUDGED, Turn, files, turns
from .fit_recall_cases import Floats
from .fit_recall_solver import ridge
from .kept_vectors import KeptVectors
from .recall_quality_run import MODELS

WRITTEN = Path(__file__).resolve().parent / "data"

SELDOM = 2
"""Turns that an n-gram stands in, at least."""

PENALTY = 0.1
"""On the squares of the weights."""

BESIDE = 0.9
"""How much n-grams count beside a vector, which has length 1 as they have together."""

QUIET_SHARE = 0.95

type Logits = Callable[[Turn], float]


def main(argv: Sequence[str]) -> int:
    """Fit, judge, and print or write."""
    options = _parser().parse_args(argv)
    own, others = (turns(options.written, hands) for hands in (FITTED, JUDGED))
    vectors, fingerprint = asyncio.run(vectors_of(options, [*own, *others]))
    need = fitted(own, vectors, fingerprint)
    result: dict[str, Any] = {
        "benchmark": "fit_memory_need",
        "turns": len(own),
        "grams": len(need.grams),
        **_judged(own, others, vectors, fingerprint, need),
    }
    if options.write:
        _write(need, result)
    emit(result, as_json=options.json)
    return 0


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.fit_memory_need")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--written", type=Path, default=WRITTEN, help="the written turns")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--vectors", type=Path, help="keep vectors in this folder")
    top.add_argument("--write", action="store_true", help="write core/scoring/memory_need.json")
    return top


async def vectors_of(options: Namespace, wanted: Sequence[Turn]) -> tuple[dict[str, Floats], str]:
    """Of each text, as a recall would have it, and the fingerprint of their space.

    Raises EmbeddingUnavailable.
    """
    local = LocalEmbedder(options.models)
    kept = None if options.vectors is None else KeptVectors(local, options.vectors, queries=True)
    try:
        fingerprint = (await local.identity()).fingerprint
        found: dict[str, Floats] = {}
        for turn in wanted:
            vector = await (kept or local).embed_query(in_one_script(turn.text))
            found[turn.text] = np.asarray(vector, np.float64)
        progress(f"{len(found)} turns")
        if kept is not None:
            await kept.save()
    finally:
        await local.aclose()
    return found, fingerprint


def fitted(own: Sequence[Turn], vectors: Mapping[str, Floats], fingerprint: str) -> MemoryNeed:
    """The likeliest weights, hands and classes as they are, either answer counting alike."""
    counted = Counter(gram for turn in own for gram in grams_of(turn.text))
    grams = sorted(gram for gram, count in counted.items() if count >= SELDOM)
    places = {gram: place for place, gram in enumerate(grams)}
    held = np.zeros((len(own), len(grams)))
    for row, turn in zip(held, own, strict=True):
        said = grams_of(turn.text)
        row[[places[gram] for gram in said if gram in places]] = 1.0 / np.sqrt(max(1, len(said)))
    asks = np.array([turn.asks for turn in own])
    meant = np.stack([vectors[turn.text] for turn in own])
    ones = np.ones((len(own), 1))
    alone = ridge(held, asks, PENALTY)
    both = ridge(np.hstack([meant, ones, BESIDE * held]), asks, PENALTY)
    size = meant.shape[1]
    vector = np.round(both[:size], 3).astype(np.float32)
    beside = ByMeaning(vector, _kept(grams, BESIDE * both[size + 1 :]), round(float(both[size]), 3))
    return MemoryNeed(_kept(grams, alone), {fingerprint: beside})


def _kept(grams: Sequence[str], weights: Floats) -> dict[str, float]:
    rounded = zip(grams, weights.round(2).tolist(), strict=True)
    return {gram: weight for gram, weight in rounded if weight}


def _judged(
    own: Sequence[Turn],
    others: Sequence[Turn],
    vectors: Mapping[str, Floats],
    fingerprint: str,
    need: MemoryNeed,
) -> dict[str, Any]:
    def footings(model: MemoryNeed) -> dict[str, Logits]:
        def meant(turn: Turn) -> float:
            vector = vectors[turn.text].astype(np.float32)
            return model.probability(turn.text, vector, fingerprint) - 0.5

        return {"words": lambda turn: model.probability(turn.text) - 0.5, "meaning": meant}

    left_out: dict[str, dict[str, Any]] = {"words": {}, "meaning": {}}
    for hand in sorted({turn.hand for turn in own}):
        rest = [turn for turn in own if turn.hand != hand]
        for name, logits in footings(fitted(rest, vectors, fingerprint)).items():
            left_out[name][hand] = _figures([t for t in own if t.hand == hand], logits)
    told: dict[str, Any] = {
        name: {
            hand: _figures([turn for turn in others if turn.hand == hand], logits)
            for hand in sorted({turn.hand for turn in others})
        }
        for name, logits in footings(need).items()
    }
    return told | {"each_hand_out": left_out}


def _figures(judged: Sequence[Turn], logits: Logits) -> dict[str, Any]:
    every = {"all": list(judged)}
    for language in sorted({turn.language for turn in judged}):
        every[language] = [turn for turn in judged if turn.language == language]
    told: dict[str, Any] = {name: _separated(of, logits) for name, of in every.items()}
    for kind in sorted({turn.kind for turn in judged}):
        own = [turn for turn in judged if turn.kind == kind]
        told[kind] = {"n": len(own), "right": _right(own, logits)}
    return told


def _right(judged: Sequence[Turn], logits: Logits) -> float:
    return round(fmean((logits(turn) > 0.0) == turn.asks for turn in judged), 3)


def _separated(judged: Sequence[Turn], logits: Logits) -> dict[str, float]:
    ask = np.array([logits(turn) for turn in judged if turn.asks])
    rest = np.array([logits(turn) for turn in judged if not turn.asks])
    pairs = (ask[:, None] > rest[None]) + 0.5 * (ask[:, None] == rest[None])
    return {
        "n": len(judged),
        "right": _right(judged, logits),
        "auc": round(float(pairs.mean()), 3),
        "found": round(float((ask > np.quantile(rest, QUIET_SHARE)).mean()), 3),
    }


def _write(need: MemoryNeed, result: Mapping[str, Any]) -> None:
    document = {
        "version": VERSION,
        "command": "python -m benchmarks.fit_memory_need --write",
        "date": datetime.now(UTC).date().isoformat(),
        "data": files(WRITTEN, FITTED),
        "figures": {name: result[name] for name in ("words", "meaning", "each_hand_out")},
        "grams": need.grams,
        "meaning": {
            name: {
                "base": model.base,
                "vector": [round(float(weight), 3) for weight in model.vector],
                "grams": model.grams,
            }
            for name, model in need.meaning.items()
        },
    }
    lines = (
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in document.items()
    )
    MEMORY_NEED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
