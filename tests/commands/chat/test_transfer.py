"""Export, import, backups and the storage backend by command."""

import json
import re
import sys
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.transfer.backup import Occasion

from ..command_rig import ANN, BEN, CODE, DAY, NOW, CommandRig, admin, in_group
from ..safe import BOSS, Office, office


def written(folder: Path) -> list[list[str]]:
    return [_texts(file) for file in sorted((folder / "exports").iterdir())]


def _texts(file: Path) -> list[str]:
    every = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [line["memory"]["text"] for line in every if "memory" in line]


async def test_anybody_exports_their_own_memories(place: Office, tmp_path: Path) -> None:
    await place.rig.remember("Ann keeps bees")
    await place.rig.remember("Ben bakes", of=BEN)
    answer = await place.rig.ask("export")
    assert re.fullmatch(
        r"Memories of yours exported: 1\. Ask an admin of the bot for the file own-\w+\.jsonl in"
        r" the folder exports\.",
        answer,
    )
    assert written(tmp_path) == [["Ann keeps bees"]]
    await place.rig.remember("Ann keeps bees")
    await place.rig.ask("export")
    await place.rig.remember("Ann has a boat")
    await place.rig.ask("export")
    assert [sorted(each) for each in written(tmp_path)] == [["Ann has a boat", "Ann keeps bees"]]


async def test_an_admin_exports_all_or_a_scope_and_is_told_where_it_is(
    place: Office, tmp_path: Path
) -> None:
    await place.rig.remember("Ann keeps bees")
    await place.rig.remember("Ben bakes", of=in_group(BEN))
    file = tmp_path / "exports" / "memories-20250615T150640Z.jsonl"
    assert await place.ask("export", "all --vectors") == f"Memories exported: 2, into {file}"
    assert sorted(_texts(file)) == ["Ann keeps bees", "Ben bakes"]
    file.unlink()
    assert (await place.ask("export", "1")).startswith("Memories exported: 1")
    assert written(tmp_path) == [["Ben bakes"]]
    await place.ask("export", "77")
    assert written(tmp_path) == [["Ben bakes"]]


@pytest.mark.parametrize("argument", ["all", "1", "--vectors", "private/qq/902/default"])
async def test_nobody_exports_others_words(place: Office, tmp_path: Path, argument: str) -> None:
    await place.rig.remember("Ben bakes", of=BEN)
    assert (await place.rig.ask("export", argument)).startswith("Only admins")
    assert not (tmp_path / "exports").exists()


async def test_there_may_be_nothing_to_export_or_no_folder(place: Office, rig: CommandRig) -> None:
    assert await place.rig.ask("export") == "There are no memories to export."
    await place.rig.remember("Ann keeps bees")
    assert await place.rig.ask("export", by=in_group(BOSS)) == ("Please do that in a private chat.")
    for command in ("export", "import", "backup", "restore-backup", "storage"):
        answer = await rig.ask(command, by=admin(ANN))
        assert answer.startswith("Nothing can be exported, backed up or moved here.")


async def test_an_export_is_listed_and_comes_back_once(place: Office) -> None:
    name = "memories-20250615T150640Z.jsonl"
    assert str(place.folder / "imports") in await place.ask("import")
    kept = await place.rig.remember("Ann keeps bees")
    await place.ask("export", "all")
    assert name in await place.ask("import")
    await place.data_folder.store.purge([kept.id])
    done, chat, back = (await place.ask("import", name)).splitlines()
    assert done == "New memories taken in: 1; known before: 0."
    assert chat == "1. private/qq/901/default → private qq/901: 1"
    assert back.startswith("To take this back: /memory imports undo ")
    again = (await place.ask("import", name)).splitlines()
    assert again == ["New memories taken in: 0; known before: 1.", chat]
    assert await place.data_folder.store.get(kept.id) == kept
    assert "taken in from a file · Ann (901)" in await place.ask("audit", kept.id)


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        ("", "x.jsonl is empty."),
        (
            "PK",
            "x.jsonl is neither an export of Tidemark nor a file of a program known here; nothing"
            " was taken. Known are livingmemory, memora, angel_memory, memory_companion, memorix,"
            " mnemosyne, mem0, ChatGPT, SillyTavern, QQ Chat Exporter, JSON Lines and CSV. What"
            " mnemosyne keeps in Milvus or FAISS export on its page as JSON.",
        ),
        (
            '{"format": "tidemark-memories", "version": 9}',
            "x.jsonl was written by tidemark 9, a version that is not known here; nothing was"
            " taken.",
        ),
    ],
)
async def test_a_file_of_somebody_else_is_refused(
    place: Office, tmp_path: Path, content: str, answer: str
) -> None:
    put(tmp_path, content)
    assert await place.ask("import", "x.jsonl") == answer
    assert await place.data_folder.store.count(Filter()) == 0


async def test_lines_that_do_not_fit_are_told(place: Office, tmp_path: Path) -> None:
    put(tmp_path, '{"format": "tidemark-memories", "version": 1}\n{"memory": {}}\nrubbish\n')
    assert (await place.ask("import", "x.jsonl")).splitlines() == [
        "New memories taken in: 0; known before: 0.",
        "Not coming: 3",
        "  not readable: 2",
        "  the file has no proper end, or lacks lines: 1",
    ]


def put(folder: Path, content: str) -> None:
    (folder / "imports").mkdir()
    (folder / "imports" / "x.jsonl").write_text(content, "utf-8")


async def test_who_is_forgotten_leaves_no_own_export(place: Office, tmp_path: Path) -> None:
    await place.rig.remember("Ann keeps bees")
    await place.rig.remember("Ben bakes", of=BEN)
    await place.rig.ask("export")
    await place.rig.ask("export", by=BEN)
    await place.rig.confirm("forget-me")
    assert written(tmp_path) == [["Ben bakes"]]


async def test_an_admin_is_told_how_much_of_an_older_file_was_held_back(place: Office) -> None:
    await place.rig.remember("Ben bakes", of=BEN)
    await place.rig.remember("Ann keeps bees")
    await place.confirm("export", "all --reveal moving house")
    await place.rig.confirm("forget-me", by=BEN)
    [name] = (await place.rig.ask("import", by=BOSS)).splitlines()[1:-1]
    answer = await place.rig.ask("import", name.strip("“”"), by=BOSS)
    assert answer.splitlines() == [
        "New memories taken in: 0; known before: 1.",
        "1. private/qq/901/default → private qq/901: 1",
        "Not coming: 1",
        "  of people who asked to be forgotten: 1",
    ]


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
