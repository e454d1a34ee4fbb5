"""What a model makes of recorded conversations, see `benchmarks.extraction`."""

from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from ..core.capture.citing import cited
from ..core.languages.terms import content_terms
from ..core.model.conversation import Place, Role, Turn
from ..core.model.errors import ModelUnavailable, ReplyMalformed
from ..core.model.lesson import Lesson
from ..core.ports import ChatModel, Prompt
from ..core.prompts import learn
from ..core.prompts.reading import once_more
from .command import progress, run
from .datasets import locomo
from .datasets.locomo import Observation
from .datasets.reading import Complaints
from .datasets.world import World
from .kept_replies import asked_of, endpoint_options

TOLD = 0.5
"""Share of an observation's content terms that memories of its turns must hold."""


@dataclass(slots=True)
class Outcome:
    """What came of all conversations that were read."""

    episodes: int = 0
    turns: int = 0
    calls: int = 0
    tokens: int = 0
    malformed: int = 0
    unanswered: int = 0
    memories: int = 0
    observations: int = 0
    covered: int = 0
    doubted: dict[str, int] = field(default_factory=lambda: defaultdict[str, int](int))


def main(arguments: Sequence[str]) -> int:
    """Print the figures. 2 if there is nothing to measure."""
    return run(_parser(), _measure, arguments)


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    folder = options.data / "locomo_dev"
    worlds = locomo.read(folder, complaints)
    observed = locomo.observations(folder, complaints)
    async with asked_of(options, "extraction") as model:
        outcome = await measured(model, worlds, observed, most=options.episodes)
    told = {**figures(outcome), **model.figures()}
    return {"benchmark": "extraction", "model": options.model, **told}


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.extraction")
    top.add_argument("--data", type=Path, required=True)
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--episodes", type=int, default=0, help="so many at most; 0 for all")
    endpoint_options(top, timeout=120.0)
    return top


async def measured(
    model: ChatModel,
    worlds: Sequence[World],
    observed: Mapping[str, Sequence[Observation]],
    *,
    most: int = 0,
) -> Outcome:
    """What the model makes of each session, read once as the plugin reads an episode."""
    outcome = Outcome()
    sessions = (each for world in worlds for each in _sessions(world, observed[world.name]))
    for turns, labels, told in islice(sessions, most or None):
        progress(f"{outcome.episodes + 1}: {len(turns)} turns")
        lesson = await _lesson(model, turns, outcome)
        outcome.episodes += 1
        outcome.turns += len(turns)
        outcome.observations += len(told)
        outcome.memories += len(lesson.candidates)
        for candidate in lesson.candidates:
            if candidate.doubt:
                outcome.doubted[candidate.doubt] += 1
        outcome.covered += sum(_covered(each, lesson, labels) for each in told)
    return outcome


def figures(outcome: Outcome) -> dict[str, Any]:
    """Shares and sums."""
    doubted = sum(outcome.doubted.values())
    return {
        "episodes": outcome.episodes,
        "turns": outcome.turns,
        "calls": outcome.calls,
        "calls_per_30_turns": _share(30 * outcome.calls, outcome.turns),
        "tokens": outcome.tokens,
        "malformed": outcome.malformed,
        "unanswered": outcome.unanswered,
        "memories": outcome.memories,
        "observations": outcome.observations,
        "coverage": _share(outcome.covered, outcome.observations),
        "grounded": _share(outcome.memories - doubted, outcome.memories),
        "doubted_for": dict(outcome.doubted),
    }


def _sessions(
    world: World, observed: Sequence[Observation]
) -> Iterator[tuple[list[Turn], dict[str, int], list[Observation]]]:
    place = Place("chat", "", world.scope.key)
    turns: defaultdict[str, list[Turn]] = defaultdict(list)
    labels: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for said in world.turns:
        session = said.label.partition(":")[0]
        own = turns[session]
        own.append(Turn(len(own) + 1, session, place, Role.USER, said.speaker, said.text, said.at))
        labels[session][said.label] = len(own)
    for session, own in turns.items():
        told = [each for each in observed if f"D{each.session}" == session]
        yield own, labels[session], told


async def _lesson(model: ChatModel, turns: Sequence[Turn], outcome: Outcome) -> Lesson:
    prompt = learn.build(turns, shown_time=_shown, language="en")
    try:
        told = learn.parse(await _call(model, prompt, outcome))
    except ModelUnavailable:
        outcome.unanswered += 1
        return Lesson()
    except ReplyMalformed:
        outcome.malformed += 1
        try:
            told = learn.parse(await _call(model, once_more(prompt), outcome))
        except (ModelUnavailable, ReplyMalformed):
            return Lesson()
    return Lesson(candidates=tuple(cited(told, turns, UTC)))


async def _call(model: ChatModel, prompt: Prompt, outcome: Outcome) -> str:
    outcome.calls += 1
    completion = await model.complete(prompt, session="benchmark")
    outcome.tokens += completion.billed
    return completion.text


def _shown(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}"


def _covered(observation: Observation, lesson: Lesson, labels: Mapping[str, int]) -> bool:
    """Whether memories that rest on its turns, and are believed, hold most of its words."""
    cited = {labels[label] for label in observation.rests_on if label in labels}
    wanted = content_terms(observation.text)
    held = frozenset[str]().union(
        *(
            content_terms(each.text)
            for each in lesson.candidates
            if not each.doubt and cited & {*each.turns}
        )
    )
    return bool(wanted) and len(wanted & held) >= TOLD * len(wanted)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
