"""What was recalled, the reply kept for an episode, verdicts, audit, usage and overrides."""

import asyncio
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest
from astrbot_plugin_tidemark.core.languages.terms import excerpt
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd, Injected
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.ports import (
    AuditEntry,
    Census,
    Erasure,
    Expense,
    Extraction,
    Journal,
    Judged,
    Purpose,
    Recollection,
    Showing,
    Usage,
)
from astrbot_plugin_tidemark.core.text.quoting import quoted
from astrbot_plugin_tidemark.storage.journal.recalls import (
    EXPLAINED_TURNS,
    PIECE,
    SHORTEST,
    pieces_of,
    quotes,
)
from astrbot_plugin_tidemark.tests.storage.journal.saying import say
from hypothesis import assume, given
from hypothesis import strategies as st


def recollection(turn: int, *memories: str, at: float = 1.0, trace: str = "{}") -> Recollection:
    injected = tuple(Injected(turn, n, memory) for n, memory in enumerate(memories, 1))
    return Recollection(turn, at, trace, "; ".join(memories), injected)


async def test_a_second_recall_of_a_turn_replaces_the_first(journal: Journal) -> None:
    turn = (await say(journal)).turn
    await journal.record_recall(recollection(turn.seq, "a", "b", "c"))
    await journal.record_recall(recollection(turn.seq, "b", at=2.0))
    assert await journal.recollection("session") == recollection(turn.seq, "b", at=2.0)
    assert await journal.injected_in(turn.episode) == [Injected(turn.seq, 1, "b")]
    assert (await journal.statistics())["recalls"] == 1


async def test_old_traces_go_but_not_what_they_injected(journal: Journal, tmp_path: Path) -> None:
    turns = [(await say(journal)).turn for _ in range(EXPLAINED_TURNS + 2)]
    for turn in turns:
        await journal.record_recall(recollection(turn.seq, "m1"))
    with closing(connect(tmp_path / "journal.db")) as file:
        kept = file.execute("SELECT turn FROM recalls WHERE trace <> '' ORDER BY turn").fetchall()
    assert [seq for (seq,) in kept] == [turn.seq for turn in turns[1:]]
    assert len(await journal.injected_in(turns[0].episode)) == len(turns)


async def test_a_dropped_trace_gives_its_page_back(journal: Journal, tmp_path: Path) -> None:
    for _ in range(EXPLAINED_TURNS + 100):
        turn = (await say(journal)).turn
        await journal.record_recall(recollection(turn.seq, "m1", trace="x" * 3_900))
    with closing(connect(tmp_path / "journal.db")) as file:
        whole, free = (
            file.execute(f"PRAGMA {of}_count").fetchone()[0] for of in ("page", "freelist")
        )
    assert whole - free < EXPLAINED_TURNS + 90


async def test_the_newest_recall_is_of_the_newest_turn_or_scope(journal: Journal) -> None:
    first, second, _ = [(await say(journal)).turn for _ in range(3)]
    other = (await say(journal, session="another")).turn
    for turn in (second, first, other):
        await journal.record_recall(recollection(turn.seq, f"m{turn.seq}"))
    assert await journal.recollection("session") == recollection(second.seq, f"m{second.seq}")
    assert await journal.recollection("nobody") is None
    for scope in ("one", "other"):
        turn = (await say(journal, scope=scope)).turn
        await journal.record_recall(recollection(turn.seq, scope))
    found = await journal.recollection("session", frozenset({"one", "two"}))
    assert found.block == "one"
    assert await journal.recollection("session", frozenset({"two"})) is None


async def test_a_recorded_recall_comes_back_whole(journal: Journal) -> None:
    await say(journal)
    assert await journal.recollection("session") is None
    turn = (await say(journal)).turn
    recalled = recollection(turn.seq, "m2", "m1", at=12.5, trace='{"intent":"时间\\u0000"}')
    await journal.record_recall(recalled)
    assert await journal.recollection("session") == recalled
    assert (await journal.statistics())["recalls"] == 1
    recalled = recollection((await say(journal)).turn.seq)
    await journal.record_recall(recalled)
    assert await journal.recollection("session") == recalled


async def test_injections_of_an_episode_come_by_turn_and_number(journal: Journal) -> None:
    first, second = [(await say(journal)).turn for _ in range(2)]
    after = (await say(journal, end=EpisodeEnd.SIZE)).turn
    shuffled = (Injected(second.seq, 2, "d"), Injected(second.seq, 1, "c"))
    await journal.record_recall(Recollection(second.seq, 2.0, "{}", "", shuffled))
    await journal.record_recall(recollection(first.seq, "a", "b"))
    await journal.record_recall(recollection(after.seq, "e"))
    assert await journal.injected_in(first.episode) == [
        Injected(first.seq, 1, "a"),
        Injected(first.seq, 2, "b"),
        Injected(second.seq, 1, "c"),
        Injected(second.seq, 2, "d"),
    ]
    assert await journal.injected_in("nowhere") == []


async def test_injections_follow_their_turn_when_the_episode_is_split(journal: Journal) -> None:
    first, second = [(await say(journal)).turn for _ in range(2)]
    for turn in (first, second):
        await journal.record_recall(recollection(turn.seq, f"m{turn.seq}"))
    closed = await journal.close_episode("session", EpisodeEnd.RESET, at=1.0, before=second.seq)
    rest = await journal.open_episode("session")
    assert [item.turn for item in await journal.injected_in(closed.id)] == [first.seq]
    assert [item.turn for item in await journal.injected_in(rest.id)] == [second.seq]


async def test_showings_of_a_memory_are_the_newest_oldest_first(journal: Journal) -> None:
    turns = [(await say(journal, session=f"s{n % 2}")).turn.seq for n in range(4)]
    for n, turn in enumerate(turns):
        await journal.record_recall(recollection(turn, "other", "m1", at=float(n)))
    shown = [Showing(turn, 2, float(n)) for n, turn in enumerate(turns)]
    assert await journal.showings("m1") == shown
    assert await journal.showings("m1", limit=3) == shown[1:]
    assert await journal.showings("m1", limit=0) == []
    assert await journal.showings("unknown") == []


async def test_a_recall_done_again_without_a_memory_did_not_show_it(journal: Journal) -> None:
    turn = (await say(journal)).turn.seq
    await journal.record_recall(recollection(turn, "a", "b"))
    await journal.record_recall(recollection(turn, "b", at=2.0))
    assert await journal.showings("a") == []
    assert await journal.showings("b") == [Showing(turn, 1, 2.0)]


async def test_a_recall_of_a_turn_that_is_not_in_the_journal_is_refused(journal: Journal) -> None:
    with pytest.raises(StorageError):
        await journal.record_recall(recollection(1, "m1"))
    assert (await journal.statistics())["recalls"] == 0


async def test_a_recall_that_fails_half_way_leaves_the_earlier_record(journal: Journal) -> None:
    turn = (await say(journal)).turn
    kept = recollection(turn.seq, "a")
    await journal.record_recall(kept)
    same_number_twice = (Injected(turn.seq, 1, "b"), Injected(turn.seq, 1, "c"))
    with pytest.raises(StorageError):
        await journal.record_recall(Recollection(turn.seq, 2.0, "{}", "", same_number_twice))
    assert await journal.recollection("session") == kept


async def test_an_episode_keeps_the_first_of_its_extractions(journal: Journal) -> None:
    first = Extraction("e1", {1: "m1", 12: "m2"}, '{"candidates": []}', "model")
    assert await journal.save_extraction(first) == first
    again = Extraction("e1", {}, "other", "rules")
    assert await journal.save_extraction(again) == first
    assert await journal.extraction("e1") == first
    for name in ("e1", "e2"):
        await journal.save_extraction(Extraction(name, {}, name, "rules"))
    assert (await journal.extraction("e2")).body == "e2"
    assert await journal.extraction("e3") is None


LETTERS = st.text("abcd潮汐12 ,。\n<", min_size=1, max_size=60)
LONG_ENOUGH = st.tuples(
    LETTERS, st.text("abcd潮汐12", min_size=SHORTEST, max_size=20), LETTERS
).map("".join)


def letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


@pytest.mark.parametrize(
    ("said", "text", "found"),
    [
        ("我的密码是1234", "[1] (安) 我的密码是1234", True),
        ("我的密码是1234", "[1] 我的密码，是：1234。", True),
        ("我的密码是1234", "[1] 我的密码是1235", False),
        ("ok", "it is ok", False),
        ("好吗", "你好吗", False),
        ("👍👍👍👍", "👍👍👍👍", False),
        ("", "anything", False),
    ],
)
def test_letters_and_digits_decide(said: str, text: str, found: bool) -> None:
    assert quotes(text, pieces_of([said])) is found


def test_of_many_texts_any_is_found() -> None:
    pieces = pieces_of(["green bicycle", "green house", "潮水退去了"])
    assert quotes("a green house on the hill", pieces)
    assert quotes("昨天潮水退去了", pieces)
    assert not quotes("a green hill", pieces)


@given(LETTERS, LONG_ENOUGH, LETTERS)
def test_a_text_is_found_wherever_it_stands(before: str, said: str, after: str) -> None:
    assert quotes(before + said + after, pieces_of([said]))


@given(LETTERS, LETTERS)
def test_a_short_text_is_found_only_where_it_stands(said: str, text: str) -> None:
    assume(SHORTEST <= len(letters(said)) < PIECE)
    assert quotes(text, pieces_of([said])) is (letters(said) in letters(text))


@given(st.lists(st.text("abcdefgh潮汐。 ", min_size=30, max_size=200), min_size=5, max_size=12))
def test_a_long_text_is_found_in_the_excerpt_a_block_shows(sentences: list[str]) -> None:
    said = "! ".join(sentences)
    shown = quoted(excerpt(said, frozenset({"abc"}), 400), 400)
    assume(len(letters(shown)) >= 2 * PIECE)
    assert quotes(f"[1] (Ann) {shown}", pieces_of([said]))


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


def entry(key: str, memory: str = "m1", *, at: float = 0.0) -> AuditEntry:
    return AuditEntry(key, memory, "scope", "judged", "tmd", at, '{"strength": 5}')


async def test_of_verdicts_and_audit_entries_the_first_stays(journal: Journal) -> None:
    await journal.record_verdicts([(1, "a")], useful=True, source="model", at=1.0)
    await journal.record_verdicts([(1, "a"), (1, "b")], useful=False, source="model", at=2.0)
    assert await journal.verdict_counts() == (1, 1)
    await journal.audit([entry("k1")])
    await journal.audit([entry("k1", at=9.0), entry("k2", at=9.0), entry("k2", at=10.0)])
    assert await journal.audit_of("m1") == [entry("k1"), entry("k2", at=9.0)]


async def test_the_history_is_that_of_one_memory_its_newest_entries(journal: Journal) -> None:
    await journal.audit([entry("c", at=3.0), entry("x", "m2"), entry("a", at=1.0)])
    await journal.audit([entry("b", at=1.0)])
    assert [item.key for item in await journal.audit_of("m1")] == ["a", "b", "c"]
    assert await journal.audit_of("m3") == []
    await journal.audit([entry(f"{n:02}", at=float(n)) for n in range(60)])
    assert [item.key for item in await journal.audit_of("m1", limit=3)] == ["57", "58", "59"]
    assert len(await journal.audit_of("m1")) == 50
    assert await journal.audit_of("m1", limit=0) == []


async def test_usage_adds_up_by_day(journal: Journal) -> None:
    assert await journal.usage("2026-01-01") == Usage("2026-01-01", 0, 0)
    await journal.count_usage("2026-01-01", Purpose.LEARNING, calls=1, tokens=700)
    await journal.count_usage("2026-01-01", Purpose.SLEEP, calls=2, tokens=0)
    await journal.count_usage("2026-01-01", Purpose.BLOCK, calls=1, tokens=90)
    await journal.count_usage("2026-01-02", Purpose.LEARNING, calls=1, tokens=5)
    assert await journal.usage("2026-01-01") == Usage("2026-01-01", 3, 700)


async def test_expenses_are_told_by_month_and_purpose(journal: Journal) -> None:
    for day, tokens in (("2026-01-31", 7), ("2026-01-02", 30), ("2025-12-31", 4)):
        await journal.count_usage(day, Purpose.LEARNING, calls=1, tokens=tokens)
    await journal.count_usage("2026-01-31", Purpose.BLOCK, calls=1, tokens=90)
    assert await journal.expenses() == [
        Expense("2025-12", Purpose.LEARNING, 1, 4),
        Expense("2026-01", Purpose.BLOCK, 1, 90),
        Expense("2026-01", Purpose.LEARNING, 2, 37),
    ]


async def test_a_day_has_its_last_census_and_verdicts_are_counted(journal: Journal) -> None:
    told = [Census("2026-01-02", (1, 0, 0)), Census("2026-01-01", (2, 1, 0))]
    for each in (Census("2026-01-02", (9, 9, 9)), *told):
        await journal.note_census(each)
    assert await journal.censuses() == told[::-1]
    await journal.record_verdicts([(1, "a"), (2, "a"), (1, "b")], useful=True, source="m", at=1.0)
    await journal.record_verdicts([(3, "a"), (1, "c")], useful=False, source="m", at=1.0)
    assert await journal.judged(limit=2) == [Judged("a", 2, 1), Judged("b", 1, 0)]
    assert await journal.judged(after="b") == [Judged("c", 0, 1)]


async def test_usage_counted_by_many_tasks_is_not_lost(journal: Journal) -> None:
    counts = (
        journal.count_usage("2026-01-01", Purpose.LEARNING, calls=1, tokens=n) for n in range(30)
    )
    await asyncio.gather(*counts)
    assert await journal.usage("2026-01-01") == Usage("2026-01-01", 30, sum(range(30)))


@pytest.mark.parametrize("value", ["", "1700000000.5", "多行\n文字", "a\x00b"])
async def test_a_note_is_kept_and_replaced(journal: Journal, value: str) -> None:
    assert await journal.note("last_sweep") is None
    await journal.set_note("last_sweep", "before")
    await journal.set_note("last_sweep", value)
    assert await journal.note("last_sweep") == value
    assert await journal.note("another") is None


async def test_overrides_and_notes_of_one_name_are_apart(journal: Journal) -> None:
    await journal.set_note("name", "note")
    await journal.set_override("name", "override")
    assert await journal.note("name") == "note"
    assert await journal.overrides() == {"name": "override"}
