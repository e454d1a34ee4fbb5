"""Moves the end of an episode that was closed for its size, before anything is learnt from it."""

from dataclasses import replace
from sqlite3 import Connection

from ...core.model.conversation import Episode, EpisodeEnd
from ...core.ports import EpisodeLimits
from . import episodes
from .sql import row, rows, run


def recut(tx: Connection, journal: str, episode: str, *, before: int, most: EpisodeLimits) -> bool:
    """Move the turns from `before` on to the next episode, see `Episodes.recut`."""
    closed = episodes.find(tx, episode)
    if closed is None or closed.end is not EpisodeEnd.SIZE or _is_learnt(tx, episode):
        return False
    turns = rows(
        tx, "SELECT seq, text, reserved FROM turns WHERE episode = ? ORDER BY seq", episode
    )
    later = [turn for turn in turns if turn[0] >= before]
    # Who is named by a private reply is found by the episode it was given in.
    if not 0 < len(later) < len(turns) or any(reserved for _, _, reserved in later):
        return False
    joined = _following(tx, closed, later, most)
    if joined is None:
        rest = replace(closed, id=episodes.unused_id(tx, journal, later[0][0]))
        episodes.past(tx, replace(rest, end=EpisodeEnd.TOPIC), learn_at=0.0)
    else:
        rest = joined
    run(tx, "UPDATE turns SET episode = ? WHERE episode = ? AND seq >= ?", rest.id, episode, before)
    run(tx, "UPDATE episodes SET ended_by = ? WHERE id = ?", EpisodeEnd.TOPIC.value, episode)
    for each in (episode, rest.id):
        episodes.remeasure(tx, each)
    return True


def _is_learnt(con: Connection, episode: str) -> bool:
    return row(con, "SELECT 1 FROM extractions WHERE episode = ?", episode) is not None


def _following(
    con: Connection, closed: Episode, later: list[tuple], most: EpisodeLimits
) -> Episode | None:
    """The open episode that goes on where this one was closed and has room for these turns."""
    following = episodes.find_open(con, closed.place.session)
    if following is None or following.place != closed.place:
        return None
    characters = following.characters + sum(len(text) for _, text, _ in later)
    if following.turns + len(later) > most.turns or characters > most.characters:
        return None
    between = row(
        con,
        "SELECT 1 FROM turns WHERE session = ? AND episode <> ? AND seq > ?",
        closed.place.session,
        following.id,
        later[-1][0],
    )
    return following if between is None else None
