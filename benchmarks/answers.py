"""`python -m benchmarks.answers --endpoint URL --model M --data FOLDER`: right answers by a model.

LoCoMo, LongMemEval-S, MADial and MemDaily, end to end with models of yours: a system hears each
life (as in `benchmarks.gate`; `--system`, by default `tidemark`; `nothing` shows nothing),
makes its block for each question, the model answers with it, and the judge (`--judge M2`) tells
whether the answer is right. Without a judge the words of the data's own answer tell it, of
questions whose answer is short and no date. Any OpenAI-compatible server will do. Its key is read
from the environment variable `ANSWERS_KEY`, or from the one that `--key-variable` names; it is
neither printed nor kept. The prompts stand in `benchmarks/answering/prompts.py` as they are sent,
the rules of the judge among them; no temperature is sent.

What it will cost is told on standard error before the first call; `--estimate` stops after that,
and nothing was called. Every block, answer and verdict is kept in `--resume` (by default
`answers_kept` in the folder of the data): the same command goes on where it was interrupted,
calls that failed are made again, and nothing is paid for twice. Another version of the system
wants another folder. After five failures in a row the run ends.

`--set`, `--lives`, `--messages`, `--questions` cut to a sample, `--most N` to N questions of a set,
drawn with `--seed`: a smaller sample is the beginning of a larger one.

LongMemEval's questions without an answer are asked, too (`unanswerable`: right is to say that it
is not known), LoCoMo's are not, as in its published figures. MADial has no questions: there the
judge tells whether the reply brings up the memory that the reference brings up.

Keys: `benchmark`, `model`, `judge`, `system`, `embedder`, `messages`, `questions`, `seed`, `lives`,
`most` (the options), `prompts` (their version), `seconds`, `problems`, `machine` (see
`benchmarks.machine`), `sizes` (questions of each set), and

- `estimate`: what is not kept yet: `questions`, for `model` and `judge` `calls` and `tokens`;
  a reply is taken to have 60 tokens, a verdict 10
- `spent`: for `model` and `judge` `calls` and `tokens` of this run as billed, `without_usage`
  (calls of which the server did not tell the tokens), `kept_calls` and `kept_tokens` of earlier
  runs, `failed` calls
- `sets`: of each `right`, the share of right answers as {`n`, `value`, `low`, `high`} (questions,
  figure, and the interval that 95 of 100 resamples of the questions lie in), likewise the others as
  `unknown` (the model said so) and `wrong`, and `lines`, the number shown; `categories` (what is
  right by category), `unanswered` and `unjudged` (questions left out, for a call failed or no
  verdict could be read)
"""

import json
import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from ..core.ports import Embedder
from ..core.text.token_count import estimate_tokens
from .answering.judging import estimate, figures, judged
from .answering.prompts import VERSION, Asked, told_by_words
from .command import ALL, progress, run, sets_parser, workspace
from .comparing.asking import question_of, told
from .comparing.catalogue import NAMES, made
from .comparing.keeping import Keeping
from .comparing.sets import Sample, Samples, sets
from .comparing.system import MemorySystem
from .datasets.reading import Complaints, NoData
from .embedders import embedder_of, saved
from .kept_replies import KeptModel, kept_model
from .living.script import Earlier, Life, Need

SETS = ("locomo", "longmemeval", "madial", "memdaily")
"""Those with answers of their own."""

TOLD_APART = "longmemeval"
"""The set whose questions without an answer are asked; LoCoMo's are left out of its figures."""

UNANSWERABLE = "unanswerable"

MEASURED = ("system", "embedder", "messages", "questions", "seed")
"""Options that decide the blocks: only what was made with the same is taken up again."""

KEY = "ANSWERS_KEY"
"""The variable that holds the key; none that is set for another purpose is sent anywhere."""

KEPT = "answers_kept"


type Question = tuple[str, str, str, Sequence[Earlier], Need | None]
"""Category, text, gold, what was said before, and the need."""


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
    top.add_argument("--timeout", type=float, default=120.0, help="seconds of one call")
    top.add_argument("--system", default="tidemark", help=f"{', '.join(NAMES)}, or module:Class")
    top.add_argument("--resume", type=Path, help=f"what is kept; default {KEPT} in --data")
    return top


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    began = time.monotonic()
    folder = options.resume or options.data / KEPT
    asked = _drawn(await _asked(options, folder, complaints), options)
    names = sorted({each.set for each in asked})
    told_of = ("model", "judge", *MEASURED, "lives", "most")
    result: dict[str, Any] = {
        **{name: getattr(options, name) for name in told_of},
        "prompts": VERSION,
        "sizes": {name: sum(each.set == name for each in asked) for name in names},
    }
    async with AsyncExitStack() as stack:
        model = await stack.enter_async_context(_model(options, options.model, folder))
        judge = None
        if options.judge is not None:
            judge = await stack.enter_async_context(_model(options, options.judge, folder))
        result["estimate"] = estimate(asked, model, judge, estimate_tokens)
        progress(f"to be paid, about: {json.dumps(result['estimate'])}")
        if options.estimate:
            return result
        told = [await judged(each, model, judge) for each in asked]
        spent = {"model": asdict(model.spent), "judge": judge and asdict(judge.spent)}
    own = {name: [each for each in told if each.asked.set == name] for name in names}
    return result | {
        "spent": spent,
        "sets": {name: figures(each, options.seed) for name, each in own.items()},
        "seconds": round(time.monotonic() - began, 1),
        "problems": complaints.found,
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
            await told(life, system, learns=learns)
            return [each async for each in _with_blocks(life, name, system)]
        finally:
            await system.close()


async def _with_blocks(life: Life, name: str, system: MemorySystem) -> AsyncIterator[Asked]:
    """Every question of a life of the set `name`, after it was told."""
    now = f"{datetime.fromtimestamp(life.end, UTC):%Y-%m-%d, %A}"
    for number, (category, text, gold, before, need) in enumerate(_questions(life, name)):
        brought = await system.block(question_of(life, text, before, need))
        await system.answered()
        lines = tuple(item.line or item.text for item in brought.shown)
        said = tuple(f"{each.role.value}: {each.text}" for each in before)
        label = f"{life.name}:{number}" if need is None else need.id
        yield Asked(label, name, category, text, gold, now, lines, said)


def _questions(life: Life, name: str) -> Iterator[Question]:
    for need in life.needs:
        if need.answer:
            yield need.category, need.text, need.answer, need.before, need
    for turn in life.other_person if name == TOLD_APART else ():
        yield UNANSWERABLE, turn.text, "", turn.before, None


def _model(options: Namespace, name: str, folder: Path) -> AbstractAsyncContextManager[KeptModel]:
    key = os.environ.get(options.key_variable, "")
    return kept_model(options.endpoint, key, name, options.timeout, folder)


def _asked_of(kept: dict[str, Any]) -> Asked:
    texts: dict[str, Any] = {name: tuple(kept[name]) for name in ("lines", "before")}
    return Asked(**{**kept, **texts})
