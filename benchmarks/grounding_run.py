"""How well grounding tells what was said from what was not, see `benchmarks.grounding`."""

import re
from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from ..core.capture.grounding import Doubt, doubt, grounds_of
from ..core.capture.grounding import figures as figures_in
from ..core.conflict.word_patterns import NEGATION
from ..core.languages.entity_extraction import names_by_rule
from ..core.model.conversation import Place, Role, Turn
from ..core.model.lesson import Candidate
from .command import printed
from .datasets import locomo
from .datasets.locomo import Observation
from .datasets.reading import Complaints
from .datasets.world import World

type Case = tuple[Candidate, Sequence[Turn]]


def main(arguments: Sequence[str]) -> int:
    """Print the figures. 2 if there is nothing to measure."""
    options = _parser().parse_args(arguments)
    complaints = Complaints()
    measure = partial(_measure, options, complaints)
    return printed(measure, as_json=options.json, complaints=complaints)


def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    folder = options.data / "locomo_dev"
    worlds = locomo.read(folder, complaints)
    observed = locomo.observations(folder, complaints)
    return {"benchmark": "grounding", **measured(worlds, observed, options)}


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.grounding")
    top.add_argument("--data", type=Path, required=True)
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--seed", type=int, default=1)
    top.add_argument("--examples", type=int, default=0, help="of each sort that went wrong")
    return top


def measured(
    worlds: Sequence[World], observed: Mapping[str, Sequence[Observation]], options: Namespace
) -> dict[str, Any]:
    """Shares of true observations that are doubted, and of corrupted copies that are not."""
    random = Random(options.seed)
    names = sorted({name for world in worlds for name in _named(observed[world.name])})
    counts: Counter[str] = Counter()
    doubted: Counter[str] = Counter()
    lacks: Counter[str] = Counter()
    wrong: defaultdict[str, list[str]] = defaultdict(list)
    for world in worlds:
        for observation, candidate, turns in _cases(world, observed[world.name]):
            found = _doubt(candidate, turns)
            counts["true"] += 1
            if found is not None:
                doubted["true"] += 1
                lacks[found.lack.value] += 1
                wrong["true"].append(_shown(found, candidate, turns))
            for what, text in _corrupted(observation, world, names, random):
                counts[what] += 1
                copy = replace(candidate, text=text)
                if _doubt(copy, turns) is not None:
                    doubted[what] += 1
                else:
                    wrong[what].append(_shown(None, copy, turns))
    return {
        "observations": counts["true"],
        "doubted": _share(doubted["true"], counts["true"]),
        "doubted_for": {lack: _share(count, counts["true"]) for lack, count in lacks.items()},
        "caught": {
            what: {"copies": counts[what], "share": _share(doubted[what], counts[what])}
            for what in sorted(counts)
            if what != "true"
        },
        "examples": {what: texts[: options.examples] for what, texts in wrong.items()},
    }


def _cases(
    world: World, observed: Sequence[Observation]
) -> Iterator[tuple[Observation, Candidate, Sequence[Turn]]]:
    place = Place("chat", "", world.scope.key)
    sessions: defaultdict[str, list[Turn]] = defaultdict(list)
    numbered: dict[str, int] = {}
    for said in world.turns:
        own = sessions[said.label.partition(":")[0]]
        turn = Turn(len(own), "", place, Role.USER, said.speaker, said.text, said.at)
        own.append(turn)
        numbered[said.label] = len(own)
    for each in observed:
        cited = sorted(label for label in each.rests_on if label in numbered)
        if not cited:
            continue
        session = cited[0].partition(":")[0]
        places = tuple(numbered[label] for label in cited if label.startswith(f"{session}:"))
        yield each, Candidate(each.text, "", places, about=(each.speaker,)), sessions[session]


def _doubt(candidate: Candidate, turns: Sequence[Turn]) -> Doubt | None:
    return doubt(candidate, grounds_of(candidate, turns), UTC)


def _corrupted(
    observation: Observation, world: World, names: Sequence[str], random: Random
) -> Iterator[tuple[str, str]]:
    text = observation.text
    own_name = f"{observation.speaker} "
    own = {said.speaker.name for said in world.turns}
    if written := sorted(figures_in(text)):
        old = random.choice(written)
        yield (
            "number",
            _with_number(text, old, random),
        )
    if inside := [name for name in _names(text) if name not in own]:
        old = random.choice(inside)
        yield "name", text.replace(old, random.choice([n for n in names if n != old]))
    if NEGATION.search(text):
        without = re.sub(r"\b(?:do|does|did)(?:n't| not) |\b(?:not|never|no)\b ?|n't\b", "", text)
        if without != text:
            yield "negation", without
    elif text.startswith(own_name):
        yield (
            "negation",
            f"{own_name}never {text.removeprefix(own_name)}",
        )
    others = sorted(own - {observation.speaker})
    if text.startswith(observation.speaker) and others:
        yield "subject", text.replace(observation.speaker, random.choice(others), 1)


def _with_number(text: str, old: str, random: Random) -> str:
    return re.sub(re.escape(old), str(random.randint(2, 97)), text, count=1, flags=re.I)


def _named(observed: Sequence[Observation]) -> Iterator[str]:
    for each in observed:
        yield from _names(each.text)


def _names(text: str) -> list[str]:
    return [entity.name for entity in names_by_rule(text)]


def _shown(found: Doubt | None, candidate: Candidate, turns: Sequence[Turn]) -> str:
    cited = " / ".join(turns[number - 1].text for number in candidate.turns)
    why = "" if found is None else f"[{found.lack}: {found.words}] "
    return f"{why}{candidate.text} <- {cited}"


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
