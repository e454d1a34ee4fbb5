"""One damaged row stops nothing but itself."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd
from astrbot_plugin_tidemark.core.ports import Erasure, Extraction, Journal, WorkKind, WorkState

from .saying import opened, say

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
