"""Files of other memory programs, made from their schemas."""

import csv
import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

SAID = 1_740_000_000.0
"""2025-02-19, in Unix seconds: before the tests' now."""

PRIVATE = "qq:FriendMessage:902"
GROUP = "qq:GroupMessage:5000"

_DOCUMENTS = """
    CREATE TABLE db_version (version INTEGER, description TEXT);
    CREATE TABLE documents (id INTEGER PRIMARY KEY, doc_id TEXT, text TEXT, metadata TEXT,
        created_at TEXT, updated_at TEXT,
        user_id TEXT GENERATED ALWAYS AS (json_extract(metadata, '$.user_id')));
    CREATE TABLE memory_atoms (id INTEGER PRIMARY KEY, parent_memory_id INTEGER, atom_type TEXT,
        content TEXT, importance REAL, confidence REAL, created_at REAL, event_time REAL,
        status TEXT, session_id TEXT);
"""


def document(session: str | None = PRIVATE, **noted: Any) -> dict[str, Any]:
    """The metadata of a row of livingmemory's, said by Ben in private unless said otherwise."""
    ben = {
        "identity_key": "aiocqhttp:902",
        "sender_id": "902",
        "display_name": "Ben",
        "is_bot": False,
    }
    return {
        "session_id": session,
        "persona_id": None,
        "importance": 0.7,
        "create_time": SAID + 3_600,
        "source_time_end": "2025-02-19T21:20:00+00:00",
        "participant_identities": [ben, {"sender_id": "1", "is_bot": True}],
        "key_facts": ["Ben keeps bees"],
        "topics": ["bees"],
        **noted,
    }


def livingmemory(
    file: Path,
    rows: Iterable[tuple[str, Mapping[str, Any]]],
    *,
    version: int = 8,
    atoms: Iterable[tuple[int, str, str, str]] = (),
    memora: bool = False,
) -> Path:
    """Its database; an atom is (row, type, content, status). Left open, its log is not merged."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.executescript(_DOCUMENTS)
        db.execute("INSERT INTO db_version VALUES (?, '')", (version,))
        if memora:
            db.execute("CREATE TABLE canonical_idempotency_keys (key TEXT)")
        for number, (text, noted) in enumerate(rows, start=1):
            db.execute(
                "INSERT INTO documents (id, doc_id, text, metadata, created_at) VALUES"
                " (?, ?, ?, ?, '2025-02-19 21:30:00')",
                (number, f"doc-{number}", text, json.dumps(noted)),
            )
        for parent, sort, content, status in atoms:
            db.execute(
                "INSERT INTO memory_atoms (parent_memory_id, atom_type, content, importance,"
                " confidence, status) VALUES (?, ?, ?, .9, .8, ?)",
                (parent, sort, content, status),
            )
        db.commit()
    return file


def livingmemory_export(
    file: Path, rows: Iterable[tuple[str, Mapping[str, Any]]], *, version: int = 1
) -> Path:
    memories = [
        {
            "original_id": number,
            "content": text,
            "importance": noted.get("importance", 0.5),
            "session_id": noted.get("session_id"),
            "persona_id": noted.get("persona_id"),
            "metadata": noted,
        }
        for number, (text, noted) in enumerate(rows, start=1)
    ]
    told = {"format": "livingmemory", "schema_version": version, "memories": memories}
    return written(file, json.dumps(told, indent=1))


def livingmemory_sheet(file: Path, rows: Iterable[tuple[str, Mapping[str, Any]]]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    columns = ["original_id", "content", "importance", "session_id", "persona_id", "memory_type"]
    columns += ["status", "topics", "key_facts", "metadata", "source_messages"]
    with file.open("w", encoding="utf-8-sig", newline="") as out:
        sheet = csv.writer(out)
        sheet.writerow(columns)
        for number, (text, noted) in enumerate(rows, start=1):
            escaped = f"'{text}" if text[:1] in "=+-@" else text
            facts = json.dumps(noted.get("key_facts", []))
            told = [number, escaped, 0.7, noted.get("session_id"), "", "GENERAL", "active"]
            sheet.writerow([*told, "[]", facts, json.dumps(noted), "[]"])
    return file


def angel_memory(file: Path, *rows: Mapping[str, Any], **more: Any) -> Path:
    """Its database; `more` columns are of another version."""
    plain = {
        "id": "a1",
        "memory_type": "知识记忆",
        "judgment": "Ben keeps bees",
        "reasoning": "",
        "strength": 10,
        "is_active": 0,
        "useful_count": 0,
        "useful_score": 0.0,
        "last_recalled_at": 0.0,
        "last_decay_at": 0.0,
        "memory_scope": "public",
        "created_at": SAID,
        "updated_at": SAID,
        **more,
    }
    tags = list(dict.fromkeys(tag for row in rows for tag in row.get("tags", ())))
    return database(
        file,
        memory_records=[{key: row.get(key, plain[key]) for key in plain} for row in rows],
        global_tags=[{"id": number, "name": tag} for number, tag in enumerate(tags)],
        memory_tag_rel=[
            {"memory_id": row["id"], "tag_id": tags.index(tag)}
            for row in rows
            for tag in row.get("tags", ())
        ],
    )


def mem0(file: Path, *rows: Mapping[str, Any]) -> Path:
    return written(file, json.dumps({"results": [{"id": str(n), **r} for n, r in enumerate(rows)]}))


def conversation(*said: tuple[str, str], **changes: Any) -> dict[str, Any]:
    """One of ChatGPT's, of (role, text), one minute apart; with a branch that was given up."""
    nodes: dict[str, Any] = {"root": {"id": "root", "parent": None, "message": None}}
    last = "root"
    for number, (role, text) in enumerate(said):
        content = {"content_type": "text", "parts": [text]}
        message = {"id": f"m{number}", "author": {"role": role}, "content": content}
        message |= {"create_time": SAID + 60 * number, "weight": 1, "recipient": "all"}
        nodes[f"n{number}"] = {"id": f"n{number}", "parent": last, "message": message}
        last = f"n{number}"
    content = {"content_type": "text", "parts": ["what was edited away"]}
    edited = {"id": "x", "author": {"role": "user"}, "content": content}
    nodes["edited"] = {"id": "edited", "parent": "root", "message": edited}
    return {"id": "c1", "update_time": SAID, "current_node": last, "mapping": nodes, **changes}


def database(file: Path, **tables: Iterable[Mapping[str, Any]]) -> Path:
    """Any: each table has the columns of its first row, and lists and objects are JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(file)) as db:
        for table, rows in tables.items():
            for number, row in enumerate(rows):
                if not number:
                    db.execute(f"CREATE TABLE {table} ({', '.join(row)})")
                values = [json.dumps(v) if isinstance(v, dict | list) else v for v in row.values()]
                names, marks = ", ".join(row), ", ".join("?" * len(row))
                db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", values)
        db.commit()
    return file


def companion_row(content: str, session: str = PRIVATE, **changes: Any) -> dict[str, Any]:
    """One of memory_companion's: a summary of what Ben and the bot talked of."""
    return {
        "id": "mem_1",
        "memory_type": "conversation_summary",
        "subject_kind": "user",
        "subject_id": "902",
        "subject_name": "Ben",
        "object_kind": "bot",
        "object_id": "self",
        "object_name": "Bot",
        "session_id": session,
        "group_id": "",
        "visibility": "private_pair",
        "reality_level": "imported_summary",
        "lifecycle": "stable_memory",
        "validity_status": "active",
        "review_status": "auto",
        "content": content,
        "confidence": 0.9,
        "importance": 0.7,
        "metadata": {"persona_id": "pirate", "topics": ["bees"]},
        "created_at": "2025-02-19T22:20:00+00:00",
        "occurred_at": "2025-02-19T21:20:00+00:00",
        "last_accessed_at": "",
        "access_count": 3,
        **changes,
    }


def companion(file: Path, *rows: Mapping[str, Any], version: str = "memory-atom-v2") -> Path:
    """Its database; one of an older version has no version."""
    told = [{"key": "schema_version", "value": version}] if version else []
    return database(file, schema_metadata=told, memories=rows)


def companion_archive(file: Path, *rows: Mapping[str, Any], version: int = 1) -> Path:
    """The same as lines, among what else it holds."""
    lines: list[Mapping[str, Any]] = [
        {"record_type": "header", "format": "astrbot-memory-jsonl", "version": version}
    ]
    for row in rows:
        data = dict(row)
        for role in ("subject", "object"):
            keys = ("kind", "id", "name")
            data[role] = {key: data.pop(f"{role}_{key}") for key in keys if f"{role}_{key}" in data}
        lines.append({"record_type": "memory", "data": data})
    lines.append({"record_type": "timeline", "data": {"content": "Ben said hello"}})
    return written(file, "\n".join(map(json.dumps, lines)))


def paragraph(content: str, source: str = "person_fact", **noted: Any) -> dict[str, Any]:
    """One of memorix's, of what Ben said in private; `noted` is its metadata."""
    told = {"source_type": source, "chat_id": "902", "sender_id": "902", "sender_name": "Ben"}
    return {
        "hash": f"hash of {content}",
        "content": content,
        "metadata": {**told, **noted},
        "source": f"{source}:902",
        "knowledge_type": "factual",
        "created_at": SAID + 60,
        "event_time": SAID,
        "event_time_start": None,
        "event_time_end": None,
        "access_count": 0,
        "is_deleted": 0,
    }


def memorix(file: Path, *paragraphs: Mapping[str, Any], version: int = 23) -> Path:
    """Its database, which knows of one session."""
    known = {"session_id": "902", "metadata_json": {"unified_msg_origin": PRIVATE}}
    return database(
        file,
        schema_migrations=[{"version": 1}, {"version": version}],
        transcript_sessions=[known],
        paragraphs=paragraphs,
    )


def mnemosyne(file: Path, form: str, content: Any, session: Any = PRIVATE) -> Path:
    """A memory of its, in a database of Chroma's, or exported."""
    told = {"session_id": session, "persona_id": "UNKNOWN_PERSONA", "content": content}
    at = "2025-02-19T21:20:00"
    if form == "json":
        rows = [{"memory_id": "7", **told, "create_time": at, "metadata": {}}]
        held = {"export_time": at, "total_count": 1, "filters": {}, "memories": rows}
        return written(file, json.dumps(held, indent=2))
    if form == "csv":
        columns = "记忆ID,会话ID,内容,创建时间,人格ID"
        return written(file, f"{columns}\n7,{session},{content},{at},UNKNOWN_PERSONA\n")
    empty = {"string_value": None, "int_value": None, "float_value": None}
    texts = {"chroma:document": content, "session_id": session, "personality_id": "UNKNOWN_PERSONA"}
    rows = [{"id": 1, "key": key, **empty, "string_value": value} for key, value in texts.items()]
    rows.append({"id": 1, "key": "create_time", **empty, "int_value": int(SAID)})
    rows.append({"id": 2, "key": "page", **empty, "string_value": "of another collection"})
    return database(file, embedding_metadata=rows)


def qq_message(account: str, text: str, *elements: Any, **changes: Any) -> dict[str, Any]:
    """One of QQ Chat Exporter's; an element is (type, data)."""
    told = [{"type": "text", "data": {"text": text}}]
    told += [{"type": sort, "data": data} for sort, data in elements]
    return {
        "id": "7501",
        "seq": "1001",
        "timestamp": SAID * 1_000,
        "time": "2025-02-20 05:20:00",
        "sender": {"uid": f"u_{account}", "uin": account, "name": f"No. {account}"},
        "type": "type_1",
        "content": {"text": text, "html": "", "elements": told, "resources": [], "mentions": []},
        "recalled": False,
        "system": False,
        **changes,
    }


def qq(file: Path, sort: str, *messages: Any) -> Path:
    """A chat of QQ's as one document, exported by the account 10000."""
    told = {
        "metadata": {"name": "QQChatExporter V5 / https://github.com/shuakami/qq-chat-exporter"},
        "chatInfo": {"name": "Bee keepers", "type": sort, "selfUin": "10000"},
        "statistics": {"totalMessages": len(messages)},
        "messages": messages,
    }
    return written(file, json.dumps(told, indent=2))


def written(file: Path, text: str, encoding: str = "utf-8") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding)
    return file
