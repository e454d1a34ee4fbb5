"""The power fails, with SQLite and with Chroma: what was told is there, and nothing is done twice.

More states than these few are looked at with TIDEMARK_POWER_STATES=N for each test.
"""

import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from sqlite3 import Connection

import pytest
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from astrbot_plugin_tidemark.core.model.consent import Consent
from astrbot_plugin_tidemark.core.model.errors import TidemarkError
from astrbot_plugin_tidemark.core.model.sleeping import SleepCause
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.transfer.backup import Occasion
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.scripts.soak_toll import damage, toll
from astrbot_plugin_tidemark.storage import connections, open_journal, open_store
from astrbot_plugin_tidemark.storage.connections import Database
from astrbot_plugin_tidemark.storage.files import LocalFiles
from astrbot_plugin_tidemark.storage.migrations import migrate
from astrbot_plugin_tidemark.storage.snapshot import verify

from ..kill import talker
from ..storage.memories import memory
from . import chroma_talk
from .disk import Disk, Event, OnlyOf
from .failing import broken_promises
from .recorder import Recorder, Unrecordable, recording
from .tracer import traced

TURNS = 8
OFTEN = "PRAGMA wal_autocheckpoint=25"
"""A log is merged several times in a talk."""

SEED = 20_261_123
NOW = 1_750_000_000.0
OWNER = "private/qq/901/"


@pytest.fixture(autouse=True)
def reports(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(connections, "_PRAGMAS", (*connections._PRAGMAS, OFTEN))
    monkeypatch.setattr(talker, "say", said.append)
    return said


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    """Of the folder in which everything happens."""
    folder = tmp_path / "live"
    folder.mkdir()
    try:
        with recording(folder) as recorder:
            yield recorder
    except Unrecordable as error:
        pytest.skip(str(error))


async def talk(recorder: Recorder) -> None:
    """A talk that is learnt from, slept over and closed; each answer is told."""
    engine = await talker.opened(recorder.folder, "sqlite")
    engine.start()
    for number in range(TURNS):
        await talker.answer(engine, number)
        recorder.mark("said")
        if number % 3 == 0:
            await engine.rhythm.begin_all(SleepCause.NIGHT, time.time())
        engine.wake()
    await engine.sleep()
    await engine.close()


async def test_after_a_power_failure_each_turn_is_kept_and_each_episode_learnt_once(
    recorder: Recorder, tmp_path: Path, reports: list[str]
) -> None:
    await talk(recorder)
    assert _rebuilt(recorder.events, tmp_path / "rebuilt") == _contents(recorder.folder)

    async def look(folder: Path, told: Sequence[str]) -> list[str]:
        try:
            # On with the next turn, to the end of all that is left to do.
            await talker.converse(folder, range(len(told), len(told) + 1), "sqlite")
        except TidemarkError as error:
            return [str(error)]
        said = [talker.text_of(number) for number in range(len(told))]
        return list((await toll(folder, said)).problems)

    events = list(recorder.events)
    assert await broken_promises(events, look, tmp_path / "left", states=9, seed=SEED) == []
    assert [line for line in reports if line.startswith("report")] == []


async def test_a_power_failure_in_making_leaves_files(recorder: Recorder, tmp_path: Path) -> None:
    async def make(folder: Path) -> None:
        store, journal = await open_store("sqlite", folder), await open_journal(folder)
        await store.close()
        await journal.close()

    await make(recorder.folder)

    async def look(folder: Path, told: Sequence[str]) -> list[str]:
        try:
            await make(folder)
        except TidemarkError as error:
            return [str(error)]
        return damage(folder)

    events = list(recorder.events)
    assert await broken_promises(events, look, tmp_path / "left", states=24, seed=SEED) == []


@asynccontextmanager
async def kept(folder: Path) -> AsyncIterator[DataFolder]:
    """Memories and journal as the plugin opens them."""
    data_folder = await DataFolder.open(LocalFiles(folder), "sqlite")
    try:
        yield data_folder
    finally:
        await data_folder.aclose()


async def keep(recorder: Recorder) -> None:
    """A backup, something new, an erasure, and back to the backup."""
    async with kept(recorder.folder) as data:
        await data.store.put([memory("old")])
        recorder.mark("old")
        backup = await data.backups.make(Occasion.ASKED, NOW)
        recorder.mark("backup")
        await data.store.put([memory("new")])
        recorder.mark("new")
        await data.journal.begin_erasure({OWNER: Consent()})
        await data.journal.keep_ledger()
        recorder.mark("erasure")
        recorder.mark("going back")
        await data.backups.stage(backup.name)
        recorder.mark("staged")
    async with kept(recorder.folder) as data:
        recorder.mark("gone back")
        await data.store.put([memory("newer")])
        recorder.mark("newer")


async def test_a_power_failure_takes_no_backup_and_no_erasure_and_goes_back_wholly_or_not(
    recorder: Recorder, tmp_path: Path
) -> None:
    await keep(recorder)
    assert _rebuilt(recorder.events, tmp_path / "rebuilt") == _contents(recorder.folder)

    async def look(folder: Path, told: Sequence[str]) -> list[str]:
        try:
            async with kept(folder) as data:
                missing = [each async for each in _missing(data, folder, told)]
        except TidemarkError as error:
            return [str(error)]
        return [f"{each} is gone, told {told}" for each in missing] + damage(folder)

    events = list(recorder.events)
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


async def test_a_migration_after_a_failure_has_a_copy(recorder: Recorder, tmp_path: Path) -> None:
    def first(tx: Connection) -> None:
        tx.execute("CREATE TABLE words (word TEXT)")

    def second(tx: Connection) -> None:
        tx.execute("ALTER TABLE words ADD COLUMN tongue TEXT")

    database = await Database.open(recorder.folder / "words.db")
    await migrate(database, [first])
    await migrate(database, [first, second])
    await database.close()

    async def look(folder: Path, told: Sequence[str]) -> list[str]:
        database = await Database.open(folder / "words.db")
        columns = await database.read(
            lambda con: con.execute("PRAGMA table_info(words)").fetchall()
        )
        await database.close()
        copied = (folder / "words.before-second.db").is_file()
        return [*damage(folder), *(["no copy"] if len(columns) == 2 and not copied else [])]

    events = list(recorder.events)
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


CHROMA_TURNS = 4
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
        recorder = traced(live, tmp_path / "calls", program, str(live), str(CHROMA_TURNS))
    except Unrecordable as error:
        pytest.skip(str(error))
    found = await broken_promises(recorder.events, look, tmp_path / "left", states=2, seed=SEED)
    assert found == []
