"""What is answered while memory is not open, and the way out by command."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.commands.chat.backups import Closed
from astrbot_plugin_tidemark.commands.chat.phrases import load_phrases
from astrbot_plugin_tidemark.commands.chat.request import not_available, not_done
from astrbot_plugin_tidemark.core.actions.context import Confirmations
from astrbot_plugin_tidemark.core.actions.keeping import ClosedMemory
from astrbot_plugin_tidemark.core.model.errors import Fault, SchemaTooNew, StorageError
from astrbot_plugin_tidemark.core.settings import DisplaySettings
from astrbot_plugin_tidemark.core.transfer.backup import Occasion
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.core.transfer.recovery import Recovery
from astrbot_plugin_tidemark.storage.files import LocalFiles

from ...storage.memories import memory
from ..command_rig import ANN, NOW, admin
from .test_transfer import code_in

BOSS = admin(ANN)
LOST = StorageError("x", file="memories.db", fault=Fault.LOST)
DISPLAY = DisplaySettings(language="en", timezone="UTC")


def closed(folder: Path, problem: Exception | None = LOST) -> Closed:
    """Memory that does not open by this problem."""

    async def repair(step: Callable[[], Awaitable[None]]) -> Exception | None:
        await step()
        try:
            await (await DataFolder.open(LocalFiles(folder), "sqlite")).aclose()
        except StorageError as error:
            return error
        return None

    recovery = Recovery(LocalFiles(folder), "sqlite")
    memory = ClosedMemory(problem, recovery, Confirmations(), repair)
    return Closed(load_phrases(), DISPLAY, memory)


@pytest.fixture
async def lost(tmp_path: Path) -> Path:
    """A folder with a backup, whose memories vanished."""
    data_folder = await DataFolder.open(LocalFiles(tmp_path), "sqlite")
    await data_folder.store.put([memory("a", "tea")])
    await data_folder.backups.make(Occasion.DAILY, NOW)
    await data_folder.aclose()
    (tmp_path / "memories.db").unlink()
    return tmp_path


async def texts(folder: Path) -> list[str]:
    data_folder = await DataFolder.open(LocalFiles(folder), "sqlite")
    try:
        return [each.text for each in await data_folder.store.find(["a"])]
    finally:
        await data_folder.aclose()


@pytest.mark.parametrize("command", ["mine", "status", "health", "restore-backup"])
async def test_every_command_tells_what_is_missing_and_what_to_do(command: str, lost: Path) -> None:
    told = await closed(lost).answer(command, "", ANN, now=NOW)
    assert "memories.db is missing or empty" in told
    assert "/memory recover" not in told
    told = await closed(lost).answer(command, "", BOSS, now=NOW)
    assert "memories.db is missing or empty" in told
    assert "/memory recover backup" in told
    assert "/memory recover as-is" in told


async def test_the_newest_backup_comes_back_after_a_code(lost: Path) -> None:
    rig = closed(lost)
    assert "20250615T150640Z · 2025-06-15 15:06 · 1 memories" in await rig.answer(
        "recover", "", BOSS, now=NOW
    )
    asked = await rig.answer("recover", "backup", BOSS, now=NOW)
    assert "20250615T150640Z of 2025-06-15 15:06, with 1 memories" in asked
    answer = await rig.answer("recover", f"backup {code_in(asked)}", BOSS, now=NOW)
    assert answer == (
        "Memory is open again, with what the backup 20250615T150640Z of 2025-06-15 15:06 held."
    )
    assert await texts(lost) == ["tea"]


async def test_a_backup_may_be_named(lost: Path) -> None:
    rig, named = closed(lost), "backup 20250615T150640Z"
    code = code_in(await rig.answer("recover", named, BOSS, now=NOW))
    assert "open again" in await rig.answer("recover", f"{named} {code}", BOSS, now=NOW)
    assert await texts(lost) == ["tea"]
    assert "no such backup" in await rig.answer("recover", "backup 20300101T000000Z", BOSS, now=NOW)


async def test_starting_anew_takes_a_code_too(lost: Path) -> None:
    rig = closed(lost)
    asked = await rig.answer("recover", "as-is", BOSS, now=NOW)
    assert "nothing was changed" in await rig.answer("recover", "as-is ABCDEF", BOSS, now=NOW)
    with pytest.raises(StorageError):
        await texts(lost)
    answer = await rig.answer("recover", f"as-is {code_in(asked)}", BOSS, now=NOW)
    assert answer == "Memory is open again, with what was there."
    assert await texts(lost) == []


async def test_nobody_but_an_admin_recovers_anything(lost: Path) -> None:
    told = await closed(lost).answer("recover", "as-is", ANN, now=NOW)
    assert told == await closed(lost).answer("mine", "", ANN, now=NOW)
    full = StorageError("x", file="memories.db", fault=Fault.FULL)
    assert "recover" not in await closed(lost, full).answer("recover", "as-is", BOSS, now=NOW)
    assert "in a moment" in await closed(lost, None).answer("recover", "as-is", BOSS, now=NOW)


PHRASES = load_phrases()
BROKEN = StorageError("journal.db is damaged (x)", file="journal.db", fault=Fault.DAMAGED)


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_of_a_file_has_a_reason_without_words_of_the_database(fault: Fault) -> None:
    error = StorageError("database disk image is malformed", file="journal.db", fault=fault)
    for told in (not_available(PHRASES, "zh", error), not_done(PHRASES, "zh", error)):
        assert "malformed" not in told
        assert "StorageError" not in told
        assert ("journal.db" in told) is (fault is not Fault.OTHER)


def test_what_can_be_done_is_said_in_the_language_or_in_both() -> None:
    chinese, english = not_available(PHRASES, "auto", BROKEN).splitlines()
    assert chinese == not_available(PHRASES, "zh", BROKEN)
    assert english == not_available(PHRASES, "en", BROKEN)
    assert not_done(PHRASES, "auto", BROKEN).count("journal.db") == 2
    error = SchemaTooNew("x", file="memories.db", fault=Fault.NEWER)
    assert "update the plugin" in not_available(PHRASES, "en", error)
    assert "升级插件" in not_available(PHRASES, "zh", error)
    assert "in a moment" in not_available(PHRASES, "en", None)
    folder = StorageError("x", file="chroma", fault=Fault.UNREACHABLE)
    server = StorageError("x", file="http://host:8000", fault=Fault.UNREACHABLE)
    assert "folder chroma" in not_available(PHRASES, "en", folder)
    assert "文件夹 chroma" in not_available(PHRASES, "zh", folder)
    assert "server" not in not_available(PHRASES, "en", folder)
    assert "server http://host:8000" in not_available(PHRASES, "en", server)
    assert "in the log" in not_available(PHRASES, "en", ValueError("secret"))
    assert not_done(PHRASES, "en", ValueError("secret")) == not_done(PHRASES, "en", None)
    assert "secret" not in not_done(PHRASES, "en", ValueError("secret"))
