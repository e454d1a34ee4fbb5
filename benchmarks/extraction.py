"""`python -m benchmarks.extraction --endpoint URL --model M`: what a model learns from chats.

Forty short episodes in messy everyday language, half Chinese and half English, by a hand that saw
nothing of the product (`benchmarks/data/episodes.jsonl`), with the keys of what is to be learnt and
patterns of what would be wrong. Each is read as the plugin reads an episode, in their order: once a
model has been seen to pick carelessly, its lines that do not pass by the vectors of `--models`,
read by what other hands wrote (`--whole`: always all); one call, at most one more, words found
again. `--episodes N` reads the first N only, `--timeout` is the
seconds of one call. Every reply is kept in `--resume` (by default in the user's cache) by the whole
prompt: the same command goes on where it was interrupted, and a second run asks nothing.

Keys: `benchmark`, `model`, `episodes`, `read_at_first` and `read` (shares of the replies that can
be read, at once and after the second call), `facts`, `found` (share of them), `learnt` (sentences
that are believed), of which `right`, `passing` (neither) and `wrong`, `doubted` (in quarantine),
`right_of_learnt`, all of it `by_language`; `asked` and `kept` (calls of this run and of earlier
ones), `median_tokens` and `median_seconds` (of a call when it was made; tokens null where the
endpoint tells none); `sentences` to be read.
"""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..core.capture.citing import cited
from ..core.capture.reading import EpisodeReading, Picking
from ..core.embedding.local.model import LocalEmbedder
from ..core.model.conversation import Turn
from ..core.model.errors import ModelUnavailable, ReplyMalformed
from ..core.model.lesson import Candidate, ToldFact
from ..core.ports import ChatModel
from ..core.prompts import learn
from ..core.prompts.reading import once_more
from .command import MODELS, progress, run
from .datasets.episodes import WRITTEN, KeyedEpisode, episodes_in
from .datasets.reading import Complaints
from .embedders import local_in
from .kept_replies import asked_of, endpoint_options
from .lasting import EPISODES, embedded, logits, scales_without


@dataclass(slots=True)
class Outcome:
    """Sums over episodes; `sentences` are those learnt, each with what it was found to be."""

    counts: Counter[str] = field(default_factory=Counter[str])
    sentences: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])


def main(arguments: Sequence[str]) -> int:
    """Print the figures. 2 if there is nothing to measure."""
    return run(_parser(), _measure, arguments, as_json=True)


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    episodes = episodes_in(options.file, complaints)[: options.episodes or None]
    found, picking = dict[str, Outcome](), Picking()
    read = {} if options.whole else await lasting_in(episodes, local_in(options.models))
    async with asked_of(options, "extraction") as model:
        for episode in episodes:
            progress(f"{episode.id}: {len(episode.turns)} turns")
            outcome = found.setdefault(episode.language, Outcome())
            await measured(model, episode, outcome, read.get(episode.id, {}), picking)
        told = model.figures()
    return {
        "model": options.model,
        **figures([*found.values()]),
        "by_language": {code: figures([outcome]) for code, outcome in found.items()},
        **told,
        "sentences": [each for outcome in found.values() for each in outcome.sentences],
    }


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.extraction")
    top.add_argument("--file", type=Path, default=WRITTEN)
    top.add_argument("--episodes", type=int, default=0, help="so many at most; 0 for all")
    top.add_argument("--models", type=Path, default=MODELS)
    top.add_argument("--whole", action="store_true", help="read every line, as without vectors")
    endpoint_options(top, timeout=600.0)
    return top


async def lasting_in(
    episodes: Sequence[KeyedEpisode], embedder: LocalEmbedder
) -> dict[str, dict[int, float]]:
    """By episode and number of a turn, how it tells what lasts, by what others wrote."""
    found: dict[str, dict[int, float]] = {}
    try:
        scales = await scales_without(embedder, EPISODES)
        for episode in episodes:
            turns, texts = zip(*embedded(episode.turns), strict=True)
            read = (await logits(embedder, scales, texts)).tolist()
            found[episode.id] = dict(zip((turn.seq for turn in turns), read, strict=True))
    finally:
        await embedder.aclose()
    return found


async def measured(
    model: ChatModel,
    episode: KeyedEpisode,
    outcome: Outcome,
    lasting: Mapping[int, float],
    picking: Picking,
) -> None:
    """Read the episode as the plugin does, and hold what is believed against the keys."""
    reading = EpisodeReading(episode.id, episode.turns, lasting=lasting)
    careless = picking.careless
    asked = reading.telling(reading.turns) if careless else reading.turns
    candidates = cited(await _told(model, asked, outcome.counts), episode.turns, UTC)
    picking.note(reading, candidates, careless)
    believed = [each for each in candidates if not each.doubt]
    kinds = [_kind_of(each, episode) for each in believed]
    found = sum(any(key.opens(each.text) for each in believed) for key in episode.keys)
    outcome.counts.update(
        {"episodes": 1, "doubted": len(candidates) - len(believed), **Counter(kinds)}
    )
    outcome.counts.update({"facts": len(episode.keys), "found": found, "learnt": len(believed)})
    outcome.sentences += [
        (episode.id, kind, each.text) for kind, each in zip(kinds, believed, strict=True)
    ]


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Sums and shares of them together."""
    sums = Counter[str]()
    for outcome in outcomes:
        sums.update(outcome.counts)
    calls, learnt = sums["calls"], sums["learnt"]
    return {
        "episodes": sums["episodes"],
        "read_at_first": _share(sums["read_at_first"], calls),
        "read": _share(sums["read_at_first"] + sums["read_again"], calls),
        "facts": sums["facts"],
        "found": _share(sums["found"], sums["facts"]),
        "learnt": learnt,
        **{kind: sums[kind] for kind in ("right", "passing", "wrong", "doubted")},
        "right_of_learnt": _share(sums["right"], learnt),
    }


def _kind_of(candidate: Candidate, episode: KeyedEpisode) -> str:
    if any(each.search(candidate.text) for each in episode.wrong):
        return "wrong"
    return "right" if any(key.opens(candidate.text) for key in episode.keys) else "passing"


async def _told(
    model: ChatModel, turns: Sequence[Turn], counts: Counter[str]
) -> Sequence[ToldFact]:
    counts["calls"] += bool(turns)
    if not turns:
        return ()
    prompt = learn.build(turns, shown_time=_shown, language=learn.language_in(turns))
    for name, asked in (("read_at_first", prompt), ("read_again", once_more(prompt))):
        try:
            told = learn.parse((await model.complete(asked, session="benchmark")).text)
        except ModelUnavailable as error:
            progress(str(error))
            break
        except ReplyMalformed:
            continue
        counts[name] += 1
        return told
    return ()


def _shown(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}"


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None
