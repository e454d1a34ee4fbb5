"""The fit of recall: its command line, the folds, the figures, and the file it writes."""

import asyncio
import json
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from ..core.embedding.hashed import HashedEmbedder
from ..core.embedding.local.embedder import LocalEmbedder
from ..core.host.coefficients import FILE
from ..core.scoring.coefficients import VERSION, Coefficients, Footing, parsed
from .command import emit, progress, whole_numbers
from .fit_recall_cases import QUIET, Case, found_in, in_reach, needs, recall_at
from .fit_recall_models import SILENT, as_silent, fitted, halfway, served, turn_logit
from .fit_recall_recalls import with_recalls
from .fit_recall_rows import collected, kept
from .kept_vectors import KeptVectors
from .recall_quality_run import MODELS

SETS = (
    "locomo_dev",
    "madial_zh_dev",
    "proactive_zh_dev",
    "cdconv_dev",
    "everyday_a",
    "changes_a",
)
FOOTINGS = {"local": Footing.DENSE, "hashed": Footing.HASHED, "none": Footing.WORDS}
LEFT_OUT = "b"

type ModelOf = Callable[[Case], Coefficients]
type Fit = Callable[[Sequence[Case]], Coefficients]


def main(argv: Sequence[str]) -> int:
    """Collect, fit, judge, and print or write."""
    options = _parser().parse_args(argv)
    result: dict[str, Any] = {
        "benchmark": "fit_recall",
        "seed": options.seed,
        "sizes": list(options.sizes),
    }
    models: dict[str, Any] = {}
    figures: dict[str, Any] = {}
    used = parsed(FILE.read_text("utf-8"))
    for embedder in options.embedder.split(","):
        footing = FOOTINGS[embedder]
        cases = asyncio.run(_cases(options, embedder))
        progress(f"{footing.value}: {len(cases)} questions")
        if options.in_force:
            figures[footing.value] = {"in_force": _all_by(used[footing], cases)}
            continue
        fit = _fit(options, footing)
        model = fit(_without_hand_b(cases))
        models[footing.value] = document(model)
        figures[footing.value] = _judged(cases, fit, model, folds=not options.quick)
    result |= {"models": models, "figures": figures}
    if options.write and not options.in_force:
        _write(options, models, figures)
    emit(result, as_json=options.json)
    return 0


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.fit_recall")
    top.add_argument("--data", type=Path, required=True, help="folder with the data sets")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--embedder", default="local,hashed,none")
    top.add_argument("--sizes", type=whole_numbers, default="30,100,300,1000,3000")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--vectors", type=Path, help="keep vectors in this folder")
    top.add_argument("--rows", type=Path, help="keep what was collected in this folder")
    top.add_argument("--quick", action="store_true", help="no figures with anything left out")
    top.add_argument("--order", action="store_true", help="keep the order and share in force")
    top.add_argument("--in-force", action="store_true", help="fit nothing, judge what is in force")
    top.add_argument("--sets", default="", help="lives of these sets alone, commas between")
    top.add_argument("--write", action="store_true", help="write core/scoring/coefficients.json")
    top.add_argument("--seed", type=int, default=1)
    return top


def _fit(options: Namespace, footing: Footing) -> Fit:
    if not options.order:
        return partial(fitted, footing=footing)
    used = parsed(FILE.read_text("utf-8"))[footing]
    return partial(_in_order, footing=footing, in_force=used)


def _in_order(cases: Sequence[Case], *, footing: Footing, in_force: Coefficients) -> Coefficients:
    """With the order in force, the candidate halfway to it, and silent as `SILENT` has it for what
    is asked as it is given.
    """
    model = halfway(fitted(cases, footing, in_force), in_force)
    return as_silent(model, [case for case in cases if not case.form], SILENT[footing])


async def _cases(options: Namespace, embedder: str) -> list[Case]:
    file = None if options.rows is None else options.rows / f"{embedder}.pickle"
    cases = None if file is None else await asyncio.to_thread(kept, file)
    async with _embedder(options, embedder) as chosen:
        if cases is None:
            pieces = None if options.rows is None else options.rows / embedder
            wanted = (options.data, chosen, options.sizes, options.seed, options.sets)
            cases = await collected(*wanted, pieces)
            if file is not None:
                await asyncio.to_thread(kept, file, cases)
        meant = chosen if FOOTINGS[embedder] is Footing.DENSE else None
        return await with_recalls(cases, options, meant)


@asynccontextmanager
async def _embedder(options: Namespace, name: str):
    if name != "local":
        yield HashedEmbedder() if name == "hashed" else None
        return
    local = LocalEmbedder(options.models)
    if options.vectors is None:
        try:
            yield local
        finally:
            await local.aclose()
        return
    vectors = KeptVectors(local, options.vectors, queries=True)
    try:
        yield vectors
    finally:
        await vectors.save()
        await local.aclose()


def document(model: Coefficients) -> dict[str, Any]:
    """The numbers as the file has them, to three digits."""
    numbers = ("base", "best", "second", "fifth", "level", "share", "shift")
    weights = {"candidate": model.candidate, "turn": model.turn, "ranking": model.ranking}
    return {
        **{
            name: {column.value: round(value, 3) for column, value in of.items() if round(value, 3)}
            for name, of in weights.items()
        },
        **{name: round(getattr(model, name), 3) for name in numbers},
    }


def _without_hand_b(cases: Sequence[Case]) -> list[Case]:
    return [case for case in cases if case.hand != LEFT_OUT]


def _judged(cases: Sequence[Case], fit: Fit, model: Coefficients, *, folds: bool) -> dict[str, Any]:
    told = {"fitted": _all_by(model, cases)}
    if not folds:
        return told
    own = _without_hand_b(cases)
    fold = _folds(cases)
    users = {
        number: fit([case for case in own if fold.get(_user(case)) != number])
        for number in sorted(set(fold.values()))
    }
    others = [case for case in cases if _user(case) in fold]
    told["users_out"] = _figures(others, lambda case: users[fold[_user(case)]])
    sets = {
        name: fit([case for case in own if case.family != name])
        for name in sorted({case.family for case in cases})
    }
    told["sets_out"] = _figures(cases, lambda case: sets[case.family])
    return told


def _all_by(model: Coefficients, cases: Sequence[Case]) -> dict[str, Any]:
    return _figures(cases, lambda case: model)


def _folds(cases: Sequence[Case]) -> dict[str, int]:
    """The users of each set that has several, by the number of the fit that each is left out of."""
    by_set: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        by_set[case.family].add(_user(case))
    several = [sorted(users) for users in by_set.values() if len(users) > 1]
    return {user: number for users in several for number, user in enumerate(users)}


def _user(case: Case) -> str:
    return f"{case.family} {case.life.removesuffix(' learnt')}"


def _figures(cases: Sequence[Case], model_of: ModelOf) -> dict[str, Any]:
    silent: dict[str, list[float]] = defaultdict(list)
    sizes: dict[str, list[float]] = defaultdict(list)
    mixes: dict[str, list[float]] = defaultdict(list)
    answered: dict[str, list[float]] = defaultdict(list)
    measured: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    logits: dict[str, list[float]] = defaultdict(list)
    for case in cases:
        model = model_of(case)
        worth = turn_logit(case, model)
        if not case.form:
            logits[f"{case.family} {case.kind}"].append(worth)
        if case.kind in QUIET:
            silent[" ".join(filter(None, (case.kind, case.hand, case.form)))].append(worth < 0.0)
            if not case.form:
                sizes[f"{case.size:04}"].append(worth < 0.0)
                mixes[f"{case.family} {case.mix}"].append(worth < 0.0)
        elif needs(case) and len(case.rows):
            name = f"{case.family} {case.mix} {case.form}".strip()
            found = [recall_at(case, model.ranking, depth) for depth in (5, 10)]
            shown = served(case, model) if worth >= 0.0 else np.empty(0, np.int64)
            right = float((case.gold[shown] >= 0).mean()) if len(shown) else 0.0
            measured[name].append((*found, right, found_in(case, shown), len(shown)))
            if in_reach(case, model.ranking):
                answered[name].append(worth >= 0.0)
    names = ("recall@5", "recall@10", "precision", "served", "lines")
    return {
        "silent": _means(silent),
        "silent_by_size": _means(sizes),
        "silent_by_store": _means(mixes),
        "answered": _means(answered),
        "found": {
            family: dict(zip(names, np.mean(rows, axis=0).round(3).tolist(), strict=True))
            for family, rows in measured.items()
        },
        "auc": _separated(logits),
    }


def _means(values: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {name: round(fmean(values[name]), 3) for name in sorted(values)}


def _separated(logits: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The share of pairs of an answerable and another question in which the first is above."""
    told: dict[str, float] = {}
    for name, others in sorted(logits.items()):
        family, _, kind = name.partition(" ")
        if kind in ("adversarial", "lacking", "foreign", "unanswerable"):
            own = np.array(logits[f"{family} need"])[:, None]
            rest = np.array(others)[None]
            told[name] = round(float(((own > rest) + 0.5 * (own == rest)).mean()), 3)
    return told


def _write(options: Namespace, models: Mapping[str, Any], figures: Mapping[str, Any]) -> None:
    told = json.loads(FILE.read_text("utf-8")) if FILE.is_file() else {}
    made = {"command": _command(options), "date": datetime.now(UTC).date().isoformat()}
    if options.order:
        told["order kept"] = told.get("order kept", {}) | dict.fromkeys(models, made)
    else:
        told |= {"data": SETS, "seed": options.seed, **made, "order kept": {}}
    told["figures"] = told.get("figures", {}) | figures
    told |= {"version": VERSION, "models": told.get("models", {}) | models}
    FILE.write_text(json.dumps(told, indent=2) + "\n", "utf-8")


def _command(options: Namespace) -> str:
    sizes = ",".join(map(str, options.sizes))
    order = f" --embedder {options.embedder} --order" if options.order else ""
    return f"python -m benchmarks.fit_recall --data FOLDER --sizes {sizes}{order} --write"
