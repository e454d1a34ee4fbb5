"""Storage, backup, restoring, migration and erasure over a file layer that behaves like Windows."""

import os
import shutil
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.settings import configure
from astrbot_plugin_tidemark.core.settings.wanted import Want
from astrbot_plugin_tidemark.core.transfer.backup import Occasion

from ...storage.memories import NOW, memory
from ...windows_files import unfit_names, windows_files
from .conftest import everything, files, kept, names
from .test_backup import (
    restored,
    test_a_backup_is_of_one_moment_whatever_is_written_meanwhile,
    test_daily_backups_are_made_once_a_day_and_the_oldest_go,
    test_going_back_brings_everything_as_it_was,
)
from .test_erasure import (
    test_forgetting_a_person_leaves_no_byte,
    test_going_back_to_an_older_backup_erases_again,
    test_moving_on_leaves_no_byte_in_the_old_backend,
    test_purging_by_hand_or_by_the_bin_leaves_no_byte,
)
from .test_migration import (
    rig,
    test_a_cancelled_move_leaves_no_copy,
    test_after_a_restart_the_other_backend_is_in_force,
    test_everything_is_in_the_other_backend_with_its_vector,
)

__all__ = [
    "rig",
    "test_a_backup_is_of_one_moment_whatever_is_written_meanwhile",
    "test_a_cancelled_move_leaves_no_copy",
    "test_after_a_restart_the_other_backend_is_in_force",
    "test_daily_backups_are_made_once_a_day_and_the_oldest_go",
    "test_everything_is_in_the_other_backend_with_its_vector",
    "test_forgetting_a_person_leaves_no_byte",
    "test_going_back_brings_everything_as_it_was",
    "test_going_back_to_an_older_backup_erases_again",
    "test_moving_on_leaves_no_byte_in_the_old_backend",
    "test_purging_by_hand_or_by_the_bin_leaves_no_byte",
    "windows_files",
]

pytestmark = pytest.mark.usefixtures("windows_files")


@pytest.fixture
def backend() -> str:
    """The one whose files are all our own; Chroma's folder has a test below."""
    return "sqlite"


async def test_a_chroma_folder_is_written_anew_restored_and_given_up(tmp_path: Path) -> None:
    async with kept(tmp_path, "chroma") as data_folder:
        await data_folder.store.put([memory("a", "tea"), memory("b", "oats")])
        await data_folder.store.purge(["a"])
    async with kept(tmp_path, "chroma") as data_folder:
        # What was deleted has left the files meanwhile: they were exchanged for new ones.
        assert [each.id for each in await everything(data_folder.store)] == ["b"]
        backup = await data_folder.backups.make(Occasion.ASKED, NOW)
        await data_folder.store.purge(["b"])
    assert await restored(tmp_path, "chroma", backup.name) == ["oats"]
    await files(tmp_path).discard("chroma")
    assert "chroma" not in names(tmp_path)


async def test_the_layer_refuses_what_windows_does(tmp_path: Path) -> None:
    async with kept(tmp_path / "data") as data_folder:
        await data_folder.store.put([memory("a")])
        file = tmp_path / "data" / "memories.db"
        for refused in (
            file.unlink,
            lambda: file.rename(tmp_path / "other.db"),
            lambda: shutil.rmtree(tmp_path / "data"),
            lambda: os.open(tmp_path, os.O_RDONLY),
        ):
            with pytest.raises(PermissionError):
                refused()
    file.unlink()


def test_the_layer_notices_names_that_windows_does_not_take(tmp_path: Path) -> None:
    folder = tmp_path / "names"
    folder.mkdir()
    for name in ("nul.txt", "a:b", "end.", "Twice", "twice"):
        (folder / name).touch()
    assert len(unfit_names(folder)) == 5
    shutil.rmtree(folder)


def test_a_zone_that_is_not_known_is_told_and_not_replaced_in_silence() -> None:
    found = configure({"display": {"timezone": "Asia/Shanghai"}})
    [problem] = found.problems
    assert (problem.name, problem.wanted.kind) == ("display.timezone", Want.ZONE)
    assert found.settings.display.timezone == ""
