"""Export and import by command."""

import json
import re
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.ports import Filter

from ..command_rig import ANN, BEN, CommandRig, admin, in_group
from ..safe import BOSS, Office


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
