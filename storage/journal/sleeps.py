"""Sleeps: at most one under way in a scope, their steps, what they decided, and the reports."""

import json
from collections.abc import Collection, Mapping, Sequence
from sqlite3 import Connection
from typing import Any

from ...core.model.sleeping import Decided, Decision, Deed, Left, Sleep, SleepCause, StepState
from ...core.ports import Usage, WorkKind
from .sql import IN_LIST, listed, put, row, rows, run, run_many, value
from .work import KEYS, enqueue_new

_CAUSES = tuple(SleepCause)
_COUNTED = {each.value: each for each in (*Deed, *Left)}
_SLEEP = "SELECT id, scope, cause, at, ended_at, calls, tokens FROM sleeps"
_DECIDED = (
    "SELECT decisions.id, sleep, scope, step, decisions.at, key, deed, reason, kept, undone_at"
    " FROM decisions JOIN sleeps ON sleeps.id = sleep"
)
_DECIDE = (
    "INSERT INTO decisions (sleep, step, key, deed, reason, kept, at)"
    " SELECT id, ?, ?, ?, ?, ?, ? FROM sleeps WHERE id = ?"
    " ON CONFLICT (sleep, step, key) DO NOTHING RETURNING id"
)
_WAITING = f"key {KEYS.format(table='work')}"
_TELLING = (
    "(calls > 0 OR EXISTS (SELECT 1 FROM decisions WHERE sleep = sleeps.id)"
    " OR EXISTS (SELECT 1 FROM sleep_steps WHERE sleep = sleeps.id AND tells))"
)


def begin_sleeps(
    tx: Connection,
    scopes: Collection[str],
    cause: SleepCause,
    *,
    at: float,
    not_before: float = 0.0,
) -> list[int]:
    return [_begin(tx, scope, cause, at, not_before) for scope in scopes]


def sleep(con: Connection, id: int) -> Sleep | None:
    found = row(con, f"{_SLEEP} WHERE id = ?", id)
    return _sleep(con, found) if found else None


def sleeping(con: Connection) -> list[Sleep]:
    return [_sleep(con, one) for one in rows(con, f"{_SLEEP} WHERE ended_at IS NULL ORDER BY id")]


def save_step(tx: Connection, sleep: int, step: str, state: StepState, *, at: float) -> None:
    query = (
        "INSERT OR REPLACE INTO sleep_steps SELECT id, ?, ?, ?, ?, ?, ? FROM sleeps"
        " WHERE id = ? AND at = ?"
    )
    counts = json.dumps(dict(state.counts))
    tells = state.failures or any(isinstance(of, Deed) and n for of, n in state.counts.items())
    far = (state.done, state.failures, state.seconds)
    run(tx, query, step, *far, counts, bool(tells), sleep, at)


def decide(
    tx: Connection, sleep: int, step: str, decisions: Sequence[Decision], *, at: float
) -> None:
    for each in decisions:
        told = (step, each.key, each.deed.value, each.reason, json.dumps(dict(each.kept)), at)
        made = value(tx, _DECIDE, *told, sleep)
        if made is not None:
            numbered = [(made, number, memory) for number, memory in enumerate(each.memories)]
            run_many(tx, "INSERT INTO decided VALUES (?, ?, ?)", numbered)


def spend(tx: Connection, sleep: int, *, calls: int, tokens: int) -> None:
    query = "UPDATE sleeps SET calls = calls + ?, tokens = tokens + ? WHERE id = ?"
    run(tx, query, calls, tokens, sleep)


def spent(con: Connection, scope: str, since: float) -> Usage:
    query = (
        "SELECT coalesce(sum(calls), 0), coalesce(sum(tokens), 0) FROM sleeps"
        " WHERE scope = ? AND at >= ?"
    )
    [(calls, tokens)] = rows(con, query, scope, since)
    return Usage("", calls, tokens)


def end_sleep(tx: Connection, sleep: Sleep, *, at: float) -> bool:
    query = (
        "UPDATE sleeps SET ended_at = ? WHERE id = ? AND ended_at IS NULL AND cause = ? AND at = ?"
    )
    ended = run(tx, query, at, sleep.id, sleep.cause.value, sleep.at)
    if ended:
        query = (
            "DELETE FROM sleeps WHERE scope = (SELECT scope FROM sleeps WHERE id = ?) AND id < ?"
            f" AND ended_at IS NOT NULL AND cause IN ('interval', ?) AND NOT {_TELLING}"
        )
        run(tx, query, sleep.id, sleep.id, sleep.cause.value)
    return bool(ended)


def refused(con: Connection, scope: str, step: str) -> frozenset[str]:
    found = rows(con, "SELECT key FROM refused WHERE scope = ? AND step = ?", scope, step)
    return frozenset(key for (key,) in found)


def mark(con: Connection, scope: str, step: str) -> str:
    query = "SELECT mark FROM sleep_marks WHERE scope = ? AND step = ?"
    return value(con, query, scope, step) or ""


def marks(con: Connection, scopes: Collection[str], step: str) -> dict[str, str]:
    query = f"SELECT scope, mark FROM sleep_marks WHERE scope {IN_LIST} AND step = ?"
    return dict(rows(con, query, listed(scopes), step))


def set_mark(tx: Connection, scope: str, step: str, mark: str) -> None:
    put(tx, "sleep_marks", scope=scope, step=step, mark=mark)


def reports(
    con: Connection, scopes: Collection[str], *, limit: int = 10, offset: int = 0
) -> list[Sleep]:
    query = (
        f"{_SLEEP} WHERE scope {IN_LIST} AND ended_at IS NOT NULL AND {_TELLING}"
        " ORDER BY id DESC LIMIT ? OFFSET ?"
    )
    found = rows(con, query, listed(scopes), max(0, limit), max(0, offset))
    return [_sleep(con, one) for one in found]


def report_count(con: Connection, scopes: Collection[str]) -> int:
    sql = f"SELECT count(*) FROM sleeps WHERE scope {IN_LIST} AND ended_at IS NOT NULL"
    return value(con, f"{sql} AND {_TELLING}", listed(scopes))


def last_sleep(con: Connection, scopes: Collection[str]) -> Sleep | None:
    over = f"scope {IN_LIST} AND ended_at IS NOT NULL AND cause != 'interval'"
    found = row(con, f"{_SLEEP} WHERE {over} ORDER BY at DESC, id DESC LIMIT 1", listed(scopes))
    return _sleep(con, found) if found else None


def decisions(
    con: Connection, sleep: int, *, step: str = "", limit: int = 50, offset: int = 0
) -> list[Decided]:
    query = f"{_DECIDED} WHERE sleep = ? AND ? IN ('', step) ORDER BY decisions.id LIMIT ? OFFSET ?"
    found = rows(con, query, sleep, step, max(0, limit), max(0, offset))
    return [_decided(con, one) for one in found]


def decision(con: Connection, id: int) -> Decided | None:
    found = row(con, f"{_DECIDED} WHERE decisions.id = ?", id)
    return _decided(con, found) if found else None


def note_undone(tx: Connection, id: int, at: float) -> None:
    run(tx, "UPDATE decisions SET undone_at = ? WHERE id = ? AND undone_at IS NULL", at, id)
    made = "decisions.id, scope, step, key FROM decisions JOIN sleeps ON sleeps.id = sleep"
    run(tx, f"INSERT OR IGNORE INTO refused SELECT {made} WHERE decisions.id = ?", id)
    of = "decision, memory FROM decided"
    run(tx, f"INSERT OR IGNORE INTO refused_memories SELECT {of} WHERE decision = ?", id)


def trim_reports(tx: Connection, until: float, *, most: int = 100) -> int:
    query = (
        "DELETE FROM sleeps WHERE ended_at IS NOT NULL AND (ended_at < ? OR id IN"
        " (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY scope ORDER BY id DESC)"
        " AS place FROM sleeps) WHERE place > ?))"
    )
    return run(tx, query, until, most)


def forget_scopes(tx: Connection, scopes: Collection[str]) -> None:
    """Drop all that is kept about these scopes."""
    for table in ("sleeps", "sleep_marks", "refused"):
        run(tx, f"DELETE FROM {table} WHERE scope {IN_LIST}", listed(scopes))


def forget_memories(tx: Connection, memories: Collection[str]) -> None:
    """Drop each decision about any of these memories; what else was decided stays."""
    for table, id, of in (
        ("decisions", "id", "decided"),
        ("refused", "decision", "refused_memories"),
    ):
        theirs = f"SELECT decision FROM {of} WHERE memory {IN_LIST}"
        run(tx, f"DELETE FROM {table} WHERE {id} IN ({theirs})", listed(memories))


def _begin(tx: Connection, scope: str, cause: SleepCause, at: float, not_before: float) -> int:
    known = row(tx, f"{_SLEEP} WHERE scope = ? AND ended_at IS NULL", scope)
    if known and _queued(tx, known[0]):
        if _CAUSES.index(cause) > _CAUSES.index(SleepCause(known[2])):
            run(tx, "UPDATE sleeps SET cause = ?, at = ? WHERE id = ?", cause.value, at, known[0])
            # Its steps are done again, up to the later time; that changes little.
            run(tx, "UPDATE sleep_steps SET done = 0 WHERE sleep = ?", known[0])
            query = f"UPDATE work SET not_before = min(not_before, ?) WHERE {_WAITING}"
            run(tx, query, not_before, listed([_key(known[0])]))
        return known[0]
    if known:
        run(tx, "UPDATE sleeps SET ended_at = ? WHERE id = ?", at, known[0])
    query = "INSERT INTO sleeps (scope, cause, at) VALUES (?, ?, ?) RETURNING id"
    number = value(tx, query, scope, cause.value, at)
    enqueue_new(tx, WorkKind.SLEEP, _key(number), {"sleep": number}, not_before=not_before)
    return number


def _key(sleep: int) -> str:
    return f"{WorkKind.SLEEP}:{sleep}"


def _queued(tx: Connection, sleep: int) -> bool:
    query = f"SELECT 1 FROM work WHERE {_WAITING} AND state = 'ready'"
    return bool(row(tx, query, listed([_key(sleep)])))


def _sleep(con: Connection, found: tuple) -> Sleep:
    id, scope, cause, at, ended_at, calls, tokens = found
    query = "SELECT step, done, failures, seconds, counts FROM sleep_steps WHERE sleep = ?"
    steps = rows(con, query, id)
    states = {
        step: StepState(bool(done), failures, seconds, _counts(json.loads(counts)))
        for step, done, failures, seconds, counts in steps
    }
    made = rows(con, "SELECT deed, count(*) FROM decisions WHERE sleep = ? GROUP BY deed", id)
    return Sleep(
        id, scope, SleepCause(cause), at, ended_at, calls, tokens, states, _counts(dict(made))
    )


def _counts(told: Mapping[str, Any]) -> dict[Any, int]:
    """Of what this version knows."""
    return {_COUNTED[of]: int(count) for of, count in told.items() if of in _COUNTED}


def _decided(con: Connection, found: tuple) -> Decided:
    id, sleep, scope, step, at, key, deed, reason, kept, undone_at = found
    of = rows(con, "SELECT memory FROM decided WHERE decision = ? ORDER BY number", id)
    memories = tuple(memory for (memory,) in of)
    made = Decision(key, Deed(deed), memories, reason, json.loads(kept))
    return Decided(id, sleep, scope, step, at, made, undone_at)
