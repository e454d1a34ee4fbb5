"""Whatever is said and closed in whatever order, episodes partition the turns."""

import asyncio
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from astrbot_plugin_tidemark.core.model.conversation import (
    Episode,
    EpisodeEnd,
    NewTurn,
    Place,
    Role,
    Speaker,
    Turn,
)
from astrbot_plugin_tidemark.core.ports import Journal, WorkKind
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened
from hypothesis import given
from hypothesis import strategies as st

SESSIONS = ("group", "private")


@dataclass(frozen=True)
class Say:
    """Append a turn; `end` is the segmenter's answer."""

    place: Place
    end: EpisodeEnd | None
    message_id: str


@dataclass(frozen=True)
class Close:
    """Close a session's episode, whole or before the seq `back` turns ago."""

    session: str
    back: int | None


@dataclass(frozen=True)
class Wait:
    """Close what has been silent for `seconds`."""

    seconds: float


@dataclass(frozen=True)
class Recut:
    """End the episode of the turn `back` turns ago before that turn, if it is closed."""

    back: int


ENDS = st.sampled_from((None, None, None, *EpisodeEnd))
PLACES = st.builds(
    Place, st.sampled_from(SESSIONS), st.sampled_from(("", "a", "b")), st.sampled_from("xy")
)
STEPS = st.lists(
    st.one_of(
        st.builds(Say, PLACES, ENDS, st.sampled_from(("", "", "m1", "m2"))),
        st.builds(Say, st.just(Place("group", "a", "x")), st.none(), st.just("")),
        st.builds(Close, st.sampled_from(SESSIONS), st.none() | st.integers(-1, 6)),
        st.builds(Wait, st.sampled_from((0.0, 2.0, 5.0))),
        st.builds(Recut, st.integers(0, 6)),
    ),
    max_size=30,
)


@dataclass
class History:
    """What the journal said it did."""

    turns: list[Turn] = field(default_factory=list)
    closed: list[Episode] = field(default_factory=list)


@given(STEPS)
def test_episodes_partition_turns_and_teach_once(steps: list[Say | Close | Wait | Recut]) -> None:
    asyncio.run(_play(steps))


async def _play(steps: list[Say | Close | Wait | Recut]) -> None:
    with TemporaryDirectory() as folder:
        async with opened(Path(folder)) as journal:
            history = History()
            for now, step in enumerate(steps):
                await _take(journal, history, step, float(now))
            await _check(journal, history)


async def _take(
    journal: Journal, history: History, step: Say | Close | Wait | Recut, now: float
) -> None:
    match step:
        case Say():
            turn = NewTurn(
                step.place, Role.USER, Speaker("u", "U"), "x" * int(now), now, step.message_id
            )
            appended = await journal.append(turn, lambda _episode, _turn: step.end)
            if not appended.duplicate:
                history.turns.append(appended.turn)
        case Close():
            before = None
            if step.back is not None:
                before = history.turns[-1].seq - step.back if history.turns else 1
            closed = await journal.close_episode(
                step.session, EpisodeEnd.RESET, at=now, before=before
            )
            history.closed += [closed] if closed else []
        case Wait():
            history.closed += await journal.close_silent(quiet_since=now - step.seconds, at=now)
        case Recut():
            await _recut(journal, history, step)


async def _recut(journal: Journal, history: History, step: Recut) -> None:
    """Done twice it is done once."""
    if len(history.turns) <= step.back:
        return
    turn = await journal.turn(history.turns[-1 - step.back].seq)
    if await journal.recut(turn.episode, before=turn.seq):
        assert not await journal.recut(turn.episode, before=turn.seq)
        moved = await journal.turn(turn.seq)
        assert moved.episode != turn.episode
        assert (await journal.episode(turn.episode)).end is EpisodeEnd.TOPIC


async def _check(journal: Journal, history: History) -> None:
    found = [await journal.turn(turn.seq) for turn in history.turns]
    members: defaultdict[str, list[Turn]] = defaultdict(list)
    for turn in found:
        members[turn.episode].append(turn)
    assert all([await journal.turns_of(key) == turns for key, turns in members.items()])
    episodes = [await journal.episode(key) for key in members]
    statistics = await journal.statistics()
    assert statistics["turns"] == len(found)
    assert statistics["episodes"] == len(episodes)
    for episode in episodes:
        _check_measures(episode, members[episode.id])
    _check_runs(found)
    await _check_ends(journal, history, episodes)


def _check_measures(episode: Episode, turns: list[Turn]) -> None:
    assert {turn.place for turn in turns} == {episode.place}
    assert episode.turns == len(turns)
    assert episode.characters == sum(len(turn.text) for turn in turns)
    assert (episode.opened_at, episode.last_at) == (turns[0].at, turns[-1].at)


def _check_runs(turns: list[Turn]) -> None:
    """Within a session an episode is never resumed once another has begun."""
    for session in SESSIONS:
        keys = [turn.episode for turn in turns if turn.place.session == session]
        runs = [key for n, key in enumerate(keys) if n == 0 or keys[n - 1] != key]
        assert len(runs) == len(set(runs))


async def _check_ends(journal: Journal, history: History, episodes: list[Episode]) -> None:
    still_open = [episode for episode in episodes if episode.closed_at is None]
    closed = {episode.id for episode in episodes} - {episode.id for episode in still_open}
    assert max(Counter(episode.place.session for episode in still_open).values(), default=0) <= 1
    for session in SESSIONS:
        mine = [episode for episode in still_open if episode.place.session == session]
        assert await journal.open_episode(session) == (mine[0] if mine else None)
    answers = [episode.id for episode in history.closed]
    assert len(answers) == len(set(answers))
    assert set(answers) <= closed
    due = await journal.due(0.0, kinds=frozenset({WorkKind.LEARN}), limit=999, skip=frozenset())
    assert sorted(work.payload["episode"] for work in due) == sorted(closed)
