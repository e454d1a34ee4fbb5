"""Divides an episode that is closed, before anything is learnt from it."""

from dataclasses import replace
from sqlite3 import Connection

from ...core.model.conversation import EpisodeEnd
from . import episodes
from .sql import row, rows, run


def recut(tx: Connection, journal: str, episode: str, *, before: int) -> bool:
    """Make an episode of the turns from `before` on, see `Episodes.recut`."""
    closed = episodes.find(tx, episode)
    if closed is None or closed.end is None or _is_learnt(tx, episode):
        return False
    turns = rows(tx, "SELECT seq, reserved FROM turns WHERE episode = ? ORDER BY seq", episode)
    later = [turn for turn in turns if turn[0] >= before]
    # Who is named by a private reply is found by the episode it was given in.
    if not 0 < len(later) < len(turns) or any(reserved for _, reserved in later):
        return False
    rest = replace(closed, id=episodes.unused_id(tx, journal, later[0][0]))
    episodes.past(tx, rest, learn_at=0.0)
    run(tx, "UPDATE turns SET episode = ? WHERE episode = ? AND seq >= ?", rest.id, episode, before)
    run(tx, "UPDATE episodes SET ended_by = ? WHERE id = ?", EpisodeEnd.TOPIC.value, episode)
    for each in (episode, rest.id):
        episodes.remeasure(tx, each)
    return True


def _is_learnt(con: Connection, episode: str) -> bool:
    return row(con, "SELECT 1 FROM extractions WHERE episode = ?", episode) is not None
