"""What sleep would merge of recorded observations and answers, see `benchmarks.merging`."""

import argparse
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..core.embedding.local.embedder import LocalEmbedder
from ..core.model.conversation import Scope, ScopeKind, Speaker
from ..core.model.memory import Access, Extractor, Kind, Memory, Source, Vitality
from ..core.ports import Embedder
from ..core.records.sameness import NEAR, apart
from ..core.similarity.measure import REMOVED, Matrix, rows
from ..core.sleep.steps.merging import clusters
from .command import printed, progress
from .datasets import cdconv, locomo
from .datasets.reading import Complaints
from .kept_vectors import KeptVectors

ASKING = "?？吗呢"
SHORTEST, LONGEST = 6, 60
"""Characters of an answer that asserts something."""

type Group = tuple[str, Sequence[str]]


def main(arguments: Sequence[str]) -> int:
    """Print the figures and every merger."""
    options = _parser().parse_args(arguments)
    complaints = Complaints()
    measure = partial(_measured, options, complaints)
    return printed(measure, as_json=options.json, complaints=complaints)


def _parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="benchmarks.merging")
    top.add_argument("--data", type=Path, required=True)
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--models", type=Path, default=Path(".astrbot-dev/models"))
    top.add_argument("--vectors", type=Path)
    top.add_argument("--most", type=int, default=6_000)
    top.add_argument("--near", type=float, default=NEAR)
    return top


def _groups(data: Path, most: int, complaints: Complaints) -> list[Group]:
    by_holder: defaultdict[str, list[str]] = defaultdict(list)
    for name, told in locomo.observations(data / "locomo_dev", complaints).items():
        for each in told:
            by_holder[f"locomo {name} {each.speaker}"].append(each.text)
    if (data / "cdconv_dev").is_dir():
        answers = [
            text
            for each in cdconv.exchanges(data / "cdconv_dev", complaints)
            for text in (each.answer, each.second_answer)
            if SHORTEST <= len(text) <= LONGEST and not any(mark in text for mark in ASKING)
        ]
        by_holder["cdconv"] = list(dict.fromkeys(answers))[:most]
    return list(by_holder.items())


async def _measured(options: argparse.Namespace, complaints: Complaints) -> dict[str, Any]:
    groups = _groups(options.data, options.most, complaints)
    local = LocalEmbedder(options.models)
    kept = None if options.vectors is None else KeptVectors(local, options.vectors)
    sets: dict[str, Any] = {}
    merges: list[dict[str, Any]] = []
    try:
        for name, texts in groups:
            progress(f"{name}: {len(texts)} texts")
            vectors = await _centred(kept or local, texts)
            figures, found = judged(name, texts, vectors, options.near)
            sets[name] = figures
            merges += [{"set": name, "texts": cluster} for cluster in found]
        if kept is not None:
            await kept.save()
    finally:
        await local.aclose()
    return {"benchmark": "merging", "near": options.near, "sets": sets, "merges": merges}


async def _centred(embedder: Embedder, texts: Sequence[str]) -> Matrix:
    vectors = np.stack(await embedder.embed_documents(texts))
    return rows(np.asarray(vectors - REMOVED * vectors.mean(axis=0), np.float32))


def judged(
    name: str, texts: Sequence[str], vectors: Matrix, near: float
) -> tuple[Mapping[str, Any], list[list[str]]]:
    """The figures of one holder's texts, and the texts of every merger."""
    group = [stated(text, number, name) for number, text in enumerate(texts)]
    alike = np.triu(vectors @ vectors.T, 1)
    pairs = [(int(one), int(other)) for one, other in zip(*np.nonzero(alike >= near), strict=True)]
    why = Counter(
        reason.value if (reason := apart(group[one], group[other])) else "" for one, other in pairs
    )
    found = [[memory.text for memory in each] for each in clusters(group, vectors, near=near)]
    return {
        "texts": len(texts),
        "near_pairs": len(pairs),
        "merged_pairs": why.pop("", 0),
        "clusters": len(found),
        "texts_gone": sum(len(cluster) - 1 for cluster in found),
        "apart": dict(why.most_common()),
    }, found


def stated(text: str, number: int, holder: str) -> Memory:
    """What a holder states, as a memory of a scope of their own."""
    return Memory(
        id=f"{number:06}",
        scope=Scope(ScopeKind.PRIVATE, "bench", holder).key,
        kind=Kind.SEMANTIC,
        text=text,
        summary="",
        created_at=0.0,
        happened_at=0.0,
        vitality=Vitality(4),
        access=Access(0.0, 0.0),
        source=Source.USER,
        extractor=Extractor.MODEL,
        speaker=Speaker(holder, ""),
    )
