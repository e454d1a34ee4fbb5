"""The power fails over a folder of Chroma: it opens, and what was told is there, once.

Chroma's own program writes there, so that the calls of the system are recorded. What it keeps for
a search by meaning it does not sync.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from astrbot_plugin_tidemark.core.model.errors import TidemarkError
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.scripts.soak_toll import toll
from astrbot_plugin_tidemark.storage import open_store

from ..kill import talker
from . import chroma_talk
from .failing import broken_promises
from .recorder import Unrecordable
from .tracer import traced

TURNS = 4
SEED = 20_261_123
NEAREST = 30
ALL = 1_000


async def unfound(folder: Path) -> list[str]:
    """Recallable memories that have no vector and are not known to lack one, or are not found by
    their own.
    """
    store = await open_store("chroma", folder)
    try:
        of = (await HashedEmbedder().identity()).fingerprint
        lacking, wrong = set[str](), list[str]()
        async for memory in store.iterate(Filter(recallable=True)):
            found = (await store.vectors([memory.id])).get(memory.id)
            if found is None:
                lacking.add(memory.id)
                continue
            scopes = frozenset({memory.scope})
            near = await store.search_vector(found.vector, of, scopes, limit=NEAREST)
            if memory.id not in {each.id for each in near}:
                wrong.append(f"{memory.id} is not found")
        known = {each.id for each in await store.unembedded(of, limit=ALL)}
        return wrong + [f"{id} has no vector" for id in sorted(lacking - known)]
    finally:
        await store.close()


async def look(folder: Path, told: Sequence[str]) -> list[str]:
    """On with the next turn, to the end of all that is left to do; then all is counted."""
    try:
        await talker.converse(folder, range(len(told), len(told) + 1), "chroma")
        said = [talker.text_of(number) for number in range(len(told))]
        left = await toll(folder, said, backend="chroma")
        return [*left.problems, *await unfound(folder)]
    except TidemarkError as error:
        return [f"{error!r}"]


async def test_after_a_power_failure_each_turn_is_kept_and_found(tmp_path: Path) -> None:
    live = tmp_path / "live"
    live.mkdir()
    try:
        program = str(Path(chroma_talk.__file__))
        recorder = traced(live, tmp_path / "calls", program, str(live), str(TURNS))
    except Unrecordable as error:
        pytest.skip(str(error))
    found = await broken_promises(recorder.events, look, tmp_path / "left", states=2, seed=SEED)
    assert found == []
