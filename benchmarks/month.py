"""`python -m benchmarks.month --endpoint URL --model M`: months that were lived, in a real host.

Four written lives of thirty days (`benchmarks/data/lives`, two in each language's chats, one of
them a group's) are played through a real AstrBot as a messenger plays them, message by message; the
bot says what is written, and the model learns behind the plugin. Of the chat the host keeps
`turns_in_sight` in the sight of its own model. Before each message all that is due has been done,
and the product sleeps by itself at night. `--life NAME`, which may be repeated, and `--days N` play
a part. Without `--endpoint` the rehearsal model learns, which has no intelligence: that takes
minutes.

Replies and days are kept in `--resume` (by default in the user's cache): the same command goes on
after the last whole day, and what was asked is not asked again. Another version of the product's
code, another model or life is played anew, from replies that are kept where prompts are the same.
A changed mark of a life (`benchmarks/data/README.md`) is only judged anew.

Keys: `benchmark`, `model`, `turns_in_sight`, `replies` (`asked` and `kept` calls, `median_tokens`,
`median_seconds`), `seconds`, `machine` (see `benchmarks.machine`), and

- `lives`: of each `totals`, `objected` (of what is live at the end what is neither right nor other)
  and `days`: `day`, `messages`; `told` facts, of which `learnt` by its end (a live memory tells it,
  of the right person) and `missed` (their ids); `memories` live at its end: `right`, `stale` (tell
  as so what has ended), `wrong` (a wrong answer, or told of somebody else), `forgotten` (was to),
  `other` (no fact's); `asked` messages that need facts, of which `shown` (any line), `answered`
  (every needed fact stands there) and `stale` (a wrong answer, not marked as past), with means of
  `lines` and `tokens`; `idle` messages that need nothing, of which `silent`, with `idle_tokens`;
  `objections`; what was `spent` by purpose (`calls`, `tokens`; `block` are the tokens shown);
  `seconds`
- `totals`: `messages`, and {`n`, `value`, `low`, `high`} of the shares `learnt`, `shown`,
  `answered`, `needed_found`, `stale`, `silent_when_idle`, the means `tokens` and
  `tokens_when_idle`, and `objections_per_line` (the interval holds 95 of 100 resamples);
  `objections` by kind: `missing` (a needed fact), `wrong` (a wrong answer), `stale` (what has
  ended, not marked; in the words of a message `stale_quote`), `forgotten` (what somebody asked to
  forget), `another's` (what was told of one person is said of another), `before_its_successor`,
  `twice`, `needless` (a line where nothing is needed), `unrelated` (a line of no needed fact while
  one is missing)
- `worst`: the ten blocks with the weightiest objections: `life`, `day`, `line` of its file,
  `message`, `needed` and `missing` facts, `block`, `objections` as pairs of a kind and a line
"""

import asyncio
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from ..scripts.hostkit.process import HostFailed
from ..scripts.run import interruptible
from . import machine
from .command import MODELS, emit, progress, workspace
from .comparing.axes import mean, ratio
from .datasets.reading import NoData
from .kept_replies import asked_of, endpoint_options
from .lived.judging import Day, Judged, Learnt, judged, learnt
from .lived.life import Life, lives
from .lived.playing import TURNS, Learner, played
from .rankings import mean as plain

WORST = 10
SEED = 1

type Figures = dict[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Print the report. 2 if a life cannot be read, or the host or the model does not answer.

    1 if it was stopped.
    """
    options = _parser().parse_args(arguments)
    if options.endpoint and not options.model:
        progress("--endpoint wants a --model")
        return 2
    try:
        result = asyncio.run(_measured(options))
    except (NoData, HostFailed) as problem:
        progress(str(problem))
        return 2
    except asyncio.CancelledError:
        progress("Stopped; the same command goes on after the last whole day.")
        return 1
    emit(result, as_json=options.json)
    return 0


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.month")
    endpoint_options(top, timeout=600.0, required=False)
    top.add_argument("--life", action="append", default=[], help="by name; may be repeated")
    top.add_argument("--days", type=int, default=0, help="the first ones only; 0 for all")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    return top


async def _measured(options: Namespace) -> Figures:
    began, told = time.monotonic(), lives(options.life)
    days: dict[str, list[dict[str, Any]]] = {}
    replies: Figures = {}
    async with AsyncExitStack() as stack:
        # A host is ended by whoever started it, also where this is ended from outside.
        stack.enter_context(interruptible())
        learner = Learner(None)
        # Without an endpoint only what was asked for is kept.
        folder: Path = options.resume or stack.enter_context(workspace(None))
        if options.endpoint:
            learner.kept = await stack.enter_async_context(asked_of(options, "month"))
            folder = learner.kept.keeping.folder or folder
        for life in told:
            days[life.name] = await played(
                life, learner, folder, days=options.days, models=options.models
            )
        if learner.kept is not None:
            replies = learner.kept.figures()
    return {
        "benchmark": "month",
        "model": options.model if options.endpoint else "rehearsal",
        "turns_in_sight": TURNS,
        **report(told, days),
        "replies": replies,
        "seconds": round(time.monotonic() - began, 1),
        "machine": machine.facts(),
    }


def report(told: Sequence[Life], days: Mapping[str, Sequence[Day]]) -> Figures:
    """Figures of what was played of each life, together, and the worst blocks."""
    by_life: Figures = {}
    asked: list[tuple[str, Judged]] = []
    facts: list[Figures] = []
    for life in told:
        pairs = [[_judged(life, turn) for turn in day["turns"]] for day in days[life.name]]
        believed = [learnt(life, day) for day in days[life.name]]
        own = _facts(life, believed, pairs)
        rows = _rows(life, days[life.name], pairs, believed)
        every = [one for pair in pairs for one in pair]
        bad = [list(each) for each in believed[-1].bad] if believed else []
        by_life[life.name] = {"days": rows, "totals": totals(every, own), "objected": bad}
        asked += [(life.name, one) for one in every]
        facts += own
    worst = sorted(asked, key=lambda each: -each[1].weight)[:WORST]
    return {
        "lives": by_life,
        "totals": totals([one for _, one in asked], facts),
        "worst": [_block(name, one) for name, one in worst if one.weight],
    }


def totals(every: Sequence[Judged], facts: Sequence[Figures]) -> Figures:
    """Shares with the interval that 95 of 100 resamples lie in, and counts of objections."""
    needs = [_record(one) for one in every if one.said.needs]
    idle = [_record(one) for one in every if one.said.needs == ()]
    whole = [_record(one) for one in every]
    return {
        "messages": len(every),
        "learnt": mean(facts, lambda one: one["learnt"], SEED),
        "shown": mean(needs, lambda one: one["lines"] > 0, SEED),
        "answered": mean(needs, lambda one: not one["missing"], SEED),
        "needed_found": ratio(needs, "found", "needed", SEED),
        "stale": mean(needs, lambda one: one["wrong"], SEED),
        "tokens": mean(needs, lambda one: one["tokens"], SEED),
        "silent_when_idle": mean(idle, lambda one: not one["lines"], SEED),
        "tokens_when_idle": mean(idle, lambda one: one["tokens"], SEED),
        "objections_per_line": ratio(whole, "objections", "lines", SEED),
        "objections": dict(sum((one.kinds for one in every), Counter[str]()).most_common()),
    }


def _judged(life: Life, turn: Mapping[str, Any]) -> Judged:
    return judged(life, life.said[turn["said"]], turn["shown"])


def _record(one: Judged) -> Figures:
    return {
        "lines": len(one.lines),
        "tokens": one.tokens,
        "needed": len(one.said.needs or ()),
        "found": len(one.found),
        "missing": len(one.missing),
        "wrong": one.kinds["wrong"] > 0,
        "objections": sum(one.kinds.values()) - one.kinds["missing"],
    }


def _facts(
    life: Life, believed: Sequence[Learnt], pairs: Sequence[Sequence[Judged]]
) -> list[Figures]:
    """Each fact that was told, and whether a memory that was live at the end of a day told it."""
    until = max((one.said.number for pair in pairs for one in pair), default=-1)
    ever = {each for one in believed for each in one.facts}
    return [
        {"id": fact.id, "learnt": fact.id in ever}
        for fact in life.facts.values()
        if fact.since <= until
    ]


def _rows(
    life: Life, days: Sequence[Day], pairs: Sequence[Sequence[Judged]], believed: Sequence[Learnt]
) -> list[Figures]:
    rows: list[Figures] = []
    before: Mapping[str, Mapping[str, int]] = {}
    for day, pair, now in zip(days, pairs, believed, strict=True):
        own = {one.said.number for one in pair}
        told = {fact.id for fact in life.facts.values() if fact.since in own}
        needs = [one for one in pair if one.said.needs]
        idle = [one for one in pair if one.said.needs == ()]
        spent = {
            purpose: {
                name: count - before.get(purpose, {}).get(name, 0) for name, count in each.items()
            }
            for purpose, each in day["usage"].items()
        }
        before = day["usage"]
        rows.append(
            {
                "day": day["day"],
                "messages": len(pair),
                "told": len(told),
                "learnt": len(told & now.facts),
                "missed": sorted(told - now.facts),
                "memories": dict(now.kinds),
                "asked": len(needs),
                "shown": sum(bool(one.lines) for one in needs),
                "answered": sum(not one.missing for one in needs),
                "stale": sum(one.kinds["wrong"] > 0 for one in needs),
                "lines": plain(len(one.lines) for one in needs),
                "tokens": plain(one.tokens for one in needs),
                "idle": len(idle),
                "silent": sum(not one.lines for one in idle),
                "idle_tokens": plain(one.tokens for one in idle),
                "objections": dict(sum((one.kinds for one in pair), Counter[str]())),
                "spent": spent,
                "seconds": day["seconds"],
            }
        )
    return rows


def _block(name: str, one: Judged) -> Figures:
    return {
        "life": name,
        "day": one.said.day,
        "line": one.said.line,
        "message": f"{one.said.who}: {one.said.text}",
        "needed": list(one.said.needs or ()),
        "missing": list(one.missing),
        "block": list(one.lines),
        "objections": [list(each) for each in one.objections],
    }
