BEGIN TRANSACTION;
CREATE TABLE aliases (
    platform TEXT NOT NULL,
    user TEXT NOT NULL,
    person TEXT NOT NULL,
    PRIMARY KEY (platform, user)
) WITHOUT ROWID;
INSERT INTO "aliases" VALUES('qq','901','ann');
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
INSERT INTO "audit" VALUES(1,'k','a','private/qq/901/default','created','rules',1750000000.0,'{}');
CREATE TABLE chats (owner TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "chats" VALUES('group/qq/5000/%2A','Harbour crew');
CREATE TABLE consents (
    owner TEXT PRIMARY KEY,
    paused INTEGER NOT NULL,
    shared INTEGER NOT NULL,
    keep_days REAL, reminded INTEGER NOT NULL DEFAULT 0
, recording TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
INSERT INTO "consents" VALUES('private/qq/901/%2A',0,1,NULL,1,'');
CREATE TABLE decided (
    decision INTEGER NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    memory TEXT NOT NULL,
    PRIMARY KEY (decision, number)
) WITHOUT ROWID;
INSERT INTO "decided" VALUES(1,0,'a');
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
INSERT INTO "decisions" VALUES(1,1,'decay','b:a','binned','decayed','{"strength": 1}',1750000001.0,NULL);
CREATE TABLE disclosures (
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    owner TEXT NOT NULL,
    since INTEGER NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (session, conversation, owner, since)
) WITHOUT ROWID;
INSERT INTO "disclosures" VALUES('8678984a0c25decf632caca78af2d8c0','','fa71451fe93bd63229b6f72178cb93c7',1795317636232,0);
INSERT INTO "disclosures" VALUES('8678984a0c25decf632caca78af2d8c0','c1','fa71451fe93bd63229b6f72178cb93c7',1795317636232,0);
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
, faded INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
INSERT INTO "episodes" VALUES('623fae09830f5ac7bd3f24215a89608e','qq:FriendMessage:901','c1','private/qq/901/default',1750000000.0,1750000002.0,3,29,1760000000.0,'silence',0);
CREATE TABLE extractions (
    episode TEXT PRIMARY KEY,
    known TEXT NOT NULL,
    body TEXT NOT NULL,
    source TEXT NOT NULL
);
CREATE TABLE finished (
    key TEXT PRIMARY KEY
) WITHOUT ROWID;
INSERT INTO "finished" VALUES('sleep:1');
CREATE TABLE identity (
    id TEXT NOT NULL
);
INSERT INTO "identity" VALUES('169bdd68-266e-4fd1-a2ac-15029ba8044c');
CREATE TABLE injected (
    turn INTEGER NOT NULL REFERENCES recalls (turn) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    memory TEXT NOT NULL,
    PRIMARY KEY (turn, number)
) WITHOUT ROWID;
INSERT INTO "injected" VALUES(1795317636230,1,'a');
CREATE TABLE migration (ordinal INTEGER PRIMARY KEY, name TEXT UNIQUE);
INSERT INTO "migration" VALUES(1,'create_journal');
INSERT INTO "migration" VALUES(2,'add_personal_choices');
INSERT INTO "migration" VALUES(3,'add_disclosures');
INSERT INTO "migration" VALUES(4,'keep_names_by_chat');
INSERT INTO "migration" VALUES(5,'add_tallies');
INSERT INTO "migration" VALUES(6,'keep_chat_names');
INSERT INTO "migration" VALUES(7,'add_sleeps');
INSERT INTO "migration" VALUES(8,'add_rereadings');
INSERT INTO "migration" VALUES(9,'add_reminders');
INSERT INTO "migration" VALUES(10,'add_group_recording');
INSERT INTO "migration" VALUES(11,'add_media');
INSERT INTO "migration" VALUES(12,'add_quoted');
CREATE TABLE names (
    owner TEXT NOT NULL,
    user TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (owner, user)
) WITHOUT ROWID;
INSERT INTO "names" VALUES('private/qq/901/%2A','901','Ann');
CREATE TABLE notes (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO "notes" VALUES('last_sweep','5.0');
INSERT INTO "notes" VALUES('erasures','{"key": "fb19df731b9a327374909da9f84ffe2784a0d6df6b7c4ce2b7932ef535c62d7a", "count": 0, "numbers": {}, "through": 0}');
CREATE TABLE overrides (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "overrides" VALUES('recall.max_items','{"value": 5, "by": "900", "at": 1.0}');
CREATE TABLE recalls (
    turn INTEGER PRIMARY KEY REFERENCES turns (seq),
    at REAL NOT NULL,
    trace TEXT NOT NULL,
    block TEXT NOT NULL
);
INSERT INTO "recalls" VALUES(1795317636230,1750000001.0,'{}','block');
CREATE TABLE refused (
    decision INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    step TEXT NOT NULL,
    key TEXT NOT NULL
);
CREATE TABLE refused_memories (
    decision INTEGER NOT NULL REFERENCES refused (decision) ON DELETE CASCADE,
    memory TEXT NOT NULL,
    PRIMARY KEY (decision, memory)
) WITHOUT ROWID;
CREATE TABLE rereadings (episode TEXT PRIMARY KEY, known TEXT NOT NULL, body TEXT NOT NULL, source TEXT NOT NULL, done INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE sleep_marks (
    scope TEXT NOT NULL,
    step TEXT NOT NULL,
    mark TEXT NOT NULL,
    PRIMARY KEY (scope, step)
) WITHOUT ROWID;
INSERT INTO "sleep_marks" VALUES('private/qq/901/default','decay','12');
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
CREATE TABLE sleeps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL,
    cause TEXT NOT NULL,
    at REAL NOT NULL,
    ended_at REAL,
    calls INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "sleeps" VALUES(1,'private/qq/901/default','night',1750000000.0,1750000002.0,0,0);
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
INSERT INTO "tallies" VALUES('private/qq/901/default','',2,1,1,0,0,0);
INSERT INTO "tallies" VALUES('private/qq/901/default','a',0,0,0,3,0,0);
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
, reserved INTEGER NOT NULL DEFAULT 0, media TEXT NOT NULL DEFAULT '', quoted INTEGER);
INSERT INTO "turns" VALUES(1795317636230,'623fae09830f5ac7bd3f24215a89608e','qq:FriendMessage:901','user','901','Ann','I keep bees',1750000000.0,'m0',0,'',NULL);
INSERT INTO "turns" VALUES(1795317636231,'623fae09830f5ac7bd3f24215a89608e','qq:FriendMessage:901','assistant','bot','','How many?',1750000001.0,'m1',0,'',NULL);
INSERT INTO "turns" VALUES(1795317636232,'623fae09830f5ac7bd3f24215a89608e','qq:FriendMessage:901','user','901','Ann','seven, 七只',1750000002.0,'m2',0,'',NULL);
CREATE TABLE usage (
    day TEXT PRIMARY KEY,
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL
);
INSERT INTO "usage" VALUES('2025-06-15',2,30);
CREATE TABLE verdicts (
    turn INTEGER NOT NULL,
    memory TEXT NOT NULL,
    useful INTEGER NOT NULL,
    source TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (turn, memory)
) WITHOUT ROWID;
INSERT INTO "verdicts" VALUES(1795317636230,'a',1,'rules',1750000002.0);
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
INSERT INTO "work" VALUES(1,'index_turn','turn:1795317636230','{"turn": 1795317636230}','ready',0,0.0,'');
INSERT INTO "work" VALUES(2,'index_turn','turn:1795317636231','{"turn": 1795317636231}','ready',0,0.0,'');
INSERT INTO "work" VALUES(3,'index_turn','turn:1795317636232','{"turn": 1795317636232}','ready',0,0.0,'');
INSERT INTO "work" VALUES(4,'learn','learn:623fae09830f5ac7bd3f24215a89608e','{"episode": "623fae09830f5ac7bd3f24215a89608e"}','ready',0,0.0,'');
CREATE UNIQUE INDEX episodes_open ON episodes (session) WHERE closed_at IS NULL;
CREATE INDEX turns_by_episode ON turns (episode);
CREATE INDEX turns_by_session ON turns (session);
CREATE UNIQUE INDEX turns_by_message ON turns (session, role, message_id) WHERE message_id <> '';
CREATE INDEX audit_by_memory ON audit (memory, at);
CREATE INDEX episodes_by_scope ON episodes (scope, faded, opened_at);
CREATE INDEX turns_by_speaker ON turns (speaker_id);
CREATE INDEX injected_by_memory ON injected (memory);
CREATE INDEX verdicts_by_memory ON verdicts (memory);
CREATE INDEX recalls_explained ON recalls (turn) WHERE trace <> '' OR block <> '';
CREATE INDEX turns_reserved ON turns (session, seq) WHERE reserved = 1;
CREATE INDEX names_by_user ON names (user);
CREATE INDEX tallies_by_memory ON tallies (memory);
CREATE INDEX audit_purged ON audit (at) WHERE action = 'purged';
CREATE UNIQUE INDEX sleeps_under_way ON sleeps (scope) WHERE ended_at IS NULL;
CREATE INDEX sleeps_by_scope ON sleeps (scope, at);
CREATE INDEX decided_by_memory ON decided (memory);
CREATE INDEX refused_by_scope ON refused (scope, step);
CREATE INDEX refused_by_memory ON refused_memories (memory);
CREATE INDEX episodes_latest ON episodes (scope, last_at);
CREATE INDEX turns_with_media ON turns (speaker_id) WHERE media <> '';
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('turns',1795317636232);
INSERT INTO "sqlite_sequence" VALUES('work',5);
INSERT INTO "sqlite_sequence" VALUES('sleeps',1);
INSERT INTO "sqlite_sequence" VALUES('decisions',1);
COMMIT;
