"""`Journal.condense`: rows of turns without text become counts, which tell the same as before."""

from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

from astrbot_plugin_tidemark.core.model.conversation import (
    EpisodeEnd,
    Injected,
    Role,
    Speaker,
    Turn,
    reply_id,
)
from astrbot_plugin_tidemark.core.ports import AuditEntry, Erasure, Journal, Recollection, WorkKind

from .saying import say

BOT = Speaker("bot", "")
PLACE = "private/qq/901/default"
UNTIL = 50.0


async def done(journal: Journal) -> None:
    for work in await journal.due(0.0, kinds=frozenset(WorkKind), limit=9999, skip=frozenset()):
        await journal.finish(work.id)


async def exchange(
    journal: Journal, *, memory: str = "m1", at: float = 10.0, session: str = "session"
) -> tuple[Turn, Turn]:
    """A closed episode without text: a question, a recall that was judged, and an answer."""
    asked = (await say(journal, "hello", at=at, session=session, scope=PLACE)).turn
    shown = (Injected(asked.seq, 1, memory), Injected(asked.seq, 2, "other"))
    await journal.record_recall(Recollection(asked.seq, at, "{}", "block", shown))
    reply = (
        await say(
            journal,
            "well",
            at=at,
            session=session,
            scope=PLACE,
            role=Role.ASSISTANT,
            speaker=BOT,
            message_id=reply_id(asked.seq),
        )
    ).turn
    await journal.close_episode(session, EpisodeEnd.COMMAND, at=at)
    await done(journal)
    await journal.record_verdicts([(asked.seq, memory)], useful=True, source="model", at=at)
    await journal.record_verdicts([(asked.seq, "other")], useful=False, source="model", at=at)
    entry = AuditEntry(f"judged:{asked.seq}:{memory}", memory, PLACE, "useful", "model", at)
    await journal.audit([entry])
    await journal.drop_texts(UNTIL, await journal.scopes())
    return asked, reply


async def condensed(journal: Journal, *keep: int) -> int:
    episodes = await journal.faded()
    return await journal.condense(dict.fromkeys(episodes, frozenset(keep)))


async def counts(journal: Journal) -> Any:
    return (
        await journal.judged(),
        await journal.verdict_counts(),
        await journal.statistics(),
        await journal.scopes(),
    )


def rows(folder: Path, table: str) -> int:
    with closing(connect(folder / "journal.db")) as file:
        return file.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


async def test_what_nothing_rests_on_is_gone_but_counted(journal: Journal, tmp_path: Path) -> None:
    for n in range(3):
        await exchange(journal, at=float(n))
    before = await counts(journal)
    assert before[1] == (3, 3)
    assert await condensed(journal) == 6
    assert await counts(journal) == before
    for table in ("turns", "episodes", "recalls", "injected", "verdicts", "finished", "audit"):
        assert rows(tmp_path, table) == 0


async def test_counts_add_up_over_several_times(journal: Journal) -> None:
    for n in range(3):
        await exchange(journal, at=float(n))
        before = await counts(journal)
        assert await condensed(journal) == 2
        assert await counts(journal) == before
    assert (await journal.statistics())["turns"] == 6


async def test_verdicts_are_listed_page_by_page_over_old_and_new_ones(journal: Journal) -> None:
    await exchange(journal, memory="a")
    await condensed(journal)
    await exchange(journal, memory="b", at=20.0)
    listed = [(one.memory, one.useful, one.useless) for one in await journal.judged()]
    assert listed == [("a", 1, 0), ("b", 1, 0), ("other", 0, 2)]
    assert [one.memory for one in await journal.judged(after="a", limit=1)] == ["b"]


async def test_a_turn_that_is_kept_stays_as_a_row_without_text(journal: Journal) -> None:
    asked, reply = await exchange(journal)
    before = await counts(journal)
    assert await condensed(journal, asked.seq) == 1
    kept = await journal.turn(asked.seq)
    assert (kept.speaker, kept.text) == (asked.speaker, "")
    assert await journal.turn(reply.seq) is None
    assert await journal.episode(asked.episode) is not None
    assert await counts(journal) == before
    assert await condensed(journal) == 1
    assert await journal.episode(asked.episode) is None
    assert await counts(journal) == before


async def test_an_answer_that_is_kept_is_found_by_its_question(journal: Journal) -> None:
    asked, reply = await exchange(journal)
    assert await condensed(journal, reply.seq) == 0
    erasure = Erasure(turns=frozenset({asked.seq}))
    assert [turn.seq async for turn in journal.erasable(erasure)] == [asked.seq, reply.seq]


async def test_a_turn_among_condensed_ones_is_queued(journal: Journal, tmp_path: Path) -> None:
    fresh = (await say(journal, "kept", at=90.0, session="other", scope=PLACE)).turn
    await exchange(journal)
    await condensed(journal)
    later = (await say(journal, "later", at=91.0, session="other", scope=PLACE)).turn
    with closing(connect(tmp_path / "journal.db")) as file, file:
        file.executescript("DELETE FROM work; DELETE FROM finished")
    for seq in (fresh.seq, later.seq):
        assert await journal.enqueue(WorkKind.INDEX_TURN, f"turn:{seq}", {"turn": seq})
        assert not await journal.enqueue(WorkKind.INDEX_TURN, f"turn:{seq}", {"turn": seq})


async def test_what_has_its_text_stays_and_nothing_is_queued_again(journal: Journal) -> None:
    turn = (await say(journal, "kept", at=90.0)).turn
    assert await journal.faded() == []
    assert await journal.condense({turn.episode: frozenset()}) == 0
    assert await journal.turn(turn.seq) == turn
    asked, reply = await exchange(journal)
    await condensed(journal, asked.seq)
    for seq in (asked.seq, reply.seq):
        assert not await journal.enqueue(WorkKind.INDEX_TURN, f"turn:{seq}", {"turn": seq})
    assert await journal.backlog() == {}


async def test_an_episode_that_never_had_any_text_is_condensed_too(journal: Journal) -> None:
    await say(journal, "", at=10.0)
    await journal.close_episode("session", EpisodeEnd.COMMAND, at=10.0)
    await done(journal)
    await journal.drop_texts(UNTIL, await journal.scopes())
    assert await condensed(journal) == 1


async def test_erasing_takes_counts_of_memories_and_scopes(
    journal: Journal, tmp_path: Path
) -> None:
    await exchange(journal)
    await condensed(journal)
    assert PLACE in await journal.scopes()
    await journal.erase(Erasure(memories=frozenset({"m1"})))
    assert await journal.verdict_counts() == (0, 1)
    await journal.erase(Erasure(scopes=frozenset({PLACE})))
    assert await journal.scopes() == frozenset()
    assert rows(tmp_path, "tallies") == 0


def purged(memory: str, at: float) -> AuditEntry:
    return AuditEntry(f"purged:{memory}", memory, PLACE, "purged", "bin", at)


async def test_old_entries_on_what_is_gone_become_counts(journal: Journal, tmp_path: Path) -> None:
    day = 86_400.0
    await journal.audit([purged(f"m{n}", n * day) for n in range(62)])
    assert await journal.condense_log(40 * day) == 40
    assert await journal.condense_log(60 * day) == 20
    assert await journal.condense_log(60 * day) == 0
    assert await journal.audit_of("m0") == []
    assert len(await journal.audit_of("m61")) == 1
    with closing(connect(tmp_path / "journal.db")) as file:
        left = file.execute("SELECT key, scope, detail FROM audit WHERE memory = ''").fetchall()
    assert sorted(left) == [
        ("purged:1970-01", "", '{"count":31}'),
        ("purged:1970-02", "", '{"count":28}'),
        ("purged:1970-03", "", '{"count":1}'),
    ]
