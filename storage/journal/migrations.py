"""Schema of the journal. A released step is never edited; a change is a new one at the end."""

from sqlite3 import Connection
from time import time
from uuid import uuid4

from ...core.model.consent import person_in
from ...core.model.conversation import Scope
from .disclosures import WHOLE_CHAT, digest
from .people import owner_of, platform_of

_TABLES = """
CREATE TABLE identity (
    id TEXT NOT NULL
);
CREATE TABLE episodes (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    scope TEXT NOT NULL,
    opened_at REAL NOT NULL,
    last_at REAL NOT NULL,
    turns INTEGER NOT NULL,
    characters INTEGER NOT NULL,
    closed_at REAL,
    ended_by TEXT
) WITHOUT ROWID;
CREATE UNIQUE INDEX episodes_open ON episodes (session) WHERE closed_at IS NULL;
CREATE TABLE turns (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    episode TEXT NOT NULL REFERENCES episodes (id),
    session TEXT NOT NULL,
    role TEXT NOT NULL,
    speaker_id TEXT NOT NULL,
    speaker_name TEXT NOT NULL,
    text TEXT NOT NULL,
    at REAL NOT NULL,
    message_id TEXT NOT NULL
);
CREATE INDEX turns_by_episode ON turns (episode);
CREATE INDEX turns_by_session ON turns (session);
CREATE UNIQUE INDEX turns_by_message ON turns (session, role, message_id) WHERE message_id <> '';
CREATE TABLE work (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE,
    payload TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'ready',
    attempts INTEGER NOT NULL DEFAULT 0,
    not_before REAL NOT NULL,
    error TEXT NOT NULL DEFAULT ''
);
CREATE TABLE finished (
    key TEXT PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE recalls (
    turn INTEGER PRIMARY KEY REFERENCES turns (seq),
    at REAL NOT NULL,
    trace TEXT NOT NULL,
    block TEXT NOT NULL
);
CREATE TABLE injected (
    turn INTEGER NOT NULL REFERENCES recalls (turn) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    memory TEXT NOT NULL,
    PRIMARY KEY (turn, number)
) WITHOUT ROWID;
CREATE TABLE extractions (
    episode TEXT PRIMARY KEY,
    known TEXT NOT NULL,
    body TEXT NOT NULL,
    source TEXT NOT NULL
);
CREATE TABLE verdicts (
    turn INTEGER NOT NULL,
    memory TEXT NOT NULL,
    useful INTEGER NOT NULL,
    source TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (turn, memory)
) WITHOUT ROWID;
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    memory TEXT NOT NULL,
    scope TEXT NOT NULL,
    action TEXT NOT NULL,
    "by" TEXT NOT NULL,
    at REAL NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX audit_by_memory ON audit (memory, at);
CREATE TABLE usage (
    day TEXT PRIMARY KEY,
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL
);
CREATE TABLE aliases (
    platform TEXT NOT NULL,
    user TEXT NOT NULL,
    person TEXT NOT NULL,
    PRIMARY KEY (platform, user)
) WITHOUT ROWID;
CREATE TABLE notes (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
"""


def create_journal(tx: Connection) -> None:
    """The first schema, an identity, and a first seq above those of any older journal.

    Memories outlive a lost journal and remember the seqs of turns, so a new journal counts on
    from its creation time in milliseconds: no chat sustains a thousand turns a second.
    """
    for statement in _TABLES.strip().split(";\n"):
        tx.execute(statement)
    tx.execute("INSERT INTO identity VALUES (?)", (str(uuid4()),))
    tx.execute("INSERT INTO sqlite_sequence VALUES ('turns', ?)", (int(time() * 1000),))


_PERSONAL = """
CREATE TABLE consents (
    owner TEXT PRIMARY KEY,
    paused INTEGER NOT NULL,
    shared INTEGER NOT NULL,
    keep_days REAL
) WITHOUT ROWID;
CREATE TABLE overrides (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE people (
    platform TEXT NOT NULL,
    user TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (platform, user)
) WITHOUT ROWID;
ALTER TABLE episodes ADD COLUMN faded INTEGER NOT NULL DEFAULT 0;
CREATE INDEX episodes_by_scope ON episodes (scope, faded, opened_at);
CREATE INDEX turns_by_speaker ON turns (speaker_id);
CREATE INDEX injected_by_memory ON injected (memory);
CREATE INDEX verdicts_by_memory ON verdicts (memory);
CREATE INDEX recalls_explained ON recalls (turn) WHERE trace <> '' OR block <> '';
"""


def add_personal_choices(tx: Connection) -> None:
    """Consent, settings changed at run time, names of people, and ways to erase what they said."""
    for statement in _PERSONAL.strip().split(";\n"):
        tx.execute(statement)
    spoken = tx.execute(
        "SELECT scope, speaker_id, speaker_name, max(seq) FROM turns"
        " JOIN episodes ON episodes.id = turns.episode"
        " WHERE role <> 'assistant' AND speaker_name <> ''"
        " GROUP BY scope, speaker_id ORDER BY max(seq)"
    )
    for scope, speaker, name, _ in spoken.fetchall():
        if (platform := platform_of(scope)) is not None:
            tx.execute("INSERT OR REPLACE INTO people VALUES (?, ?, ?)", (platform, speaker, name))


_DISCLOSURES = """
CREATE TABLE disclosures (
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    owner TEXT NOT NULL,
    since INTEGER NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (session, conversation, owner, since)
) WITHOUT ROWID;
ALTER TABLE turns ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0;
CREATE INDEX turns_reserved ON turns (session, seq) WHERE reserved = 1;
"""


def add_disclosures(tx: Connection) -> None:
    """Which answers in groups may repeat private memories; at first, all that might have."""
    for statement in _DISCLOSURES.strip().split(";\n"):
        tx.execute(statement)
    (journal,) = tx.execute("SELECT id FROM identity").fetchone()
    sharing = _sharing(tx)
    shown = tx.execute(
        "SELECT turns.session, scope, speaker_id, min(seq) FROM turns"
        " JOIN episodes ON episodes.id = turns.episode"
        " WHERE scope LIKE 'group/%' AND seq IN (SELECT turn FROM injected)"
        " GROUP BY turns.session, scope, speaker_id"
    )
    for session, scope, speaker, since in shown.fetchall():
        if (platform_of(scope), speaker) in sharing:
            owner = person_in(Scope.parse(scope), speaker).owner
            _disclose_earlier(tx, journal, session, owner, since)


def _sharing(tx: Connection) -> frozenset[tuple[str | None, str]]:
    """The accounts of everybody who lets private memories be used in groups."""
    owners = [
        Scope.parse(owner) for (owner,) in tx.execute("SELECT owner FROM consents WHERE shared = 1")
    ]
    accounts = {(owner.platform, owner.subject) for owner in owners}
    aliases = {(p, user): person for p, user, person in tx.execute("SELECT * FROM aliases")}
    persons = {aliases[account] for account in accounts if account in aliases}
    return frozenset(accounts | {one for one, person in aliases.items() if person in persons})


def _disclose_earlier(tx: Connection, journal: str, session: str, owner: str, since: int) -> None:
    told = tx.execute("SELECT DISTINCT conversation FROM episodes WHERE session = ?", (session,))
    for conversation in {WHOLE_CHAT, *(one for (one,) in told)}:
        tx.execute(
            "INSERT OR IGNORE INTO disclosures VALUES (?, ?, ?, ?, 0)",
            (digest(journal, session), conversation, digest(journal, owner), since),
        )
    tx.execute(
        "UPDATE turns SET reserved = 1 WHERE session = ? AND role = 'assistant' AND seq > ?",
        (session, since),
    )


_NAMES = """
CREATE TABLE names (
    owner TEXT NOT NULL,
    user TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (owner, user)
) WITHOUT ROWID;
CREATE INDEX names_by_user ON names (user);
DROP TABLE people;
"""


def keep_names_by_chat(tx: Connection) -> None:
    """The names of people in each chat; a name is deleted if no turn tells where it was used."""
    for statement in _NAMES.strip().split(";\n"):
        tx.execute(statement)
    spoken = tx.execute(
        "SELECT scope, speaker_id, speaker_name, max(seq) FROM turns"
        " JOIN episodes ON episodes.id = turns.episode"
        " WHERE role <> 'assistant' AND speaker_name <> ''"
        " GROUP BY scope, speaker_id ORDER BY max(seq)"
    )
    for scope, speaker, name, _ in spoken.fetchall():
        if (owner := owner_of(scope)) is not None:
            tx.execute("INSERT OR REPLACE INTO names VALUES (?, ?, ?)", (owner, speaker, name))


_TALLIES = """
CREATE TABLE tallies (
    scope TEXT NOT NULL,
    memory TEXT NOT NULL,
    turns INTEGER NOT NULL DEFAULT 0,
    episodes INTEGER NOT NULL DEFAULT 0,
    recalls INTEGER NOT NULL DEFAULT 0,
    shown INTEGER NOT NULL DEFAULT 0,
    useful INTEGER NOT NULL DEFAULT 0,
    useless INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (scope, memory)
) WITHOUT ROWID;
CREATE INDEX tallies_by_memory ON tallies (memory);
CREATE INDEX audit_purged ON audit (at) WHERE action = 'purged';
"""


def add_tallies(tx: Connection) -> None:
    """Counts of what is dropped with old turns, by scope (memory "") and by memory shown there."""
    for statement in _TALLIES.strip().split(";\n"):
        tx.execute(statement)


def keep_chat_names(tx: Connection) -> None:
    """What groups call themselves."""
    tx.execute("CREATE TABLE chats (owner TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID")


_SLEEPS = """
CREATE TABLE sleeps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL,
    cause TEXT NOT NULL,
    at REAL NOT NULL,
    ended_at REAL,
    calls INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX sleeps_under_way ON sleeps (scope) WHERE ended_at IS NULL;
CREATE INDEX sleeps_by_scope ON sleeps (scope, at);
CREATE TABLE sleep_steps (
    sleep INTEGER NOT NULL REFERENCES sleeps (id) ON DELETE CASCADE,
    step TEXT NOT NULL,
    cursor TEXT NOT NULL,
    done INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    seconds REAL NOT NULL,
    counts TEXT NOT NULL,
    tells INTEGER NOT NULL,
    PRIMARY KEY (sleep, step)
) WITHOUT ROWID;
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sleep INTEGER NOT NULL REFERENCES sleeps (id) ON DELETE CASCADE,
    step TEXT NOT NULL,
    key TEXT NOT NULL,
    deed TEXT NOT NULL,
    reason TEXT NOT NULL,
    kept TEXT NOT NULL,
    at REAL NOT NULL,
    undone_at REAL,
    UNIQUE (sleep, step, key)
);
CREATE TABLE decided (
    decision INTEGER NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    memory TEXT NOT NULL,
    PRIMARY KEY (decision, number)
) WITHOUT ROWID;
CREATE INDEX decided_by_memory ON decided (memory);
CREATE TABLE refused (
    decision INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    step TEXT NOT NULL,
    key TEXT NOT NULL
);
CREATE INDEX refused_by_scope ON refused (scope, step);
CREATE TABLE refused_memories (
    decision INTEGER NOT NULL REFERENCES refused (decision) ON DELETE CASCADE,
    memory TEXT NOT NULL,
    PRIMARY KEY (decision, memory)
) WITHOUT ROWID;
CREATE INDEX refused_by_memory ON refused_memories (memory);
CREATE TABLE sleep_marks (
    scope TEXT NOT NULL,
    step TEXT NOT NULL,
    mark TEXT NOT NULL,
    PRIMARY KEY (scope, step)
) WITHOUT ROWID;
CREATE INDEX episodes_latest ON episodes (scope, last_at);
"""


def add_sleeps(tx: Connection) -> None:
    """Sleeps of each scope: how far their steps are, what they decided, what was undone."""
    for statement in _SLEEPS.strip().split(";\n"):
        tx.execute(statement)


def add_rereadings(tx: Connection) -> None:
    """Which episodes have been compared with what was learnt of them, and replies kept meanwhile.

    Those learnt before count as compared: what was forgotten since would seem to be lost.
    """
    tx.execute(
        "CREATE TABLE rereadings (episode TEXT PRIMARY KEY, known TEXT NOT NULL,"
        " body TEXT NOT NULL, source TEXT NOT NULL, done INTEGER NOT NULL) WITHOUT ROWID"
    )
    tx.execute("INSERT INTO rereadings SELECT episode, '{}', '', '', 1 FROM extractions")


def add_reminders(tx: Connection) -> None:
    """Who wants a message on the day of what they mean to do; nobody has asked for one so far."""
    tx.execute("ALTER TABLE consents ADD COLUMN reminded INTEGER NOT NULL DEFAULT 0")


def add_group_recording(tx: Connection) -> None:
    """What is recorded of each group; so far none has chosen anything but the settings'."""
    tx.execute("ALTER TABLE consents ADD COLUMN recording TEXT NOT NULL DEFAULT ''")


def add_media(tx: Connection) -> None:
    """What came with a message: pictures, voices, files. Nothing was noted of them before."""
    tx.execute("ALTER TABLE turns ADD COLUMN media TEXT NOT NULL DEFAULT ''")
    tx.execute("CREATE INDEX turns_with_media ON turns (speaker_id) WHERE media <> ''")


def add_quoted(tx: Connection) -> None:
    """Which turn a turn quotes. Nothing was noted of it before."""
    tx.execute("ALTER TABLE turns ADD COLUMN quoted INTEGER")


STEPS = (
    create_journal,
    add_personal_choices,
    add_disclosures,
    keep_names_by_chat,
    add_tallies,
    keep_chat_names,
    add_sleeps,
    add_rereadings,
    add_reminders,
    add_group_recording,
    add_media,
    add_quoted,
)
