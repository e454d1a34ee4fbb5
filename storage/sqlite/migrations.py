"""The schema of `memories.db`. A released step never changes; a change is a new one at the end."""

from sqlite3 import Connection

_TABLES = (
    """
    CREATE TABLE scope (
        number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE,
        rows INTEGER NOT NULL DEFAULT 0, terms INTEGER NOT NULL DEFAULT 0, salt BLOB
    )
    """,
    """
    CREATE TABLE memory (
        row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL,
        kind TEXT NOT NULL, created_at REAL NOT NULL, status TEXT NOT NULL, since REAL NOT NULL,
        reason TEXT NOT NULL, purge_at REAL, strength INTEGER NOT NULL,
        useful_count INTEGER NOT NULL, useful_score REAL NOT NULL, pinned INTEGER NOT NULL,
        last_recalled_at REAL NOT NULL, last_decay_at REAL NOT NULL, exempt INTEGER NOT NULL,
        recallable INTEGER NOT NULL, terms INTEGER NOT NULL, indexed INTEGER NOT NULL DEFAULT 0,
        embedder INTEGER NOT NULL DEFAULT 0, linked INTEGER NOT NULL,
        happened_at REAL NOT NULL DEFAULT 0, slot INTEGER, holds INTEGER NOT NULL DEFAULT 0,
        intention TEXT, due_at REAL, sole INTEGER NOT NULL DEFAULT 0
    )
    """,
    "CREATE TABLE document (memory INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    """
    CREATE TABLE source_turn (
        turn INTEGER NOT NULL, memory INTEGER NOT NULL, PRIMARY KEY (turn, memory)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX source_turn_memory ON source_turn (memory)",
    "CREATE TABLE embedder (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE)",
    """
    CREATE TABLE vector (
        memory INTEGER PRIMARY KEY, embedder INTEGER NOT NULL, body BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE entity (
        number INTEGER PRIMARY KEY AUTOINCREMENT, scope INTEGER NOT NULL, digest INTEGER NOT NULL,
        rows INTEGER NOT NULL DEFAULT 0, name TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE mention (
        entity INTEGER NOT NULL, created_at REAL NOT NULL, memory INTEGER NOT NULL,
        PRIMARY KEY (entity, created_at DESC, memory)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE tag (
        number INTEGER NOT NULL, memory INTEGER NOT NULL, PRIMARY KEY (number, memory)
    ) WITHOUT ROWID
    """,
    "CREATE TABLE view (number INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    """
    CREATE TABLE unreadable (
        id TEXT PRIMARY KEY, scope TEXT NOT NULL, problem TEXT NOT NULL, raw TEXT NOT NULL
    )
    """,
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)

_INDEXES = (
    "CREATE INDEX memory_by_id ON memory (scope, id)",
    "CREATE INDEX memory_by_age ON memory (scope, created_at DESC, id)",
    "CREATE INDEX memory_newest ON memory (created_at DESC, id)",
    "CREATE INDEX memory_census ON memory (scope, status, kind, recallable, useful_score)",
    "CREATE INDEX memory_in_bin ON memory (since, id, purge_at) WHERE status = 'binned'",
    """
    CREATE INDEX memory_by_embedder ON memory (embedder, created_at DESC, id)
    WHERE recallable = 1
    """,
    "CREATE INDEX memory_unindexed ON memory (scope) WHERE indexed <> recallable",
    "CREATE INDEX entity_by_digest ON entity (scope, digest)",
    "CREATE INDEX mention_by_memory ON mention (memory)",
    "CREATE INDEX memory_unlinked ON memory (scope) WHERE linked <> recallable",
    """
    CREATE INDEX memory_by_event ON memory (scope, happened_at DESC, id)
    """,
    "CREATE INDEX memory_by_slot ON memory (scope, slot) WHERE slot IS NOT NULL",
    "CREATE INDEX memory_holding ON memory (scope, created_at DESC, id) WHERE holds = 1",
    """
    CREATE INDEX memory_by_intention ON memory (scope, intention, created_at DESC, id)
    WHERE intention IS NOT NULL
    """,
    "CREATE INDEX memory_due ON memory (scope, due_at) WHERE due_at IS NOT NULL",
    "CREATE INDEX tag_of_memory ON tag (memory)",
)


def memories(transaction: Connection) -> None:
    """Records, and what is found of them: by words, vectors, entities, slots, days and tags."""
    for statement in _TABLES + _INDEXES:
        transaction.execute(statement)


def plain_terms(transaction: Connection) -> None:
    """What search by words counts is counted in memory; terms are no digests any more."""
    for table, column in (("memory", "terms"), ("scope", "terms"), ("scope", "salt")):
        transaction.execute(f"ALTER TABLE {table} DROP COLUMN {column}")


def plain_mentions(transaction: Connection) -> None:
    """Mentions by name, in step with the terms: both are made anew."""
    for statement in (
        "DROP TABLE entity",
        "DROP TABLE mention",
        """
        CREATE TABLE mention (
            scope INTEGER NOT NULL, name TEXT NOT NULL, created_at REAL NOT NULL,
            memory INTEGER NOT NULL, PRIMARY KEY (scope, name, created_at DESC, memory)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX mention_by_memory ON mention (memory)",
        "DROP INDEX memory_unlinked",
        "ALTER TABLE memory DROP COLUMN linked",
        "DELETE FROM meta WHERE name = 'text_index'",
    ):
        transaction.execute(statement)


STEPS = (memories, plain_terms, plain_mentions)
