"""No byte of what was deleted is left, in any backend, nor in backups made afterwards."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy, to_bin
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.settings import Settings
from astrbot_plugin_tidemark.core.transfer.backup import Occasion
from astrbot_plugin_tidemark.core.transfer.custody import Safekeeping

from ...rig import Rig, open_rig
from .conftest import everything, kept

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
BEN = Scope(ScopeKind.PRIVATE, "qq", "902", "default")
SECRET = "Quokkaberg"
DAY = 86_400.0


@pytest.fixture(params=["sqlite", "ephemeral"])
def backend(request: pytest.FixtureRequest) -> str:
    """Backends that delete at once; what Chroma's folder keeps goes at a start, see traces."""
    return request.param


@asynccontextmanager
async def rigged(folder: Path, backend: str) -> AsyncIterator[tuple[Rig, Safekeeping]]:
    """A running engine over a folder, and what keeps that folder."""
    async with kept(folder, backend) as keeping:
        rig = await open_rig(folder, Settings(), store=keeping.store, journal=keeping.journal)
        rig.engine.start()
        try:
            yield rig, keeping
        finally:
            await rig.engine.finish()


def holding(folder: Path, text: str) -> list[str]:
    """Files of a folder, at any depth, that hold the text in any encoding we or others use."""
    forms = {text.encode(), text.lower().encode(), text.encode("utf-16-le")}
    return sorted(_holding(folder, forms))


def _holding(folder: Path, forms: set[bytes]) -> Iterator[str]:
    for file in folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            if any(form in content for form in forms):
                yield str(file.relative_to(folder))


async def talk(rig: Rig) -> list[Memory]:
    """A talk of Ann's that holds the secret, indexed and embedded, and one of Ben's."""
    await rig.exchange(BEN, "I keep bees in Hameln", "noted")
    await rig.exchange(ANN, f"I live in {SECRET} near the mill", "a fine place")
    await rig.exchange(ANN, f"what is the weather in {SECRET}?", "cold")
    await rig.settle()
    await rig.keep(f"Ann lives in {SECRET}", ANN, id="fact", cues=(f"where is {SECRET}",))
    await rig.embedded()
    return [memory for memory in await rig.memories() if memory.scope == ANN.key]


async def wiped(rig: Rig) -> None:
    """What is otherwise so soon after a deletion."""
    await rig.store.wiped()
    await rig.journal.wiped()


def in_bin(now: float) -> object:
    return lambda memory: to_bin(memory, now=now, reason="test", policy=BinPolicy(30))


async def test_forgetting_a_person_leaves_no_byte(backend: str, tmp_path: Path) -> None:
    async with rigged(tmp_path, backend) as (rig, keeping):
        assert await talk(rig)
        await rig.engine.erase(ANN)
        await keeping.backups.make(Occasion.ASKED, rig.clock.at)
        assert holding(tmp_path, SECRET) == []
        assert await rig.texts(BEN, "bees")
    assert holding(tmp_path, SECRET) == []


async def test_purging_by_hand_leaves_no_byte(backend: str, tmp_path: Path) -> None:
    async with rigged(tmp_path, backend) as (rig, keeping):
        ids = [memory.id for memory in await talk(rig)]
        await rig.store.amend(ids, in_bin(rig.clock.at))  # pyright: ignore[reportArgumentType]
        await rig.engine.curation.purge(ids, by="admin")
        await wiped(rig)
        await keeping.backups.make(Occasion.ASKED, rig.clock.at)
        assert holding(tmp_path, SECRET) == []
    assert holding(tmp_path, SECRET) == []


async def test_purging_what_has_lain_in_the_bin_leaves_no_byte(
    backend: str, tmp_path: Path
) -> None:
    async with rigged(tmp_path, backend) as (rig, keeping):
        ids = [memory.id for memory in await talk(rig)]
        await rig.store.amend(ids, in_bin(rig.clock.at))  # pyright: ignore[reportArgumentType]
        rig.clock.at += 31 * DAY
        await rig.engine.sleep(patience=20.0)
        assert [memory for memory in await rig.memories() if memory.scope == ANN.key] == []
        await wiped(rig)
        await keeping.backups.make(Occasion.DAILY, rig.clock.at)
        assert holding(tmp_path, SECRET) == []
    assert holding(tmp_path, SECRET) == []


async def test_an_older_backup_keeps_it_until_it_goes(tmp_path: Path) -> None:
    async with rigged(tmp_path, "sqlite") as (rig, keeping):
        await talk(rig)
        before = await keeping.backups.make(Occasion.DAILY, rig.clock.at)
        await rig.engine.erase(ANN)
        assert {name.split("/")[1] for name in holding(tmp_path, SECRET)} == {before.name}
        rig.clock.at += 1
        await keeping.backups.make(Occasion.DAILY, rig.clock.at)
        assert await keeping.backups.rotate(1) == 1
        assert holding(tmp_path, SECRET) == []


async def test_going_back_to_an_older_backup_erases_again(backend: str, tmp_path: Path) -> None:
    async with rigged(tmp_path, backend) as (rig, keeping):
        await talk(rig)
        before = await keeping.backups.make(Occasion.ASKED, rig.clock.at)
        rig.clock.at += 10
        await rig.engine.erase(ANN)
        rig.clock.at += 10
        after = await keeping.backups.make(Occasion.ASKED, rig.clock.at)
        await keeping.backups.stage(before.name)
    async with rigged(tmp_path, backend) as (rig, keeping):
        await rig.engine.eraser.finish()
        assert {memory.scope for memory in await everything(keeping.store)} == {BEN.key}
        await keeping.backups.delete([before])
        assert holding(tmp_path, SECRET) == []
        assert await keeping.backups.every() == [after]


async def test_what_somebody_says_after_being_erased_is_not_erased_by_a_later_backup(
    tmp_path: Path,
) -> None:
    async with rigged(tmp_path, "sqlite") as (rig, keeping):
        await talk(rig)
        await rig.engine.erase(ANN)
        rig.clock.at += 10
        await rig.keep("Ann is back", ANN, id="back")
        backup = await keeping.backups.make(Occasion.ASKED, rig.clock.at)
        await keeping.backups.stage(backup.name)
    async with rigged(tmp_path, "sqlite") as (rig, keeping):
        await rig.engine.eraser.finish()
        assert (await keeping.store.get("back")).text == "Ann is back"


async def test_moving_on_leaves_no_byte_in_the_old_backend(tmp_path: Path) -> None:
    async with rigged(tmp_path, "sqlite") as (rig, keeping):
        await talk(rig)
        await keeping.start(rig.clock, lambda: Settings().backup, _raised)
        assert await keeping.migration.begin("ephemeral") is None
        await keeping.migration.done()
        assert await keeping.migration.confirm()
        assert not (tmp_path / "memories.db").exists()
        await rig.engine.erase(ANN)
        assert holding(tmp_path, SECRET) == []


def _raised(place: str, error: BaseException) -> None:
    raise AssertionError(place) from error
