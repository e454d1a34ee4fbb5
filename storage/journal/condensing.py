"""Replaces rows of old conversations on which no memory rests by counts, so the file is bounded.

What came of recalls is counted by scope and memory. Keys of finished work go; of the turns up to
`MARK` none is queued again unless it still has its text.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from sqlite3 import Connection

from ...core.model.conversation import REPLY_TO
from . import ledger
from .sql import IN_LIST, listed, row, rows, run
from .work import forget

MARK = "condensed"
"""The note with the last seq of all turns that have been condensed."""

AUDIT_AT_ONCE = 1_000

_OF_TURN = re.compile(r"turn:(\d{1,18})")

_THEIR_TURNS = f"FROM turns WHERE episode {IN_LIST}"
_IN_SCOPES = (
    f" JOIN turns ON seq = turn JOIN episodes ON episodes.id = episode WHERE episode {IN_LIST}"
)

_COUNTED = (
    "INSERT INTO tallies (scope, memory, recalls)"
    f" SELECT scope, '', count(*) FROM recalls{_IN_SCOPES}"
    " GROUP BY scope ON CONFLICT DO UPDATE SET recalls = tallies.recalls + excluded.recalls",
    "INSERT INTO tallies (scope, memory, shown)"
    f" SELECT scope, memory, count(*) FROM injected{_IN_SCOPES}"
    " GROUP BY scope, memory ON CONFLICT DO UPDATE SET shown = tallies.shown + excluded.shown",
    "INSERT INTO tallies (scope, memory, useful, useless)"
    f" SELECT scope, memory, sum(useful), sum(1 - useful) FROM verdicts{_IN_SCOPES}"
    " GROUP BY scope, memory ON CONFLICT DO UPDATE SET useful = tallies.useful + excluded.useful,"
    " useless = tallies.useless + excluded.useless",
)

_COUNT_GONE = (
    "INSERT INTO tallies (scope, memory, turns, episodes) VALUES (?, '', ?, ?)"
    " ON CONFLICT DO UPDATE SET turns = turns + excluded.turns,"
    " episodes = episodes + excluded.episodes"
)

_DELETE = (
    f"DELETE FROM turns WHERE seq {IN_LIST} AND role = 'assistant' RETURNING episode",
    f"DELETE FROM turns WHERE seq {IN_LIST} AND NOT EXISTS (SELECT 1 FROM turns AS answer"
    " WHERE answer.session = turns.session AND answer.role = 'assistant'"
    f" AND answer.message_id = '{REPLY_TO}' || turns.seq AND answer.message_id <> '')"
    " RETURNING episode",
)

_DELETE_EMPTY = (
    "DELETE FROM episodes WHERE id = ?"
    " AND NOT EXISTS (SELECT 1 FROM turns WHERE episode = episodes.id)"
)


def faded(con: Connection, *, after: str = "", limit: int = 50) -> list[str]:
    """Ids of episodes all of whose text is gone, in order."""
    found = rows(
        con, "SELECT id FROM episodes WHERE faded = 1 AND id > ? ORDER BY id LIMIT ?", after, limit
    )
    return [id for (id,) in found]


def _forget_recalls(tx: Connection, theirs: str) -> None:
    """Drop the recalls of these episodes' turns, which are counted, and the verdicts on them."""
    turns = f"turn IN (SELECT seq {_THEIR_TURNS})"
    noted = f"SELECT 'judged:' || turn || ':' || memory FROM verdicts WHERE {turns}"
    run(tx, f"DELETE FROM audit WHERE key IN ({noted})", theirs)
    for table in ("recalls", "verdicts"):
        run(tx, f"DELETE FROM {table} WHERE {turns}", theirs)


def condense(tx: Connection, kept: Mapping[str, Set[int]]) -> int:
    """Of these faded episodes keep just the turns given; how many turns are gone."""
    chosen = rows(
        tx, f"SELECT id, scope FROM episodes WHERE faded = 1 AND id {IN_LIST}", listed(kept)
    )
    theirs = listed(id for id, _ in chosen)
    found = rows(tx, f"SELECT seq, episode {_THEIR_TURNS}", theirs)
    for counted in _COUNTED:
        run(tx, counted, theirs)
    _forget_recalls(tx, theirs)
    _forget_work(tx, [seq for seq, _ in found], [id for id, _ in chosen])
    gone = listed(seq for seq, episode in found if seq not in kept[episode])
    # What is left has an answer that is kept: it is found by its question.
    lost = Counter(id for step in _DELETE for (id,) in rows(tx, step, gone))
    for id, scope in chosen:
        run(tx, _COUNT_GONE, scope, lost[id], run(tx, _DELETE_EMPTY, id))
    return lost.total()


def condense_log(tx: Connection, until: float) -> int:
    """Entries on memories deleted before `until` become a count by month; how many of them.

    At most `AUDIT_AT_ONCE`.
    """
    found = rows(
        tx,
        "SELECT id, coalesce(strftime('%Y-%m', at, 'unixepoch'), '') FROM audit"
        " WHERE action = 'purged' AND memory <> '' AND at < ? ORDER BY id LIMIT ?",
        until,
        AUDIT_AT_ONCE,
    )
    for month in sorted({month for _, month in found}):
        run(
            tx,
            'INSERT INTO audit (key, memory, scope, action, "by", at, detail)'
            " VALUES (?, '', '', 'purged', '', ?, json_object('count', ?)) ON CONFLICT (key)"
            " DO UPDATE SET detail = json_object('count', json_extract(detail, '$.count')"
            " + json_extract(excluded.detail, '$.count'))",
            f"purged:{month}",
            until,
            sum(month == each for _, each in found),
        )
    run(tx, f"DELETE FROM audit WHERE id {IN_LIST}", listed(id for id, _ in found))
    return len(found)


def is_past(con: Connection, key: str) -> bool:
    """Whether the key is of a turn whose text is gone: what was to be done with it was done."""
    named = _OF_TURN.fullmatch(key)
    if named is None:
        return False
    seq = int(named[1])
    mark = row(con, "SELECT CAST(value AS INTEGER) FROM notes WHERE name = ?", MARK)
    if mark is None or seq > mark[0]:
        return False
    return not row(
        con,
        "SELECT 1 FROM turns JOIN episodes ON episodes.id = episode WHERE seq = ? AND faded = 0",
        seq,
    )


def _forget_work(tx: Connection, seqs: Sequence[int], episodes: Sequence[str]) -> None:
    """Drop the keys of what was done with these turns; none of it is queued again."""
    keys = [f"turn:{seq}" for seq in seqs] + [f"learn:{episode}" for episode in episodes]
    forget(tx, keys, ("finished",))
    if seqs:
        last = row(tx, "SELECT value FROM notes WHERE name = ?", MARK)
        ledger.set_note(tx, MARK, str(max(max(seqs), int(last[0]) if last else 0)))
