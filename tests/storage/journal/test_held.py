"""Episodes without news wait: for company, for a time, for whoever asks, and for no one erased."""

import pytest
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd
from astrbot_plugin_tidemark.core.ports import (
    Erasure,
    Extraction,
    Journal,
    Work,
    WorkKind,
    WorkState,
)
from astrbot_plugin_tidemark.tests.storage.journal.saying import say

LEARN = frozenset({WorkKind.LEARN})
NIGHT = 1_000.0


async def due(journal: Journal, now: float = 100.0) -> list[Work]:
    return await journal.due(now, kinds=LEARN, limit=99, skip=frozenset())


async def episode(journal: Journal, **changes: str) -> str:
    said = await say(journal, **changes)
    await journal.close_episode(said.turn.place.session, EpisodeEnd.COMMAND, at=5.0)
    return said.turn.episode


async def held(journal: Journal, **changes: str) -> str:
    id = await episode(journal, **changes)
    (work,) = [each for each in await due(journal) if each.payload["episode"] == id]
    await journal.hold(work, until=NIGHT)
    return id


async def states(journal: Journal) -> dict[WorkState, int]:
    found = await journal.backlog()
    return {state: count for (kind, state), count in found.items() if kind is WorkKind.LEARN}


async def test_what_is_held_is_due_at_its_time_and_says_that_it_has_waited(
    journal: Journal,
) -> None:
    id = await held(journal)
    assert await due(journal) == []
    assert await states(journal) == {WorkState.HELD: 1}
    (work,) = await due(journal, NIGHT)
    assert work.payload == {"episode": id, "waited": True}
    await journal.postpone(work.id, until=2 * NIGHT, error="down")
    assert await states(journal) == {WorkState.READY: 1}


async def test_only_its_own_chat_takes_it_along_oldest_first(journal: Journal) -> None:
    first, second = await held(journal), await held(journal)
    await held(journal, session="another")
    await held(journal, scope="private/qq/902/default")
    own = await episode(journal)
    assert [each.id for each in await journal.held_beside(own)] == [first, second]
    assert [each.id for each in await journal.held_beside(second)] == [first]


async def test_replies_of_one_call_are_kept_together_and_what_was_held_is_due(
    journal: Journal,
) -> None:
    first, own = await held(journal), await episode(journal)
    replies = [Extraction(id, {}, "{}", "model") for id in (first, own)]
    assert await journal.save_extractions(replies) == replies
    assert await journal.held_beside(own) == []
    assert [work.payload["episode"] for work in await due(journal)] == [first, own]
    again = [Extraction(own, {1: "x"}, "{}", "rules")]
    assert await journal.save_extractions(again) == [replies[1]]


async def test_what_has_a_reply_is_not_held_any_more(journal: Journal) -> None:
    id = await episode(journal)
    (work,) = await due(journal)
    await journal.save_extractions([Extraction(id, {}, "{}", "model")])
    await journal.hold(work, until=NIGHT)
    assert await due(journal) == [work]


async def test_what_was_asked_for_meanwhile_is_not_held(journal: Journal) -> None:
    await episode(journal)
    (work,) = await due(journal)
    await journal.hold_no_more(100.0)
    await journal.hold(work, until=NIGHT)
    assert [each.id for each in await due(journal)] == [work.id]


async def test_who_asks_for_learning_holds_nothing_up(journal: Journal) -> None:
    await held(journal)
    await episode(journal)
    paced = await episode(journal)
    (work,) = [each for each in await due(journal) if each.payload["episode"] == paced]
    await journal.postpone(work.id, until=NIGHT, error="down")
    await journal.hold_no_more(100.0)
    assert [each.payload.get("waited") for each in await due(journal)] == [True, True]
    assert await states(journal) == {WorkState.READY: 3}


async def test_whoever_is_forgotten_leaves_nothing_held(journal: Journal) -> None:
    gone = await say(journal, "I keep bees")
    await journal.close_episode(gone.turn.place.session, EpisodeEnd.COMMAND, at=5.0)
    (work,) = await due(journal)
    await journal.hold(work, until=NIGHT)
    await journal.erase(Erasure(turns=frozenset({gone.turn.seq})))
    assert await states(journal) == {}
    assert await journal.held_beside(await episode(journal)) == []


@pytest.mark.parametrize("payload", [{}, {"episode": None}])
async def test_work_without_an_episode_disturbs_nobody(
    journal: Journal, payload: dict[str, None]
) -> None:
    await journal.enqueue(WorkKind.LEARN, "learn:broken", payload)
    (work,) = await due(journal)
    await journal.hold(work, until=NIGHT)
    assert await journal.held_beside(await episode(journal)) == []
    await journal.hold_no_more(100.0)
