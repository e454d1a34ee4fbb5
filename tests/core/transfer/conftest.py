"""A data folder opened as the plugin opens it, and clocks and memories for it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.core.transfer.import_plan import MovePlan
from astrbot_plugin_tidemark.core.transfer.moving_in import MoveRequest, MovingIn
from astrbot_plugin_tidemark.storage.files import LocalFiles

from ...rig import Rig, open_rig

EVERYTHING = Filter(status=None)
PATIENT = Settings(recall=RecallSettings(deadline_ms=10_000))

type Open = Callable[..., Any]


def files(folder: Path) -> LocalFiles:
    """The files of one folder."""

    return LocalFiles(folder)


def made(folder: Path) -> Path:
    """The folder, which exists now."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def names(folder: Path) -> list[str]:
    """What lies in a folder; nothing if there is none."""
    return sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []


@asynccontextmanager
async def kept(folder: Path, backend: str = "sqlite") -> AsyncIterator[DataFolder]:
    """Open what lies in the folder; not started."""
    data_folder = await DataFolder.open(files(made(folder)), backend)
    try:
        yield data_folder
    finally:
        await data_folder.aclose()


@asynccontextmanager
async def rigged(folder: Path, backend: str = "sqlite") -> AsyncIterator[tuple[Rig, DataFolder]]:
    """A running engine over a folder, and what keeps that folder."""
    async with kept(folder, backend) as data:
        rig = await open_rig(folder, PATIENT, store=data.store, journal=data.journal)
        rig.engine.start()
        try:
            yield rig, data
        finally:
            await rig.engine.finish()


async def never(scope: object, user: str) -> None:
    """Nobody has paused."""


async def taken(store: MemoryStore, file: Path) -> MovePlan:
    """Import a file into the store, with a journal beside the file."""
    beside = files(made(file.parent / "beside"))
    journal = await beside.journal()
    try:
        moving = MovingIn(beside, store, journal)
        return await moving.run(MoveRequest(file, file.name), never, 1.8e9, "boss")
    finally:
        await journal.close()


async def everything(store: MemoryStore) -> list[Memory]:
    """Every memory, by id."""
    return sorted([memory async for memory in store.iterate(EVERYTHING)], key=lambda m: m.id)


@pytest.fixture(params=["sqlite", "chroma"])
def backend(request: pytest.FixtureRequest) -> str:
    """Each backend that needs nothing but a folder."""
    return request.param
