"""What recall did in each turn and what learning said of each episode."""

import json
from collections.abc import Collection, Sequence
from sqlite3 import Connection
from typing import Any

from ...core.model.conversation import Injected
from ...core.model.times import utc_day
from ...core.ports import Extraction, Purpose, Recollection, Showing
from .ledger import count_usage
from .sql import IN_LIST, listed, row, rows, run, run_many

_RECALLED = "INSERT INTO recalls (turn, at, trace, block) VALUES (?, ?, ?, ?)"
_SHOWN = "INSERT INTO injected (turn, number, memory) VALUES (?, ?, ?)"
_READABLE = "CASE WHEN json_valid(known) THEN json_type(known) = 'object' ELSE 0 END"

EXPLAINED_TURNS = 40
FADED_AT_ONCE = 200


def record(tx: Connection, recollection: Recollection) -> None:
    """Write what was injected in a turn, replacing an earlier record of that turn."""
    turn = recollection.turn
    run(tx, "DELETE FROM recalls WHERE turn = ?", turn)
    run(tx, _RECALLED, turn, recollection.at, recollection.trace, recollection.block)
    run_many(tx, _SHOWN, [(turn, item.number, item.memory) for item in recollection.injected])
    if recollection.tokens:
        day = utc_day(recollection.at)
        count_usage(tx, day, Purpose.BLOCK, calls=1, tokens=recollection.tokens)
    _fade(tx, turn)


def _fade(tx: Connection, turn: int) -> None:
    """Drop trace and block of the session's recalls that lie `EXPLAINED_TURNS` turns back.

    The rows are written anew: one with a trace fills a page, which would stay theirs if it shrank.
    """
    faded = rows(
        tx,
        "SELECT turn, at, '', '' FROM recalls WHERE trace <> '' AND turn IN ("
        " SELECT seq FROM turns WHERE session = (SELECT session FROM turns WHERE seq = ?)"
        " AND seq < ? ORDER BY seq DESC LIMIT ? OFFSET ?)",
        turn,
        turn,
        FADED_AT_ONCE,
        EXPLAINED_TURNS,
    )
    turns = listed([each[0] for each in faded])
    shown = rows(tx, f"SELECT turn, number, memory FROM injected WHERE turn {IN_LIST}", turns)
    run(tx, f"DELETE FROM recalls WHERE turn {IN_LIST}", turns)
    run_many(tx, _RECALLED, faded)
    run_many(tx, _SHOWN, shown)


def newest(
    con: Connection, session: str, scopes: Collection[str] | None = None
) -> Recollection | None:
    """The newest recall of a session, for a turn in one of the scopes."""
    where = "" if scopes is None else f" AND scope {IN_LIST}"
    found = row(
        con,
        "SELECT recalls.turn, recalls.at, trace, block FROM turns"
        " JOIN recalls ON recalls.turn = turns.seq"
        " JOIN episodes ON episodes.id = turns.episode"
        f" WHERE turns.session = ?{where} ORDER BY turns.seq DESC LIMIT 1",
        session,
        *(() if scopes is None else (listed(scopes),)),
    )
    return None if found is None else _whole(con, found)


def of_turn(con: Connection, turn: int) -> Recollection | None:
    """The recall of a turn."""
    found = row(
        con, "SELECT turn, at, trace, block FROM recalls WHERE turn = ? AND trace <> ''", turn
    )
    return None if found is None else _whole(con, found)


def newest_of_all(con: Connection, *, limit: int) -> list[Recollection]:
    """The newest recalls of all sessions whose trace is kept, newest first."""
    found = rows(
        con,
        "SELECT turn, at, trace, block FROM recalls WHERE trace <> '' ORDER BY turn DESC LIMIT ?",
        max(0, limit),
    )
    return [_whole(con, each) for each in found]


def _whole(con: Connection, found: Sequence[Any]) -> Recollection:
    items = rows(
        con, "SELECT turn, number, memory FROM injected WHERE turn = ? ORDER BY number", found[0]
    )
    return Recollection(*found, injected=tuple(Injected(*item) for item in items))


def injected_in(con: Connection, episode: str) -> list[Injected]:
    """Everything injected in the turns of an episode, by turn and number."""
    items = rows(
        con,
        "SELECT turn, number, memory FROM injected JOIN turns ON turns.seq = injected.turn"
        " WHERE turns.episode = ? ORDER BY turn, number",
        episode,
    )
    return [Injected(*item) for item in items]


def showings(con: Connection, memory: str, *, limit: int = 20) -> list[Showing]:
    """The newest times a memory was injected, oldest first."""
    found = rows(
        con,
        "SELECT turn, number, at FROM injected JOIN recalls USING (turn) WHERE memory = ?"
        " ORDER BY turn DESC, number DESC LIMIT ?",
        memory,
        max(0, limit),
    )
    return [Showing(*item) for item in reversed(found)]


def save_extraction(tx: Connection, extraction: Extraction) -> Extraction:
    """Keep the first reply of an episode; the one that is kept."""
    known = {str(number): memory for number, memory in extraction.known.items()}
    run(
        tx,
        "INSERT INTO extractions (episode, known, body, source) VALUES (?, ?, ?, ?)"
        # One that cannot be read is none.
        " ON CONFLICT (episode) DO UPDATE SET known = excluded.known, body = excluded.body,"
        f" source = excluded.source WHERE NOT ({_READABLE})",
        extraction.episode,
        json.dumps(known),
        extraction.body,
        extraction.source,
    )
    return extraction_of(tx, extraction.episode) or extraction


def extraction_of(con: Connection, episode: str) -> Extraction | None:
    """The kept reply, or None; also if nobody can read it."""
    found = row(
        con,
        f"SELECT episode, known, body, source FROM extractions WHERE episode = ? AND {_READABLE}",
        episode,
    )
    if found is None:
        return None
    key, known, body, source = found
    try:
        numbered = {int(number): memory for number, memory in json.loads(known).items()}
    except (ValueError, TypeError, AttributeError):
        return None
    return Extraction(key, numbered, body, source)
