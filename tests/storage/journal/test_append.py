"""`Journal.append`: a turn, its episode and its work, all or nothing, through kills and crowds."""

import asyncio
import random
import sqlite3
import subprocess
import sys
from pathlib import Path
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
from astrbot_plugin_tidemark.core.ports import Appended, Erasure, Journal, Work, WorkKind
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened, say


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


HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
KILLS = 6


def killed(script: str, folder: Path, after: int) -> list[str]:
    """What a process acknowledged that was killed once it had printed `after` lines."""
    command = [sys.executable, str(HERE / script), str(ROOT), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        lines = [process.stdout.readline() for _ in range(after)]
        process.kill()
        lines += process.stdout.readlines()
    return [line.strip() for line in lines if line.endswith("\n")]


async def assert_whole(journal: Journal) -> None:
    """Every turn is in an episode that counts it and has its work; every end is queued."""
    counts = await journal.statistics()
    kinds = {kind: count for (kind, _), count in (await journal.backlog()).items()}
    assert kinds.get(WorkKind.INDEX_TURN, 0) == counts["turns"]
    assert kinds.get(WorkKind.LEARN, 0) == counts["episodes"] - counts["open_episodes"]


def assert_consistent(file: Path) -> None:
    """The file is sound and each episode counts the turns it has."""
    con = sqlite3.connect(file)
    assert con.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert con.execute("PRAGMA foreign_key_check").fetchall() == []
    miscounted = con.execute(
        "SELECT id FROM episodes"
        " WHERE turns <> (SELECT count(*) FROM turns WHERE episode = episodes.id)"
    ).fetchall()
    con.close()
    assert miscounted == []


async def test_a_killed_process_loses_no_acknowledged_turn(tmp_path: Path) -> None:
    acknowledged: set[int] = set()
    chance = random.Random(7)
    for _ in range(KILLS):
        lines = await asyncio.to_thread(killed, "appender.py", tmp_path, chance.randint(1, 60))
        seqs = {int(line) for line in lines}
        assert not seqs & acknowledged
        acknowledged |= seqs
    assert len(acknowledged) >= KILLS
    async with opened(tmp_path) as journal:
        missing = [seq for seq in sorted(acknowledged) if await journal.turn(seq) is None]
        assert missing == []
        await assert_whole(journal)
    assert_consistent(tmp_path / "journal.db")


async def test_a_killed_erasure_is_whole_or_absent_for_each_scope(tmp_path: Path) -> None:
    scopes = [f"scope {n:02}" for n in range(40)]
    async with opened(tmp_path) as journal:
        for n in range(200):
            await say(journal, f"潮水 {n}", session=scopes[n % 40], scope=scopes[n % 40])
    acknowledged: set[str] = set()
    for after in (1, 3, 7):
        acknowledged |= set(await asyncio.to_thread(killed, "eraser.py", tmp_path, after))
    async with opened(tmp_path) as journal:
        left = await journal.scopes()
        assert len(acknowledged) >= 11
        assert not acknowledged & left
        sizes = [len(await journal.last_turns(scope, 99)) for scope in scopes]
        assert sizes == [5 if scope in left else 0 for scope in scopes]
        await assert_whole(journal)
    assert_consistent(tmp_path / "journal.db")


async def test_a_cancelled_erasure_is_whole_or_absent(journal: Journal, tmp_path: Path) -> None:
    outcomes: set[int] = set()
    for n in range(24):
        for _ in range(20):
            await say(journal, scope=f"{n}", session=f"{n}")
        task = asyncio.create_task(journal.erase(Erasure(scopes=frozenset({f"{n}"}))))
        await asyncio.sleep(n * 0.0002)
        task.cancel()
        await asyncio.wait({task})
        outcomes.add(len(await journal.last_turns(f"{n}", 99)))
    assert outcomes <= {0, 20}
    await assert_whole(journal)
    assert_consistent(tmp_path / "journal.db")


async def test_people_may_talk_while_others_are_erased(journal: Journal, tmp_path: Path) -> None:
    for n in range(60):
        await say(journal, session=f"old {n % 3}", scope=f"old {n % 3}")
    erasures = [journal.erase(Erasure(scopes=frozenset({f"old {n}"}))) for n in range(3)]
    talk = [say(journal, f"{n}", session="new", scope="new") for n in range(60)]
    erased, spoken = await asyncio.gather(asyncio.gather(*erasures), asyncio.gather(*talk))
    assert sum(map(len, erased)) == 60
    assert await journal.scopes() == {"new"}
    turns = await journal.last_turns("new", 99)
    assert [turn.seq for turn in turns] == sorted(said.turn.seq for said in spoken)
    await assert_whole(journal)
    assert_consistent(tmp_path / "journal.db")


async def test_a_cancelled_append_can_be_repeated(journal: Journal, tmp_path: Path) -> None:
    place = Place("session", "conversation", "scope")
    chance = random.Random(11)
    turns = [
        NewTurn(place, Role.USER, Speaker("u", "U"), f"{n}", float(n), f"m{n}") for n in range(120)
    ]
    tasks: list[asyncio.Task[Appended]] = []
    for turn in turns:
        tasks.append(asyncio.create_task(journal.append(turn, _five_turns)))
        await asyncio.sleep(chance.random() * 0.0015)
        tasks[-1].cancel()
        await asyncio.wait(tasks)
    assert any(task.cancelled() for task in tasks)
    await assert_whole(journal)
    assert_consistent(tmp_path / "journal.db")
    written = (await journal.statistics())["turns"]
    again = [await journal.append(turn, _five_turns) for turn in turns]
    assert sum(appended.duplicate for appended in again) == written
    assert (await journal.statistics())["turns"] == len(turns)
    assert all(
        appended.duplicate
        for appended, task in zip(again, tasks, strict=True)
        if not task.cancelled()
    )


async def test_a_cancelled_close_is_whole_or_absent(journal: Journal) -> None:
    for n in range(40):
        turns = [(await say(journal, at=float(n))).turn for _ in range(2)]
        task = asyncio.create_task(
            journal.close_episode("session", EpisodeEnd.RESET, at=1.0, before=turns[1].seq)
        )
        for _ in range(n):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
    await assert_whole(journal)


async def test_sessions_talking_at_once_do_not_mix(journal: Journal) -> None:
    async def talk(session: str) -> list[int]:
        return [(await say(journal, f"{session} {n}", session=session)).turn.seq for n in range(10)]

    spoken = await asyncio.gather(*(talk(f"s{n}") for n in range(20)))
    assert len({seq for seqs in spoken for seq in seqs}) == 200
    for n, seqs in enumerate(spoken):
        turns = await journal.last_turns(f"s{n}", 99)
        assert [turn.seq for turn in turns] == seqs
        assert len({turn.episode for turn in turns}) == 1
        assert (await journal.open_episode(f"s{n}")).turns == 10
    await assert_whole(journal)


async def test_one_message_delivered_many_times_at_once_is_one_turn(journal: Journal) -> None:
    appended = await asyncio.gather(*(say(journal, message_id="m1") for _ in range(20)))
    assert sorted(item.duplicate for item in appended) == [False] + [True] * 19
    assert len({item.turn for item in appended}) == 1


async def test_reading_goes_on_while_others_write(journal: Journal) -> None:
    first = (await say(journal)).turn
    writes = asyncio.gather(*(say(journal, f"{n}") for n in range(50)))
    reads = asyncio.gather(*(journal.turns_of(first.episode) for _ in range(50)))
    await writes
    for turns in await reads:
        assert [turn.seq for turn in turns] == [first.seq + n for n in range(len(turns))]


@pytest.mark.parametrize("closers", [2, 10])
async def test_an_episode_closed_by_many_closes_once(journal: Journal, closers: int) -> None:
    await say(journal)
    closed = await asyncio.gather(
        *(journal.close_episode("session", EpisodeEnd.COMMAND, at=1.0) for _ in range(closers))
    )
    assert sum(episode is not None for episode in closed) == 1
    await assert_whole(journal)


def _five_turns(episode: Episode, _turn: NewTurn) -> EpisodeEnd | None:
    return EpisodeEnd.SIZE if episode.turns >= 5 else None
