"""The command line of the benchmark of changes."""

import asyncio
import re
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..command import data_parser, emit, workspace
from ..datasets import cdconv, everyday
from ..datasets.reading import Complaints
from ..embedders import embedder_of
from ..progress_bar import ProgressBar
from .changing import changers
from .installation import KEPT
from .stages import Sampling, Stage, played

FIGURES = ("current_first", "stale_first", "current_shown", "stale_shown", "stale_unmarked")

type Answer = Mapping[str, Any]


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = data_parser("changes", required=False)
    top.add_argument("--learning", choices=("rules", "recorded", "none"), default="rules")
    top.add_argument("--written", type=Path, default=everyday.OWN, help="the changes")
    options = top.parse_args(argv)
    emit(asyncio.run(_measured(options)), as_json=options.json)
    return 0


async def _measured(options: Namespace) -> dict[str, Any]:
    complaints = Complaints()
    told = everyday.changes(complaints, options.written)
    noise = cdconv.exchanges(options.data / "cdconv_dev", complaints) if options.data else []
    lives = changers(told, iter(noise))
    count = sum(len(life.lines) for life in lives)
    streams = [life.lines for life in lives]
    stage = Stage("changes", lives, lambda: [iter(each) for each in streams], count, KEPT)
    sampling = Sampling(idle=0, seed=options.seed)
    async with embedder_of(options) as embedder:
        with workspace(options.folder) as folder, ProgressBar(count) as bar:
            learning = options.learning
            result = await played(stage, folder, embedder, learning, sampling, bar.show)
    return {
        "benchmark": "changes",
        "embedder": options.embedder,
        "learning": options.learning,
        "now": _summed([each for each in result.asked if not each["past"]]),
        "past": _summed([each for each in result.asked if each["past"]]),
        "problems": complaints.found,
    }


def _summed(answers: Sequence[Answer]) -> dict[str, Any]:
    groups: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        for name in _names(answer):
            groups[name].append(answer)
    return {name: _shares(groups[name]) for name in sorted(groups)}


def _names(answer: Answer) -> Iterator[str]:
    hand, language = answer["hand"], answer["language"]
    form = "listed" if answer["listed"] else "unlisted"
    odd = int(re.findall(r"\d+", answer["kind"])[-1]) % 2
    yield from ("all", f"language {language}", f"hand {hand}", f"hand {hand}, {language}")
    yield f"hand {hand}, {language}, {form}"
    if hand == "a":
        yield f"hand a, {language}, {'odd' if odd else 'even'}"


def _shares(answers: Sequence[Answer]) -> dict[str, float]:
    shares = {name: sum(each[name] for each in answers) / len(answers) for name in FIGURES}
    silent = sum(not (each["current_shown"] or each["stale_shown"]) for each in answers)
    told = {**shares, "silent": silent / len(answers)}
    return {"n": len(answers), **{name: round(share, 3) for name, share in told.items()}}
