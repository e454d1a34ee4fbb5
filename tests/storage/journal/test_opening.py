"""Opening a journal: new, the same again, refused files, and one damaged row among others."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.ports import Erasure, Extraction, Journal, WorkKind, WorkState
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


EVERY = frozenset(WorkKind)


def spoil(folder: Path, sql: str, *values: object) -> None:
    """Change the file behind the journal's back."""
    with closing(sqlite3.connect(folder / "journal.db")) as file:
        assert file.execute(sql, values).rowcount > 0
        file.commit()


async def keys_due(journal: Journal) -> list[str]:
    due = await journal.due(9e9, kinds=EVERY, limit=99, skip=frozenset())
    return [work.key for work in due]


@pytest.mark.parametrize("damage", ["role = 'ghost'", "text = x'ff00'"])
async def test_an_unreadable_turn_is_skipped(journal: Journal, tmp_path: Path, damage: str) -> None:
    turns = [(await say(journal, text)).turn for text in ("one", "two", "three")]
    spoil(tmp_path, f"UPDATE turns SET {damage} WHERE seq = ?", turns[1].seq)
    kept = [turns[0], turns[2]]
    assert await journal.turns_of(turns[0].episode) == kept
    assert await journal.last_turns("session", 9) == kept
    assert await journal.turn(turns[1].seq) is None
    episode = await journal.close_episode("session", EpisodeEnd.COMMAND, at=1.0)
    assert episode is not None
    assert [m.text for m in (await say(journal, "four"),) for m in (m.turn,)] == ["four"]


async def test_an_unreadable_turn_is_erased_like_others(journal: Journal, tmp_path: Path) -> None:
    turns = [(await say(journal, text, scope="here")).turn for text in ("one", "two", "three")]
    spoil(tmp_path, "UPDATE turns SET text = x'ff00' WHERE seq = ?", turns[1].seq)
    everything = Erasure(scopes=frozenset({"here"}))
    assert await journal.erase(everything) == {turn.seq for turn in turns}


async def test_an_episode_that_ended_unknown_is_closed(journal: Journal, tmp_path: Path) -> None:
    turn = (await say(journal)).turn
    await journal.close_episode("session", EpisodeEnd.RESET, at=1.0)
    spoil(tmp_path, "UPDATE episodes SET ended_by = 'thunder'")
    episode = await journal.episode(turn.episode)
    assert (episode.closed_at, episode.end) == (1.0, None)


@pytest.mark.parametrize("damage", ["payload = '{'", "payload = '[]'", "kind = 'dance'"])
async def test_work_that_cannot_be_read_does_not_stop_the_queue(
    journal: Journal, tmp_path: Path, damage: str
) -> None:
    for number in range(3):
        await journal.enqueue(WorkKind.UNSHARE, f"sweep:{number}", {"now": 1.0})
    spoil(tmp_path, f"UPDATE work SET {damage} WHERE key = 'sweep:1'")
    assert await keys_due(journal) == ["sweep:0", "sweep:2"]
    assert (WorkKind.UNSHARE, WorkState.READY) in await journal.backlog()
    assert await journal.dead() == []


async def test_work_that_cannot_be_read_is_given_up_and_shown(tmp_path: Path) -> None:
    async with opened(tmp_path) as journal:
        await journal.enqueue(WorkKind.UNSHARE, "sweep:1", {"now": 1.0})
    spoil(tmp_path, "UPDATE work SET payload = '{\"now\":'")
    async with opened(tmp_path) as journal:
        assert await keys_due(journal) == []
        [(work, error)] = await journal.dead()
        assert (work.key, error) == ("sweep:1", "unreadable")


@pytest.mark.parametrize("damage", ["known = '{'", "known = '[1]'"])
async def test_a_kept_reply_that_cannot_be_read_is_asked_for_again(
    journal: Journal, tmp_path: Path, damage: str
) -> None:
    first = Extraction("e", {1: "a"}, '{"memories": []}', "model")
    await journal.save_extraction(first)
    spoil(tmp_path, f"UPDATE extractions SET {damage}")
    assert await journal.extraction("e") is None
    again = Extraction("e", {2: "b"}, "{}", "rules")
    assert await journal.save_extraction(again) == again
