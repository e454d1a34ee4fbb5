"""`python -m benchmarks.fit_recall --data FOLDER --json`: the numbers that decide what is recalled.

Lives of the data sets are told to the product, whole and by their first messages; questions that
need some of it, and turns that need nothing, go through its own recall. The numbers of every
candidate and turn are what two models are fitted on: a ranking (softmax over the candidates of a
question) and the worth of a turn (logistic). Each set weighs the same. Every figure of a set is of
a fit that has seen nothing of that set.

| option | default | |
|---|---|---|
| `--data` | | folder with a folder per data set |
| `--embedder` | `local,hashed,none` | what to fit for |
| `--set` | those of the gate | repeatable |
| `--first` | 60 | messages of a life that are told in its small variant |
| `--questions` | 60 | asked of a life, at most |
| `--vectors` | | keep vectors, of questions too, in this folder |
| `--rows` | | keep what was collected in this folder, and take it from there |
| `--without` | off | leave each column out in turn, and say what that costs |
| `--write` | off | write `core/scoring/fitted.json` |

Keys: `benchmark`, `seed`, and by footing (`dense`, `hashed`, `words`): `ranking`, `turn`, `base`,
`low`, `high` (the numbers), `left_out` (by set: `questions`, `idle`, `evidence@5`, `evidence@10`,
`in_800_tokens`, `served` under the marks, `auc`, `needed_silent`, `idle_silent`, `idle_tokens`),
and with `--without` what each column brings, by set. `wishes`, by hand: shares of its `wishes`
that something is not kept, of its `others`, and of all messages of the `months`, which hold a few
such wishes, that pass for one by what the other hands wrote. `passing`, by month, set of changes
and of the `episodes`: shares of the messages that tell a fact, and of the others, that pass by what
was written beside it.
"""

import asyncio
import json
import pickle
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import numpy as np

from ..core.embedding.calibrator import READ, TURNS
from ..core.embedding.hashed import HashedEmbedder
from ..core.embedding.local.model import IDENTITY
from ..core.engine.wishes import is_unkept
from ..core.ports import Embedder
from ..core.scoring.decision import Column, Footing, TurnColumn
from ..core.scoring.fitted import FILE
from ..core.similarity.calibration import Scales, VectorScale
from . import machine
from .command import MODELS, emit, progress
from .comparing.sets import BoardSet, Sample, Samples, sets
from .datasets import cdconv, everyday
from .datasets.reading import Complaints
from .embedders import embedder_of
from .fit_recall_models import COLUMNS, NUMBERS, Fit, figures, marks, rank_weights, turn_weights
from .fit_recall_rows import Row, asked_by, lived_rows, rows_of, written_turn
from .gate import SETS
from .lasting import HANDS, lasting, messages, passing, scales_without, standing_by, unkept_by
from .lived.life import FOLDER, lives
from .living.changing import changers
from .living.idle import drawn, idle_turns
from .living.tongues import NEW_CHATS, said, turns

FOOTINGS = {
    "local": (Footing.LOCAL, Footing.DENSE),
    "hashed": (Footing.HASHED,),
    "none": (Footing.WORDS,),
}
"""Those that are fitted on what an embedder finds. Of LOCAL the vector of the question, too."""

LIVED = tuple(f"lived_{file.stem}" for file in sorted(FOLDER.glob("*.txt")))
"""Written months: in a fit they weigh as one set, and each is left out by itself."""

FITTED_ON = (*SETS, *HANDS, *NEW_CHATS, *LIVED)
IDLE_EACH, IDLE_FROM = 6, 12
"""Turns of each class that such a chat is asked beside, and messages from which it is."""

MUCH = 1_000_000

BY_MEANING = {Column.MEANING}
USED = dict.fromkeys(Footing, (TurnColumn.NATS, TurnColumn.TOP)) | dict.fromkeys(
    FOOTINGS["local"], tuple(TurnColumn)
)
"""The numbers of a turn that are fitted. Of LOCAL the vector is, too: ASKS, which is a direction of
that vector, is then what its weights lean on, and is written as part of them.
"""

LIMITS = {
    Footing.LOCAL: {"missed": 0.015, "idle_tokens": 90.0},
    Footing.DENSE: {"missed": 0.03, "idle_tokens": 130.0},
    Footing.HASHED: {"missed": 0.025, "idle_tokens": 200.0},
    Footing.WORDS: {"missed": 0.009, "idle_tokens": 240.0},
}
"""Of `marks`: words alone tell less who needs what, least of all in a chat of a few lines."""


def main(argv: Sequence[str]) -> int:
    """Fit, print, and write if asked."""
    top = ArgumentParser(prog="benchmarks.fit_recall")
    top.add_argument("--data", type=Path, required=True)
    top.add_argument("--embedder", default="local,hashed,none")
    top.add_argument("--set", action="append")
    top.add_argument("--first", type=int, default=60)
    top.add_argument("--questions", type=int, default=60)
    top.add_argument("--models", type=Path, default=MODELS)
    top.add_argument("--vectors", type=Path)
    top.add_argument("--rows", type=Path)
    top.add_argument("--seed", type=int, default=1)
    top.add_argument("--json", action="store_true")
    top.add_argument("--without", action="store_true")
    top.add_argument("--write", action="store_true")
    options = top.parse_args(argv)
    if options.write and {*options.embedder.split(",")} != {*FOOTINGS}:
        top.error("--write needs every embedder: the file holds the numbers of all")
    result: dict[str, Any] = {"benchmark": "fit_recall", "seed": options.seed}
    for embedder in options.embedder.split(","):
        rows, loose = asyncio.run(_rows(options, embedder)), None
        if embedder == "local":
            loose = asyncio.run(_written_turns(options))
            result |= {"wishes": loose.wishes, "passing": loose.passing}
            rows = [asked_by(row, loose.scales.asking) for row in rows]
        for footing in FOOTINGS[embedder]:
            own = loose if footing is Footing.LOCAL else None
            result[footing.value] = fitted(rows, own, footing, without=options.without)
    result["machine"] = machine.facts()
    emit(result, as_json=options.json)
    if options.write:
        models = {each.value: result[each.value] for each in Footing}
        FILE.write_text(written(models, IDENTITY.fingerprint), "utf-8")
    return 0


async def _rows(options: Namespace, embedder: str) -> list[Row]:
    """All rows of a footing, each set kept in a file of its own once it is collected."""
    found, read = list[Row](), dict[str, Scales]()
    for name in options.set or (FITTED_ON if embedder == "local" else (*SETS, *LIVED)):
        for first in (MUCH,) if name in (*HANDS, *NEW_CHATS, *LIVED) else (options.first, MUCH):
            file = (
                None if options.rows is None else options.rows / f"{embedder}-{name}-{first}.rows"
            )
            if file is not None and file.exists():
                found += pickle.loads(file.read_bytes())
                continue
            progress(f"{embedder}: {name}, {first} messages")
            own = await _collected(options, embedder, name, first, read)
            found += own
            if file is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(pickle.dumps(own))
    return found


async def _collected(
    options: Namespace, embedder: str, name: str, first: int, read: dict[str, Scales]
) -> list[Row]:
    """Those of a set. What lasts is `read` by all but the hand that is collected."""
    hand = name.removeprefix("lived_") if name in LIVED else name if name in HANDS else ""
    async with _shared(options, embedder) as shared:
        if shared is not None and hand not in read:
            read[hand] = await scales_without(shared, hand)
        with read_by(read.get(hand)):
            if name in LIVED:
                (life,) = lives([hand])
                return await lived_rows(life, HashedEmbedder() if embedder == "hashed" else shared)
            found: list[Row] = []
            for board in _boards(options, name, first):
                found += await rows_of(board, shared, embedder, options.seed)
            return found


def _boards(options: Namespace, name: str, first: int) -> Iterable[BoardSet]:
    if name in HANDS:
        return [_changes(options.data, name, options.seed)]
    most = {"memdaily": 3}.get(name, MUCH)
    sample = Sample(most, first, options.questions, options.seed)
    return sets(options.data, [name], Samples(sample), Complaints())


def _shared(options: Namespace, embedder: str) -> AbstractAsyncContextManager[Embedder | None]:
    """The local embedder; none for the others, whose vectors cost nothing to make."""
    named = "local" if embedder == "local" else "none"
    return embedder_of(Namespace(embedder=named, models=options.models, vectors=options.vectors))


@dataclass(frozen=True, slots=True)
class Written:
    """Turns that have vectors and nothing else, and what vectors say by all that was written.

    `asking` is by the product's own sample, as it is for embedders whose vectors are not fitted.
    """

    turns: Sequence[Row]
    scales: Scales
    wishes: Mapping[str, Mapping[str, float]]
    passing: Mapping[str, Mapping[str, float]]


async def _written_turns(options: Namespace) -> Written:
    complaints = Complaints()
    async with _shared(options, "local") as shared:
        assert shared is not None
        written = [
            written_turn(each, await shared.embed_query(each.text)) for each in turns(complaints)
        ]
        asked = [
            np.stack(await shared.embed_documents(TURNS[name])) for name in ("needing", "idle")
        ]
        hands = {each.hand for each in said(complaints)}
        wishes = {hand: await _wishes_heard(shared, hand) for hand in sorted(hands)}
        unkept, lasts = await unkept_by(shared), await lasting(shared)
        wished = await standing_by(shared)
        own = sorted({each.hand for each in messages()})
        left_out = {hand: await passing(shared, hand) for hand in own}
    asking = VectorScale.between(*asked)
    scales = Scales(asking, lasts, unkept, wished)
    return Written([asked_by(row, asking) for row in written], scales, wishes, left_out)


async def _wishes_heard(embedder: Embedder, hand: str) -> dict[str, float]:
    """Shares of a hand's messages, and of the months', that pass for a wish by the other hands."""
    scale, own = await unkept_by(embedder, hand), said(Complaints())
    texts = {
        name: [each.text for each in own if each.hand == hand and each.unkept is wish]
        for name, wish in (("wishes", True), ("others", False))
    }
    texts["months"] = [each.text for life in lives(()) for each in life.said]
    heard = {
        name: [await is_unkept(text, embedder, scale) for text in some]
        for name, some in texts.items()
    }
    return {name: round(float(np.mean(each)), 4) for name, each in heard.items()}


@contextmanager
def read_by(scales: Scales | None) -> Iterator[None]:
    """The local embedder's vectors are read so."""
    space = IDENTITY.fingerprint
    kept = READ[space]
    READ[space] = scales or kept
    try:
        yield
    finally:
        READ[space] = kept


def _changes(data: Path, name: str, seed: int) -> BoardSet:
    """People who tell one hand's changes, with everyday turns that need nothing of them."""
    complaints, hand = Complaints(), HANDS[name]
    chat = cdconv.exchanges(data / "cdconv_dev", complaints)
    idle = idle_turns(everyday.everyday(complaints), chat)
    told = [one for one in everyday.changes(complaints) if one.hand == hand]
    lives = tuple(changers(told, iter(())))
    drawn_for = (
        tuple(drawn(idle, life, (), IDLE_EACH, Random(f"{seed}:{life.name}")))
        if len(life.lines) >= IDLE_FROM
        else ()
        for life in lives
    )
    return BoardSet(name, lives, tuple(drawn_for))


def fitted(
    rows: Sequence[Row], written: Written | None, footing: Footing, *, without: bool
) -> dict[str, Any]:
    """The numbers fitted on all rows, and the figures of each set under a fit without it.

    With what is `written` the vector of the turn is weighed, too.
    """
    has_vectors, turns = footing is not Footing.WORDS, None if written is None else written.turns
    used = [i for i, column in enumerate(COLUMNS) if has_vectors or column not in BY_MEANING]
    turn = [NUMBERS.index(column) for column in USED[footing]]
    rows = [row for row in rows if row.kind != "other_person"]
    fit = turn_weights(rows, turn, rank_weights(rows, used), turns)
    low, high = marks(rows, fit, **LIMITS[footing])
    left_out = partial(_left_out, rows, limits=LIMITS[footing], turns=turns)
    whole = left_out(used, turn)
    if written is not None:
        fit = fit.folded(written.scales.asking)
    result: dict[str, Any] = {
        "ranking": {
            c.value: round(float(w), 3) for c, w in zip(COLUMNS, fit.ranking, strict=True) if w
        },
        "turn": {c.value: round(float(w), 3) for c, w in zip(NUMBERS, fit.turn, strict=True) if w},
        "scales": [] if written is None else _rounded(fit, written.scales),
        "base": round(fit.base, 3),
        "low": round(low, 3),
        "high": round(high, 3),
        "left_out": whole,
    }
    if without:
        result["gain"] = {
            COLUMNS[place].value: _gain(
                whole, left_out([i for i in used if i != place], turn), "in_800_tokens"
            )
            for place in used
        } | {
            f"turn {NUMBERS[place].value}": _gain(
                whole, left_out(used, [i for i in turn if i != place]), "auc"
            )
            for place in turn
        }
    return result


def _rounded(fit: Fit, read: Scales) -> list[str]:
    """Of each scale the direction, then its logit of none: that of `asking` is in the base."""
    asking = VectorScale(fit.asking, 0.0)
    return [
        " ".join(str(round(float(w), 2)) for w in (*each.direction, each.base))
        for each in (asking, read.lasting, read.unkept, read.standing)
    ]


def _left_out(
    rows: Sequence[Row],
    used: list[int],
    turn: list[int],
    limits: Mapping[str, float],
    turns: Sequence[Row] | None,
) -> dict[str, Any]:
    """By set, the figures of a fit that knows none of its questions and none of the idle turns:
    every set is asked the same ones, half of which are left out at a time.
    """
    found: dict[str, Any] = {}
    for name in sorted({row.set for row in rows}):
        halves: list[dict[str, float | int]] = []
        for half in (0, 1):
            others = [row for row in rows if row.set != name and _half(row) != half]
            fit = turn_weights(others, turn, rank_weights(others, used), turns)
            own = [row for row in rows if row.set == name and _half(row) == half]
            halves.append(figures(own, fit, marks(others, fit, **limits)))
        found[name] = _together(halves)
    return found


def _half(row: Row) -> int:
    return crc32(row.text.encode()) % 2


def _together(halves: Sequence[Mapping[str, float | int]]) -> dict[str, float | int]:
    """The means, each half by the number of its questions; these and the idle turns added."""
    counted = {name: sum(half[name] for half in halves) for name in ("questions", "idle")}
    total = counted["questions"] or 1
    names = {name for half in halves for name in half if name not in counted}
    return {
        name: round(sum(half.get(name, 0.0) * half["questions"] for half in halves) / total, 4)
        for name in sorted(names)
    } | counted


def _gain(whole: Mapping[str, Any], less: Mapping[str, Any], name: str) -> dict[str, float]:
    return {each: round(whole[each].get(name, 0) - less[each].get(name, 0), 4) for each in whole}


def written(models: Mapping[str, Any], space: str) -> str:
    """The text of `core/scoring/fitted.json`; vectors of questions are those of the `space`."""
    names = ("ranking", "turn", "base", "low", "high")
    told = {footing: {name: model[name] for name in names} for footing, model in models.items()}
    for footing, model in models.items():
        if model["scales"]:
            told[footing]["turn"] = model["turn"] | {TurnColumn.ASKS.value: 1.0}
            told[footing] |= {"scales": model["scales"], "space": space}
    return json.dumps(told, indent=1) + "\n"
