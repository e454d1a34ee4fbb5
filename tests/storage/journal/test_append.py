"""`Journal.append`: one turn, its episode and its work, all or nothing."""

from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.conversation import (
    Episode,
    EpisodeEnd,
    NewTurn,
    Place,
    Role,
    Speaker,
    Turn,
)
from astrbot_plugin_tidemark.core.ports import Journal, Work, WorkKind
from astrbot_plugin_tidemark.tests.storage.journal.saying import say


async def pending(journal: Journal, kind: WorkKind) -> list[Work]:
    return await journal.due(0.0, kinds=frozenset({kind}), limit=1000, skip=frozenset())


async def test_an_appended_turn_is_returned_as_it_is_stored(journal: Journal) -> None:
    turn = NewTurn(
        Place("session", "conversation", "scope"),
        Role.BYSTANDER,
        Speaker("42", "小明"),
        "今晚吃火锅",
        1234.5,
        "m1",
    )
    appended = await journal.append(turn, lambda _episode, _turn: None)
    assert not appended.duplicate
    assert appended.turn == Turn(
        appended.turn.seq,
        appended.turn.episode,
        turn.place,
        turn.role,
        turn.speaker,
        turn.text,
        turn.at,
        turn.message_id,
    )
    assert await journal.turn(appended.turn.seq) == appended.turn


async def test_seq_grows_with_every_turn_of_any_session(journal: Journal) -> None:
    seqs = [(await say(journal, session=f"s{n % 3}")).turn.seq for n in range(9)]
    assert seqs == list(range(seqs[0], seqs[0] + 9))


async def test_the_segmenter_sees_the_open_episode_if_there_is_one(journal: Journal) -> None:
    turn = NewTurn(Place("s", "c", "x"), Role.USER, Speaker("u", "U"), "first", 0.0)

    def refuse(_episode: Episode, _turn: NewTurn) -> None:
        raise AssertionError("there is nothing to end")

    assert (await journal.append(turn, refuse)).turn.text == "first"
    first = (await say(journal, "before", at=3.0)).turn
    seen: list[tuple[Episode, NewTurn]] = []
    turn = NewTurn(first.place, Role.USER, first.speaker, "now", 4.0)
    await journal.append(turn, lambda episode, turn: seen.append((episode, turn)))
    [(episode, shown)] = seen
    assert shown == turn
    assert (episode.id, episode.turns, episode.last_at) == (first.episode, 1, 3.0)


async def test_an_ended_episode_is_closed_and_queued_for_learning(journal: Journal) -> None:
    first = (await say(journal, at=1.0)).turn
    second = (await say(journal, at=9.0, end=EpisodeEnd.SIZE)).turn
    assert second.episode != first.episode
    closed = await journal.episode(first.episode)
    assert (closed.closed_at, closed.end, closed.turns) == (9.0, EpisodeEnd.SIZE, 1)
    assert (await journal.open_episode("session")).id == second.episode
    [learn] = await pending(journal, WorkKind.LEARN)
    assert learn.key == f"learn:{first.episode}"
    assert learn.payload == {"episode": first.episode}


@pytest.mark.parametrize("moved", [{"conversation": "another"}, {"scope": "another"}])
async def test_another_place_ends_the_episode(journal: Journal, moved: dict[str, str]) -> None:
    first = (await say(journal)).turn
    second = (await say(journal, **moved)).turn
    assert second.episode != first.episode
    assert (await journal.episode(first.episode)).end is EpisodeEnd.CONVERSATION
    assert (await journal.open_episode("session")).place == second.place


async def test_a_conversation_named_late_stays_one_episode(journal: Journal) -> None:
    first = (await say(journal, conversation="")).turn
    second = (await say(journal, conversation="named")).turn
    late = (await say(journal, conversation="")).turn
    assert first.episode == second.episode == late.episode
    assert await journal.turn(late.seq) == late
    assert (await journal.open_episode("session")).place.conversation == "named"
    assert (await say(journal, conversation="other")).turn.episode != first.episode


@pytest.mark.parametrize("role", list(Role))
async def test_every_role_queues_the_indexing_of_its_turn(journal: Journal, role: Role) -> None:
    turn = (await say(journal, role=role)).turn
    [work] = await pending(journal, WorkKind.INDEX_TURN)
    assert (work.key, work.payload) == (f"turn:{turn.seq}", {"turn": turn.seq})
    assert (work.attempts, work.not_before) == (0, 0.0)


async def test_a_repeated_message_comes_back_as_stored_and_writes_nothing(journal: Journal) -> None:
    first = await say(journal, "as heard first", message_id="m1", at=1.0)
    before = await journal.statistics(), await journal.backlog()
    again = await say(journal, "edited", message_id="m1", at=2.0, end=EpisodeEnd.SIZE)
    assert again.duplicate
    assert again.turn == first.turn
    assert (await journal.statistics(), await journal.backlog()) == before
    assert (await journal.open_episode("session")).last_at == 1.0


@pytest.mark.parametrize(
    "other", [{"session": "elsewhere"}, {"role": Role.ASSISTANT}, {"message_id": "m2"}]
)
async def test_messages_differ_by_role_and_id(journal: Journal, other: dict[str, Any]) -> None:
    await say(journal, message_id="m1")
    assert not (await say(journal, **({"message_id": "m1"} | other))).duplicate


async def test_a_duplicate_is_recognised_by_its_id_alone(journal: Journal) -> None:
    first = await say(journal, message_id="m1")
    await journal.close_episode("session", EpisodeEnd.RESET, at=1.0)
    again = await say(journal, message_id="m1", conversation="another")
    assert again.duplicate
    assert again.turn == first.turn
    assert await journal.open_episode("session") is None
    first = await say(journal)
    second = await say(journal)
    assert second.turn.seq == first.turn.seq + 1


async def test_a_segmenter_that_raises_leaves_no_trace(journal: Journal) -> None:
    first = (await say(journal)).turn
    before = await journal.statistics(), await journal.backlog()

    def broken(_episode: Episode, _turn: NewTurn) -> None:
        raise ValueError("segmenter")

    with pytest.raises(ValueError, match="segmenter"):
        await journal.append(NewTurn(first.place, Role.USER, first.speaker, "lost", 1.0), broken)
    assert (await journal.statistics(), await journal.backlog()) == before
    assert not (await say(journal)).duplicate
