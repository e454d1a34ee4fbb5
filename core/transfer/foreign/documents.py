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
from itertools import chain

from ...model.conversation import ScopeKind, Speaker
from ...model.memory import Kind, Mood
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
    name,
    owner_of,
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

_SAID_AT = ("source_time_end", "event_time_end", "event_time", "occurred_at")
"""Where each program writes when the talk was that it sums up."""

_MOODS = {"positive": Mood.POSITIVE, "negative": Mood.NEGATIVE}
_GONE = frozenset({"deleted", "expired", "forgotten"})
_AWAY = frozenset({"archived", "dormant"})
_KINDS = {"planned": Kind.PROSPECTIVE, "episodic": Kind.EPISODIC}


@dataclass(frozen=True, slots=True)
class Document:
    """One row: its text, what its program noted with it, and its facts (atoms).

    With a `skip` it does not come, for that reason.
    """

    row: str
    text: str
    noted: Row
    atoms: Sequence[Row] = ()
    skip: Skip | None = None


def _livingmemory(content: Content) -> Iterator[Document]:
    """Of its database, or of memora's."""
    atoms: defaultdict[str, list[Row]] = defaultdict(list)
    for atom in content.rows("memory_atoms"):
        atoms[atom.name("parent_memory_id")].append(atom)
    for row in content.rows("documents"):
        noted = row.row("metadata")
        told = Row({"created_at": row.get("created_at"), **noted})
        skip, own = None if noted else Skip.BROKEN, atoms[row.name("id")]
        yield Document(row.name("doc_id", "id"), row.text("text"), told, own, skip)


def _exported(content: Content) -> Iterator[Document]:
    """What an export repeats beside the metadata stands for what is missing there."""
    for number, row in enumerate(content.rows("memories" if content.told else ""), start=1):
        noted, said = row.row("metadata").items(), unescaped(row.text("content"))
        told = Row({**row, **{key: value for key, value in noted if value not in (None, "")}})
        skip = None if said else Skip.EMPTY
        yield Document(row.name("original_id") or str(number), said, told, skip=skip)


def _memora(content: Content) -> Iterator[Document]:
    lines = content.rows() if "documents" not in content.tables else ()
    told = (Document(row.name("id"), row.text("content"), row.row("metadata")) for row in lines)
    for each in chain(_livingmemory(content), told):
        yield replace(each, skip=each.skip or _doubt(each.noted))


def _companion(content: Content) -> Iterator[Document]:
    rows = content.rows("memories") if "memories" in content.tables else _archived(content.rows())
    return map(_atom_of_companion, rows)


def _archived(lines: Iterable[Row]) -> Iterator[Row]:
    """The memories of an archive, with subject and object in columns as the database has them."""
    for line in lines:
        if line.get("record_type") == "memory":
            row = line.row("data")
            for role in ("subject", "object"):
                row |= {f"{role}_{key}": value for key, value in row.row(role).items()}
            yield row


def _atom_of_companion(row: Row) -> Document:
    noted, validity, session = (
        row.row("metadata"),
        row.text("validity_status"),
        row.name("session_id"),
    )
    doubtful = validity == "quarantined" or row.get("review_status") in ("pending", "rejected")
    people = [
        {"sender_id": row.get(f"{role}_id"), "display_name": row.get(f"{role}_name")}
        for role in ("subject", "object")
        if row.get(f"{role}_kind") == "user"
    ]
    person = name(people[0]["sender_id"]) if people else ""
    visibility, reality = row.text("visibility"), row.text("reality_level")
    chat = _chat(session, row.name("group_id"), person)
    if visibility in _ASIDE:
        chat = f"{SCOPE}{visibility}"
    elif reality == "bot_action" or row.get("source_plugin") == "bot_personal_bridge":
        chat = _OF_BOT
    elif visibility == "private_pair" and ":FriendMessage:" not in chat:
        # A private matter in a group's memory is not the group's.
        chat = _chat("", "", person)
    states = (validity, row.text("lifecycle"))
    told = Row(
        {**row, **{key: noted[key] for key in _KEPT if key in noted}},
        session_id=chat,
        source_session_id=session,
        status=next((each for each in states if each in _GONE | _AWAY), ""),
        participant_identities=people,
    )
    fact, id = reality == "real_user_fact", row.name("id")
    document = _told(id, row.text("content"), told, fact=fact, confidence=row.get("confidence"))
    skip = Skip.REPLACED if validity == "superseded" else Skip.DOUBTFUL if doubtful else None
    return replace(document, skip=skip)


def _told(id: str, said: str, noted: Row, *, fact: bool, confidence: object = None) -> Document:
    """One text that is a fact as a whole, or tells what happened."""
    if not fact:
        return Document(id, said, Row(noted, persona_summary=said))
    return Document(id, "", noted, atoms=[Row(content=said, confidence=confidence)])


def _chat(session: str, group: str, person: str) -> str:
    """The session, if the host can name one so; else what is known of whose it is."""
    if owner_of(session) is not None:
        return session
    return (
        f"{GROUP}{group}" if group else f"{USER}{person}" if person else f"{SCOPE}{session}".strip()
    )


def _memorix(content: Content) -> Iterator[Document]:
    sessions = {
        row.name("session_id"): row.row("metadata_json")
        for row in content.rows("transcript_sessions")
    }
    for row in content.rows("paragraphs"):
        noted = row.row("metadata")
        yield _paragraph(row, noted, sessions.get(noted.name("chat_id"), Row()))


def _paragraph(row: Row, noted: Row, session: Row) -> Document:
    umo = noted.name("unified_msg_origin") or session.name("unified_msg_origin")
    person = noted.name("sender_id")
    chat = _chat(umo or row.name("source"), noted.name("group_id"), person)
    told = Row(
        row,
        session_id=_OF_BOT if noted.get("role") == "assistant" else chat,
        status="deleted" if row.count("is_deleted") else "",
        participants=noted.get("participants"),
        participant_identities=[{"sender_id": person, "display_name": noted.get("sender_name")}],
    )
    fact = noted.name("source_type") not in _TALK
    return _told(row.name("hash"), row.text("content"), told, fact=fact)


def _mnemosyne(content: Content) -> Iterator[Document]:
    for number, row in enumerate(_of_mnemosyne(content), start=1):
        said, persona = unescaped(row.text("content")), row.name("persona_id")
        told = Row(row, persona_id="" if persona == _NO_PERSONA else persona)
        yield _told(row.name("memory_id") or str(number), said, told, fact=False)


def _of_mnemosyne(content: Content) -> Iterator[Row]:
    """From a document, a sheet, or a database of Chroma's."""
    if "embedding_metadata" not in content.tables:
        yield from content.rows("memories")
        for row in content.rows() if not content.told else ():
            yield Row({key: row.get(at) for at, key in MNEMOSYNE_COLUMNS.items()})
        return
    found: defaultdict[str, Row] = defaultdict(Row)
    for row in content.rows("embedding_metadata"):
        values = (row.get(column) for column in ("string_value", "int_value", "float_value"))
        key = row.name("key")
        value = next((value for value in values if value is not None), None)
        found[row.name("id")][_IN_CHROMA.get(key, key)] = value
    yield from (Row(row, memory_id=id) for id, row in found.items() if "session_id" in row)


def _doubt(noted: Row) -> Skip | None:
    """Why a row of memora's does not come although it is there: what the program marked, or a
    contradiction between where it was said and how private it is.
    """
    if noted.get("quality_gate_action") == "mark_write":
        return Skip.DOUBTFUL
    scope = owner_of(chat_of(noted))
    group = scope is not None and scope.kind is ScopeKind.GROUP
    return Skip.NO_OWNER if group and noted.get("privacy_level") == "confidential" else None


def _unlabelled(row: ForeignRow) -> ForeignRow:
    """Without the accounts that memora repeats behind names."""
    if not isinstance(row, ForeignMemory):
        return row
    plain = (LABEL.sub("", each).strip() for each in row.about)
    about = tuple(each for each in plain if each and ":" not in each)
    return replace(row, text=LABEL.sub("", row.text), about=about)


def memories_of(document: Document, now: float) -> Iterator[ForeignRow]:
    """A memory for each fact, and one for what happened, if that is told besides."""
    noted, story = document.noted, _story(document)
    status, facts = noted.text("status"), _facts(noted)
    doubtful = noted.get("summary_quality") == "low" or story == PLACEHOLDER
    skip = Skip.DELETED if status in _GONE else Skip.DOUBTFUL if doubtful else None
    if reason := document.skip or skip:
        yield SkippedRow(document.row, reason)
        return
    common = replace(_common(document, now), archived=status in _AWAY)
    atoms = [atom for atom in document.atoms if atom.text("content")]
    for place, atom in enumerate(atoms):
        yield _atom(common, f"{document.row}.{place}", atom, now)
    if not atoms:
        for place, fact in enumerate(facts):
            yield replace(common, row=f"{document.row}.{place}", text=fact)
    if story and story not in facts:
        yield replace(common, text=story, kind=Kind.EPISODIC)
    elif not atoms and not facts:
        yield SkippedRow(document.row, Skip.EMPTY)


def chat_of(noted: Row) -> str:
    """The chat that it came from: where its program kept it for all, that chat and no other."""
    kept_for, source = noted.name("session_id"), noted.name("source_session_id")
    return source if source and (not kept_for or kept_for.startswith(GLOBAL)) else kept_for


def _common(document: Document, now: float) -> ForeignMemory:
    noted = document.noted
    source = noted.name("source_session_id") or noted.row("source_window").name("session_id")
    chat = chat_of(noted)
    people = _people(noted, chat)
    names = tuple(person.name for person in people.values() if person.name)
    [only] = people.values() if len(people) == 1 else [None]
    return ForeignMemory(
        row=document.row,
        chat=chat,
        text="",
        persona=noted.name("persona_id"),
        session=source or chat,
        created_at=noted.time(now, *_SAID_AT, "create_time", "created_at"),
        happened_at=noted.time(now, "source_time_start", "event_time_start"),
        importance=noted.share("importance"),
        accessed_at=noted.time(now, "last_access_time", "last_accessed_at", "last_accessed"),
        accesses=1 + noted.count("access_count") + noted.count("reinforcement_count"),
        speaker=only,
        people=frozenset(people),
        about=names or noted.texts("participants"),
        cues=noted.texts("topics"),
        mood=_MOODS.get(noted.text("sentiment"), Mood.NEUTRAL),
        intensity=noted.share("emotional_intensity", 0.0),
    )


def _story(document: Document) -> str:
    """What happened, in one text: the persona's words, or what of the row is no fact."""
    if told := document.noted.said("persona_summary"):
        return told
    whole, facts = cleaned(document.text), _facts(document.noted)
    parts = [part.strip() for part in FACTS.split(whole)]
    kept = [part for part in parts if part and part not in facts]
    return whole if len(kept) == len(parts) else kept[0] if kept else ""


def _facts(noted: Row) -> tuple[str, ...]:
    return tuple(filter(None, map(cleaned, noted.texts("key_facts"))))


def _atom(common: ForeignMemory, row: str, atom: Row, now: float) -> ForeignRow:
    status = atom.text("status")
    if status in _GONE:
        return SkippedRow(row, Skip.DELETED)
    if status == "superseded":
        return SkippedRow(row, Skip.REPLACED)
    kind = _KINDS.get(atom.text("atom_type"), Kind.SEMANTIC)
    at = atom.future(now, "event_time")
    return replace(
        common,
        row=row,
        text=atom.said("content"),
        kind=kind,
        importance=atom.share("importance", common.importance),
        confidence=atom.share("confidence", common.confidence),
        happened_at=at or common.happened_at,
        due_at=at if kind is Kind.PROSPECTIVE else None,
        archived=common.archived or status in _AWAY,
    )


def _people(noted: Row, chat: str) -> dict[str, Speaker]:
    """Who took part, but for the bot, by the platform's id."""
    found: dict[str, Speaker] = {}
    for each in noted.rows("participant_identities"):
        id = each.name("sender_id", "stable_user_id")
        if id and not each.get("is_bot"):
            found[id] = Speaker(id, each.name("display_name")[:80])
    snapshots = noted.row("participant_name_snapshots")
    for each in (*noted.entries("participant_ids"), *noted.entries("subject_ids")):
        if id := name(each):
            found.setdefault(id, Speaker(id, snapshots.name(id)[:80]))
    scope = owner_of(chat)
    if not found and scope is not None and scope.kind is ScopeKind.PRIVATE:
        found[scope.subject] = Speaker(scope.subject, "")
    return found


def _is_mnemosyne(content: Content) -> bool:
    if content.has(_OF_CHROMA, "embedding_metadata"):
        # Other programs use Chroma as well.
        return any(r.get("key") == "personality_id" for r in content.rows("embedding_metadata"))
    return content.told.keys() >= _OF_MNEMOSYNE or content.has(MNEMOSYNE_COLUMNS)


def _highest(content: Content, table: str) -> int:
    """The version of a database: 0 if it names none."""
    return max((row.count("version") for row in content.rows(table)), default=0)


def _schema_of_companion(content: Content) -> str:
    told = (row for row in content.rows("schema_metadata") if row.get("key") == "schema_version")
    return next((row.name("value") for row in told), "")


def _format(
    program: Program,
    known: Callable[[Content], bool],
    documents: Callable[[Content], Iterator[Document]],
    version: Callable[[Content], object] = lambda _: "",
    versions: Container[object] = ("",),
) -> Format:
    def read(content: Content, now: float) -> Iterator[ForeignRow]:
        for each in documents(content):
            found = memories_of(each, now)
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
        lambda content: content.told.name("version"),
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
