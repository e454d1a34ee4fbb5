"""The schema of `memories.db`, step by step. A released step never changes."""

from sqlite3 import Connection

_TABLES = (
    """
    CREATE TABLE scope (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        rows INTEGER NOT NULL DEFAULT 0,
        terms INTEGER NOT NULL DEFAULT 0
    )
    """,
    """
    CREATE TABLE memory (
        row INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        scope INTEGER NOT NULL,
        kind TEXT NOT NULL,
        created_at REAL NOT NULL,
        status TEXT NOT NULL,
        since REAL NOT NULL,
        reason TEXT NOT NULL,
        purge_at REAL,
        strength INTEGER NOT NULL,
        useful_count INTEGER NOT NULL,
        useful_score REAL NOT NULL,
        pinned INTEGER NOT NULL,
        last_recalled_at REAL NOT NULL,
        last_decay_at REAL NOT NULL,
        exempt INTEGER NOT NULL,
        recallable INTEGER NOT NULL,
        terms INTEGER NOT NULL,
        indexed INTEGER NOT NULL DEFAULT 0,
        embedder INTEGER NOT NULL DEFAULT 0
    )
    """,
    "CREATE TABLE document (memory INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    """
    CREATE TABLE source_turn (
        turn INTEGER NOT NULL,
        memory INTEGER NOT NULL,
        PRIMARY KEY (turn, memory)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX source_turn_memory ON source_turn (memory)",
    "CREATE TABLE embedder (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE)",
    """
    CREATE TABLE vector (
        memory INTEGER PRIMARY KEY,
        embedder INTEGER NOT NULL,
        body BLOB NOT NULL
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
)


def memories(transaction: Connection) -> None:
    """Records, their text index and their vectors."""
    for statement in _TABLES + _INDEXES:
        transaction.execute(statement)


_MENTIONS = (
    # -1: written by an older version and not looked at since.
    "ALTER TABLE memory ADD COLUMN linked INTEGER NOT NULL DEFAULT -1",
    "ALTER TABLE memory ADD COLUMN happened_at REAL NOT NULL DEFAULT 0",
    """
    CREATE TABLE entity (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        scope INTEGER NOT NULL,
        digest INTEGER NOT NULL,
        rows INTEGER NOT NULL DEFAULT 0,
        name TEXT NOT NULL
    )
    """,
    "CREATE INDEX entity_by_digest ON entity (scope, digest)",
    """
    CREATE TABLE mention (
        entity INTEGER NOT NULL,
        created_at REAL NOT NULL,
        memory INTEGER NOT NULL,
        PRIMARY KEY (entity, created_at DESC, memory)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX mention_by_memory ON mention (memory)",
    "CREATE INDEX memory_unlinked ON memory (scope) WHERE linked <> recallable",
    """
    CREATE INDEX memory_by_event ON memory (scope, happened_at DESC, id) WHERE linked >= 0
    """,
)


def mentions(transaction: Connection) -> None:
    """What memories mention, and when what they tell of happened; filled behind the opening."""
    for statement in _MENTIONS:
        transaction.execute(statement)


def salts(transaction: Connection) -> None:
    """A secret of each scope, with which its terms are in the text index; that is made anew."""
    transaction.execute("ALTER TABLE scope ADD COLUMN salt BLOB")
    transaction.execute("UPDATE scope SET salt = randomblob(16)")


def unreadable(transaction: Connection) -> None:
    """Where records go that cannot be read, with all that is stored of them as JSON."""
    transaction.execute(
        "CREATE TABLE unreadable (id TEXT PRIMARY KEY, scope TEXT NOT NULL,"
        " problem TEXT NOT NULL, raw TEXT NOT NULL)"
    )


_CLAIMS = (
    "ALTER TABLE memory ADD COLUMN slot INTEGER",
    "ALTER TABLE memory ADD COLUMN holds INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX memory_by_slot ON memory (scope, slot) WHERE slot IS NOT NULL",
    "CREATE INDEX memory_holding ON memory (scope, created_at DESC, id) WHERE holds = 1",
)


def claims(transaction: Connection) -> None:
    """Which slot a memory fills, and whether what it claims still holds; none did so far."""
    for statement in _CLAIMS:
        transaction.execute(statement)


def names_in_one_script(transaction: Connection) -> None:
    """Names are found in either Chinese script: what memories mention is entered anew, behind
    the opening."""
    transaction.execute("DELETE FROM mention")
    transaction.execute("DELETE FROM entity")
    transaction.execute("UPDATE memory SET linked = -1")


_INTENTIONS = (
    "ALTER TABLE memory ADD COLUMN intention TEXT",
    "ALTER TABLE memory ADD COLUMN due_at REAL",
    "UPDATE memory SET intention = 'open' WHERE kind = 'prospective'",
    """
    CREATE INDEX memory_by_intention ON memory (scope, intention, created_at DESC, id)
    WHERE intention IS NOT NULL
    """,
    "CREATE INDEX memory_due ON memory (scope, due_at) WHERE due_at IS NOT NULL",
)


def intentions(transaction: Connection) -> None:
    """Where intentions stand, and for which day the pending ones are; so far they were open."""
    for statement in _INTENTIONS:
        transaction.execute(statement)


def sole(transaction: Connection) -> None:
    """What nothing else says; of what there is so far nobody knows."""
    transaction.execute("ALTER TABLE memory ADD COLUMN sole INTEGER NOT NULL DEFAULT 0")


_TAGS = (
    """
    CREATE TABLE tag (
        number INTEGER NOT NULL,
        memory INTEGER NOT NULL,
        PRIMARY KEY (number, memory)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX tag_of_memory ON tag (memory)",
)


def tags(transaction: Connection) -> None:
    """Which memories have a tag, by its number; none had any so far."""
    for statement in _TAGS:
        transaction.execute(statement)


def views(transaction: Connection) -> None:
    """Further vectors of a memory; by the number of the row and the place of the view."""
    transaction.execute("CREATE TABLE view (number INTEGER PRIMARY KEY, body BLOB NOT NULL)")


STEPS = (
    memories,
    mentions,
    salts,
    unreadable,
    claims,
    names_in_one_script,
    intentions,
    sole,
    tags,
    views,
)
