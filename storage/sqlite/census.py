"""Counts, and two lists: memories learnt from a turn, memories without a vector."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from sqlite3 import Connection

from ...core.model.memory import Kind, Memory, Status
from ...core.ports import Order, Tally, Tiers
from .records import IN_LIST, ORDERS, Condition, Found, fetch, listed, select, within

OWNER = "journal"
"""In the table `meta`: the journal that the memories belong to."""

_STATUSES = frozenset(Status)
_KINDS = frozenset(Kind)


def tally(snapshot: Connection, tiers: Tiers, scopes: Collection[str] | None = None) -> Tally:
    """Counts by status; by kind and tier for live memories."""
    inside = within(scopes)
    # Grouped in the order of an index, so that nothing is sorted.
    rows = select(
        snapshot,
        "SELECT status, kind, useful_score, count(*) FROM memory"
        f" WHERE {inside.sql} GROUP BY scope, status, kind, recallable, useful_score",
        inside.values,
    )
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
    """Every scope with its number of live memories."""
    return dict(
        select(
            snapshot,
            "SELECT key, (SELECT count(*) FROM memory"
            " WHERE memory.scope = scope.number AND status = 'live') FROM scope",
        )
    )


def distilled(
    snapshot: Connection, turns: Sequence[int], scopes: Collection[str]
) -> Mapping[int, tuple[str, ...]]:
    """For each turn the ids of recallable non-evidence memories learnt from it."""
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
    others = select(
        snapshot,
        "SELECT number FROM embedder WHERE fingerprint <> ? UNION ALL SELECT 0",
        (fingerprint,),
    )
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
    """Recallable memories with a vector of this fingerprint, and all recallable ones."""
    [(embedded, recallable)] = select(
        snapshot,
        "SELECT (SELECT count(*) FROM memory WHERE recallable = 1 AND embedder ="
        " (SELECT number FROM embedder WHERE fingerprint = ?)),"
        " (SELECT coalesce(sum(rows), 0) FROM scope)",
        (fingerprint,),
    )
    return embedded, recallable


def owner(connection: Connection) -> str | None:
    """The journal that the memories belong to, if it has been named."""
    rows = select(connection, "SELECT value FROM meta WHERE name = ?", (OWNER,))
    return rows[0][0] if rows else None


def belong_to(transaction: Connection, journal: str) -> None:
    """Name that journal."""
    transaction.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (OWNER, journal))
