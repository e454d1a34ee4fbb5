"""`Journal.drop_texts`: what was said long ago loses its text; that it was said stays."""

from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd, Injected, Turn
from astrbot_plugin_tidemark.core.ports import Extraction, Journal, Recollection, WorkKind
from astrbot_plugin_tidemark.storage.journal import erasing
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened, say

OLD, UNTIL, NEW = 10.0, 50.0, 90.0


async def done(journal: Journal) -> None:
    """Finish all work."""
    for work in await journal.due(0.0, kinds=frozenset(WorkKind), limit=9999, skip=frozenset()):
        await journal.finish(work.id)


async def talked(journal: Journal, *times: float, session: str = "session", **where: str) -> list:
    """A closed episode with nothing left to do: one turn for each of the times."""
    turns = [
        (await say(journal, f"said at {at}", session=session, at=at, **where)).turn for at in times
    ]
    await journal.close_episode(session, EpisodeEnd.COMMAND, at=times[-1])
    await done(journal)
    return turns


async def texts(journal: Journal, turns: list[Turn]) -> list[str]:
    return [found.text for turn in turns if (found := await journal.turn(turn.seq))]


async def test_old_turns_lose_their_text_of_the_scopes_named(journal: Journal) -> None:
    [turn] = await talked(journal, OLD)
    assert await journal.drop_texts(UNTIL, await journal.scopes()) == 1
    faded = await journal.turn(turn.seq)
    assert faded.text == ""
    assert (faded.speaker, faded.at, faded.role) == (turn.speaker, turn.at, turn.role)
    assert await journal.episode(turn.episode) is not None
    turns = [(await talked(journal, OLD, session=s, scope=s))[0] for s in ("a", "b", "c")]
    assert await journal.drop_texts(UNTIL, frozenset()) == 0
    assert await journal.drop_texts(UNTIL, frozenset({"a", "c", "unknown"})) == 2
    assert await texts(journal, turns) == ["", f"said at {OLD}", ""]
    assert await journal.drop_texts(UNTIL, await journal.scopes()) == 1


async def test_fading_takes_texts_before_the_time_once(journal: Journal) -> None:
    await talked(journal, OLD)
    assert [await journal.drop_texts(UNTIL, await journal.scopes()) for _ in range(2)] == [1, 0]
    turns = await talked(journal, OLD, UNTIL, NEW)
    assert await journal.drop_texts(UNTIL, await journal.scopes()) == 1
    assert await texts(journal, turns) == ["", f"said at {UNTIL}", f"said at {NEW}"]
    assert await journal.drop_texts(NEW, await journal.scopes()) == 1
    assert await journal.drop_texts(NEW + 1, await journal.scopes()) == 1
    assert await texts(journal, turns) == ["", "", ""]


async def test_an_open_episode_keeps_its_text(journal: Journal) -> None:
    turn = (await say(journal, "open", at=OLD)).turn
    await done(journal)
    assert await journal.drop_texts(UNTIL, await journal.scopes()) == 0
    assert await texts(journal, [turn]) == ["open"]


@pytest.mark.parametrize("kind", [WorkKind.LEARN, WorkKind.INDEX_TURN])
async def test_an_episode_with_work_left_keeps_its_text(journal: Journal, kind: WorkKind) -> None:
    turns = [(await say(journal, at=OLD)).turn for _ in range(2)]
    await journal.close_episode("session", EpisodeEnd.COMMAND, at=OLD)
    others = frozenset(WorkKind) - {kind}
    for work in await journal.due(0.0, kinds=others, limit=9, skip=frozenset()):
        await journal.finish(work.id)
    [first, *rest] = await journal.due(0.0, kinds=frozenset({kind}), limit=9, skip=frozenset())
    for work in rest:
        await journal.finish(work.id)
    assert await journal.drop_texts(UNTIL, await journal.scopes()) == 0
    await journal.bury(first.id, "error")
    assert await journal.drop_texts(UNTIL, await journal.scopes()) == 0
    await journal.finish(first.id)
    assert await journal.drop_texts(UNTIL, await journal.scopes()) == len(turns)


async def test_work_about_faded_episodes_or_none_keeps_no_text(journal: Journal) -> None:
    await talked(journal, OLD)
    for kind in WorkKind:
        await journal.enqueue(kind, kind.value, {})
    assert await journal.drop_texts(UNTIL, await journal.scopes()) == 1
    [old], [new] = [await talked(journal, at, session=f"{at}") for at in (OLD, NEW)]
    for turn in (old, new):
        await journal.save_extraction(Extraction(turn.episode, {}, "reply", "model"))
    await journal.drop_texts(UNTIL, await journal.scopes())
    assert await journal.extraction(old.episode) is None
    assert await journal.extraction(new.episode) is not None


async def test_explanations_of_faded_turns_go_but_not_what_was_shown(journal: Journal) -> None:
    [old], [new] = [await talked(journal, at, session=f"{at}") for at in (OLD, NEW)]
    for turn in (old, new):
        shown = (Injected(turn.seq, 1, "m1"),)
        await journal.record_recall(Recollection(turn.seq, turn.at, "{}", "block", shown))
    await journal.drop_texts(UNTIL, await journal.scopes())
    faded = await journal.recollection(f"{OLD}")
    assert (faded.trace, faded.block) == ("", "")
    assert faded.injected == (Injected(old.seq, 1, "m1"),)
    assert (await journal.recollection(f"{NEW}")).block == "block"
    assert len(await journal.showings("m1")) == 2


async def test_many_fade_oldest_first(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasing, "FADED_AT_ONCE", 3)
    later = await talked(journal, 20.0, 21.0, session="later")
    first = await talked(journal, 1.0, 2.0, session="first")
    assert await journal.drop_texts(UNTIL, await journal.scopes()) == 3
    assert await texts(journal, first + later) == ["", "", "", "said at 21.0"]
    assert [await journal.drop_texts(UNTIL, await journal.scopes()) for _ in range(2)] == [1, 0]


async def test_no_byte_of_a_faded_text_is_left_in_the_folder(tmp_path: Path) -> None:
    async with opened(tmp_path) as journal:
        for n in range(20):
            await say(journal, f"zanzibar {n} " * 300, at=float(n))
        await journal.close_episode("session", EpisodeEnd.COMMAND, at=OLD)
        await done(journal)
        assert await journal.drop_texts(UNTIL, await journal.scopes()) == 20
        await journal.wiped()
        files = [path.read_bytes() for path in sorted(tmp_path.iterdir())]  # noqa: ASYNC240
        assert len(files) == 4
        assert not any(b"zanzibar" in content for content in files)


async def test_fading_looks_at_nothing_that_has_faded(journal: Journal, tmp_path: Path) -> None:
    await talked(journal, OLD, OLD)
    await talked(journal, OLD, NEW, session="other")
    await journal.drop_texts(UNTIL, await journal.scopes())
    with closing(connect(tmp_path / "journal.db")) as file:
        faded = file.execute("SELECT session, faded FROM episodes ORDER BY session").fetchall()
    assert faded == [("other", 0), ("session", 1)]
