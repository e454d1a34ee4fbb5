"""Memory plugins of AstrBot in which a row sums up some talk, and names its chat. Pure.

Read are livingmemory's database (version 8) and exports as JSON and CSV, memora's database
(version 9) and export as JSON Lines. Versions: the databases' `db_version`, exports carry
`schema_version`.

Of memory_companion the database and its archive of lines are read, not the messages in them: only
what was made of these. What is the bot's own has no owner. memorix keeps a database for each chat
or person; of its paragraphs the chat is known, its relations repeat them. Of mnemosyne the exports
as JSON and CSV are read, and the database where it is Chroma's.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...model.conversation import ScopeKind, Speaker
from ...model.memory import Facet, Kind, Mood
from ...ports import ForeignTables
from .rows import (
    DATABASES,
    EXPORTS,
    FACTS,
    GROUP,
    LABEL,
    MNEMOSYNE_COLUMNS,
    PLACEHOLDER,
    SCOPE,
    USER,
    ForeignMemory,
    ForeignRow,
    ForeignSource,
    Program,
    Row,
    Skip,
    SkippedRow,
    cleaned,
    count,
    entries,
    fields,
    future,
    known_version,
    name,
    owner_of,
    share,
    text,
    texts,
    time,
    unescaped,
)

_OF_MEMORA = "canonical_idempotency_keys"
"""The table that tells its database from livingmemory's."""

_COLUMNS = frozenset({"id", "text", "metadata"})
_OF_SHEET = frozenset({"original_id", "content", "importance", "session_id", "persona_id"})
_OF_LINE = frozenset({"id", "content", "metadata", "exported_at"})

COMPANION_ARCHIVE = "astrbot-memory-jsonl"

_OF_COMPANION = frozenset(
    {"content", "subject_kind", "session_id", "visibility", "reality_level", "lifecycle"}
)
_OF_PARAGRAPH = frozenset({"hash", "content", "metadata", "knowledge_type", "event_time"})
_OF_CHROMA = frozenset({"id", "key", "string_value", "int_value", "float_value"})
_OF_MNEMOSYNE = frozenset({"export_time", "filters", "memories"})
_NO_PERSONA = "UNKNOWN_PERSONA"
_IN_CHROMA = {"chroma:document": "content", "personality_id": "persona_id"}

_OF_BOT = "scope bot_self"
"""Whose a memory of memory_companion and memorix is that tells of the bot alone."""

_ASIDE = frozenset({"bot_self", "internal"})
_TALK = frozenset({"chat_message", "chat_summary"})
_KEPT = ("persona_id", "topics", "key_facts", "sentiment", "summary_quality", "participants")

GLOBAL = "livingmemory:"
"""Begins the scope of a memory that its program keeps for more than one chat."""

_MOODS = {"positive": Mood.POSITIVE, "negative": Mood.NEGATIVE}
_GONE = frozenset({"deleted", "expired", "forgotten"})
_AWAY = frozenset({"archived", "dormant"})
_KINDS = {"planned": Kind.PROSPECTIVE, "episodic": Kind.EPISODIC}


@dataclass(frozen=True, slots=True)
class Document:
    """One row: its text, what its program noted with it, and its facts (atoms)."""

    row: str
    text: str
    noted: Row
    atoms: Sequence[Row] = ()


def from_tables(tables: ForeignTables) -> ForeignSource | None:
    """A database of one of them; None for another. Raises NotASource for another version."""
    columns = tables.columns()
    for table, wanted, read in _DATABASES:
        if columns.get(table, frozenset()) >= wanted:
            return read(tables)
    return None


def _livingmemory(tables: ForeignTables) -> ForeignSource:
    program = Program.MEMORA if _OF_MEMORA in tables.columns() else Program.LIVINGMEMORY
    version = known_version(program, _highest(tables, "db_version"), DATABASES)

    def documents() -> Iterator[Document | SkippedRow]:
        atoms: defaultdict[str, list[Row]] = defaultdict(list)
        for atom in tables.rows("memory_atoms"):
            atoms[name(atom.get("parent_memory_id"))].append(atom)
        for row in tables.rows("documents"):
            id = name(row.get("id"))
            own, noted = name(row.get("doc_id")) or id, fields(row.get("metadata"))
            if not noted:
                yield SkippedRow(id, Skip.BROKEN)
                continue
            told = {"created_at": row.get("created_at"), **noted}
            yield Document(own, text(row.get("text")), told, atoms.get(id, ()))

    return _source(program, version, documents())


def _highest(tables: ForeignTables, table: str) -> int:
    """The version of a database: 0 if it names none."""
    return max((count(row.get("version")) for row in tables.rows(table)), default=0)


def from_document(found: object) -> ForeignSource | None:
    """livingmemory's or mnemosyne's export as JSON; None for another document."""
    held = fields(found)
    if held.keys() >= _OF_MNEMOSYNE:
        return _mnemosyne(map(fields, entries(held.get("memories"))))
    if held.get("format") != Program.LIVINGMEMORY:
        return None
    version = known_version(Program.LIVINGMEMORY, held.get("schema_version"), EXPORTS)
    rows = map(fields, entries(held.get("memories")))
    return _source(Program.LIVINGMEMORY, version, _exported(rows))


def from_sheet(columns: Iterable[str], rows: Iterable[Mapping[str, str]]) -> ForeignSource | None:
    """livingmemory's or mnemosyne's export as CSV; None for another table."""
    if MNEMOSYNE_COLUMNS.keys() <= frozenset(columns):
        named = MNEMOSYNE_COLUMNS.items()
        return _mnemosyne({key: row.get(at) for at, key in named} for row in rows)
    if not frozenset(columns) >= _OF_SHEET:
        return None
    plain = ({column: unescaped(value) for column, value in row.items()} for row in rows)
    return _source(Program.LIVINGMEMORY, "1", _exported(plain))


def from_lines(first: Row, lines: Iterable[Row]) -> ForeignSource | None:
    """memora's export as JSON Lines, or memory_companion's archive; None for others."""
    if first.get("format") == COMPANION_ARCHIVE:
        version = known_version(Program.MEMORY_COMPANION, name(first.get("version")), EXPORTS)
        return _source(Program.MEMORY_COMPANION, version, map(_atom_of_companion, _archived(lines)))
    if not first.keys() >= _OF_LINE:
        return None
    documents = (
        Document(name(row.get("id")), text(row.get("content")), fields(row.get("metadata")))
        for row in lines
    )
    return _source(Program.MEMORA, "", documents)


def _source(
    program: Program, version: str, documents: Iterable[Document | SkippedRow]
) -> ForeignSource:
    def rows(now: float) -> Iterator[ForeignRow]:
        for document in documents:
            if isinstance(document, SkippedRow):
                yield document
            elif program is not Program.MEMORA:
                yield from memories_of(document, now)
            elif reason := _doubt(document.noted):
                yield SkippedRow(document.row, reason)
            else:
                yield from map(_unlabelled, memories_of(document, now))

    return ForeignSource(program, version, rows)


def _companions(tables: ForeignTables) -> ForeignSource:
    told = (row for row in tables.rows("schema_metadata") if row.get("key") == "schema_version")
    version = next((name(row.get("value")) for row in told), "")
    known_version(Program.MEMORY_COMPANION, version, DATABASES)
    documents = map(_atom_of_companion, tables.rows("memories"))
    return _source(Program.MEMORY_COMPANION, version, documents)


def _archived(lines: Iterable[Row]) -> Iterator[Row]:
    """The memories of an archive, with subject and object in columns as the database has them."""
    for line in lines:
        if line.get("record_type") == "memory":
            row = dict(fields(line.get("data")))
            for role in ("subject", "object"):
                row |= {f"{role}_{key}": value for key, value in fields(row.get(role)).items()}
            yield row


def _atom_of_companion(row: Row) -> Document | SkippedRow:
    id, said, noted = name(row.get("id")), text(row.get("content")), fields(row.get("metadata"))
    validity, session = text(row.get("validity_status")), name(row.get("session_id"))
    if validity == "superseded":
        return SkippedRow(id, Skip.REPLACED)
    if validity == "quarantined" or row.get("review_status") in ("pending", "rejected"):
        return SkippedRow(id, Skip.DOUBTFUL)
    people = [
        {"sender_id": row.get(f"{role}_id"), "display_name": row.get(f"{role}_name")}
        for role in ("subject", "object")
        if row.get(f"{role}_kind") == "user"
    ]
    person = next((name(each["sender_id"]) for each in people), "")
    visibility, reality = text(row.get("visibility")), text(row.get("reality_level"))
    chat = _chat(session, name(row.get("group_id")), person)
    if visibility in _ASIDE:
        chat = f"{SCOPE}{visibility}"
    elif reality == "bot_action" or row.get("source_plugin") == "bot_personal_bridge":
        chat = _OF_BOT
    elif visibility == "private_pair" and ":FriendMessage:" not in chat:
        # A private matter in a group's memory is not the group's.
        chat = _chat("", "", person)
    states = (validity, text(row.get("lifecycle")))
    told = {
        **{key: noted[key] for key in _KEPT if key in noted},
        "session_id": chat,
        "source_session_id": session,
        "status": next((each for each in states if each in _GONE | _AWAY), ""),
        "participant_identities": people,
        "importance": row.get("importance"),
        "create_time": row.get("created_at"),
        "source_time_end": row.get("occurred_at"),
        "last_access_time": row.get("last_accessed_at"),
        "access_count": row.get("access_count"),
    }
    return _told(id, said, told, fact=reality == "real_user_fact", confidence=row.get("confidence"))


def _told(id: str, said: str, noted: Row, *, fact: bool, confidence: object = None) -> Document:
    """One text that is a fact as a whole, or tells what happened."""
    if not fact:
        return Document(id, said, {**noted, "persona_summary": said})
    return Document(id, "", noted, atoms=[{"content": said, "confidence": confidence}])


def _chat(session: str, group: str, person: str) -> str:
    """The session, if the host can name one so; else what is known of whose it is."""
    if owner_of(session) is not None:
        return session
    return (
        f"{GROUP}{group}" if group else f"{USER}{person}" if person else f"{SCOPE}{session}".strip()
    )


def _memorix(tables: ForeignTables) -> ForeignSource:
    version = known_version(Program.MEMORIX, _highest(tables, "schema_migrations"), DATABASES)

    def documents() -> Iterator[Document]:
        sessions = {
            name(row.get("session_id")): fields(row.get("metadata_json"))
            for row in tables.rows("transcript_sessions")
        }
        for row in tables.rows("paragraphs"):
            noted = fields(row.get("metadata"))
            yield _paragraph(row, noted, sessions.get(name(noted.get("chat_id")), {}))

    return _source(Program.MEMORIX, version, documents())


def _paragraph(row: Row, noted: Row, session: Row) -> Document:
    said, source = text(row.get("content")), name(noted.get("source_type"))
    umo = name(noted.get("unified_msg_origin")) or name(session.get("unified_msg_origin"))
    person = name(noted.get("sender_id"))
    chat = _chat(umo or name(row.get("source")), name(noted.get("group_id")), person)
    told = {
        "session_id": _OF_BOT if noted.get("role") == "assistant" else chat,
        "status": "deleted" if count(row.get("is_deleted")) else "",
        "participants": noted.get("participants"),
        "participant_identities": [{"sender_id": person, "display_name": noted.get("sender_name")}],
        "create_time": row.get("created_at"),
        "source_time_start": row.get("event_time_start"),
        "source_time_end": row.get("event_time_end") or row.get("event_time"),
        "last_access_time": row.get("last_accessed"),
        "access_count": row.get("access_count"),
    }
    return _told(name(row.get("hash")), said, told, fact=source not in _TALK)


def _mnemosyne(rows: Iterable[Row]) -> ForeignSource:
    def documents() -> Iterator[Document]:
        for number, row in enumerate(rows, start=1):
            said = unescaped(text(row.get("content")))
            id = name(row.get("memory_id")) or str(number)
            persona = name(row.get("persona_id"))
            told = {**row, "persona_id": "" if persona == _NO_PERSONA else persona}
            yield _told(id, said, told, fact=False)

    return _source(Program.MNEMOSYNE, "", documents())


def _chroma(tables: ForeignTables) -> ForeignSource | None:
    """mnemosyne's memories in a database of Chroma's, which others use as well."""
    if all(row.get("key") != "personality_id" for row in tables.rows("embedding_metadata")):
        return None

    def rows() -> Iterator[Row]:
        found: defaultdict[str, dict[str, object]] = defaultdict(dict)
        for row in tables.rows("embedding_metadata"):
            values = (row.get(column) for column in ("string_value", "int_value", "float_value"))
            key = name(row.get("key"))
            value = next((value for value in values if value is not None), None)
            found[name(row.get("id"))][_IN_CHROMA.get(key, key)] = value
        yield from ({**row, "memory_id": id} for id, row in found.items() if "session_id" in row)

    return _mnemosyne(rows())


_DATABASES: tuple[
    tuple[str, frozenset[str], Callable[[ForeignTables], ForeignSource | None]], ...
] = (
    ("documents", _COLUMNS, _livingmemory),
    ("memories", _OF_COMPANION, _companions),
    ("paragraphs", _OF_PARAGRAPH, _memorix),
    ("embedding_metadata", _OF_CHROMA, _chroma),
)
"""The table that tells a database, its columns, and who reads it."""


def _exported(rows: Iterable[Row]) -> Iterator[Document | SkippedRow]:
    for number, row in enumerate(rows, start=1):
        id, said = name(row.get("original_id")) or str(number), text(row.get("content"))
        if not said:
            yield SkippedRow(id, Skip.EMPTY)
            continue
        # What the export repeats beside the metadata stands for what is missing there.
        noted = fields(row.get("metadata")).items()
        yield Document(id, said, {**row, **{key: v for key, v in noted if v not in (None, "")}})


def _doubt(noted: Row) -> Skip | None:
    """Why a row of memora's does not come although it is there: what the program marked, or a
    contradiction between where it was said and how private it is.
    """
    if noted.get("quality_gate_action") == "mark_write":
        return Skip.DOUBTFUL
    scope = owner_of(chat_of(noted))
    confidential = noted.get("privacy_level") == "confidential"
    if confidential and scope is not None and scope.kind is ScopeKind.GROUP:
        return Skip.NO_OWNER
    return None


def _unlabelled(row: ForeignRow) -> ForeignRow:
    """Without the accounts that memora repeats behind names."""
    if not isinstance(row, ForeignMemory):
        return row
    plain = (LABEL.sub("", each).strip() for each in row.about)
    about = tuple(each for each in plain if each and ":" not in each)
    return replace(row, text=LABEL.sub("", row.text), about=about)


def memories_of(document: Document, now: float) -> Iterator[ForeignRow]:
    """A memory for each fact, and one for what happened, if that is told besides."""
    noted = document.noted
    status = text(noted.get("status")) or "active"
    if status in _GONE:
        yield SkippedRow(document.row, Skip.DELETED)
        return
    story, facts = _story(document), _facts(document)
    if noted.get("summary_quality") == "low" or story == PLACEHOLDER:
        yield SkippedRow(document.row, Skip.DOUBTFUL)
        return
    common = replace(_common(document, now), archived=status in _AWAY)
    atoms = [atom for atom in document.atoms if text(atom.get("content"))]
    for place, atom in enumerate(atoms):
        yield _atom(common, f"{document.row}.{place}", atom, now)
    if not atoms:
        for place, fact in enumerate(facts):
            yield replace(common, row=f"{document.row}.{place}", text=fact, facet=Facet.PREFERENCE)
    if story and story not in facts:
        yield replace(common, text=story, kind=Kind.EPISODIC, facet=Facet.EPISODIC)
    elif not atoms and not facts:
        yield SkippedRow(document.row, Skip.EMPTY)


def chat_of(noted: Row) -> str:
    """The chat that it came from: where its program kept it for all, that chat and no other."""
    kept_for = name(noted.get("session_id"))
    source = name(noted.get("source_session_id"))
    if source and (not kept_for or kept_for.startswith(GLOBAL)):
        return source
    return kept_for


def _common(document: Document, now: float) -> ForeignMemory:
    noted = document.noted
    window = fields(noted.get("source_window"))
    source = name(noted.get("source_session_id")) or name(window.get("session_id"))
    chat = chat_of(noted)
    made = time(noted.get("create_time"), now) or time(noted.get("created_at"), now)
    people = _people(noted, chat)
    names = tuple(person.name for person in people.values() if person.name)
    [only] = people.values() if len(people) == 1 else [None]
    return ForeignMemory(
        row=document.row,
        chat=chat,
        text="",
        persona=name(noted.get("persona_id")),
        session=source or chat,
        created_at=time(noted.get("source_time_end"), now) or made,
        happened_at=time(noted.get("source_time_start"), now),
        importance=share(noted.get("importance")),
        confidence=0.6,
        accessed_at=time(noted.get("last_access_time"), now),
        accesses=1 + count(noted.get("access_count")) + count(noted.get("reinforcement_count")),
        speaker=only,
        people=frozenset(people),
        about=names or texts(noted.get("participants")),
        cues=texts(noted.get("topics")),
        mood=_MOODS.get(text(noted.get("sentiment")), Mood.NEUTRAL),
        intensity=share(noted.get("emotional_intensity"), 0.0),
    )


def _story(document: Document) -> str:
    """What happened, in one text: the persona's words, or what of the row is no fact."""
    told = cleaned(text(document.noted.get("persona_summary")))
    if told:
        return told
    whole = cleaned(text(document.text))
    facts = set(_facts(document))
    parts = [part.strip() for part in FACTS.split(whole)]
    kept = [part for part in parts if part and part not in facts]
    return whole if len(kept) == len(parts) else kept[0] if kept else ""


def _facts(document: Document) -> tuple[str, ...]:
    return tuple(filter(None, map(cleaned, texts(document.noted.get("key_facts")))))


def _atom(common: ForeignMemory, row: str, atom: Row, now: float) -> ForeignRow:
    sort, status = text(atom.get("atom_type")), text(atom.get("status"))
    if status in _GONE:
        return SkippedRow(row, Skip.DELETED)
    if status == "superseded":
        return SkippedRow(row, Skip.REPLACED)
    kind, at = _KINDS.get(sort, Kind.SEMANTIC), future(atom.get("event_time"), now)
    confidence = atom.get("confidence")
    return replace(
        common,
        row=row,
        text=cleaned(text(atom.get("content"))),
        kind=kind,
        facet=Facet.EPISODIC if kind is not Kind.SEMANTIC else Facet.PREFERENCE,
        importance=share(atom.get("importance"), common.importance),
        confidence=share(confidence, common.confidence),
        happened_at=at or common.happened_at,
        due_at=at if kind is Kind.PROSPECTIVE else None,
        archived=common.archived or status in _AWAY,
    )


def _people(noted: Row, chat: str) -> dict[str, Speaker]:
    """Who took part, but for the bot, by the platform's id."""
    found: dict[str, Speaker] = {}
    for each in map(fields, entries(noted.get("participant_identities"))):
        id = name(each.get("sender_id")) or name(each.get("stable_user_id"))
        if id and not each.get("is_bot"):
            found[id] = Speaker(id, name(each.get("display_name"))[:80])
    snapshots = fields(noted.get("participant_name_snapshots"))
    for each in (*entries(noted.get("participant_ids")), *entries(noted.get("subject_ids"))):
        if id := name(each):
            found.setdefault(id, Speaker(id, name(snapshots.get(id))[:80]))
    scope = owner_of(chat)
    if not found and scope is not None and scope.kind == "private":
        found[scope.subject] = Speaker(scope.subject, "")
    return found
