"""Episodes: opened by a turn, grown, closed once, and sometimes read a second time."""

from dataclasses import replace
from sqlite3 import Connection
from uuid import UUID, uuid5

from ...core.model.conversation import Episode, EpisodeEnd, NewTurn, Place
from ...core.ports import WorkKind
from .sql import row, rows, run, value
from .work import enqueue_new

_ENDS = frozenset(EpisodeEnd)
_COLUMNS = (
    "id, session, conversation, scope, opened_at, last_at, turns, characters, closed_at, ended_by"
)
_SELECT = f"SELECT {_COLUMNS} FROM episodes"
_TURNS = "SELECT seq, at, text FROM turns WHERE episode = ? ORDER BY seq"


def episode_id(journal: str, first: int) -> str:
    """Id of the episode whose first turn has the seq `first`."""
    return uuid5(UUID(journal), f"episode:{first}").hex


def unused_id(con: Connection, journal: str, first: int) -> str:
    """`episode_id`, or another one if an episode that has grown at its beginning bears that."""
    free = episode_id(journal, first)
    while find(con, free) is not None:
        free = uuid5(UUID(journal), f"episode:{free}").hex
    return free


def find(con: Connection, episode: str) -> Episode | None:
    found = row(con, f"{_SELECT} WHERE id = ?", episode)
    return _episode(found) if found else None


def find_open(con: Connection, session: str) -> Episode | None:
    found = row(con, f"{_SELECT} WHERE session = ? AND closed_at IS NULL", session)
    return _episode(found) if found else None


def latest(con: Connection, scope: str) -> Episode | None:
    found = row(con, f"{_SELECT} WHERE scope = ? ORDER BY last_at DESC LIMIT 1", scope)
    return _episode(found) if found else None


def uncompared(con: Connection, scope: str, *, limit: int) -> list[Episode]:
    query = (
        f"{_SELECT} WHERE scope = ? AND closed_at IS NOT NULL"
        " AND EXISTS (SELECT 1 FROM extractions WHERE episode = id AND NOT again)"
        " AND NOT EXISTS (SELECT 1 FROM extractions WHERE episode = id AND body IS NULL)"
        " ORDER BY last_at, id LIMIT ?"
    )
    found = rows(con, query, scope, max(0, limit))
    return [_episode(each) for each in found]


def scopes(con: Connection) -> frozenset[str]:
    found = rows(con, "SELECT scope FROM episodes UNION SELECT scope FROM tallies")
    return frozenset(scope for (scope,) in found)


def first_opened(con: Connection) -> float | None:
    return value(con, "SELECT min(opened_at) FROM episodes")


def past(tx: Connection, episode: Episode, *, learn_at: float) -> None:
    """Insert an episode that is closed, to be learnt from later."""
    _insert(tx, episode)
    work = {"episode": episode.id}
    enqueue_new(tx, WorkKind.LEARN, f"learn:{episode.id}", work, not_before=learn_at)


def begin(tx: Connection, episode: str, first: NewTurn) -> Episode:
    """Open an episode that holds one turn."""
    opened = Episode(episode, first.place, first.at, first.at, 1, len(first.text))
    _insert(tx, opened)
    return opened


def extend(tx: Connection, episode: Episode, turn: NewTurn) -> Episode:
    """Count one more turn; it may be the first that knows its conversation."""
    conversation = episode.place.conversation or turn.place.conversation
    extended = replace(
        episode,
        place=replace(episode.place, conversation=conversation),
        last_at=turn.at,
        turns=episode.turns + 1,
        characters=episode.characters + len(turn.text),
    )
    _save(tx, extended)
    return extended


def close(tx: Connection, episode: Episode, end: EpisodeEnd, *, at: float) -> Episode:
    """Close an open episode and queue its LEARN work; the episode as it is now."""
    _save(tx, episode)
    query = "UPDATE episodes SET closed_at = ?, ended_by = ? WHERE id = ?"
    run(tx, query, at, end.value, episode.id)
    enqueue_new(tx, WorkKind.LEARN, f"learn:{episode.id}", {"episode": episode.id})
    return replace(episode, closed_at=at, end=end)


def close_silent(tx: Connection, *, quiet_since: float, at: float) -> list[Episode]:
    query = f"{_SELECT} WHERE closed_at IS NULL AND last_at <= ? ORDER BY last_at, id"
    silent = rows(tx, query, quiet_since)
    return [close(tx, _episode(found), EpisodeEnd.SILENCE, at=at) for found in silent]


def close_before(
    tx: Connection, journal: str, episode: Episode, end: EpisodeEnd, *, at: float, before: int
) -> Episode | None:
    """Close the part of an open episode that lies before a seq; the rest stays open, renamed."""
    turns = rows(tx, _TURNS, episode.id)
    earlier = [turn for turn in turns if turn[0] < before]
    later = turns[len(earlier) :]
    if not earlier:
        return None
    closed = close(tx, _measured(episode, earlier), end, at=at)
    if later:
        rest = replace(_measured(episode, later), id=unused_id(tx, journal, later[0][0]))
        _insert(tx, rest)
        query = "UPDATE turns SET episode = ? WHERE episode = ? AND seq >= ?"
        run(tx, query, rest.id, episode.id, before)
    return closed


def recut(tx: Connection, journal: str, episode: str, *, before: int) -> bool:
    """Make an episode of the turns from `before` on, see `Episodes.recut`."""
    closed = find(tx, episode)
    learnt = row(tx, "SELECT 1 FROM extractions WHERE episode = ?", episode)
    if closed is None or closed.end is None or learnt:
        return False
    turns = rows(tx, "SELECT seq, reserved FROM turns WHERE episode = ? ORDER BY seq", episode)
    later = [turn for turn in turns if turn[0] >= before]
    # Who is named by a private reply is found by the episode it was given in.
    if not 0 < len(later) < len(turns) or any(reserved for _, reserved in later):
        return False
    rest = replace(closed, id=unused_id(tx, journal, later[0][0]))
    past(tx, rest, learn_at=0.0)
    run(tx, "UPDATE turns SET episode = ? WHERE episode = ? AND seq >= ?", rest.id, episode, before)
    run(tx, "UPDATE episodes SET ended_by = ? WHERE id = ?", EpisodeEnd.TOPIC.value, episode)
    for each in (episode, rest.id):
        remeasure(tx, each)
    return True


def remeasure(tx: Connection, episode: str) -> bool:
    """Count the turns an episode has left; without any it is deleted, and False comes back."""
    known, turns = find(tx, episode), rows(tx, _TURNS, episode)
    if known is None or not turns:
        run(tx, "DELETE FROM episodes WHERE id = ?", episode)
        return False
    _save(tx, _measured(known, turns))
    return True


def _measured(episode: Episode, turns: list[tuple]) -> Episode:
    """`episode` with the times and sizes of these rows of `_TURNS`, at least one."""
    return replace(
        episode,
        opened_at=turns[0][1],
        last_at=turns[-1][1],
        turns=len(turns),
        characters=sum(len(text) for _, _, text in turns),
    )


def _insert(tx: Connection, episode: Episode) -> None:
    place, end = episode.place, None if episode.end is None else episode.end.value
    where = (episode.id, place.session, place.conversation, place.scope)
    size = (episode.opened_at, episode.last_at, episode.turns, episode.characters)
    query = f"INSERT INTO episodes ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    run(tx, query, *where, *size, episode.closed_at, end)


def _save(tx: Connection, episode: Episode) -> None:
    """Write what turns change: what is known of its conversation, its times and sizes."""
    query = (
        "UPDATE episodes SET conversation = ?, opened_at = ?, last_at = ?, turns = ?,"
        " characters = ? WHERE id = ?"
    )
    size = (episode.opened_at, episode.last_at, episode.turns, episode.characters)
    run(tx, query, episode.place.conversation, *size, episode.id)


def _episode(found: tuple) -> Episode:
    id, session, conversation, scope, *times_and_sizes, end = found
    known = EpisodeEnd(end) if end in _ENDS else None
    return Episode(id, Place(session, conversation, scope), *times_and_sizes, end=known)
