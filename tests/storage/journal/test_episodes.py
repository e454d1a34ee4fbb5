"""Closing episodes: on request, in two, and after silence."""

import pytest
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd
from astrbot_plugin_tidemark.core.ports import Journal, WorkKind
from astrbot_plugin_tidemark.tests.storage.journal.saying import say

LEARN = frozenset({WorkKind.LEARN})


async def learnt(journal: Journal) -> list[str]:
    due = await journal.due(0.0, kinds=LEARN, limit=1000, skip=frozenset())
    return [work.payload["episode"] for work in due]


async def test_closing_nothing_does_nothing(journal: Journal) -> None:
    assert await journal.close_episode("session", EpisodeEnd.RESET, at=1.0) is None
    await say(journal)
    await journal.close_episode("session", EpisodeEnd.RESET, at=1.0)
    assert await journal.close_episode("session", EpisodeEnd.RESET, at=2.0) is None
    assert len(await learnt(journal)) == 1
    last = (await say(journal)).turn
    closed = await journal.close_episode("session", EpisodeEnd.RESET, at=1.0, before=last.seq + 1)
    assert (closed.id, closed.turns) == (last.episode, 1)
    assert await journal.open_episode("session") is None


async def test_closing_before_a_turn_moves_the_rest_to_a_new_one(journal: Journal) -> None:
    turns = [(await say(journal, "x" * (n + 1), at=float(n))).turn for n in range(5)]
    closed = await journal.close_episode("session", EpisodeEnd.COMMAND, at=9.0, before=turns[3].seq)
    rest = await journal.open_episode("session")
    assert [turn.seq for turn in await journal.turns_of(closed.id)] == [
        turn.seq for turn in turns[:3]
    ]
    assert [turn.seq for turn in await journal.turns_of(rest.id)] == [
        turn.seq for turn in turns[3:]
    ]
    assert closed == await journal.episode(turns[0].episode)
    assert (closed.opened_at, closed.last_at, closed.turns, closed.characters) == (0.0, 2.0, 3, 6)
    assert (rest.opened_at, rest.last_at, rest.turns, rest.characters) == (3.0, 4.0, 2, 9)
    assert (rest.place, rest.closed_at) == (closed.place, None)
    assert await learnt(journal) == [closed.id]


async def test_closing_ends_the_open_episode_and_nothing_before_it(journal: Journal) -> None:
    first = (await say(journal)).turn
    before = await journal.open_episode("session")
    closed = await journal.close_episode("session", EpisodeEnd.RESET, at=1.0, before=first.seq)
    assert closed is None
    assert await journal.open_episode("session") == before
    assert await learnt(journal) == []
    turn = (await say(journal, at=1.0)).turn
    closed = await journal.close_episode("session", EpisodeEnd.COMMAND, at=5.0)
    assert (closed.id, closed.closed_at, closed.end) == (turn.episode, 5.0, EpisodeEnd.COMMAND)
    assert closed == await journal.episode(turn.episode)
    assert await journal.open_episode("session") is None
    assert await learnt(journal) == [turn.episode]


async def test_the_rest_of_a_split_episode_goes_on(journal: Journal) -> None:
    _, second = [(await say(journal)).turn for _ in range(2)]
    await journal.close_episode("session", EpisodeEnd.RESET, at=1.0, before=second.seq)
    third = (await say(journal)).turn
    rest = await journal.open_episode("session")
    assert (third.episode, rest.turns) == (rest.id, 2)


async def test_silence_closes_every_session_whose_last_turn_is_old_enough(journal: Journal) -> None:
    for name, at in (("late", 20.0), ("edge", 10.0), ("early", 5.0)):
        await say(journal, session=name, at=at)
    closed = await journal.close_silent(quiet_since=10.0, at=99.0)
    assert [episode.place.session for episode in closed] == ["early", "edge"]
    assert {(episode.closed_at, episode.end) for episode in closed} == {(99.0, EpisodeEnd.SILENCE)}
    assert await learnt(journal) == [episode.id for episode in closed]
    assert await journal.open_episode("late") is not None
    assert await journal.close_silent(quiet_since=10.0, at=100.0) == []


async def test_silence_counts_from_the_last_turn_by_any_clock(journal: Journal) -> None:
    await say(journal, at=1_000_000.0)
    await say(journal, at=10.0)
    [closed] = await journal.close_silent(quiet_since=10.0, at=50.0)
    assert closed.last_at == 10.0


@pytest.mark.parametrize("end", list(EpisodeEnd))
async def test_every_reason_to_end_is_kept(journal: Journal, end: EpisodeEnd) -> None:
    await say(journal)
    closed = await journal.close_episode("session", end, at=1.0)
    assert (await journal.episode(closed.id)).end is end


async def test_marks_of_several_scopes_are_read_together(journal: Journal) -> None:
    await journal.set_mark("a", "linking", "[1]")
    await journal.set_mark("b", "linking", "[2]")
    await journal.set_mark("b", "profile", "{}")
    assert await journal.marks(["a", "b", "c"], "linking") == {"a": "[1]", "b": "[2]"}
    assert await journal.marks(["a"], "linking") == {"a": await journal.mark("a", "linking")}
    assert await journal.marks([], "linking") == {}
