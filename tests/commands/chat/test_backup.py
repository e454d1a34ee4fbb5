"""Backups and the storage backend by command."""

import re
import sys
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.transfer.backup import Occasion

from ..command_rig import ANN, CODE, DAY, NOW, in_group
from ..safe import BOSS, Office, office

NAME = "20250615T150640Z"


def code_in(answer: str) -> str:
    [code] = CODE.findall(answer)
    return code


async def test_a_backup_is_made_listed_and_deleted_under_a_name_of_its_own(place: Office) -> None:
    assert await place.ask("backup", "list") == "There is no backup yet."
    assert re.fullmatch(rf"Backup made: {NAME} \(0\.\d MB\)", await place.ask("backup"))
    [head, line, foot] = (await place.ask("backup", "list")).splitlines()
    assert head == "Backups: 1"
    assert line.startswith(f"{NAME} · 2025-06-15 15:06 · by hand · ")
    assert "/memory restore-backup" in foot
    assert await place.ask("restore-backup") == "\n".join([head, line, foot])
    assert f"{NAME}-2" in await place.ask("backup")
    await place.data_folder.backups.make(Occasion.DAILY, NOW)
    assert "daily" in await place.ask("backup", "list")
    assert await place.ask("backup", f"delete {NAME}") == f"Backup {NAME} is deleted."
    assert f"{NAME} · " not in await place.ask("backup", "list")


async def test_going_back_takes_a_code_and_keeps_what_was(place: Office) -> None:
    await place.rig.remember("Ann keeps bees")
    await place.ask("backup")
    place.rig.clock.at = NOW + DAY
    await place.rig.remember("Ann has a boat")
    asked = await place.ask("restore-backup", NAME)
    assert "2025-06-15 15:06" in asked
    answer = await place.ask("restore-backup", f"{NAME} {code_in(asked)}")
    assert answer == (
        "Back at 2025-06-15 15:06. What was before is in the backup 20250616T150640Z."
    )
    assert await place.texts() == {"Ann keeps bees"}
    await place.confirm("restore-backup", "20250616T150640Z")
    assert await place.texts() == {"Ann keeps bees", "Ann has a boat"}


async def test_a_code_holds_in_its_chat_and_without_it_nothing_is_restored(place: Office) -> None:
    await place.ask("backup")
    await place.rig.remember("Ann has a boat")
    await place.ask("restore-backup", NAME)
    assert "nothing was restored" in await place.ask("restore-backup", f"{NAME} ABCDEF")
    assert await place.texts() == {"Ann has a boat"}
    await place.ask("backup")
    code = code_in(await place.ask("restore-backup", NAME))
    elsewhere = await place.rig.ask("restore-backup", f"{NAME} {code}", by=in_group(BOSS))
    assert "nothing was restored" in elsewhere
    assert "nothing was restored" in await place.ask("restore-backup", f"{NAME}-2 {code}")


@pytest.mark.parametrize("name", ["nothing", "..", "../exports", NAME])
async def test_an_unknown_backup_is_neither_restored_nor_deleted(place: Office, name: str) -> None:
    assert (await place.ask("restore-backup", name)).startswith("There is no backup named")
    assert (await place.ask("backup", f"delete {name}")).startswith("There is no backup named")


async def test_anything_else_is_answered_with_the_usage(place: Office) -> None:
    for command, arguments in (
        ("backup", ("now", "delete", "delete a b", "list x")),
        ("restore-backup", ("a b c",)),
        ("storage", ("migrate", "migrate memory", "move", "confirm now")),
    ):
        for argument in arguments:
            assert (await place.ask(command, argument)).startswith("Usage"), argument


async def test_memories_are_moved_and_confirmed_and_health_tells_of_settings(place: Office) -> None:
    kept = await place.rig.remember("Ann keeps bees")
    assert await place.ask("storage") == "The memories are in sqlite: 1."
    begun = await place.confirm("storage", "migrate chroma")
    assert begun == "Moving. Progress: /memory storage status"
    await place.data_folder.migration.done()
    told = await place.ask("storage", "status")
    assert told.splitlines()[0] == "The memories are in chroma: 1."
    assert "/memory storage confirm deletes them" in told
    assert "the memories are in chroma. Set the storage backend" in await place.ask("health")
    assert await place.data_folder.store.get(kept.id) == kept
    confirmed = await place.ask("storage", "confirm")
    assert confirmed == "The old memories in sqlite are deleted."
    assert not (place.folder / "memories.db").exists()
    await place.reopen()
    assert await place.texts() == {"Ann keeps bees"}


async def test_a_move_that_cannot_begin_is_refused_before_a_code_is_asked_for(
    place: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = await place.ask("storage", "migrate chroma")
    with monkeypatch.context() as absent:
        absent.setitem(sys.modules, "chromadb", None)
        told = await place.ask("storage", "migrate chroma")
        assert 'pip install "chromadb>=1.5,<2"' in told
        assert await place.ask("storage", f"migrate chroma {code_in(asked)}") == told
    await place.ask("storage", f"migrate chroma {code_in(asked)}")
    await place.data_folder.migration.done()
    assert "but not confirmed" in await place.ask("storage", "migrate sqlite")


async def test_moving_takes_a_code_and_there_may_be_nothing_to_confirm(place: Office) -> None:
    assert (await place.ask("storage", "confirm")).startswith("There is no move")
    assert (await place.ask("storage", "cancel")).startswith("There is no move")
    assert await place.ask("storage", "migrate sqlite") == "The memories are there already."
    await place.ask("storage", "migrate chroma")
    assert "Begin again" in await place.ask("storage", "migrate chroma ABCDEF")
    assert place.data_folder.migration.move is None


async def test_the_forgotten_and_admins_are_told_what_a_folder_still_holds(tmp_path: Path) -> None:
    """Chroma leaves bytes of what was deleted in its files until they are written anew."""
    async with office(tmp_path, backend="chroma") as opened:
        await opened.rig.remember("Ann keeps bees")
        assert "written anew" in await opened.rig.confirm("forget-me", by=ANN)
        assert "written anew" in await opened.ask("health")
