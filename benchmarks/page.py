"""`python -m benchmarks.page --json`: what opening each view of the page asks, on a full store.

Keys: `benchmark`, `seed`, `machine` (see `benchmarks.machine`); `sizes[]`: `memories` in `scopes`,
half of them groups, of which the learnt ones mention 2 000 names; `requests`: by what is
asked, spreads (of milliseconds) `ms`, the server's time for an answer as JSON, and `cpu_ms`, what
this process computed meanwhile on all threads; `first_ms`, the same of the first time; `targets`:
by the request {`limit`, `measured`, `met`} of the median of `cpu_ms` at the largest size.
"""

import asyncio
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..commands.web.catalogue import ROUTES, Asked, respond
from ..core.actions.context import Services, local_installation
from ..core.embedding.hashed import HashedEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.model.conversation import Scope, ScopeKind
from ..core.model.knowledge import Entity
from ..core.model.memory import LEARNT, Kind, Memory
from ..core.queue.job_list import JobList
from .command import parser, progress, run, target, workspace
from .corpus import Corpus
from .datasets.reading import Complaints
from .figures import spread, timed
from .installation import installed
from .population import GeneratedScope, fill

LIMIT_MS = 300.0
NAMES = 2_000
"""Entities; every learnt memory mentions two, the lower numbers more often."""

GROUP = Scope(ScopeKind.GROUP, "bench", "user0", "default").owner
PERSON = Scope(ScopeKind.PRIVATE, "bench", "user1", "default").owner
SHOWN = {"kinds": ",".join(sorted(LEARNT))}
SEEN = {"reveal": "measured"}

ASKED: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("tide", "GET tide", {}),
    ("tide, private ones too", "GET tide", SEEN),
    ("health", "GET health", {}),
    ("over time", "GET ledger", {}),
    ("owners", "GET owners", {}),
    ("memories", "GET memories", SHOWN),
    ("memories, private ones too", "GET memories", SHOWN | SEEN),
    ("memories of one group", "GET memories", SHOWN | {"owner": GROUP}),
    ("a search", "GET memories", {"text": "tea in the garden"} | SEEN),
    ("a search in one group", "GET memories", {"text": "tea in the garden", "owner": GROUP}),
    ("why", "GET recalls", {}),
    ("one person", "GET person", {"owner": PERSON}),
    ("this is me", "GET me", {}),
    ("plans", "GET plans", {}),
    ("conflicts", "GET conflicts", {}),
    ("reports", "GET reports", {}),
    ("forgetting", "GET forgetting", {}),
    ("forgetting, a year", "GET forgetting/foresight", {}),
    ("settings", "GET settings", {}),
    ("prompts", "GET prompts", {}),
    ("graph", "GET graph", SEEN),
    ("graph, one name", "GET graph", {"focus": "name 7"} | SEEN),
)
"""What is measured, the request, its parameters."""


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = parser("page", sizes="10000,100000")
    top.add_argument("--scopes", type=int, default=200, help="persons and groups, half of each")
    top.add_argument("--times", type=int, default=7, help="each request is made")
    return run(top, _measured, argv)


async def _measured(options: Namespace, _: Complaints) -> dict[str, Any]:
    with workspace(options.folder) as folder:
        sizes = [await _size(size, options, folder / str(size)) for size in options.sizes]
    largest = sizes[-1]["requests"]
    return {
        "seed": options.seed,
        "sizes": sizes,
        "targets": {name: target(LIMIT_MS, largest[name]["cpu_ms"]["p50"]) for name, *_ in ASKED},
    }


async def _size(size: int, options: Namespace, folder: Path) -> dict[str, Any]:
    progress(f"{size} memories of {options.scopes}")
    await asyncio.to_thread(folder.mkdir)
    texts = Corpus(options.seed).sentences(size)
    async with installed(folder, HashedEmbedder()) as engine:
        await fill(engine.store, _memories(texts, options.scopes))
        while await engine.backfill.once():
            pass
        jobs = JobList(engine.clock)
        services = Services(local_installation(folder, engine.wake, jobs), jobs)
        requests = {
            name: await _asked(engine, services, route, params, options.times)
            for name, route, params in ASKED
        }
    return {"memories": size, "scopes": options.scopes, "requests": requests}


def _memories(texts: Sequence[str], scopes: int) -> Iterator[Memory]:
    """Each scope's in turn; every second one a group, where nothing is masked."""
    now, each = time.time(), len(texts) // scopes
    for number in range(scopes):
        kind = ScopeKind.PRIVATE if number % 2 else ScopeKind.GROUP
        scope = Scope(kind, "bench", f"user{number}", "default")
        own = texts[number * each : (number + 1) * each]
        for index, memory in enumerate(GeneratedScope(number, own, now)):
            at = number * each + index
            names = (f"name {at * at % NAMES}", f"name {at % 37}", f"name {at * 7 % NAMES}")
            named = () if memory.kind is Kind.EVIDENCE else dict.fromkeys(names)
            entities = tuple(Entity(name, name) for name in named)
            yield replace(memory, scope=scope.key, entities=entities)


async def _asked(
    engine: MemoryEngine, services: Services, name: str, params: dict[str, Any], times: int
) -> dict[str, Any]:
    [route] = [each for each in ROUTES if each.name == name]
    samples, computed = list[float](), list[float]()
    for _ in range(times):
        before = time.process_time()
        with timed() as watch:
            answer = await respond(route, Asked("owner", params), engine, services)
            assert isinstance(answer, dict)
        computed.append((time.process_time() - before) * 1000)
        if answer["status"] != "ok":
            raise ValueError(f"{name}: {answer['message']}")
        samples.append(watch.milliseconds)
        if engine.prepared is not None:
            await engine.prepared
    return {"ms": spread(samples), "cpu_ms": spread(computed), "first_ms": round(computed[0], 1)}
