"""What sleep finds of observations that were taken away, see `benchmarks.coverage`."""

from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from ..core.embedding.hashed import HashedEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.forgetting.lifecycle import archived
from ..core.model.conversation import EpisodeEnd, Speaker, Turn
from ..core.model.memory import Access, Extractor, Kind, Memory, Origin, Source, Vitality
from ..core.ports import Embedder
from ..core.records.coverage import Compared, needs_rereading, to_read_again
from ..core.sleep.steps.coverage import CoverageStep, Heard
from . import machine
from .command import printed, progress, workspace
from .datasets import locomo
from .datasets.locomo import Observation
from .datasets.reading import Complaints
from .datasets.world import World
from .installation import FixedEmbedder, installed
from .recall_quality_answers import SETTINGS, FixedClock, indexed, journaled
from .recall_quality_run import MODELS, chosen_embedder

type Lost = frozenset[str]


@dataclass(frozen=True, slots=True)
class Judged:
    """One episode of one draw: its turns by label, which are lost or covered, what was found."""

    turns: int
    lost: Lost
    covered: Lost
    told: Mapping[str, float]
    read: Lost


def main(arguments: Sequence[str]) -> int:
    """Print the figures. 2 if there is nothing to measure."""
    options = _parser().parse_args(arguments)
    complaints = Complaints()
    measure = partial(_measured, options, complaints)
    return printed(measure, as_json=options.json, complaints=complaints)


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.coverage")
    top.add_argument("--data", type=Path, required=True)
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--embedder", choices=("local", "hashed", "none"), default="local")
    top.add_argument("--models", type=Path, default=MODELS)
    top.add_argument("--vectors", type=Path)
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    top.add_argument("--lost", type=_shares, default="0,0.25,0.5,0.75")
    top.add_argument("--draws", type=int, default=3)
    top.add_argument("--seed", type=int, default=1)
    return top


def _shares(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


async def _measured(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    before = machine.load()
    folder = options.data / "locomo_dev"
    observed = locomo.observations(folder, complaints)
    judged: dict[float, dict[str, list[Judged]]] = {share: {} for share in options.lost}
    async with chosen_embedder(options) as embedder:
        for world in locomo.read(folder, complaints):
            async with _told(world, observed[world.name], embedder, options) as examined:
                for share in options.lost:
                    progress(f"{world.name}: {share} lost")
                    judged[share][world.name] = await examined.judged(share, options)
    return {
        "benchmark": "coverage",
        "embedder": options.embedder,
        "seed": options.seed,
        "draws": options.draws,
        "lost": {str(share): _of_all(found) for share, found in judged.items()},
        "problems": complaints.found,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
    }


@dataclass(frozen=True, slots=True)
class _Examined:
    """A conversation in a store, with all its observations."""

    engine: MemoryEngine
    step: CoverageStep
    rarity: Mapping[str, float]
    episodes: Sequence[tuple[str, Sequence[Turn]]]
    labels: Mapping[int, str]
    observations: Sequence[tuple[Observation, Memory]]

    async def judged(self, share: float, options: Namespace) -> list[Judged]:
        """What is found once this share of the observations is gone, for every draw."""
        found: list[Judged] = []
        for draw in range(options.draws if share else 1):
            random = Random(f"{options.seed} {share} {draw}")
            gone = {m.id for _, m in self.observations if random.random() < share}
            found += await self._drawn(gone)
        return found

    async def _drawn(self, gone: set[str]) -> list[Judged]:
        store = self.engine.parts.store
        before = {memory.id: memory for _, memory in self.observations}
        away = [id for id in before if id in gone]
        # Out of recall they are found by no search.
        await store.amend(away, lambda memory: archived(memory, now=0.0, reason="lost"))
        found = [await self._judged(episode, turns, gone) for episode, turns in self.episodes]
        await store.amend(away, lambda memory: before[memory.id])
        return [each for each in found if each.lost or each.covered]

    async def _judged(self, id: str, turns: Sequence[Turn], gone: set[str]) -> Judged:
        own = [pair for pair in self.observations if pair[1].origin.episode == id]
        kept = [memory for _, memory in own if memory.id not in gone]
        cited = frozenset(label for told, _ in own for label in told.rests_on)
        left = [told for told, memory in own if memory.id not in gone]
        covered = frozenset(label for told in left for label in told.rests_on)
        episode = await self.engine.parts.journal.episode(id)
        assert episode is not None
        said = await self.step.said(Heard(episode, turns, kept), self.rarity)
        read = to_read_again(said) if needs_rereading(said) else []
        return Judged(
            len(turns),
            cited - covered,
            covered,
            self._told(said),
            frozenset(self.labels[turn.seq] for turn in read),
        )

    def _told(self, said: Sequence[Compared]) -> Mapping[str, float]:
        return {self.labels[each.turn.seq]: each.told for each in said}


@asynccontextmanager
async def _told(
    world: World, observed: Sequence[Observation], embedder: Embedder | None, options: Namespace
) -> AsyncIterator[_Examined]:
    with workspace(options.folder) as folder:
        async with installed(folder, HashedEmbedder()) as bare:
            parts = replace(
                bare.parts,
                clock=FixedClock(world.now),
                settings=SETTINGS,
                embedders=FixedEmbedder(embedder),
            )
            engine = MemoryEngine(parts)
            yield await _examined(engine, world, observed)
            await engine.finish()


async def _examined(
    engine: MemoryEngine, world: World, observed: Sequence[Observation]
) -> _Examined:
    journal, store = engine.parts.journal, engine.parts.store
    seqs = [await journaled(engine, world, "chat", said) for said in world.turns]
    await journal.close_episode(f"{world.name}:chat", EpisodeEnd.COMMAND, at=world.now)
    labels = {seq: said.label for seq, said in zip(seqs, world.turns, strict=True)}
    by_label = {label: seq for seq, label in labels.items()}
    episodes: defaultdict[str, list[Turn]] = defaultdict(list)
    turns = [turn for seq in seqs if (turn := await journal.turn(seq)) is not None]
    for turn in turns:
        episodes[turn.episode].append(turn)
    known = {turn.seq: turn for turn in turns}
    told = [
        (each, _memory(number, each, sources))
        for number, each in enumerate(observed)
        if (sources := [known[by_label[i]] for i in sorted(each.rests_on) if i in by_label])
    ]
    await store.put([memory for _, memory in told])
    await indexed(engine)
    step = engine.pipeline.steps.by_name[CoverageStep.name]
    assert isinstance(step, CoverageStep)
    rarity = await step.rarity(world.scope.key)
    return _Examined(engine, step, rarity, list(episodes.items()), labels, told)


def _memory(number: int, observed: Observation, sources: Sequence[Turn]) -> Memory:
    """What was learnt of the last of its turns, by a model that named it."""
    last = sources[-1]
    return Memory(
        id=f"{last.place.session}:{number}",
        scope=last.place.scope,
        kind=Kind.SEMANTIC,
        text=observed.text,
        summary="",
        created_at=last.at,
        happened_at=last.at,
        vitality=Vitality(6),
        access=Access(last.at, last.at),
        source=Source.USER,
        extractor=Extractor.MODEL,
        speaker=Speaker(observed.speaker, observed.speaker),
        origin=Origin(last.place.session, "", last.episode, tuple(turn.seq for turn in sources)),
    )


def _of_all(found: Mapping[str, Sequence[Judged]]) -> dict[str, Any]:
    every = [each for episodes in found.values() for each in episodes]
    return figures(every) | {
        "by_conversation": {name: figures(episodes) for name, episodes in found.items()}
    }


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Over episodes, of which each tells of a lost or a covered turn."""
    lost = [each.told[label] for each in judged for label in each.lost if label in each.told]
    covered = [each.told[label] for each in judged for label in each.covered if label in each.told]
    missed = sum(len(each.lost) for each in judged)
    return {
        "episodes": len(judged),
        "lost_turns": missed,
        "auc": area(covered, lost),
        "held": _share(sum(len(each.lost & each.read) for each in judged), missed),
        "reread": _share(sum(bool(each.read) for each in judged), len(judged)),
        "read": _share(sum(len(each.read) for each in judged), sum(e.turns for e in judged)),
    }


def area(upper: Sequence[float], lower: Sequence[float]) -> float | None:
    """How often one of the `upper` is above one of the `lower`; a tie is half. None without."""
    if not upper or not lower:
        return None
    ordered, others = np.sort(np.asarray(lower)), np.asarray(upper)
    below = np.searchsorted(ordered, others, "left") + np.searchsorted(ordered, others, "right")
    return round(float(below.mean() / 2 / len(ordered)), 4)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
