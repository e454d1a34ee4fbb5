"""Pairs of answers that sleep takes for denials, or asks about: `benchmarks.contradictions`."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..core.embedding.local.embedder import LocalEmbedder
from ..core.records.opposition import Opposed, opposed
from ..core.similarity.measure import REMOVED, rows
from .command import printed
from .datasets import cdconv
from .datasets.cdconv import Exchange
from .datasets.reading import Complaints
from .kept_vectors import KeptVectors
from .merging_run import stated

AT_ONCE = 256


def main(arguments: Sequence[str]) -> int:
    """Print the figures. 2 if there is nothing to measure."""
    top = ArgumentParser(prog="benchmarks.contradictions")
    top.add_argument("--data", type=Path, required=True)
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--embedder", choices=("local", "none"), default="none")
    top.add_argument("--models", type=Path, default=Path(".astrbot-dev/models"))
    top.add_argument("--vectors", type=Path, help="keep vectors in this folder")
    options = top.parse_args(arguments)
    complaints = Complaints()
    measure = partial(_measure, options, complaints)
    return printed(measure, as_json=options.json, complaints=complaints)


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    exchanges = list(cdconv.exchanges(options.data / "cdconv_dev", complaints))
    near = None if options.embedder == "none" else await _nearness(exchanges, options)
    return {"benchmark": "contradictions", **figures(exchanges, near)}


async def _nearness(exchanges: Sequence[Exchange], options: Namespace) -> list[float]:
    """Centred cosine of the two answers of each, on the scale of all."""
    local = LocalEmbedder(options.models)
    kept = None if options.vectors is None else KeptVectors(local, options.vectors)
    texts = [text for each in exchanges for text in (each.answer, each.second_answer)]
    found: list[Any] = []
    try:
        for start in range(0, len(texts), AT_ONCE):
            found += await (kept or local).embed_documents(texts[start : start + AT_ONCE])
        if kept is not None:
            await kept.save()
    finally:
        await local.aclose()
    vectors = np.stack(found)
    centred = rows(np.asarray(vectors - REMOVED * vectors.mean(axis=0), np.float32))
    return [float(value) for value in np.sum(centred[::2] * centred[1::2], axis=1)]


def figures(exchanges: Iterable[Exchange], near: Sequence[float] | None = None) -> dict[str, Any]:
    """How many of either sort are taken for denials, which; with vectors, how many are asked."""
    pairs, taken, asked = Counter[bool](), Counter[bool](), Counter[bool]()
    found: list[dict[str, Any]] = []
    for place, each in enumerate(exchanges):
        pairs[each.contradicts] += 1
        one, other = stated(each.answer, 0, "cdconv"), stated(each.second_answer, 1, "cdconv")
        why = opposed(one, other, 0.0 if near is None else near[place])
        asked[each.contradicts] += why is Opposed.NEAR
        taken[each.contradicts] += why is Opposed.DENIAL
        if why is Opposed.DENIAL:
            texts = [each.answer, each.second_answer]
            found.append({"contradicting": each.contradicts, "texts": texts})
    named = {"consistent": False, "contradicting": True}
    counted = {"taken": taken} if near is None else {"taken": taken, "asked": asked}

    def told(label: bool) -> dict[str, Any]:
        shares = {
            f"{what}_share": round(counts[label] / pairs[label], 4) if pairs[label] else None
            for what, counts in counted.items()
        }
        numbers = {what: counts[label] for what, counts in counted.items()}
        return {"pairs": pairs[label], **numbers, **shares}

    return {**{name: told(label) for name, label in named.items()}, "found": found}
