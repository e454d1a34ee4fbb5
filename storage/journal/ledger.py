"""Append-only records and small values: verdicts, audit, usage, notes, overrides, statistics."""

import json
from collections.abc import Collection, Sequence
from sqlite3 import Connection

from ...core.model.conversation import Account, signed
from ...core.ports import ERASED, AuditEntry, Census, Expense, Judged, Purpose, Usage
from .sql import IN_LIST, listed, put, row, rows, run, run_many, value

_SPENT = "coalesce(sum(calls), 0), coalesce(sum(tokens), 0)"
_ENTRY = 'SELECT key, memory, scope, action, "by", at, detail FROM audit'
_JUDGED = "SELECT memory, useful, 1 - useful AS useless FROM verdicts"


def record_verdicts(
    tx: Connection,
    turn_and_memory: Sequence[tuple[int, str]],
    *,
    useful: bool,
    source: str,
    at: float,
) -> None:
    run_many(
        tx,
        "INSERT INTO verdicts (turn, memory, useful, source, at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (turn, memory) DO NOTHING",
        [(turn, memory, int(useful), source, at) for turn, memory in turn_and_memory],
    )


def verdict_counts(con: Connection) -> tuple[int, int]:
    [counts] = rows(
        con,
        "SELECT coalesce(sum(useful), 0), coalesce(sum(useless), 0) FROM"
        f" ({_JUDGED} UNION ALL SELECT '', useful, useless FROM tallies)",
    )
    return counts


def judged(con: Connection, *, after: str = "", limit: int = 500) -> list[Judged]:
    query = (
        "SELECT memory, sum(useful), sum(useless) FROM"
        f" ({_JUDGED} WHERE memory > ? UNION ALL SELECT memory, useful, useless FROM tallies"
        " WHERE memory > ? AND useful + useless > 0) GROUP BY memory ORDER BY memory LIMIT ?"
    )
    return [Judged(*found) for found in rows(con, query, after, after, limit)]


def append_audit(tx: Connection, entries: Sequence[AuditEntry]) -> None:
    run_many(
        tx,
        'INSERT INTO audit (key, memory, scope, action, "by", at, detail)'
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
        [(e.key, e.memory, e.scope, e.action, e.by, e.at, e.detail) for e in entries],
    )


def audit_of(con: Connection, memory: str, *, limit: int = 50) -> list[AuditEntry]:
    query = f"{_ENTRY} WHERE memory = ? ORDER BY at DESC, id DESC LIMIT ?"
    found = rows(con, query, memory, max(0, limit))
    return [AuditEntry(*entry) for entry in reversed(found)]


def unsign(tx: Connection, account: Account, until: int | None) -> None:
    """Take an account's signature out of the audit log and settings."""
    mark = signed("", account)
    query = 'UPDATE audit SET "by" = ? WHERE substr("by", -length(?)) = ? AND id <= ifnull(?, id)'
    run(tx, query, ERASED, mark, mark, until)
    query = (
        "UPDATE overrides SET value = json_set(value, '$.by', ?) WHERE json_valid(value)"
        " AND substr(json_extract(value, '$.by'), -length(?)) = ?"
    )
    run(tx, query, ERASED, mark, mark)


def audit_by_action(con: Connection, actions: Collection[str]) -> list[AuditEntry]:
    found = rows(con, f"{_ENTRY} WHERE action {IN_LIST} ORDER BY id", listed(actions))
    return [AuditEntry(*entry) for entry in found]


def audited(con: Connection, action: str, detail: str) -> list[str]:
    query = "SELECT memory FROM audit WHERE action = ? AND detail = ? ORDER BY id"
    return [memory for (memory,) in rows(con, query, action, detail)]


def noted_since(con: Connection, entry: int) -> frozenset[str]:
    query = "SELECT DISTINCT memory FROM audit WHERE id > ? AND action IN ('created', 'imported')"
    found = rows(con, query, entry)
    return frozenset(memory for (memory,) in found)


def usage(con: Connection, day: str) -> Usage:
    query = f"SELECT {_SPENT} FROM usage WHERE day = ? AND purpose <> ?"
    [(calls, tokens)] = rows(con, query, day, Purpose.BLOCK)
    return Usage(day, calls, tokens)


def count_usage(tx: Connection, day: str, purpose: Purpose, *, calls: int, tokens: int) -> None:
    query = (
        "INSERT INTO usage (day, purpose, calls, tokens) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE"
        " SET calls = calls + excluded.calls, tokens = tokens + excluded.tokens"
    )
    run(tx, query, day, purpose, calls, tokens)


def expenses(con: Connection) -> list[Expense]:
    query = f"SELECT substr(day, 1, 7), purpose, {_SPENT} FROM usage GROUP BY 1, 2 ORDER BY 1, 2"
    return [Expense(month, Purpose(purpose), *spent) for month, purpose, *spent in rows(con, query)]


def note_census(tx: Connection, census: Census) -> None:
    put(tx, "censuses", day=census.day, tiers=json.dumps(census.tiers))


def censuses(con: Connection) -> list[Census]:
    found = rows(con, "SELECT day, tiers FROM censuses ORDER BY day")
    return [Census(day, tuple(json.loads(tiers))) for day, tiers in found]


def note(con: Connection, name: str) -> str | None:
    return value(con, "SELECT value FROM notes WHERE name = ?", name)


def set_note(tx: Connection, name: str, value: str) -> None:
    put(tx, "notes", name=name, value=value)


def overrides(con: Connection) -> dict[str, str]:
    return dict(rows(con, "SELECT name, value FROM overrides"))


def set_override(tx: Connection, name: str, value: str | None) -> None:
    if value is None:
        run(tx, "DELETE FROM overrides WHERE name = ?", name)
    else:
        put(tx, "overrides", name=name, value=value)


def statistics(con: Connection) -> dict[str, int]:
    found = row(
        con,
        "SELECT (SELECT count(*) FROM turns) + coalesce(sum(turns), 0),"
        " (SELECT count(*) FROM episodes) + coalesce(sum(episodes), 0),"
        " (SELECT count(*) FROM episodes WHERE closed_at IS NULL),"
        " (SELECT count(*) FROM recalls) + coalesce(sum(recalls), 0) FROM tallies",
    )
    return dict(zip(("turns", "episodes", "open_episodes", "recalls"), found or (), strict=True))
