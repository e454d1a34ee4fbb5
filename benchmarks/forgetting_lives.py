"""`python -m benchmarks.forgetting_lives --data FOLDER --json`: every policy on lives.

The written months (`benchmarks/data/lives`) and those lives of the data sets that need something
are played through the engine without a host, and nothing is let go of. Raw turns are what
is remembered of the months; where the data say what a good reader learns, that is learnt too. Then
every policy judges what happened, night by night: with the product's defaults, and at equal
storage, where each keeps the same share of all there has been, what it would let go of last. What
is gone is gone. A verdict is what the marks say: useful is a memory that tells what the message
needs, in vain any other that was shown; of a message without marks there is none. What was shown
was chosen while all was kept: under a policy that lets go, others would have come up.

| option | default | |
|---|---|---|
| `--data` | | without it the months alone |
| `--shares` | `1/4,1/2,3/4` | of storage |
| `--policies` | all that are installed | names with commas between |

Sets: `months`; `months_x6`, the same with six times as much time between any two events, a month
being short for decay; `half_years`, the data's lives of less than a year; `years`, the longer ones.

Keys: `benchmark`, `embedder`, `seed`, `lives` (by set and life `memories`, `needs`,
`lines`), `problems` (what of the data was left out) and

- `policies`: by set, by storage (`own`, and each share) and policy {`n`, `value`, `low`, `high`} of
  `gone` (share of needs of which every memory that told it is gone), `more` (the same less that of
  the default), `stale` (share of the lines shown of what is kept that tell what has ended), `ended`
  and `noise` (shares of what is kept that tell it, and that nothing ever needs) and `kept` (of all
  there has been); the interval holds 95 of 100 resamples of nights. `published` is `tmd` with
  nothing that goes beyond the paper: facts that hold fade, what nothing else says lasts no longer
"""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from ..core.forgetting.catalogue import NAMES
from ..core.forgetting.fsrs import FsrsMissing
from ..core.forgetting.policy import ForgettingPolicy
from ..core.forgetting.tmd import Tmd
from ..core.ports import Embedder
from ..core.settings import Settings
from .command import data_parser, progress, run, workspace
from .comparing.axes import ratio
from .datasets import cdconv
from .datasets.reading import Complaints
from .embedders import embedder_of
from .fit_recall import read_by, scales_without
from .lived.events import Events, life_events, month_events
from .lived.forgetting import Night, lived
from .lived.life import lives
from .living import script, sources
from .living.noise import as_it_comes

STRETCHED = 6.0
YEAR = 365 * script.DAY
NEVER_SAID = 300
"""Exchanges of CDConv that are left to be asked."""

DEFAULT, PUBLISHED = Settings().forgetting.policy, "published"
FIGURES = {"gone": "needs", "more": "needs", "stale": "lines"}
FIGURES |= dict.fromkeys(("ended", "noise"), "kept") | {"kept": "made"}
"""What is counted, and of what."""

type Figures = dict[str, Any]
type Lives = Mapping[str, Sequence[Events]]
"""By the name of the set."""


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if there is nothing to measure or the embedder is not installed."""
    return run(parser(), _measure, argv)


def parser() -> ArgumentParser:
    """The options."""
    top = data_parser("forgetting_lives", required=False)
    top.add_argument("--shares", type=shares, default=shares("1/4,1/2,3/4"))
    top.add_argument("--policies", type=names, default=NAMES)
    return top


def shares(text: str) -> list[Fraction]:
    """Shares 0..1 from "1/4,1/2". Raises ArgumentTypeError on any other text."""
    try:
        found = [Fraction(part) for part in text.split(",")]
    except (ValueError, ZeroDivisionError) as error:
        raise ArgumentTypeError(f"must be shares such as 1/6,1/2,1, not {text!r}") from error
    if not all(0 <= share <= 1 for share in found):
        raise ArgumentTypeError("a share is 0..1")
    return found


def names(text: str) -> list[str]:
    """Names of policies. Raises ArgumentTypeError on any other text."""
    unknown = [part for part in text.split(",") if part not in NAMES]
    if unknown:
        choices = ", ".join(NAMES)
        raise ArgumentTypeError(f"no such policy: {', '.join(unknown)}; there are {choices}")
    return text.split(",")


async def _measure(options: Namespace, complaints: Complaints) -> Figures:
    async with embedder_of(options) as embedder:
        sets = await _played(options, embedder, complaints)
    return report(sets, options) | {"problems": complaints.found}


async def _played(
    options: Namespace, embedder: Embedder | None, complaints: Complaints
) -> dict[str, list[Events]]:
    sets: dict[str, list[Events]] = {}

    async def add(name: str, life: str, events: Callable[[Path], Awaitable[Events]]) -> None:
        progress(f"{name}: {life}")
        with workspace(options.folder) as folder:
            sets.setdefault(name, []).append(await events(folder))

    for life in lives([]):
        local = embedder if options.embedder == "local" else None
        with read_by(await scales_without(local, life.name) if local else None):
            await add("months", life.name, partial(month_events, life, embedder))
    sets["months_x6"] = [each.stretched(STRETCHED) for each in sets["months"]]
    for life, lines in _of_data(options, complaints):
        name = "half_years" if life.lines[-1].at - life.lines[0].at < YEAR else "years"
        await add(name, life.name, partial(life_events, life, lines, embedder))
    return sets


def _of_data(
    options: Namespace, complaints: Complaints
) -> Iterator[tuple[script.Life, list[script.Line]]]:
    """Its lives that need something, with their questions at their times."""
    if options.data is None:
        return
    told = [life for life in sources.lives(options.data, complaints) if life.needs]
    chat = options.data / "cdconv_dev"
    noise = cdconv.exchanges(chat, complaints) if chat.is_dir() else []
    Random(options.seed).shuffle(noise)
    for number, life in enumerate(told):
        yield life, list(as_it_comes(life, number, noise[NEVER_SAID:]))


def report(sets: Lives, options: Namespace) -> Figures:
    """The figures of lives that were played."""
    return {
        "benchmark": "forgetting_lives",
        **{name: getattr(options, name) for name in ("embedder", "seed")},
        "lives": {set: {each.name: _size(each) for each in led} for set, led in sets.items()},
        "policies": {set: _compared(led, options) for set, led in sets.items()},
    }


def _size(events: Events) -> dict[str, int]:
    told = {"memories": events.born, "needs": events.needed, "lines": events.shown}
    return {name: len(each) for name, each in told.items()}


def _policies(chosen: Sequence[str]) -> dict[str, ForgettingPolicy]:
    """With the product's defaults, and TMD with nothing beyond the paper."""
    keeping, pace = Settings().forgetting, Settings().decay.parameters()
    tmd = Tmd(pace, keeping.keep_current, keeping.patience)
    found: dict[str, ForgettingPolicy] = {}
    for name in (DEFAULT, *chosen):
        try:
            found[name] = keeping.policy_called(name, tmd)
        except FsrsMissing as error:
            progress(f"left out: {name}: {error}")
    return found | {PUBLISHED: keeping.policy_called("tmd", Tmd(pace, keep_current=False))}


def _compared(led: Sequence[Events], options: Namespace) -> Figures:
    policies, told = _policies(options.policies), dict[str, Any]()
    for share in (None, *options.shares):
        nights = {
            name: [night for each in led for night in lived(each, policy, share)]
            for name, policy in policies.items()
        }
        told["own" if share is None else str(share)] = {
            name: _figures(own, nights[DEFAULT], options.seed) for name, own in nights.items()
        }
    return told


def _figures(nights: Sequence[Night], usual: Sequence[Night], seed: int) -> Figures:
    """Of the nights of all lives of a set; `usual` are those under the default."""
    pairs = zip(nights, usual, strict=True)
    records = [night | {"more": night["gone"] - other["gone"]} for night, other in pairs]
    return {upper: dict(ratio(records, upper, lower, seed)) for upper, lower in FIGURES.items()}
