"""What a person who runs the bot sees of a record that cannot be read, and can do about it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest

from ..storage.damage import tables, without
from .command_rig import ANN, BEN, CommandRig, admin, in_group
from .safe import BOSS, Office

NAMED = {
    "memories.db": {
        **dict.fromkeys(("memory", "scope", "embedder"), "embeddings"),
        **dict.fromkeys(("document", "unreadable"), "the records that were set aside"),
    },
    "journal.db": {"work": "the work queue", "recalls": "recall", "notes": "embeddings"},
}
"""What health asks for itself; what else cannot be read is counted where it is needed."""


async def spoilt(rig: CommandRig, folder: Path, text: str) -> str:
    """A memory of Ann's whose record is damaged by another program; its id."""
    memory = await rig.remember(text)
    with closing(sqlite3.connect(folder / "memories.db")) as file:
        row = file.execute("SELECT row FROM memory WHERE id = ?", (memory.id,)).fetchone()
        file.execute("UPDATE document SET body = substr(body, 1, 30) WHERE memory = ?", row)
        file.commit()
    return memory.id


async def test_everything_goes_on_and_exports_hold_it(place: Office, tmp_path: Path) -> None:
    await place.rig.remember("Ann keeps bees")
    bad = await spoilt(place.rig, tmp_path, "Ann keeps owls")
    assert "Ann keeps bees" in await place.rig.ask("search", "what does Ann keep?")
    assert "Ann keeps bees" in await place.rig.ask("mine")
    told = await place.rig.ask("health", by=BOSS)
    assert (
        f"1 stored memories cannot be read and are set aside, all others are untouched: {bad}"
        in (told)
    )
    assert "decay" not in await place.rig.ask("decay", "--preview 30", by=BOSS)
    assert "1" in await place.rig.ask("export", "all", by=BOSS)
    (file,) = (tmp_path / "exports").iterdir()
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    (aside,) = [line["unreadable"] for line in lines if "unreadable" in line]
    assert (aside["id"], aside["scope"]) == (bad, ANN.scope.key)
    assert '"text":"Ann keeps owls"' in aside["raw"]["body"]
    assert lines[-1] == {"count": 1}
    answer = await place.rig.ask("import", file.name, by=BOSS)
    assert answer.splitlines() == [
        "New memories taken in: 0; known before: 1.",
        "1. private/qq/901/default → private qq/901: 1",
        "Not coming: 1",
        "  not readable where it was exported: 1",
    ]


async def test_an_export_holds_no_unreadable_one_of_another(place: Office, tmp_path: Path) -> None:
    await spoilt(place.rig, tmp_path, "Ann keeps owls")
    await place.rig.remember("Ben bakes", of=BEN)
    await place.rig.ask("export", by=BEN)
    (file,) = (tmp_path / "exports").iterdir()
    assert "owls" not in file.read_text("utf-8")


async def test_an_admin_deletes_it_by_its_id(place: Office, tmp_path: Path) -> None:
    bad = await spoilt(place.rig, tmp_path, "Ann keeps owls")
    await place.rig.ask("health", by=BOSS)
    assert "no such memory" in await place.rig.ask("purge", bad, by=admin(in_group(BEN)))
    assert await place.rig.ask("purge", bad, by=BOSS) == (
        f"{bad}, which could not be read, is deleted for good."
    )
    assert "cannot be read" not in await place.rig.ask("health", by=BOSS)
    assert "no such memory" in await place.rig.ask("purge", bad, by=BOSS)


@pytest.mark.parametrize("file", ["memories.db", "journal.db"])
async def test_health_answers_whichever_table_cannot_be_read_and_names_what_it_asked_of_it(
    place: Office, tmp_path: Path, file: str
) -> None:
    await place.rig.remember("Ann keeps bees")
    named = dict[str, str]()
    for table in tables(tmp_path / file):
        with without(tmp_path / file, table):
            told = await place.ask("health")
        assert ("Simple hashed vectors" in told) is ("embeddings cannot be read" not in told), table
        if "cannot be read" in told:
            assert f"no such table: {table}" in told
            named[table] = told.partition(" cannot be read")[0].rpartition("\n")[2]
    assert named == NAMED[file]
    assert "cannot be read" not in await place.ask("health")


async def test_what_a_recall_missed_is_named_in_health(place: Office, tmp_path: Path) -> None:
    await place.rig.remember("Ann keeps bees")
    with without(tmp_path / "memories.db", "text_index"):
        assert "Ann keeps bees" in await place.rig.ask("search", "what does Ann keep?")
        ask = RecallRequest(ANN.scope, "what does Ann keep?", None)
        found = await place.rig.engine.recalls.recall(ask)
        assert found is not None
        told = await place.ask("health")
    assert "Failure in searching by words: 1 times" in told
    assert "text_index" in told or "text_vocabulary" in told
