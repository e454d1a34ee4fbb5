"""Schema of the journal. A released step is never edited; a change is a new one at the end."""

from sqlite3 import Connection
from time import time
from uuid import uuid4

_TALK = """
CREATE TABLE identity (
    id TEXT NOT NULL
);
CREATE TABLE episodes (
    id TEXT PRIMARY KEY, session TEXT NOT NULL, conversation TEXT NOT NULL, scope TEXT NOT NULL,
    opened_at REAL NOT NULL, last_at REAL NOT NULL, turns INTEGER NOT NULL,
    characters INTEGER NOT NULL, closed_at REAL, ended_by TEXT, faded INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE UNIQUE INDEX episodes_open ON episodes (session) WHERE closed_at IS NULL;
CREATE TABLE turns (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, episode TEXT NOT NULL REFERENCES episodes (id),
    session TEXT NOT NULL, role TEXT NOT NULL, speaker_id TEXT NOT NULL,
    speaker_name TEXT NOT NULL, text TEXT NOT NULL, at REAL NOT NULL, message_id TEXT NOT NULL,
    reserved INTEGER NOT NULL DEFAULT 0, media TEXT NOT NULL DEFAULT '', quoted INTEGER
);
CREATE INDEX turns_by_episode ON turns (episode);
CREATE INDEX turns_by_session ON turns (session);
CREATE UNIQUE INDEX turns_by_message ON turns (session, role, message_id) WHERE message_id <> '';
CREATE TABLE work (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, key TEXT NOT NULL UNIQUE,
    payload TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'ready',
    attempts INTEGER NOT NULL DEFAULT 0, not_before REAL NOT NULL, error TEXT NOT NULL DEFAULT ''
);
CREATE TABLE finished (
    key TEXT PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE recalls (
    turn INTEGER PRIMARY KEY REFERENCES turns (seq), at REAL NOT NULL, trace TEXT NOT NULL,
    block TEXT NOT NULL
);
CREATE TABLE injected (
    turn INTEGER NOT NULL REFERENCES recalls (turn) ON DELETE CASCADE, number INTEGER NOT NULL,
    memory TEXT NOT NULL, PRIMARY KEY (turn, number)
) WITHOUT ROWID;
CREATE TABLE extractions (
    episode TEXT NOT NULL, again INTEGER NOT NULL, known TEXT NOT NULL, body TEXT,
    source TEXT NOT NULL, PRIMARY KEY (episode, again)
);
CREATE TABLE verdicts (
    turn INTEGER NOT NULL, memory TEXT NOT NULL, useful INTEGER NOT NULL, source TEXT NOT NULL,
    at REAL NOT NULL, PRIMARY KEY (turn, memory)
) WITHOUT ROWID;
CREATE TABLE audit (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, memory TEXT NOT NULL, scope TEXT NOT NULL,
    action TEXT NOT NULL, "by" TEXT NOT NULL, at REAL NOT NULL, detail TEXT NOT NULL
);
CREATE INDEX audit_by_memory ON audit (memory, at);
CREATE TABLE usage (
    day TEXT NOT NULL, purpose TEXT NOT NULL, calls INTEGER NOT NULL, tokens INTEGER NOT NULL,
    PRIMARY KEY (day, purpose)
) WITHOUT ROWID;
CREATE TABLE censuses (
    day TEXT PRIMARY KEY, tiers TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE aliases (
    platform TEXT NOT NULL, user TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (platform, user)
) WITHOUT ROWID;
CREATE TABLE notes (
    name TEXT PRIMARY KEY, value TEXT NOT NULL
);
"""
"""What was said, what is to be done about it, and what was shown and judged."""

_CHOICES = """
CREATE TABLE consents (
    owner TEXT PRIMARY KEY, paused INTEGER NOT NULL, shared INTEGER NOT NULL, keep_days REAL,
    reminded INTEGER NOT NULL DEFAULT 0, recording TEXT NOT NULL DEFAULT '',
    silent INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE overrides (
    name TEXT PRIMARY KEY, value TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX episodes_by_scope ON episodes (scope, faded, opened_at);
CREATE INDEX turns_by_speaker ON turns (speaker_id);
CREATE INDEX injected_by_memory ON injected (memory);
CREATE INDEX verdicts_by_memory ON verdicts (memory);
CREATE INDEX recalls_explained ON recalls (turn) WHERE trace <> '' OR block <> '';
CREATE TABLE disclosures (
    session TEXT NOT NULL, conversation TEXT NOT NULL, owner TEXT NOT NULL,
    since INTEGER NOT NULL, ended INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (session, conversation, owner, since)
) WITHOUT ROWID;
CREATE INDEX turns_reserved ON turns (session, seq) WHERE reserved = 1;
CREATE TABLE names (
    owner TEXT NOT NULL, user TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (owner, user)
) WITHOUT ROWID;
CREATE INDEX names_by_user ON names (user);
"""
"""Consent, settings changed at run time, disclosures, names of people and of chats."""

_COUNTS = """
CREATE TABLE tallies (
    scope TEXT NOT NULL, memory TEXT NOT NULL, turns INTEGER NOT NULL DEFAULT 0,
    episodes INTEGER NOT NULL DEFAULT 0, recalls INTEGER NOT NULL DEFAULT 0,
    useful INTEGER NOT NULL DEFAULT 0, useless INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (scope, memory)
) WITHOUT ROWID;
CREATE INDEX tallies_by_memory ON tallies (memory);
CREATE INDEX audit_purged ON audit (at) WHERE action = 'purged';
"""
"""What is dropped with old turns, by scope (memory "") and by memory shown there."""

_SLEEPS = """
CREATE TABLE sleeps (
    id INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL, cause TEXT NOT NULL,
    at REAL NOT NULL, ended_at REAL, calls INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX sleeps_under_way ON sleeps (scope) WHERE ended_at IS NULL;
CREATE INDEX sleeps_by_scope ON sleeps (scope, at);
CREATE TABLE sleep_steps (
    sleep INTEGER NOT NULL REFERENCES sleeps (id) ON DELETE CASCADE, step TEXT NOT NULL,
    done INTEGER NOT NULL, failures INTEGER NOT NULL, seconds REAL NOT NULL,
    counts TEXT NOT NULL, tells INTEGER NOT NULL, PRIMARY KEY (sleep, step)
) WITHOUT ROWID;
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sleep INTEGER NOT NULL REFERENCES sleeps (id) ON DELETE CASCADE, step TEXT NOT NULL,
    key TEXT NOT NULL, deed TEXT NOT NULL, reason TEXT NOT NULL, kept TEXT NOT NULL,
    at REAL NOT NULL, undone_at REAL, UNIQUE (sleep, step, key)
);
CREATE TABLE decided (
    decision INTEGER NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
    number INTEGER NOT NULL, memory TEXT NOT NULL, PRIMARY KEY (decision, number)
) WITHOUT ROWID;
CREATE INDEX decided_by_memory ON decided (memory);
CREATE TABLE refused (
    decision INTEGER PRIMARY KEY, scope TEXT NOT NULL, step TEXT NOT NULL, key TEXT NOT NULL
);
CREATE INDEX refused_by_scope ON refused (scope, step);
CREATE TABLE refused_memories (
    decision INTEGER NOT NULL REFERENCES refused (decision) ON DELETE CASCADE,
    memory TEXT NOT NULL, PRIMARY KEY (decision, memory)
) WITHOUT ROWID;
CREATE INDEX refused_by_memory ON refused_memories (memory);
CREATE TABLE sleep_marks (
    scope TEXT NOT NULL, step TEXT NOT NULL, mark TEXT NOT NULL, PRIMARY KEY (scope, step)
) WITHOUT ROWID;
CREATE INDEX episodes_latest ON episodes (scope, last_at);
CREATE INDEX turns_with_media ON turns (speaker_id) WHERE media <> '';
"""
"""How far the steps of sleeps are, what they decided, what was undone."""


def journal_schema(tx: Connection) -> None:
    """The schema, an identity, and a first seq above those of any older journal.

    Memories outlive a lost journal and remember the seqs of turns, so a new journal counts on
    from its creation time in milliseconds: no chat sustains a thousand turns a second.
    """
    for tables in (_TALK, _CHOICES, _COUNTS, _SLEEPS):
        for statement in tables.strip().split(";\n"):
            tx.execute(statement)
    tx.execute("INSERT INTO identity VALUES (?)", (str(uuid4()),))
    tx.execute("INSERT INTO sqlite_sequence VALUES ('turns', ?)", (int(time() * 1000),))


STEPS = (journal_schema,)
