"""`python -m benchmarks.segmentation --data FOLDER --json`: where does a topic end?

Two sessions of one conversation are joined without the time between them; of each only a part is
left, of any length from five turns and without its first turn and its last. The place where they
meet is to be found, within one turn, by numbers fitted on the other conversations. Each session is
in one pair for each drawing; a drawing joins and cuts anew.

| option | default | |
|---|---|---|
| `--data` | | folder with `locomo_dev` and `proactive_zh_dev` |
| `--embedder` | `local` | `none`: words alone |
| `--models` | `.astrbot-dev/models` | the local embedding model |
| `--vectors` | | keep vectors in this folder |
| `--drawings` | `5` | |
| `--write` | off | write `core/scoring/boundaries.json`, fitted on all conversations |

Keys: `benchmark`, `seed`, `drawings`, and by footing (`meaning`, `words`): `stretches`, `f1`,
`centroid` and `middle` by set and their `average`: of boundaries within one turn, where one place
is named for each stretch, with `mean` and `spread` (standard deviation) over the drawings; by the
model, by the distance of a turn from the four before it alone, and by cutting in the middle;
`talks`, cut until no place is left by the fit on the other conversations: `precision` and `recall`
where three short topics follow each other, and `in_40_turns_of_a_session`, the cuts in whole
sessions; `weights`, of the fit on all. A footing whose model is not installed says so under
`missing`.
"""

import asyncio
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from statistics import fmean, stdev
from typing import Any

from ..core.model.conversation import Turn
from ..core.model.memory import Vector
from ..core.scoring.boundaries import (
    VERSION,
    BoundaryColumn,
    BoundaryModel,
    BoundaryModels,
    best_place,
    signals,
)
from ..core.scoring.fitted import BOUNDARIES
from .command import data_parser, emit, progress
from .datasets.reading import Complaints, NoData
from .embedders import embedder_of
from .segmentation_fit import Known, fitted, named
from .segmentation_stretches import Talk, stretches, talks

FOOTINGS = ("meaning", "words")
TOLERANCE = 1

type Vectors = Mapping[str, Vector]

type Named = Callable[[Known], int | None]


def main(argv: Sequence[str]) -> int:
    """Join, fit, judge, and print or write."""
    options = _parser().parse_args(argv)
    complaints = Complaints()
    drawn = stretches(options.data, options.drawings, options.seed, complaints)
    whole = talks(options.data, options.seed, complaints)
    result: dict[str, Any] = {
        "benchmark": "segmentation",
        "seed": options.seed,
        "drawings": options.drawings,
    }
    for footing in FOOTINGS:
        meaning = footing == "meaning"
        try:
            spoken = [each.turns for each in (*drawn, *whole)] if meaning else []
            vectors = asyncio.run(_vectors(options, spoken))
        except NoData as problem:
            result[footing] = {"missing": str(problem)}
            continue
        known = [Known(each, signals(each.turns, _of(vectors, each.turns))) for each in drawn]
        progress(f"{footing}: {len(known)} stretches")
        result[footing] = _judged(known, meaning=meaning)
        result[footing]["talks"] = _talked(known, whole, vectors, meaning=meaning)
    if options.write:
        _write(options, result)
    emit(result | {"complaints": complaints.found}, as_json=options.json)
    return 0


def _parser() -> ArgumentParser:
    top = data_parser("segmentation")
    top.add_argument("--drawings", type=int, default=5)
    top.add_argument("--write", action="store_true", help="write core/scoring/boundaries.json")
    return top


async def _vectors(options: Namespace, spoken: Sequence[Sequence[Turn]]) -> Vectors:
    """By text, of all that is spoken."""
    texts = list(dict.fromkeys(turn.text for turns in spoken for turn in turns))
    if not texts:
        return {}
    async with embedder_of(options) as embedder:
        if embedder is None:
            raise NoData("without an embedder")
        return dict(zip(texts, await embedder.embed_documents(texts), strict=True))


def _of(vectors: Vectors, turns: Sequence[Turn]) -> list[Vector] | None:
    return [vectors[turn.text] for turn in turns] if vectors else None


def _judged(known: Sequence[Known], *, meaning: bool) -> dict[str, Any]:
    """Figures of every conversation by the fit on the others."""
    joined = [each for each in known if each.stretch.boundary is not None]
    models = {
        left_out: fitted(
            [each for each in known if each.stretch.conversation != left_out], meaning=meaning
        )
        for left_out in dict.fromkeys(each.stretch.conversation for each in known)
    }
    column = BoundaryColumn.M_CENTROID if meaning else BoundaryColumn.T_CENTROID
    alone = BoundaryModel({column: 1.0}, 0.0)
    ways: dict[str, Named] = {
        "f1": lambda each: named(each, models[each.stretch.conversation]),
        "centroid": lambda each: named(each, alone),
        "middle": lambda each: len(each.stretch.turns) // 2,
    }
    told: dict[str, Any] = {way: _by_set(joined, name) for way, name in ways.items()}
    return {"stretches": len(joined), **told, "weights": _document(fitted(known, meaning=meaning))}


def _talked(
    known: Sequence[Known], whole: Sequence[Talk], vectors: Vectors, *, meaning: bool
) -> dict[str, Any]:
    """How talks are cut by the fit on the others: of three topics each, and of one session."""
    cuts: dict[int, list[int]] = {}
    for name in dict.fromkeys(each.conversation for each in whole):
        others = [each for each in known if each.stretch.conversation != name]
        model = fitted(others, meaning=meaning)
        models = BoundaryModels(model, model)
        for number, each in enumerate(whole):
            if each.conversation == name:
                cuts[number] = _cut(each.turns, _of(vectors, each.turns), models)
    return {
        family: _cut_figures(
            [(each, cuts[n]) for n, each in enumerate(whole) if each.family == family]
        )
        for family in dict.fromkeys(each.family for each in whole)
    }


def _cut(
    turns: Sequence[Turn], vectors: Sequence[Vector] | None, models: BoundaryModels
) -> list[int]:
    """Where episodes are divided until no place is left, as in use."""
    place = best_place(turns, vectors, models)
    if place is None:
        return []
    later = _cut(turns[place:], vectors and vectors[place:], models)
    earlier = _cut(turns[:place], vectors and vectors[:place], models)
    return [*earlier, place, *(place + each for each in later)]


def _cut_figures(told: Sequence[tuple[Talk, Sequence[int]]]) -> dict[str, float]:
    right = found = true = alone = turns = 0
    for talk, cuts in told:
        if not talk.boundaries:
            alone, turns = alone + len(cuts), turns + len(talk.turns)
            continue
        found, true = found + len(cuts), true + len(talk.boundaries)
        right += sum(any(abs(cut - b) <= TOLERANCE for cut in cuts) for b in talk.boundaries)
    return {
        "precision": round(right / found, 3) if found else 1.0,
        "recall": round(right / true, 3),
        "in_40_turns_of_a_session": round(40 * alone / turns, 2),
    }


def _by_set(known: Sequence[Known], name: Named) -> dict[str, dict[str, float]]:
    """Mean and standard deviation over the drawings, for each set and their average."""
    families = list(dict.fromkeys(each.stretch.family for each in known))
    drawings = sorted({each.stretch.drawing for each in known})
    by_drawing: dict[str, list[float]] = {
        family: [
            _f1([e for e in known if (e.stretch.family, e.stretch.drawing) == (family, n)], name)
            for n in drawings
        ]
        for family in families
    }
    by_drawing["average"] = [fmean(each) for each in zip(*by_drawing.values(), strict=True)]
    return {
        family: {
            "mean": round(fmean(each), 3),
            "spread": round(stdev(each), 3) if len(each) > 1 else 0.0,
        }
        for family, each in by_drawing.items()
    }


def _f1(known: Sequence[Known], name: Named) -> float:
    """Of boundaries that are named, within `TOLERANCE` turns."""
    right = found = true = 0
    for each in known:
        place, boundary = name(each), each.stretch.boundary
        found += place is not None
        true += boundary is not None
        if place is not None and boundary is not None:
            right += abs(place - boundary) <= TOLERANCE
    return round(2 * right / (found + true), 3) if right else 0.0


def _document(model: BoundaryModel) -> dict[str, Any]:
    return {"weights": {one.value: w for one, w in model.weights.items()}, "none": model.none}


def _write(options: Namespace, result: Mapping[str, Any]) -> None:
    figures = {name: result[name] for name in FOOTINGS}
    document = {
        "version": VERSION,
        "command": f"python -m benchmarks.segmentation --data FOLDER --drawings {options.drawings}"
        " --write",
        "date": datetime.now(UTC).date().isoformat(),
        "data": ["locomo_dev", "proactive_zh_dev"],
        "seed": options.seed,
        "models": {name: of.pop("weights") for name, of in figures.items()},
        "figures": figures,
    }
    BOUNDARIES.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
