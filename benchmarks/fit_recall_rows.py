"""What recall knows of every candidate of every question, collected through the product's own."""

import asyncio
import pickle
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np

from ..core.engine.engine import MemoryEngine
from ..core.engine.recall_requests import RecallRequest
from ..core.ports import Embedder
from ..core.recall.trace import Drop
from ..core.recall.turn_columns import turn_columns
from ..core.text.normalisation import normalise
from .command import progress, workspace
from .fit_recall_cases import Case, names_somebody
from .fit_recall_forms import in_every_form
from .fit_recall_worlds import Asked, Life, Sources, asked_of, beside, empty, populated, sources
from .kept_vectors import KeptVectors
from .recall_quality_answers import journaled

TINY = 8
"""Memories of a life that has only begun."""

HIDDEN = frozenset({Drop.IN_CONTEXT, Drop.GONE, Drop.BARE_QUESTION})
"""Fates that are facts: no decision is made about these."""


async def collected(
    data: Path,
    embedder: Embedder | None,
    sizes: Sequence[int],
    seed: int,
    sets: str = "",
    pieces: Path | None = None,
) -> list[Case]:
    """Every case, or those of the lives of some `sets`. Raises NoData.

    Those of each life and size are kept in the folder `pieces`, and taken from there.
    """
    cases: list[Case] = []
    with workspace(None) as folder:
        others = await sources(data, folder / "lives", seed)
        for life in others.lives:
            if sets and life.family not in sets.split(","):
                continue
            for size in _sizes(life, others, sizes):
                name = f"{life.family} {life.mix} {life.world.name} {size}"
                piece = None if pieces is None else pieces / f"{name}.pickle"
                found = None if piece is None else await asyncio.to_thread(kept, piece)
                if found is None:
                    found = await _asked(life, size, others, empty(folder / name), embedder, seed)
                    if piece is not None:
                        await asyncio.to_thread(kept, piece, found)
                    if isinstance(embedder, KeptVectors):
                        await embedder.save()
                cases += found
                progress(f"{name}: {len(found)} questions")
    return cases


def kept(file: Path, cases: Sequence[Case] | None = None) -> list[Case] | None:
    """The cases of a file that this benchmark wrote; written first if there are any."""
    if cases is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(".part")
        fresh.write_bytes(pickle.dumps(list(cases)))
        fresh.replace(file)
    return pickle.loads(file.read_bytes()) if file.is_file() else None


def _sizes(life: Life, others: Sources, sizes: Sequence[int]) -> list[int]:
    """Those that differ, and of which so much is the life's own that questions are new."""
    most, own = len(life.memories) + len(beside(life, others)), len(life.memories) * 120
    smaller = (0, *sorted({*sizes, TINY} if life.family == "life" else sizes))
    return [size for last, size in pairwise(smaller) if last < most and size <= own]


async def _asked(
    life: Life, size: int, others: Sources, folder: Path, embedder: Embedder | None, seed: int
) -> list[Case]:
    chance = Random(f"{seed} {life.family} {life.world.name} {size}")
    async with populated(life, size, others, folder, embedder) as (engine, labels):
        given = asked_of(life, labels, others, chance)
        asked = in_every_form(given, life.language, chance)
        return [await _case(engine, life, size, number, each) for number, each in enumerate(asked)]


async def _case(engine: MemoryEngine, life: Life, size: int, number: int, asked: Asked) -> Case:
    probe, turn = asked.probe, None
    for said in probe.before:
        said = replace(said, at=life.world.now)
        turn = await journaled(engine, life.world, f"probe{number}", said)
    history = frozenset(normalise(said.text).strip() for said in probe.before)
    recalled = await engine.recall(RecallRequest(life.world.scope, probe.text, turn, history))
    await asyncio.sleep(0)
    known = [] if recalled is None else recalled.trace.candidates
    shown = [each for each in known if each.columns and each.drop not in HIDDEN]
    places = {label: place for place, label in enumerate(sorted(probe.gold))}
    gold = [
        min(
            (places[label] for label in life.labels.get(each.memory, ()) if label in places),
            default=-1,
        )
        for each in shown
    ]
    rows = np.array([each.columns for each in shown], np.float32)
    indexed = await engine.parts.store.indexed(frozenset({life.world.scope.key}))
    return Case(
        life.family,
        life.mix.value,
        life.world.name,
        life.language,
        size,
        asked.kind,
        asked.hand,
        probe.text,
        turn_columns(probe.text, sum(indexed.values()), names=names_somebody(rows)),
        rows,
        np.array(gold, np.int64),
        len(probe.gold),
        asked.form,
    )
