"""Held episodes: their learning waits for the next call about their chat."""

from collections.abc import Sequence
from sqlite3 import Connection

from ...core.model.conversation import Episode
from ...core.ports import WAITED, Extraction, Work
from .episodes import find
from .recalls import save_extraction
from .sql import IN_LIST, listed, rows, run

_PAYLOAD = "CASE WHEN json_valid(payload) THEN payload ELSE '{}' END"
_EPISODE = f"json_extract({_PAYLOAD}, '$.episode')"
_WAITED = f"payload = json_set({_PAYLOAD}, '$.{WAITED}', json('true'))"
_LEARNING = "kind = 'learn' AND json_valid(payload)"


def hold(tx: Connection, work: Work, *, until: float) -> None:
    """Hold work of an episode without a kept reply that nobody has asked for since it was read."""
    run(
        tx,
        f"UPDATE work SET state = 'held', not_before = ?, {_WAITED} WHERE id = ?"
        f" AND {_LEARNING} AND {_EPISODE} NOT IN (SELECT episode FROM extractions)"
        f" AND coalesce(json_extract({_PAYLOAD}, '$.{WAITED}'), 0) = ?",
        until,
        work.id,
        int(bool(work.payload.get(WAITED))),
    )


def held_beside(con: Connection, episode: str) -> list[Episode]:
    """Held episodes of the session and scope of this one, oldest first."""
    found = rows(
        con,
        "SELECT other.id FROM work JOIN episodes AS other ON other.id = " + _EPISODE + " JOIN"
        " episodes AS own ON own.session = other.session AND own.scope = other.scope"
        f" WHERE own.id = ? AND other.id <> own.id AND state = 'held' AND {_LEARNING}"
        " AND other.id NOT IN (SELECT episode FROM extractions) ORDER BY other.opened_at, work.id",
        episode,
    )
    return [each for (id,) in found if (each := find(con, id)) is not None]


def save_extractions(tx: Connection, extractions: Sequence[Extraction]) -> list[Extraction]:
    """Keep the replies; what was held is due."""
    kept = [save_extraction(tx, extraction) for extraction in extractions]
    run(
        tx,
        "UPDATE work SET state = 'ready', not_before = 0 WHERE state = 'held'"
        f" AND {_LEARNING} AND {_EPISODE} {IN_LIST}",
        listed([extraction.episode for extraction in extractions]),
    )
    return kept


def hold_no_more(tx: Connection, now: float) -> None:
    """All of it is due, and asked for."""
    run(
        tx,
        f"UPDATE work SET state = 'ready', not_before = min(not_before, ?), {_WAITED}"
        f" WHERE {_LEARNING} AND (state = 'held' OR (state = 'ready' AND not_before <= ?))",
        now,
        now,
    )
