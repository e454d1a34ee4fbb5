"""Episodes: closed on request, by silence or by size, cut where the topic ends."""

import pytest
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd, Injected, Role, Turn
from astrbot_plugin_tidemark.core.ports import Extraction, Journal, Recollection, WorkKind
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


async def full(journal: Journal, conversation: str = "conversation") -> list[Turn]:
    """Five turns that are closed for their size, and a sixth behind them."""
    turns = [(await say(journal, "x" * (n + 1), at=float(n))).turn for n in range(5)]
    await journal.close_episode("session", EpisodeEnd.SIZE, at=5.0)
    return [*turns, (await say(journal, at=5.0, conversation=conversation)).turn]


async def seqs(journal: Journal, episode: str) -> list[int]:
    return [turn.seq for turn in await journal.turns_of(episode)]


async def learnt_of(journal: Journal) -> list[str]:
    due = await journal.due(9e9, kinds=LEARN, limit=99, skip=frozenset())
    return sorted(work.payload["episode"] for work in due)


async def test_the_turns_behind_the_cut_are_an_episode_of_their_own(journal: Journal) -> None:
    turns = await full(journal)
    assert await journal.recut(turns[0].episode, before=turns[3].seq)
    closed = await journal.episode(turns[0].episode)
    assert (closed.end, closed.turns, closed.characters, closed.last_at) == (
        EpisodeEnd.TOPIC,
        3,
        6,
        2.0,
    )
    rest = await journal.episode((await journal.turn(turns[3].seq)).episode)
    assert (rest.end, rest.turns, rest.opened_at) == (EpisodeEnd.SIZE, 2, 3.0)
    assert await seqs(journal, rest.id) == [turn.seq for turn in turns[3:5]]
    assert await seqs(journal, turns[5].episode) == [turns[5].seq]
    assert await learnt_of(journal) == sorted([closed.id, rest.id])


async def test_the_first_part_can_be_cut_once_more(journal: Journal) -> None:
    turns = await full(journal)
    assert await journal.recut(turns[0].episode, before=turns[3].seq)
    assert not await journal.recut(turns[0].episode, before=turns[3].seq)
    assert await journal.recut(turns[0].episode, before=turns[1].seq)
    assert await seqs(journal, turns[0].episode) == [turns[0].seq]
    assert len(await learnt_of(journal)) == 3


async def test_what_was_shown_stays_with_the_turn(journal: Journal) -> None:
    turns = await full(journal)
    for turn in (turns[1], turns[4]):
        shown = (Injected(turn.seq, 1, f"m{turn.seq}"),)
        await journal.record_recall(Recollection(turn.seq, 0.0, "{}", "block", shown))
    await journal.recut(turns[0].episode, before=turns[3].seq)
    for turn in (turns[1], turns[4]):
        moved = await journal.turn(turn.seq)
        (shown,) = await journal.injected_in(moved.episode)
        assert (shown.turn, shown.memory) == (turn.seq, f"m{turn.seq}")


async def test_only_what_is_closed_and_not_learnt_from_is_divided(journal: Journal) -> None:
    turns = await full(journal)
    await journal.save_extraction(Extraction(turns[0].episode, {}, "{}", "model"))
    assert not await journal.recut(turns[0].episode, before=turns[3].seq)
    assert len(await seqs(journal, turns[0].episode)) == 5
    turns = [(await say(journal)).turn for _ in range(3)]
    assert not await journal.recut(turns[0].episode, before=turns[1].seq)
    assert not await journal.recut("nowhere", before=1)
    await journal.close_episode("session", EpisodeEnd.RESET, at=1.0)
    assert await journal.recut(turns[0].episode, before=turns[1].seq)


@pytest.mark.parametrize("place", [0, 5])
async def test_there_are_turns_on_both_sides(journal: Journal, place: int) -> None:
    turns = await full(journal)
    assert not await journal.recut(turns[0].episode, before=turns[place].seq)
    assert (await journal.episode(turns[0].episode)).end is EpisodeEnd.SIZE


async def test_a_private_reply_does_not_move(journal: Journal) -> None:
    await journal.disclose((await say(journal)).turn.place, frozenset({"somebody"}))
    told = [(await say(journal, role=Role.ASSISTANT)).turn for _ in range(3)]
    await say(journal, end=EpisodeEnd.SIZE)
    assert told[-1].private_reply
    assert not await journal.recut(told[0].episode, before=told[1].seq)
