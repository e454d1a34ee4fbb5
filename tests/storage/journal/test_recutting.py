"""An episode divided where its topic ends: the turns move, and what belongs to them with them."""

import pytest
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd, Injected, Role, Turn
from astrbot_plugin_tidemark.core.ports import Extraction, Journal, Recollection, WorkKind
from astrbot_plugin_tidemark.tests.storage.journal.saying import say

LEARN = frozenset({WorkKind.LEARN})


async def full(journal: Journal, conversation: str = "conversation") -> list[Turn]:
    """Five turns that are closed for their size, and a sixth behind them."""
    turns = [(await say(journal, "x" * (n + 1), at=float(n))).turn for n in range(5)]
    await journal.close_episode("session", EpisodeEnd.SIZE, at=5.0)
    return [*turns, (await say(journal, at=5.0, conversation=conversation)).turn]


async def seqs(journal: Journal, episode: str) -> list[int]:
    return [turn.seq for turn in await journal.turns_of(episode)]


async def learnt(journal: Journal) -> list[str]:
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
    assert await learnt(journal) == sorted([closed.id, rest.id])


async def test_the_first_part_can_be_cut_once_more(journal: Journal) -> None:
    turns = await full(journal)
    assert await journal.recut(turns[0].episode, before=turns[3].seq)
    assert not await journal.recut(turns[0].episode, before=turns[3].seq)
    assert await journal.recut(turns[0].episode, before=turns[1].seq)
    assert await seqs(journal, turns[0].episode) == [turns[0].seq]
    assert len(await learnt(journal)) == 3


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
