"""`python -m benchmarks.extraction --endpoint URL --model M`: what a model learns from chats.

Forty short episodes in messy everyday language, half Chinese and half English, by a hand that saw
nothing of the product (`benchmarks/data/episodes.jsonl`), with the keys of what is to be learnt and
patterns of what would be wrong. Each is read as the plugin reads an episode: one call, at most one
more, words found again. `--episodes N` reads the first N only, `--timeout` is the seconds of one
call. Every reply is kept in `--resume` (by default in the user's cache) by the whole prompt: the
same command goes on where it was interrupted, and a second run asks nothing.

Keys: `benchmark`, `model`, `episodes`, `read_at_first` and `read` (shares of the replies that can
be read, at once and after the second call), `facts`, `found` (share of them), `learnt` (sentences
that are believed), of which `right`, `passing` (neither) and `wrong`, `doubted` (in quarantine),
`right_of_learnt`, all of it `by_language`; `asked` and `kept` (calls of this run and of earlier
ones), `median_tokens` and `median_seconds` (of a call when it was made; tokens null where the
endpoint tells none); `sentences` to be read.
"""

import re
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..core.capture.citing import cited
from ..core.model.conversation import Place, Role, Scope, ScopeKind, Speaker, Turn
from ..core.model.errors import ModelUnavailable, ReplyMalformed
from ..core.model.lesson import Candidate, ToldFact
from ..core.ports import ChatModel, Prompt
from ..core.prompts import learn
from ..core.prompts.reading import once_more
from .command import progress, run
from .datasets.reading import Complaints, NoData, json_lines
from .kept_replies import asked_of, endpoint_options

WRITTEN = Path(__file__).resolve().parent / "data" / "episodes.jsonl"
BOT = "bot"
"""Who speaks in a line of the bot."""


@dataclass(frozen=True, slots=True)
class Key:
    """A fact to be learnt: whose, and patterns of which a sentence that tells it has one."""

    who: str
    patterns: tuple[re.Pattern[str], ...]

    def opens(self, text: str) -> bool:
        """Whether the sentence tells the fact, of this person if it names none."""
        return any(each.search(text) or each.search(f"{self.who} {text}") for each in self.patterns)


@dataclass(frozen=True, slots=True)
class KeyedEpisode:
    """An episode with the keys of what is to be learnt, and patterns of what would be wrong."""

    id: str
    language: str
    turns: tuple[Turn, ...]
    keys: tuple[Key, ...]
    wrong: tuple[re.Pattern[str], ...]


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
    found: dict[str, Outcome] = {}
    async with asked_of(options, "extraction") as model:
        for episode in episodes:
            progress(f"{episode.id}: {len(episode.turns)} turns")
            await measured(model, episode, found.setdefault(episode.language, Outcome()))
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
    endpoint_options(top, timeout=600.0)
    return top


def episodes_in(path: Path, complaints: Complaints) -> list[KeyedEpisode]:
    """The episodes of a file. Raises NoData if it has none."""
    found = [_episode(item) for _, item in json_lines(path, complaints)]
    if not found:
        raise NoData(f"no episodes in {path}")
    return found


async def measured(model: ChatModel, episode: KeyedEpisode, outcome: Outcome) -> None:
    """Read the episode as the plugin does, and hold what is believed against the keys."""
    told = await _told(model, episode, outcome.counts)
    candidates = cited(told, episode.turns, UTC)
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
    episodes, learnt = sums["episodes"], sums["learnt"]
    return {
        "episodes": episodes,
        "read_at_first": _share(sums["read_at_first"], episodes),
        "read": _share(sums["read_at_first"] + sums["read_again"], episodes),
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
    model: ChatModel, episode: KeyedEpisode, counts: Counter[str]
) -> Sequence[ToldFact]:
    language = learn.language_in(episode.turns)
    prompt: Prompt = learn.build(episode.turns, shown_time=_shown, language=language)
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


def _episode(item: Mapping[str, Any]) -> KeyedEpisode:
    began = datetime.fromisoformat(item["at"]).replace(tzinfo=UTC).timestamp()
    people = {who for who, _ in item["turns"]} - {BOT}
    kind = ScopeKind.GROUP if len(people) > 1 else ScopeKind.PRIVATE
    place = Place(item["id"], "", Scope(kind, "written", item["id"]).key)
    turns = tuple(
        Turn(
            number,
            item["id"],
            place,
            Role.ASSISTANT if who == BOT else Role.USER,
            Speaker(who, "" if who == BOT else who),
            text,
            began + 5.0 * (number - 1),
        )
        for number, (who, text) in enumerate(item["turns"], start=1)
    )
    keys = tuple(Key(fact["who"], tuple(map(_pattern, fact["any"]))) for fact in item["facts"])
    return KeyedEpisode(
        item["id"], item["language"], turns, keys, tuple(map(_pattern, item["not"]))
    )


def _pattern(written: str) -> re.Pattern[str]:
    return re.compile(written, re.I)


def _shown(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}"


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None
