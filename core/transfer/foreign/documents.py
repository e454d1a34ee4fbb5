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
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...model.conversation import ScopeKind, Speaker
from ...model.memory import Facet, Kind, Mood
from .rows import (
    FACTS,
    GROUP,
    LABEL,
    MNEMOSYNE_COLUMNS,
    PLACEHOLDER,
    SCOPE,
    USER,
    Content,
    ForeignMemory,
    ForeignRow,
    Format,
    Program,
    Row,
    Skip,
    SkippedRow,
    cleaned,
    count,
    entries,
    fields,
    future,
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

_OF_EXPORT = ("format", "livingmemory")
_OF_ARCHIVE = ("format", "astrbot-memory-jsonl")
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


type _Documents = Iterator[Document | SkippedRow]


def _livingmemory(content: Content) -> _Documents:
    """Of its database, or of an export of it or of memora."""
    atoms: defaultdict[str, list[Row]] = defaultdict(list)
    for atom in content.rows("memory_atoms"):
        atoms[name(atom.get("parent_memory_id"))].append(atom)
    for row in content.rows("documents"):
        id = name(row.get("id"))
        own, noted = name(row.get("doc_id")) or id, fields(row.get("metadata"))
        if not noted:
            yield SkippedRow(id, Skip.BROKEN)
            continue
        told = {"created_at": row.get("created_at"), **noted}
        yield Document(own, text(row.get("text")), told, atoms.get(id, ()))


def _exported(content: Content) -> _Documents:
    """What an export repeats beside the metadata stands for what is missing there."""
    for number, row in enumerate(content.rows("memories" if content.told else ""), start=1):
        id, said = name(row.get("original_id")) or str(number), unescaped(text(row.get("content")))
        if not said:
            yield SkippedRow(id, Skip.EMPTY)
            continue
        noted = fields(row.get("metadata")).items()
        told = {key: value for key, value in noted if value not in (None, "")}
        yield Document(id, said, {**row, **told})


def _memora(content: Content) -> _Documents:
    for each in _livingmemory(content):
        doubt = _doubt(each.noted) if isinstance(each, Document) else None
        yield each if doubt is None else SkippedRow(each.row, doubt)
    for row in content.rows() if "documents" not in content.tables else ():
        noted = fields(row.get("metadata"))
        id, doubt = name(row.get("id")), _doubt(noted)
        said = text(row.get("content"))
        yield Document(id, said, noted) if doubt is None else SkippedRow(id, doubt)


def _companion(content: Content) -> _Documents:
    rows = content.rows("memories") if "memories" in content.tables else _archived(content.rows())
    return map(_atom_of_companion, rows)


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


def _memorix(content: Content) -> _Documents:
    sessions = {
        name(row.get("session_id")): fields(row.get("metadata_json"))
        for row in content.rows("transcript_sessions")
    }
    for row in content.rows("paragraphs"):
        noted = fields(row.get("metadata"))
        yield _paragraph(row, noted, sessions.get(name(noted.get("chat_id")), {}))


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


def _mnemosyne(content: Content) -> _Documents:
    for number, row in enumerate(_of_mnemosyne(content), start=1):
        said, persona = unescaped(text(row.get("content"))), name(row.get("persona_id"))
        told = {**row, "persona_id": "" if persona == _NO_PERSONA else persona}
        yield _told(name(row.get("memory_id")) or str(number), said, told, fact=False)


def _of_mnemosyne(content: Content) -> Iterator[Row]:
    """From a document, a sheet, or a database of Chroma's."""
    if "embedding_metadata" not in content.tables:
        yield from content.rows("memories")
        for row in content.rows() if not content.told else ():
            yield {key: row.get(at) for at, key in MNEMOSYNE_COLUMNS.items()}
        return
    found: defaultdict[str, dict[str, object]] = defaultdict(dict)
    for row in content.rows("embedding_metadata"):
        values = (row.get(column) for column in ("string_value", "int_value", "float_value"))
        key = name(row.get("key"))
        value = next((value for value in values if value is not None), None)
        found[name(row.get("id"))][_IN_CHROMA.get(key, key)] = value
    yield from ({**row, "memory_id": id} for id, row in found.items() if "session_id" in row)


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


def _is_mnemosyne(content: Content) -> bool:
    if content.has(_OF_CHROMA, "embedding_metadata"):
        # Other programs use Chroma as well.
        return any(r.get("key") == "personality_id" for r in content.rows("embedding_metadata"))
    return content.told.keys() >= _OF_MNEMOSYNE or content.has(MNEMOSYNE_COLUMNS)


def _highest(content: Content, table: str) -> int:
    """The version of a database: 0 if it names none."""
    return max((count(row.get("version")) for row in content.rows(table)), default=0)


def _schema_of_companion(content: Content) -> str:
    told = (row for row in content.rows("schema_metadata") if row.get("key") == "schema_version")
    return next((name(row.get("value")) for row in told), "")


def _format(
    program: Program,
    known: Callable[[Content], bool],
    documents: Callable[[Content], _Documents],
    version: Callable[[Content], object] = lambda _: "",
    versions: Container[object] = ("",),
) -> Format:
    def read(content: Content, now: float) -> Iterator[ForeignRow]:
        for each in documents(content):
            found = [each] if isinstance(each, SkippedRow) else memories_of(each, now)
            yield from map(_unlabelled, found) if program is Program.MEMORA else found

    return Format(program, known, read, version, versions)


FORMATS = (
    _format(
        Program.MEMORA,
        lambda content: content.has(_COLUMNS, "documents") and _OF_MEMORA in content.tables,
        _memora,
        lambda content: _highest(content, "db_version"),
        (9,),
    ),
    _format(Program.MEMORA, lambda content: content.has(_OF_LINE), _memora),
    _format(
        Program.LIVINGMEMORY,
        lambda content: content.has(_COLUMNS, "documents"),
        _livingmemory,
        lambda content: _highest(content, "db_version"),
        (8,),
    ),
    _format(
        Program.LIVINGMEMORY,
        lambda content: _OF_EXPORT in content.told.items() or content.has(_OF_SHEET),
        _exported,
        lambda content: content.told.get("schema_version", 0) if content.told else 1,
        (1,),
    ),
    _format(
        Program.MEMORY_COMPANION,
        lambda content: content.has(_OF_COMPANION, "memories"),
        _companion,
        _schema_of_companion,
        ("", "memory-atom-v2"),
    ),
    _format(
        Program.MEMORY_COMPANION,
        lambda content: _OF_ARCHIVE in content.told.items(),
        _companion,
        lambda content: name(content.told.get("version")),
        ("1",),
    ),
    _format(
        Program.MEMORIX,
        lambda content: content.has(_OF_PARAGRAPH, "paragraphs"),
        _memorix,
        lambda content: _highest(content, "schema_migrations"),
        range(15, 24),
    ),
    _format(Program.MNEMOSYNE, _is_mnemosyne, _mnemosyne),
)
