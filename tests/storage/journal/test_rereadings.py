"""Episodes that were compared with what was learnt of them, and replies kept until applied."""

from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd
from astrbot_plugin_tidemark.core.ports import Erasure, Extraction, Journal

from .saying import say


async def learnt(journal: Journal, *sessions: str) -> list[str]:
    """A closed and learnt episode in each session; their ids."""
    ids: list[str] = []
    for session in sessions:
        said = await say(journal, session=session, at=float(len(ids)))
        await journal.close_episode(session, EpisodeEnd.SILENCE, at=9.0)
        await journal.save_extraction(Extraction(said.turn.episode, {}, "{}", "model"))
        ids.append(said.turn.episode)
    return ids


def again(episode: str, body: str = "{}") -> Extraction:
    return Extraction(episode, {1: "m1"}, body, "model", again=True)


async def waiting(journal: Journal, limit: int = 9) -> list[str]:
    return [episode.id for episode in await journal.uncompared("scope", limit=limit)]


async def test_learnt_episodes_wait_until_they_have_been_compared(journal: Journal) -> None:
    await say(journal, session="open")
    unlearnt = await say(journal, session="unlearnt")
    await journal.close_episode("unlearnt", EpisodeEnd.SILENCE, at=9.0)
    first, second = await learnt(journal, "a", "b")
    assert await waiting(journal) == [first, second]
    assert await waiting(journal, limit=1) == [first]
    await journal.finish_rereading(first)
    await journal.finish_rereading(unlearnt.turn.episode)
    assert await waiting(journal) == [second]
    assert await journal.uncompared("elsewhere", limit=9) == []


async def test_the_first_reply_is_kept_until_it_is_applied(journal: Journal) -> None:
    [id] = await learnt(journal, "a")
    assert await journal.save_extraction(again(id)) == again(id)
    assert await journal.save_extraction(again(id, "other")) == again(id)
    assert await journal.extraction(id, again=True) == again(id)
    assert await waiting(journal) == [id]
    await journal.finish_rereading(id)
    assert await journal.extraction(id, again=True) is None
    assert await waiting(journal) == []


async def test_what_was_read_again_goes_with_the_turns(journal: Journal) -> None:
    [id] = await learnt(journal, "a")
    [turn] = await journal.turns_of(id)
    await journal.save_extraction(again(id))
    await journal.erase(Erasure(turns=frozenset({turn.seq})))
    assert await journal.extraction(id, again=True) is None
    # A reply that comes late is of somebody who has been forgotten.
    await journal.save_extraction(again(id))
    assert await journal.extraction(id, again=True) is None
