"""The command line of the benchmark of causes."""

import asyncio
import json
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any

from ...core.model.conversation import Scope, ScopeKind, Speaker
from ...core.ports import Embedder
from ..command import emit, workspace
from ..datasets import everyday
from ..recall_quality_run import MODELS
from .installation import KEPT, opened
from .player import Player
from .run import embedder_of
from .script import DAY, Life, Line, Recorded
from .sources import PLATFORM, named

FIRST = 1_735_689_600.0
AFTER = 7 * DAY
MINUTES = 180.0
FIVE = 5
_NAMES = {"zh": "小林", "en": "Ann"}
_ASKING = {"zh": "嗯，怎么回事？", "en": "I see. What happened?"}
_LISTENING = {"zh": "嗯，知道了。", "en": "I see."}
_BECAUSE = {"zh": "因为", "en": "Because "}

type Answer = Mapping[str, Any]


class Telling(StrEnum):
    """How a reason is told: the bot asked what had happened, it begins with a word, or neither."""

    ASKED = "asked"
    WORDED = "worded"
    BARE = "bare"


RUNS = (
    ("named", True, Telling.ASKED),
    ("not_named", False, Telling.ASKED),
    ("worded", False, Telling.WORDED),
    ("bare", False, Telling.BARE),
)


@dataclass(frozen=True, slots=True)
class Tale:
    """One thing somebody did and why; `root` is why that, or ""."""

    id: str
    language: str
    effect: str
    fact: str
    cause: str
    root: str
    question: str

    @property
    def told(self) -> tuple[str, ...]:
        """In the order in which it is said."""
        return (self.effect, self.cause, *filter(None, (self.root,)))


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = ArgumentParser(prog="benchmarks.causes")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--embedder", choices=("local", "hashed", "none"), default="local")
    top.add_argument("--written", type=Path, default=everyday.OWN / "causes.jsonl")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--vectors", type=Path, help="keep vectors in this folder")
    top.add_argument("--folder", type=Path, help="where the store is made (and removed)")
    options = top.parse_args(argv)
    emit(asyncio.run(_measured(options)), as_json=options.json)
    return 0


async def _measured(options: Namespace) -> dict[str, Any]:
    lines = options.written.read_text("utf-8").rstrip("\n").split("\n")
    tales = [Tale(**json.loads(line)) for line in lines]
    languages = sorted({tale.language for tale in tales})
    result: dict[str, Any] = {"benchmark": "causes", "embedder": options.embedder}
    async with embedder_of(options) as (embedder, _):
        for name, links, telling in RUNS:
            answers: list[Answer] = []
            for language in languages:
                own = [tale for tale in tales if tale.language == language]
                with workspace(options.folder) as folder:
                    answers += await _lived(own, folder, embedder, telling, links=links)
            result[name] = _summed(answers)
    return result


async def _lived(
    tales: Sequence[Tale],
    folder: Path,
    embedder: Embedder | None,
    telling: Telling,
    *,
    links: bool,
) -> list[Answer]:
    life = _life(tales, telling, links=links)
    async with opened(folder, embedder, KEPT, "recorded", life.recorded) as installation:
        player = Player(installation, Random(1))
        installation.clock.at = life.lines[0].at - DAY
        for line in life.lines:
            await player.say(life, line)
        await installation.until(life.lines[-1].at + AFTER)
        answers = [await _asked(player, life, tale) for tale in tales]
        await player.leave_no_trace()
    return answers


async def _asked(player: Player, life: Life, tale: Tale) -> Answer:
    recalled = await player.ask(life, tale.question, (), life.asker)
    first = [memory.text for memory in recalled.memories[:FIVE]]
    return {
        "tale": tale,
        "cause_in_five": any(tale.cause in text for text in first),
        "root_in_five": any(tale.root in text for text in first) if tale.root else None,
        "effect_in_five": any(tale.effect in text for text in first),
        "silent": not recalled.memories,
    }


def _life(tales: Sequence[Tale], telling: Telling, *, links: bool) -> Life:
    language = tales[0].language
    answer = (_ASKING if telling is Telling.ASKED else _LISTENING)[language]
    because = _BECAUSE[language] if telling is Telling.WORDED else ""
    name = f"causes-{language}"
    speaker = Speaker(name, _NAMES[language])
    lines: list[Line] = []
    recorded: list[Recorded] = []
    for day, tale in enumerate(tales):
        for order, text in enumerate(tale.told):
            label = f"{tale.id}:{order}"
            at = FIRST + day * DAY + order * MINUTES
            said = text if order == 0 else f"{because}{text}"
            lines.append(Line(at, speaker, said, label, answer=answer))
            fact = Recorded(tale.fact if order == 0 else text, frozenset({label}))
            if links and order + 1 < len(tale.told):
                fact = replace(fact, causes=frozenset({f"{tale.id}:{order + 1}"}))
            recorded.append(fact)
    scope = Scope(ScopeKind.PRIVATE, PLATFORM, name)
    return named(Life(name, language, scope, tuple(lines), recorded=tuple(recorded)))


def _summed(answers: Sequence[Answer]) -> dict[str, Any]:
    groups: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        for name in _names(answer["tale"]):
            groups[name].append(answer)
    return {name: _shares(groups[name]) for name in sorted(groups)}


def _names(tale: Tale) -> Iterator[str]:
    half = "odd" if int(tale.id.rpartition("-")[2]) % 2 else "even"
    yield from ("all", f"language {tale.language}", f"half {half}")
    yield f"{tale.language}, {half}"
    yield f"depth {len(tale.told) - 1}"


def _shares(answers: Sequence[Answer]) -> dict[str, float]:
    told: dict[str, float] = {"n": len(answers)}
    for name in ("cause_in_five", "root_in_five", "effect_in_five", "silent"):
        known = [answer[name] for answer in answers if answer[name] is not None]
        if known:
            told[name] = round(sum(known) / len(known), 3)
    return told
