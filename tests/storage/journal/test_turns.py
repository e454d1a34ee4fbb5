"""Reading turns back: one, an episode's, a session's, and whatever people type."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from astrbot_plugin_tidemark.core.model.conversation import (
    EpisodeEnd,
    NewTurn,
    Place,
    Role,
    Speaker,
    reply_id,
)
from astrbot_plugin_tidemark.core.ports import Journal
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened, say
from hypothesis import example, given
from hypothesis import strategies as st

ANY_TEXT = st.text(st.characters(categories=None), max_size=40)


async def test_turns_of_an_episode_come_by_seq(journal: Journal) -> None:
    turns = [(await say(journal, f"{n}", at=10.0 - n)).turn for n in range(4)]
    await say(journal, session="another")
    assert await journal.turns_of(turns[0].episode) == turns


async def test_last_turns_are_the_newest_of_the_session_oldest_first(journal: Journal) -> None:
    turns = [(await say(journal, f"{n}", end=EpisodeEnd.SIZE)).turn for n in range(5)]
    await say(journal, session="another")
    assert await journal.last_turns("session", 3) == turns[2:]
    assert await journal.last_turns("session", 99) == turns
    assert await journal.last_turns("nobody", 3) == []


async def test_a_turn_names_the_newest_turn_that_has_the_id_it_quotes(journal: Journal) -> None:
    await say(journal, "once", message_id="7:aa")
    await say(journal, "elsewhere", message_id="7:bb", session="another")
    meant = (await say(journal, "again", message_id="7:bb")).turn
    await say(journal, "another", message_id="71:cc")
    quoting = (await say(journal, "yes", message_id="8:dd", quotes="7:")).turn
    assert quoting.quoted == quoting.answers == meant.seq
    assert await journal.turn(quoting.seq) == quoting
    nobody = [(await say(journal, each, quotes=each)).turn for each in ("9:", "'", "")]
    assert [turn.quoted for turn in nobody] == [None, None, None]


async def test_the_bots_answer_is_not_quoted_by_anothers_id(journal: Journal) -> None:
    question = (await say(journal, "well?", message_id="1:aa")).turn
    reply = await say(journal, "so", role=Role.ASSISTANT, message_id=reply_id(question.seq))
    assert reply.turn.answers == question.seq
    quoting = await say(journal, "ah", message_id="2:bb", quotes="reply:")
    assert quoting.turn.answers is None
    named = await say(journal, "ah", quotes=reply.turn.seq)
    assert named.turn.answers == reply.turn.seq
    elsewhere = await say(journal, "ah", quotes=reply.turn.seq, session="another")
    assert elsewhere.turn.answers is None


async def test_statistics_count_turns_episodes_open_ones_and_recalls(journal: Journal) -> None:
    await say(journal)
    await say(journal, end=EpisodeEnd.SIZE)
    await say(journal, session="another")
    assert await journal.statistics() == {
        "turns": 3,
        "episodes": 3,
        "open_episodes": 2,
        "recalls": 0,
    }


@given(text=ANY_TEXT, name=ANY_TEXT, session=ANY_TEXT, message=ANY_TEXT)
@example(text="a\x00b", name="\x00", session="\x00", message="\x00")
@example(text="\ud83d half", name="\udfff", session="\ud800", message="\udc00")
@example(text="'; DROP TABLE turns; --", name="%_", session="?1", message=":seq")
@example(text="👩‍👩‍👧‍👦 العربية \u202e e\u0301 \ufeff", name="名前", session="한국", message="é")
def test_any_text_comes_back_encodable(text: str, name: str, session: str, message: str) -> None:
    asyncio.run(
        _round_trip(
            NewTurn(
                Place(session, session, session), Role.USER, Speaker(name, name), text, 1.5, message
            )
        )
    )


async def _round_trip(turn: NewTurn) -> None:
    with TemporaryDirectory() as folder:
        async with opened(Path(folder)) as journal:
            stored = (await journal.append(turn, lambda _episode, _turn: None)).turn
            assert stored.text == _replaced(turn.text)
            assert stored.speaker == Speaker(
                _replaced(turn.speaker.id), _replaced(turn.speaker.name)
            )
            assert await journal.turn(stored.seq) == stored
            assert await journal.last_turns(turn.place.session, 1) == [stored]
            again = await journal.append(turn, lambda _episode, _turn: None)
            assert again.duplicate == bool(turn.message_id)
            episode = await journal.open_episode(turn.place.session)
            assert episode.characters == len(turn.text) * episode.turns
            assert again.turn.episode == episode.id


def _replaced(text: str) -> str:
    return "".join("?" if "\ud800" <= char <= "\udfff" else char for char in text)
