"""The command line: blocks by a system, the cost beforehand, answers, verdicts and figures."""

import json
import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from ...core.ports import Embedder
from ...core.text.token_count import best_counter
from .. import machine
from ..command import ALL, progress, run, sets_parser, workspace
from ..comparing.catalogue import NAMES, made
from ..comparing.keeping import Keeping
from ..comparing.sets import Sample, Samples, sets
from ..datasets.reading import Complaints, NoData
from ..embedders import embedder_of, saved
from ..kept_replies import KeptModel, kept_model
from ..living.script import Life
from .blocks import SETS, blocks
from .judging import Judged, agreement, estimate, figures, judged, votes_of
from .prompts import VERSION, Asked, told_by_words

MEASURED = ("system", "embedder", "messages", "questions", "seed")
"""Options that decide the blocks: only what was made with the same is taken up again."""

KEY = "ANSWERS_KEY"
"""The variable that holds the key; none that is set for another purpose is sent anywhere."""

KEPT = "answers_kept"


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if there is nothing to ask, or the endpoint is down."""
    return run(_parser(), _measure, argv)


def _parser() -> ArgumentParser:
    top = sets_parser("answers", sets=SETS)
    top.add_argument("--endpoint", required=True, help="URL of an OpenAI-compatible server")
    top.add_argument("--model", required=True, help="answers")
    top.add_argument("--judge", help="judges, a model of the same server; default: words")
    top.add_argument("--most", type=int, default=ALL, help="questions of a set, drawn by --seed")
    top.add_argument("--key-variable", default=KEY, help=f"holds the key; default {KEY}")
    top.add_argument("--estimate", action="store_true", help="tell the cost and stop")
    top.add_argument("--votes-on", type=int, default=0, help="questions judged three times")
    top.add_argument("--timeout", type=float, default=120.0, help="seconds of one call")
    top.add_argument("--transcript", type=Path, help="write each question with all that came of it")
    top.add_argument("--system", default="tidemark", help=f"{', '.join(NAMES)}, or module:Class")
    top.add_argument("--resume", type=Path, help=f"what is kept; default {KEPT} in --data")
    return top


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    began = time.monotonic()
    folder = options.resume or options.data / KEPT
    asked = _drawn(await _asked(options, folder, complaints), options)
    votes = votes_of(asked, options.votes_on, options.seed)
    if options.judge is None:
        votes = [0] * len(asked)
    names = sorted({each.set for each in asked})
    told_of = ("model", "judge", *MEASURED, "lives", "most")
    result: dict[str, Any] = {
        "benchmark": "answers",
        **{name: getattr(options, name) for name in told_of},
        "prompts": VERSION,
        "sizes": {name: sum(each.set == name for each in asked) for name in names},
    }
    async with (
        _model(options, options.model, folder) as model,
        _model(options, options.judge or "", folder) as judge,
    ):
        counter, counted_by = best_counter()
        before = estimate(asked, votes, model, judge, counter)
        result["estimate"] = before | {"counted_by": counted_by}
        progress(f"to be paid, about: {json.dumps(result['estimate'])}")
        if options.estimate:
            return result
        told = await _judged(asked, votes, model, judge)
        spent = {"model": asdict(model.spent), "judge": asdict(judge.spent)}
    if options.transcript is not None:
        _write(options.transcript, told)
    own = {name: [each for each in told if each.asked.set == name] for name in names}
    return result | {
        "spent": spent,
        "sets": {name: figures(each, options.seed) for name, each in own.items()},
        "votes": agreement(told),
        "seconds": round(time.monotonic() - began, 1),
        "problems": complaints.found,
        "machine": machine.facts(),
    }


def _drawn(asked: Sequence[Asked], options: Namespace) -> list[Asked]:
    """Of each set, at most so many by chance; a smaller sample is a larger one's beginning."""
    fit = [each for each in asked if options.judge is not None or told_by_words(each)]
    drawn: list[Asked] = []
    for name in sorted({each.set for each in fit}):
        own = [each for each in fit if each.set == name]
        Random(options.seed).shuffle(own)
        drawn += own[: options.most]
    return drawn


async def _asked(options: Namespace, folder: Path, complaints: Complaints) -> list[Asked]:
    """Every question with its block; those of a life are kept once it is heard."""
    sample = Sample(options.lives, options.messages, options.questions, options.seed)
    boards = sets(options.data, options.set or SETS, Samples(sample), complaints)
    if not boards:
        raise NoData(f"{options.data} has none of {', '.join(options.set or SETS)}")
    keeping = Keeping(folder, repr([getattr(options, name) for name in MEASURED]))
    asked: list[Asked] = []
    async with embedder_of(options) as embedder:
        for board in boards:
            progress(f"{board.name}: {len(board.lives)} lives are heard")
            for life in board.lives:
                kept = keeping.read(board.name, life.name)
                if kept is not None:
                    asked += [_asked_of(each) for each in kept["asked"]]
                    continue
                own = await _heard(life, board.name, embedder, options)
                keeping.write({"asked": [asdict(each) for each in own]}, board.name, life.name)
                await saved(embedder)
                asked += own
    if not asked:
        raise NoData(f"{options.data} has no question with an answer")
    return asked


async def _heard(
    life: Life, name: str, embedder: Embedder | None, options: Namespace
) -> list[Asked]:
    with workspace(options.folder) as folder:
        system, learns = made(options.system, folder, embedder, life, Random(options.seed))
        try:
            return await blocks(life, name, system, learns=learns)
        finally:
            await system.close()


async def _judged(
    asked: Sequence[Asked], votes: Sequence[int], model: KeptModel, judge: KeptModel
) -> list[Judged]:
    pairs = zip(asked, votes, strict=True)
    return [await judged(each, wanted, model, judge) for each, wanted in pairs]


def _model(options: Namespace, name: str, folder: Path) -> AbstractAsyncContextManager[KeptModel]:
    key = os.environ.get(options.key_variable, "")
    return kept_model(options.endpoint, key, name, options.timeout, folder)


def _asked_of(kept: dict[str, Any]) -> Asked:
    texts: dict[str, Any] = {name: tuple(kept[name]) for name in ("lines", "before")}
    return Asked(**{**kept, **texts})


def _write(file: Path, told: Sequence[Judged]) -> None:
    lines = (asdict(each) | {"right": each.right} for each in told)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    file.write_text(text, "utf-8")
