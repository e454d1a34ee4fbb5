"""Counts, decay of all rows at once, and records that cannot be read."""

import json
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from sqlite3 import Connection
from typing import Any

from ...core.forgetting.lifecycle import DAY, BinPolicy, DecayPlan
from ...core.model.errors import StorageError
from ...core.model.memory import RAW, Kind, Memory, Status
from ...core.ports import DecayCount, Order, Tally, Tiers, Unreadable
from ..codec import problem_of
from ..connections import Database, Work
from ..partitions import VectorChange
from . import writing
from .records import (
    COLUMNS,
    IN_LIST,
    ORDERS,
    Condition,
    Found,
    decoded,
    fetch,
    listed,
    select,
    within,
)

OWNER = "journal"
"""In the table `meta`: the journal that the memories belong to."""

_STATUSES = frozenset(Status)
_KINDS = frozenset(Kind)


def tally(snapshot: Connection, tiers: Tiers, scopes: Collection[str] | None = None) -> Tally:
    inside = within(scopes)
    # Grouped in the order of an index, so that nothing is sorted.
    query = (
        "SELECT status, kind, useful_score, count(*) FROM memory"
        f" WHERE {inside.sql} GROUP BY scope, status, kind, recallable, useful_score"
    )
    rows = select(snapshot, query, inside.values)
    by_status: Counter[Status] = Counter()
    by_kind: Counter[Kind] = Counter()
    by_tier: Counter[int] = Counter()
    known = [row for row in rows if row[0] in _STATUSES and row[1] in _KINDS]
    for status, kind, score, count in known:
        by_status[Status(status)] += count
        if status == Status.LIVE:
            by_kind[Kind(kind)] += count
            by_tier[tiers.tier(score)] += count
    return Tally(by_status, by_kind, (by_tier[0], by_tier[1], by_tier[2]))


def scopes(snapshot: Connection) -> dict[str, int]:
    query = (
        "SELECT key, (SELECT count(*) FROM memory"
        " WHERE memory.scope = scope.number AND status = 'live') FROM scope"
    )
    return dict(select(snapshot, query))


def distilled(
    snapshot: Connection, turns: Sequence[int], scopes: Collection[str]
) -> Mapping[int, tuple[str, ...]]:
    inside = within(scopes)
    rows = select(
        snapshot,
        # CROSS JOIN: from the few turns on; in the order of ids it would read the whole scope.
        "SELECT source_turn.turn, memory.id FROM source_turn"
        " CROSS JOIN memory ON memory.row = source_turn.memory"
        f" WHERE source_turn.turn {IN_LIST} AND {inside.sql}"
        " AND memory.recallable = 1 AND memory.kind <> 'evidence' ORDER BY memory.id",
        (listed(turns), *inside.values),
    )
    learnt: dict[int, list[str]] = {turn: [] for turn in turns}
    for turn, id in rows:
        learnt[turn].append(id)
    return {turn: tuple(ids) for turn, ids in learnt.items()}


def unembedded(snapshot: Connection, fingerprint: str, limit: int) -> Found:
    """The newest recallable memories without a vector of this fingerprint."""
    query = "SELECT number FROM embedder WHERE fingerprint <> ? UNION ALL SELECT 0"
    others = select(snapshot, query, (fingerprint,))
    memories: list[Memory] = []
    unreadable: list[str] = []
    # One index range per embedder: a single "other than" would sort every such row.
    for (embedder,) in others:
        lacking = Condition("memory.recallable = 1 AND memory.embedder = ?", (embedder,))
        tail = f"ORDER BY {ORDERS[Order.NEWEST]} LIMIT ?"
        found = fetch(snapshot, lacking, tail, (limit,))
        memories += found.memories
        unreadable += found.unreadable
    memories.sort(key=lambda memory: (-memory.created_at, memory.id))
    return Found(memories[:limit], tuple(unreadable))


def embedded_count(snapshot: Connection, fingerprint: str) -> tuple[int, int]:
    query = (
        "SELECT (SELECT count(*) FROM memory WHERE recallable = 1 AND embedder ="
        " (SELECT number FROM embedder WHERE fingerprint = ?)),"
        " (SELECT coalesce(sum(rows), 0) FROM scope)"
    )
    [(embedded, recallable)] = select(snapshot, query, (fingerprint,))
    return embedded, recallable


def owner(connection: Connection) -> str | None:
    rows = select(connection, "SELECT value FROM meta WHERE name = ?", (OWNER,))
    return rows[0][0] if rows else None


def belong_to(transaction: Connection, journal: str) -> None:
    transaction.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (OWNER, journal))


logger = logging.getLogger(__name__)

_STORED = f"""
    SELECT scope.key, document.body, {", ".join(f"memory.{column}" for column in COLUMNS)}
    FROM memory
    LEFT JOIN scope ON scope.number = memory.scope
    LEFT JOIN document ON document.memory = memory.row
    WHERE memory.id {IN_LIST}
"""

_SUSPECT = f"""
    SELECT memory.id FROM memory LEFT JOIN document ON document.memory = memory.row
    WHERE body IS NULL OR NOT json_valid(CAST(body AS TEXT))
        OR kind NOT {IN_LIST} OR status NOT {IN_LIST}
"""


class CarefulReader:
    """Queries for memories; records that cannot be read are set aside before they return.

    `follow` is told which.
    """

    def __init__(
        self, database: Database, follow: Callable[[Sequence[str], Sequence[VectorChange]], None]
    ) -> None:
        self._database = database
        self._follow = follow

    async def found(self, query: Work[Found]) -> Found:
        """What a query finds."""
        found = await self._database.read(query)
        await self.set_aside(found.unreadable)
        return found

    async def set_aside(self, ids: Sequence[str]) -> None:
        """Move those of the ids that are no memories; where that fails they stay."""
        if not ids:
            return
        try:
            await self._database.write(
                lambda tx: set_aside(tx, ids), on_commit=lambda changes: self._follow(ids, changes)
            )
        except StorageError as error:
            logger.warning("%d unreadable memories stay where they are: %s", len(ids), error)


def set_aside(transaction: Connection, ids: Iterable[str]) -> list[VectorChange]:
    """Move those of the ids that are no memories; what partitions must follow."""
    every = select(transaction, _STORED, (listed(ids),))
    found = {row[2]: (row, problem) for row in every if (problem := problem_of(decoded, row))}
    transaction.executemany(
        "INSERT OR REPLACE INTO unreadable (id, scope, problem, raw) VALUES (?, ?, ?, ?)",
        [
            (id, str(_json(row[0]) or ""), problem, _raw(row))
            for id, (row, problem) in found.items()
        ],
    )
    _, changes = writing.delete(transaction, found)
    return changes


def suspects(snapshot: Connection) -> list[str]:
    """Ids of records that are plainly damaged, found without reading them as memories."""
    rows = select(snapshot, _SUSPECT, (listed(Kind), listed(Status)))
    return [id for (id,) in rows]


def every(snapshot: Connection) -> list[Unreadable]:
    """What has been set aside, by id."""
    rows = select(snapshot, "SELECT id, scope, problem, raw FROM unreadable ORDER BY id")
    return [Unreadable(id, scope, problem, json.loads(raw)) for id, scope, problem, raw in rows]


def drop(transaction: Connection, ids: Sequence[str]) -> frozenset[str]:
    """Delete for good; the ids that were there."""
    query = f"DELETE FROM unreadable WHERE id {IN_LIST} RETURNING id"
    return frozenset(id for (id,) in select(transaction, query, (listed(ids),)))


def _raw(row: tuple[Any, ...]) -> str:
    scope, body, *values = row
    stored = {"scope": scope, "body": body, **dict(zip(COLUMNS, values, strict=True))}
    return json.dumps({name: _json(value) for name, value in stored.items()})


def _json(value: object) -> object:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value


_SINCE = "max(last_decay_at, last_recalled_at, created_at)"
_CYCLE = "(:cycle * CASE WHEN sole THEN :patience ELSE 1.0 END)"
_CYCLES = f"((:now - {_SINCE}) / {_CYCLE})"

# CAST truncates, which is `floor` here: only rows at least one cycle old are touched.
_STEPS = f"CAST({_CYCLES} AS INTEGER)"

_MAY_GO = (
    "status = 'live' AND exempt = 0 AND kind <> 'prospective' AND (holds = 0 OR NOT :keep_current)"
)

# A condition of its own: with "in all, or in these" every row would be looked at for one scope.
_WITHIN = (
    " AND scope IN (SELECT number FROM scope WHERE key IN (SELECT value FROM json_each(:scopes)))"
)

_FADE = f"""
    UPDATE memory
    SET strength = max(0, strength - {_STEPS}), last_decay_at = {_SINCE} + {_STEPS} * {_CYCLE}
    WHERE {_MAY_GO} AND useful_score < :fades_below AND {_CYCLES} >= 1
"""

_SPENT = f"{_MAY_GO} AND strength <= 0 AND useful_score < :spent_below"

_SUMS = "SELECT scope, sum(recallable) AS rows FROM memory"

# All in the order of the file: through an index each row would be looked up on its own.
_IN_ORDER = " NOT INDEXED"

_DISCOUNT = """
    UPDATE scope
    SET rows = scope.rows - gone.rows
    FROM ({gone}) AS gone
    WHERE scope.number = gone.scope
"""

_BIN = f"""
    UPDATE memory
    SET status = 'binned', since = :now, reason = :reason, purge_at = :purge_at, recallable = 0
    WHERE {_SPENT}
"""


@dataclass(frozen=True, slots=True)
class DecayResult:
    """What a pass did, and the rows it binned, by scope; those where it is not raw turns alone."""

    count: DecayCount
    gone: Mapping[int, Sequence[int]]
    learnt: frozenset[int]


def decay(
    transaction: Connection,
    now: float,
    plan: DecayPlan,
    bin_policy: BinPolicy,
    scopes: Collection[str] | None,
) -> DecayResult:
    """Fade, then bin what is spent. Corpus statistics follow; index entries are left to settle."""
    values = {
        "now": now,
        **asdict(plan),
        "scopes": None if scopes is None else listed(scopes),
        "purge_at": now + bin_policy.keep_days * DAY,
    }
    within, how = ("", _IN_ORDER) if scopes is None else (_WITHIN, "")
    faded = transaction.execute(_FADE + within, values)
    gone_rows = f"{_SUMS}{how} WHERE {_SPENT}{within} GROUP BY scope"
    transaction.execute(_DISCOUNT.format(gone=gone_rows), values)
    binned = select(transaction, f"{_BIN}{within} RETURNING scope, row, kind", values)
    gone: defaultdict[int, list[int]] = defaultdict(list)
    for scope, row, _ in binned:
        gone[scope].append(row)
    learnt = frozenset(scope for scope, _, kind in binned if kind not in RAW)
    return DecayResult(DecayCount(faded.rowcount, len(binned)), gone, learnt)
