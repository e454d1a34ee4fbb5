"""Commands that a test sends to its bot are understood however long they take."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.commands.chat.caller import ChatCaller
from astrbot_plugin_tidemark.core.actions import backups
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.transfer.backups import Backups
from astrbot_plugin_tidemark.scripts.hostkit.sleeping import UnexpectedAnswer, backed_up

from ..commands.safe import BOSS, Office, office

USER = 901
SOON = 10.0


@dataclass
class Commands:
    """The plugin's own answers, without a host between."""

    place: Office
    by: ChatCaller

    async def ask(
        self, user: int, text: str, *, group: int | None = None, timeout: float = 60.0
    ) -> str:
        _, command, *rest = text.split(maxsplit=2)
        return await self.place.rig.ask(command, " ".join(rest), by=self.by)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Office]:
    async with office(tmp_path) as opened:
        yield opened


@pytest.fixture(params=["zh", "en"])
def chat(place: Office, request: pytest.FixtureRequest) -> Commands:
    return Commands(place, replace(BOSS, language=request.param))


async def names(place: Office) -> list[str]:
    return [each.name for each in await place.data_folder.backups.every()]


async def test_a_backup_is_named(place: Office, chat: Commands) -> None:
    assert [await backed_up(chat, USER, timeout=SOON)] == await names(place)


async def test_a_backup_that_takes_long_is_waited_for(
    place: Office, chat: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = Backups.make

    async def slowly(*arguments: object) -> object:
        await asyncio.sleep(0.5)
        return await make(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Backups, "make", slowly)
    monkeypatch.setattr(backups, "QUICK", 0.0)
    first = await backed_up(chat, USER, timeout=SOON)
    second = await backed_up(chat, USER, timeout=SOON)
    assert [second, first] == await names(place)


async def test_a_backup_that_fails_later_is_no_name_of_an_earlier_one(
    place: Office, chat: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    await backed_up(chat, USER, timeout=SOON)

    async def fails(*_: object) -> None:
        await asyncio.sleep(0.1)
        raise StorageError("cannot grow", file="chroma", fault=Fault.FULL)

    monkeypatch.setattr(Backups, "make", fails)
    monkeypatch.setattr(backups, "QUICK", 0.0)
    with pytest.raises(UnexpectedAnswer, match=r"磁盘已满|disk is full"):
        await backed_up(chat, USER, timeout=SOON)


async def test_a_backup_that_memory_did_not_answer_for_is_made_again(
    place: Office, chat: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, failed = Backups.make, list[str]()

    async def fails_once(*arguments: object) -> object:
        await asyncio.sleep(0.1)
        if not failed:
            failed.append("once")
            text = "Chroma's process did not answer within 60 s and is started again"
            raise StorageError(text, file="chroma", fault=Fault.UNREACHABLE)
        return await make(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Backups, "make", fails_once)
    monkeypatch.setattr(backups, "QUICK", 0.0)
    assert [await backed_up(chat, USER, timeout=SOON)] == await names(place)
