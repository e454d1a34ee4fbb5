"""`python -m benchmarks.changes --json`: of what people say has changed, is what holds told?

Each person tells changes of different slots, through the hooks of a real engine, the clock moving
by the data's days; a day after the last of them every question is asked. Nothing fades (a cycle of
a year), and there is no noise unless `--data` has `cdconv_dev`. Learning is by the rules, or by
recorded replies that name slot and value.

Keys: `benchmark`, `embedder`, `learning`, `problems`; `now` and `past` (about the present and
the past, of which what was so then counts as current), each over all, by `hand`, by `half` (of
hand a the even ids and the odd ones; the rules were written with a sight of the odd ones alone), by
`language`, and by hand, language and whether the hand calls the change `listed` (said directly).
For each `n` and shares of `current_first`, `stale_first`, `current_shown`, `stale_shown`,
`stale_unmarked` and `silent` (neither is shown).
"""

import re
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import merge
from pathlib import Path
from typing import Any

from ..core.ports import Embedder
from .command import data_parser, run, workspace
from .datasets import cdconv, everyday
from .datasets.reading import Complaints
from .embedders import embedder_of
from .living.changing import changers
from .living.installation import KEPT, Learning, opened
from .living.judging import judged_change
from .living.player import Player
from .living.script import DAY, Life, Line

FIGURES = ("current_first", "stale_first", "current_shown", "stale_shown", "stale_unmarked")

type Answer = Mapping[str, Any]


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = data_parser("changes", required=False)
    top.add_argument("--learning", choices=("rules", "recorded", "none"), default="rules")
    top.add_argument("--written", type=Path, default=everyday.OWN, help="the changes")
    return run(top, _measured, argv)


async def _measured(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    told = everyday.changes(complaints, options.written)
    noise = cdconv.exchanges(options.data / "cdconv_dev", complaints) if options.data else []
    lives = changers(told, iter(noise))
    async with embedder_of(options) as embedder:
        with workspace(options.folder) as folder:
            answers = await _asked(lives, folder, embedder, options.learning)
    return {
        "embedder": options.embedder,
        "learning": options.learning,
        "now": _summed([each for each in answers if not each["past"]]),
        "past": _summed([each for each in answers if each["past"]]),
        "problems": complaints.found,
    }


async def _asked(
    lives: Sequence[Life], folder: Path, embedder: Embedder | None, learning: Learning
) -> list[Answer]:
    """What each question came to. Lines come in the order of their times, whoever's they are."""
    answers: list[Answer] = []
    recordings = [each for life in lives for each in life.recorded]
    ends = sorted(lives, key=lambda life: life.end)

    async def ask(life: Life) -> None:
        await player.at.until(life.end)
        await player.come_to_rest()
        for asked in life.changes:
            recalled = await player.ask(life, asked.text, (), life.asker)
            about = {"language": life.language, "kind": asked.id, "hand": asked.hand}
            about |= {"listed": asked.listed, "past": asked.past}
            answers.append(about | judged_change(asked, recalled))
        await player.leave_no_trace()

    async with opened(folder, embedder, KEPT, learning, recordings) as installation:
        player = Player(installation)
        for life, line in merge(*map(_tagged, lives), key=lambda each: each[1].at):
            if player.at.clock.at == 0:
                player.at.clock.at = line.at - DAY
            while ends and ends[0].end < line.at:
                await ask(ends.pop(0))
            await player.say(life, line)
        for life in ends:
            await ask(life)
    return answers


def _tagged(life: Life) -> Iterator[tuple[Life, Line]]:
    return ((life, line) for line in life.lines)


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
