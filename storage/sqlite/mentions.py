"""Who and what the memories mention: entities by scope, and which recallable rows name them.

Derived, like the text index: a row's mentions are there if `memory.linked` is 1, and `settle`
makes that follow `memory.recallable`. A name is only in the table `entity`, whose rows are
appended and never grow: an index of names would leave copies of them behind as it is rearranged.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from sqlite3 import Connection
from zlib import crc32

from ...core.graph.links import mentions
from ...core.model.memory import Memory
from ...core.ports import Mention
from .records import IN_LIST, by_row, listed, select

_ADD = "INSERT OR IGNORE INTO mention (entity, created_at, memory) VALUES (?, ?, ?)"
_NEWEST = """
    SELECT mention.created_at, memory.id
    FROM mention JOIN memory ON memory.row = mention.memory
    WHERE mention.entity = ? AND memory.recallable = 1
    ORDER BY mention.created_at DESC, memory.id LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class MentionEntry:
    """What one row mentions."""

    row: int
    scope: int
    created_at: float
    entities: tuple[str, ...]


def entry_of(row: int, scope: int, memory: Memory) -> MentionEntry:
    """The entry of a stored memory."""
    return MentionEntry(row, scope, memory.created_at, mentions(memory))


def add(transaction: Connection, entries: Sequence[MentionEntry]) -> None:
    """Enter rows that are not entered."""
    wanted: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for entry in entries:
        wanted[entry.scope].update(entry.entities)
    numbers = {scope: _numbered(transaction, scope, names) for scope, names in wanted.items()}
    transaction.executemany(
        _ADD,
        [
            (numbers[entry.scope][name], entry.created_at, entry.row)
            for entry in entries
            for name in entry.entities
        ],
    )
    transaction.executemany(
        "UPDATE entity SET rows = rows + ? WHERE number = ?",
        [
            (count, numbers[scope][name])
            for scope, counts in wanted.items()
            for name, count in counts.items()
        ],
    )


def remove(transaction: Connection, rows: Iterable[int]) -> None:
    """Take rows out, and the entities that nothing mentions any more; unknown ones are skipped."""
    doomed = listed(rows)
    counts = select(
        transaction,
        f"SELECT count(*), entity FROM mention WHERE memory {IN_LIST} GROUP BY entity",
        (doomed,),
    )
    if not counts:
        return
    transaction.execute(f"DELETE FROM mention WHERE memory {IN_LIST}", (doomed,))
    transaction.executemany("UPDATE entity SET rows = rows - ? WHERE number = ?", counts)
    transaction.execute(
        f"DELETE FROM entity WHERE number {IN_LIST} AND rows <= 0",
        (listed(number for _, number in counts),),
    )


def is_settled(connection: Connection) -> bool:
    """Whether exactly the recallable memories are entered."""
    query = "SELECT EXISTS (SELECT 1 FROM memory WHERE linked <> recallable)"
    [(unsettled,)] = select(connection, query)
    return not unsettled


def settle(transaction: Connection, *, limit: int) -> int:
    """Bring at most `limit` rows into step with `recallable`; returns how many were not."""
    found = select(
        transaction,
        "SELECT row, scope, recallable FROM memory WHERE linked <> recallable LIMIT ?",
        (limit,),
    )
    scope_of = {row: scope for row, scope, _ in found}
    remove(transaction, [row for row, _, recallable in found if not recallable])
    stored = by_row(transaction, [row for row, _, recallable in found if recallable])
    add(transaction, [entry_of(row, scope_of[row], memory) for row, memory in stored.items()])
    transaction.execute(
        f"UPDATE memory SET linked = recallable WHERE row {IN_LIST}", (listed(scope_of),)
    )
    return len(found)


def known(snapshot: Connection, ids: Iterable[str], scopes: Iterable[str]) -> dict[str, int]:
    """How many recallable memories mention each of these entities, where any does."""
    counts: Counter[str] = Counter()
    for scope, found in _known(snapshot, set(ids), scopes).items():
        settled = _is_settled(snapshot, scope)
        for name, (number, rows) in found.items():
            counts[name] += rows if settled else _recallable_with(snapshot, number)
    return dict(+counts)


def newest(
    snapshot: Connection, entities: Iterable[str], scopes: Iterable[str], *, limit: int = 100
) -> list[Mention]:
    """Entity by entity the newest recallable memories that mention it."""
    wanted = list(dict.fromkeys(entities))
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for found in _known(snapshot, set(wanted), scopes).values():
        for name, (number, _) in found.items():
            numbers[name].append(number)
    return [
        Mention(name, memory)
        for name in wanted
        for memory in _newest(snapshot, numbers[name], max(0, limit))
    ]


def _newest(snapshot: Connection, numbers: Sequence[int], limit: int) -> list[str]:
    rows = [row for number in numbers for row in select(snapshot, _NEWEST, (number, limit))]
    if len(numbers) > 1:
        rows.sort(key=lambda row: (-row[0], row[1]))
    return [id for _, id in rows[:limit]]


def _known(
    snapshot: Connection, names: set[str], scopes: Iterable[str]
) -> dict[int, dict[str, tuple[int, int]]]:
    """By scope, the number and rows of each of these entities that is there."""
    numbers = select(snapshot, f"SELECT number FROM scope WHERE key {IN_LIST}", (listed(scopes),))
    digests = listed({_digest(name) for name in names})
    return {scope: _entities(snapshot, scope, digests, names) for (scope,) in numbers}


def _entities(
    snapshot: Connection, scope: int, digests: str, names: Collection[str]
) -> dict[str, tuple[int, int]]:
    rows = select(
        snapshot,
        "SELECT name, number, rows FROM json_each(?) CROSS JOIN entity"
        " ON entity.scope = ? AND entity.digest = value",
        (digests, scope),
    )
    return {name: (number, count) for name, number, count in rows if name in names}


def _numbered(transaction: Connection, scope: int, names: Collection[str]) -> dict[str, int]:
    """The numbers of these entities; new ones are made."""
    digests = {name: _digest(name) for name in names}
    found = _entities(transaction, scope, listed(set(digests.values())), names)
    new = {name: digest for name, digest in digests.items() if name not in found}
    transaction.executemany(
        "INSERT INTO entity (scope, digest, name) VALUES (?, ?, ?)",
        [(scope, digest, name) for name, digest in new.items()],
    )
    found |= _entities(transaction, scope, listed(set(new.values())), new)
    return {name: number for name, (number, _) in found.items()}


def _is_settled(snapshot: Connection, scope: int) -> bool:
    query = "SELECT 1 FROM memory WHERE scope = ? AND linked <> recallable LIMIT 1"
    return not select(snapshot, query, (scope,))


def _recallable_with(snapshot: Connection, number: int) -> int:
    """Exact while mentions of binned memories still wait to be removed; slower."""
    [(count,)] = select(
        snapshot,
        "SELECT count(*) FROM mention JOIN memory ON memory.row = mention.memory"
        " WHERE mention.entity = ? AND memory.recallable = 1",
        (number,),
    )
    return count


def _digest(name: str) -> int:
    """What an index finds a name by; two names may share one."""
    return crc32(name.encode("utf-8", "surrogatepass"))
