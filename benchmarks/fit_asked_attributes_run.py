"""Fitting which attribute a turn asks for: command line, regression, figures, the file."""

import asyncio
import json
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from ..core.conflict.slots import told_by
from ..core.host.coefficients import ASKED_ATTRIBUTES, memory_need
from ..core.languages.inquiries import inquiries
from ..core.recall.likely_claims import LEAST
from ..core.scoring.asked_attributes import AskedAttributes, OfSpace
from ..core.scoring.asked_attributes_file import VERSION
from .command import emit, progress
from .fit_asked_attributes_topics import (
    LABELLED,
    TOPICS,
    WRITTEN_BY,
    Question,
    changes,
    files,
    fitted_on,
    idle,
)
from .fit_memory_need_run import vectors_of
from .fit_recall_cases import Floats
from .fit_recall_solver import softmax
from .recall_quality_run import MODELS

WRITTEN = Path(__file__).resolve().parent / "data"

PENALTY = 1e-5
"""On the squares of the weights."""

LENGTH = 1.5
"""Of the vectors in the fit, less their mean."""

FIGURES = ("likeliest", "asked", "listed")

type Vectors = Mapping[str, Floats]


def main(argv: Sequence[str]) -> int:
    """Fit, judge, and print or write."""
    top = ArgumentParser(prog="benchmarks.fit_asked_attributes")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--written", type=Path, default=WRITTEN, help="the written turns")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--vectors", type=Path, help="keep vectors in this folder")
    top.add_argument("--write", action="store_true", help=f"write {ASKED_ATTRIBUTES.name}")
    options = top.parse_args(argv)
    own, asked, still = (each(options.written) for each in (fitted_on, changes, idle))
    vectors, fingerprint = asyncio.run(vectors_of(options, [*own, *asked, *still]))
    model = fitted(own, vectors, fingerprint)

    def likely(question: Question) -> tuple[float, Mapping[str, float]]:
        vector = vectors[question.text].astype(np.float32)
        recalls = need.probability(question.text, vector, fingerprint)
        return recalls, model.likely(vector, fingerprint)

    need = memory_need(lambda _, why: progress(why))
    result: dict[str, Any] = {
        "benchmark": "fit_asked_attributes",
        "turns": {hand: sum(each.hand == hand for each in own) for hand in (WRITTEN_BY, *LABELLED)},
        "topics": len(TOPICS),
        "changes": _of_changes(asked, likely),
        "idle": _of_idle(still, likely),
    }
    if options.write:
        _write(model, result)
    emit(result, as_json=options.json)
    return 0


def fitted(own: Sequence[Question], vectors: Vectors, fingerprint: str) -> AskedAttributes:
    """The likeliest weights, questions as they are."""
    meant = np.stack([vectors[question.text] for question in own])
    mean = meant.mean(axis=0)
    scale = LENGTH / np.sqrt(((meant - mean) ** 2).sum(axis=1).mean())
    rows = np.hstack([(meant - mean) * scale, np.ones((len(own), 1))])
    places = {topic: place for place, topic in enumerate(TOPICS)}
    weights = softmax(rows, [places[each.asks] for each in own], len(TOPICS), PENALTY)
    vector = np.round((scale * weights[:-1]).T, 2).astype(np.float32)
    bases = np.round(weights[-1] - vector @ mean, 2).astype(np.float32)
    return AskedAttributes(tuple(TOPICS.values()), {fingerprint: OfSpace(vector, bases)})


type Likely = Callable[[Question], tuple[float, Mapping[str, float]]]


def _of_changes(asked: Sequence[Question], likely: Likely) -> dict[str, dict[str, float]]:
    groups: defaultdict[str, list[tuple[bool, bool, bool]]] = defaultdict(list)
    for question in asked:
        recalls, told = likely(question)
        own = told_by(question.attribute, told)
        listed = any(_names(question.attribute, each.keys) for each in inquiries(question.text))
        likeliest = own >= max(told.values()) > 0.0
        row = (likeliest, recalls * own >= LEAST, listed)
        when = "past" if question.past else "now"
        groups[f"hand {question.hand}, {question.language}, {when}"].append(row)
    return {
        group: {
            "n": len(rows),
            **dict(zip(FIGURES, map(_share, zip(*rows, strict=True)), strict=True)),
        }
        for group, rows in sorted(groups.items())
    }


def _share(of: Sequence[bool]) -> float:
    return round(fmean(of), 3)


def _names(attribute: str, keys: Sequence[str]) -> bool:
    return attribute.partition(":")[0] in {key.partition(":")[0] for key in keys}


def _of_idle(still: Sequence[Question], likely: Likely) -> dict[str, dict[str, float]]:
    groups: defaultdict[str, list[bool]] = defaultdict(list)
    for question in still:
        recalls, told = likely(question)
        asked = recalls * max(told.values()) >= LEAST
        groups[f"hand {question.hand}"].append(asked)
    return {
        group: {"n": len(rows), "asked": _share(rows)} for group, rows in sorted(groups.items())
    }


def _write(model: AskedAttributes, result: Mapping[str, Any]) -> None:
    document = {
        "version": VERSION,
        "command": "python -m benchmarks.fit_asked_attributes --write",
        "date": datetime.now(UTC).date().isoformat(),
        "data": files(),
        "figures": {name: result[name] for name in ("changes", "idle")},
        "topics": TOPICS,
        "meaning": {
            fingerprint: {
                "bases": dict(zip(TOPICS, _plain(of.bases), strict=True)),
                "vectors": dict(zip(TOPICS, map(_plain, of.weights), strict=True)),
            }
            for fingerprint, of in model.meaning.items()
        },
    }
    lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in document.items())
    ASKED_ATTRIBUTES.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def _plain(numbers: Any) -> list[float]:
    return [round(float(number), 2) for number in numbers]
