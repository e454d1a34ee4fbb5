"""Opening a journal: a new one, the same again, and files that must be refused."""

import sqlite3
import time
from pathlib import Path
from uuid import UUID

import pytest
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.ports import Extraction, WorkKind
from astrbot_plugin_tidemark.storage import open_journal
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened, say


async def test_an_identity_is_fixed_at_creation_as_is_where_counting_begins(tmp_path: Path) -> None:
    async with opened(tmp_path) as journal:
        identity = journal.id
    async with opened(tmp_path) as reopened:
        assert str(UUID(identity)) == identity == reopened.id
    before = int(time.time() * 1000)
    async with opened(tmp_path) as journal:
        created = int(time.time() * 1000)
        seq = (await say(journal)).turn.seq
        assert before < seq <= created + 1


async def test_everything_is_there_after_reopening(tmp_path: Path) -> None:
    async with opened(tmp_path) as journal:
        turn = (await say(journal, message_id="m1")).turn
        await journal.save_extraction(Extraction(turn.episode, {1: "m"}, "{}", "rules"))
        await journal.set_note("name", "value")
        [work] = await journal.due(0.0, kinds=frozenset(WorkKind), limit=9, skip=frozenset())
        await journal.finish(work.id)
        episode = await journal.open_episode("session")

    async with opened(tmp_path) as reopened:
        assert await reopened.turn(turn.seq) == turn
        assert await reopened.open_episode("session") == episode
        assert (await reopened.extraction(turn.episode)).known == {1: "m"}
        assert await reopened.note("name") == "value"
        assert not await reopened.enqueue(WorkKind.INDEX_TURN, f"turn:{turn.seq}", {})
        assert (await say(reopened, message_id="m1")).duplicate
        assert (await say(reopened)).turn.seq > turn.seq


async def test_closing_twice_is_closing_once_and_later_calls_fail_by_name(tmp_path: Path) -> None:
    journal = await open_journal(tmp_path)
    await journal.close()
    await journal.close()
    with pytest.raises(StorageError):
        await say(journal)
    with pytest.raises(StorageError):
        await journal.turn(1)


async def test_a_missing_folder_or_damaged_table_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        await open_journal(tmp_path / "nowhere")
    async with opened(tmp_path) as journal:
        con = sqlite3.connect(tmp_path / "journal.db")
        con.execute("DROP TABLE work")
        con.close()
        with pytest.raises(StorageError):
            await say(journal)
        assert (await journal.statistics())["turns"] == 0
