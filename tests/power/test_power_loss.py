"""The power fails, with SQLite and with Chroma: what was told is there, and nothing is done twice.

More states than these few are looked at with TIDEMARK_POWER_STATES=N for each test.
"""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from astrbot_plugin_tidemark.core.model.errors import TidemarkError
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.scripts.soak_toll import damage, toll
from astrbot_plugin_tidemark.storage import connections, open_store
from astrbot_plugin_tidemark.storage.connections import Database
from astrbot_plugin_tidemark.storage.snapshot import verify

from ..kill import talker
from . import watched
from .disk import Disk, Event, OnlyOf
from .failing import broken_promises
from .tracer import Unrecordable, traced

SEED = 20_261_123


@pytest.fixture(autouse=True)
def reports(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(connections, "_PRAGMAS", (*connections._PRAGMAS, watched.OFTEN))
    monkeypatch.setattr(talker, "say", said.append)
    return said


@pytest.fixture
def live(tmp_path: Path) -> Path:
    """The folder in which everything happens."""
    (tmp_path / "live").mkdir()
    return tmp_path / "live"


def events_of(live: Path, what: str, *arguments: str) -> list[Event]:
    """What such a program does there."""
    program, log = str(Path(watched.__file__)), live.with_name("calls")
    try:
        return traced(live, log, program, what, str(live), *arguments).events
    except Unrecordable as error:
        pytest.skip(str(error))


async def test_after_a_power_failure_each_turn_is_kept_and_each_episode_learnt_once(
    live: Path, tmp_path: Path, reports: list[str]
) -> None:
    events = events_of(live, "talk", "sqlite", "8")
    assert _rebuilt(events, tmp_path / "rebuilt") == _contents(live)

    async def look(folder: Path, told: Sequence[str]) -> list[str]:
        try:
            # On with the next turn, to the end of all that is left to do.
            await talker.converse(folder, range(len(told), len(told) + 1), "sqlite")
        except TidemarkError as error:
            return [str(error)]
        said = [talker.text_of(number) for number in range(len(told))]
        return list((await toll(folder, said)).problems)

    assert await broken_promises(events, look, tmp_path / "left", states=9, seed=SEED) == []
    assert [line for line in reports if line.startswith("report")] == []


async def test_a_power_failure_in_making_leaves_files(live: Path, tmp_path: Path) -> None:
    events = events_of(live, "make")

    async def look(folder: Path, told: Sequence[str]) -> list[str]:
        try:
            await watched.make(folder)
        except TidemarkError as error:
            return [str(error)]
        return damage(folder)

    assert await broken_promises(events, look, tmp_path / "left", states=24, seed=SEED) == []


async def test_a_power_failure_takes_no_backup_and_no_erasure_and_goes_back_wholly_or_not(
    live: Path, tmp_path: Path
) -> None:
    events = events_of(live, "keep")
    assert _rebuilt(events, tmp_path / "rebuilt") == _contents(live)

    async def look(folder: Path, told: Sequence[str]) -> list[str]:
        try:
            async with watched.kept(folder) as data:
                missing = [each async for each in _missing(data, folder, told)]
        except TidemarkError as error:
            return [str(error)]
        return [f"{each} is gone, told {told}" for each in missing] + damage(folder)

    assert await broken_promises(events, look, tmp_path / "left", states=24, seed=SEED) == []


async def _missing(data: DataFolder, folder: Path, told: Sequence[str]) -> AsyncIterator[str]:
    """Of what was told, what cannot be seen."""
    ids = {each.id async for each in data.store.iterate(Filter(status=None))}
    backups = await data.backups.every()
    for backup in backups:
        for file in (folder / "backups" / backup.name).glob("*.db"):
            await verify(file)
    seen = {
        "old": "old" in ids,
        "backup": [each.memories for each in backups] == [1],
        # Going back may have been done with.
        "new": "new" in ids or "going back" in told,
        "erasure": (await data.journal.ledger()).count == 1,
        "staged": "new" not in ids,
        "newer": "newer" in ids,
    }
    for what in told:
        if not seen.get(what, True):
            yield what


async def test_a_migration_after_a_failure_has_a_copy(live: Path, tmp_path: Path) -> None:
    events = events_of(live, "change")

    async def look(folder: Path, told: Sequence[str]) -> list[str]:
        database = await Database.open(folder / "words.db")
        columns = await database.read(
            lambda con: con.execute("PRAGMA table_info(words)").fetchall()
        )
        await database.close()
        copied = (folder / "words.before-second.db").is_file()
        return [*damage(folder), *(["no copy"] if len(columns) == 2 and not copied else [])]

    assert await broken_promises(events, look, tmp_path / "left", states=20, seed=SEED) == []


def _rebuilt(events: Sequence[Event], into: Path) -> dict[str, bytes]:
    """What the events make of an empty folder, if all of them come to the disk."""
    disk = Disk()
    for number, event in enumerate(events):
        disk.happens(number, event)
    disk.left(OnlyOf(""), into)
    return _contents(into)


def _contents(folder: Path) -> dict[str, bytes]:
    files = [each for each in folder.rglob("*") if each.is_file()]
    return {str(each.relative_to(folder)): each.read_bytes() for each in files}


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


async def test_after_a_power_failure_each_turn_is_kept_and_found(
    live: Path, tmp_path: Path
) -> None:
    events = events_of(live, "talk", "chroma", "4")
    assert await broken_promises(events, look, tmp_path / "left", states=2, seed=SEED) == []
