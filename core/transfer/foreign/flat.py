"""Files in which a row is one memory: of angel_memory, of mem0, and plain tables. Pure.

angel_memory has no version: known by the exact columns. All its memories are in one "public" scope,
whoever said them; only one that names a single user id can be offered to somebody, all others have
no owner. mem0's caller chose its user ids freely, so each has to be mapped to a person. A table's
columns go by usual names or by the admin's.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from ...model.conversation import Speaker
from ...model.memory import Kind
from .rows import (
    ALL_HAN,
    GROUP,
    GROUP_COLUMNS,
    KINDS_OF_ANGEL_MEMORY,
    PERSON_COLUMNS,
    PROFILE_TAGS,
    SCOPE,
    TEXT_COLUMNS,
    TIME_COLUMNS,
    USER,
    Content,
    ForeignMemory,
    ForeignRow,
    ForeignSource,
    Format,
    NotASource,
    Program,
    Row,
    Skip,
    SkippedRow,
    SourceProblem,
    cleaned,
    unescaped,
)

RECORDS = "memory_records"
_OF_RECORDS = frozenset(
    "id memory_type judgment reasoning strength is_active useful_count useful_score"
    " last_recalled_at last_decay_at memory_scope created_at updated_at".split()
)
_OF_BACKUP = frozenset({"schema_version", "records", "global_tags", "memory_tag_rel"})
PUBLIC = "public"
AGENT, RUN = "agent ", "run "

MOST_FADING = 16
"""Strength that is taken over of what is not consolidated: a merge there adds strengths up."""

CONSOLIDATING = 3.0
_ID = re.compile(r"\S{6,}")
_WORD = re.compile(r"[A-Za-z]+")

USUAL: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "memory", "content", "fact", *TEXT_COLUMNS),
    "time": ("time", "created_at", "timestamp", "date", *TIME_COLUMNS),
    "session": ("session", "session_id", "umo", "unified_msg_origin", "chat"),
    "platform": ("platform", "platform_id"),
    "person": ("person", "user", "user_id", *PERSON_COLUMNS),
    "group": ("group", "group_id", *GROUP_COLUMNS),
    "persona": ("persona", "persona_id", "character"),
    "importance": ("importance", "weight"),
    "tags": ("tags", "topics", "keywords"),
    "kind": ("kind", "type"),
    "speaker": ("speaker", "speaker_name", "nickname"),
}
"""What a column may hold, and the names by which it is found."""

_KINDS = frozenset({Kind.SEMANTIC, Kind.EPISODIC, Kind.PROCEDURAL, Kind.PROSPECTIVE})


def table(content: Content, wanted: Mapping[str, str]) -> ForeignSource:
    """A table; `wanted` is which column holds what, as the admin says.

    Raises NotASource if none is known to hold the text.
    """
    given = list(content.columns[""])
    by_name = {column.strip().lower(): column for column in reversed(given)}
    names: dict[str, str] = {}
    for key, usual in USUAL.items():
        asked = wanted.get(key)
        found = (by_name.get(each.lower()) for each in ((asked,) if asked else usual))
        if column := next(filter(None, found), None):
            names[key] = column
        elif asked or key == "text":
            raise NotASource(SourceProblem.COLUMNS, ", ".join(given[:20]))

    def read(now: float) -> Iterator[ForeignRow]:
        for place, row in enumerate(content.rows(), start=1):
            held = Row({key: row.get(column) for key, column in names.items()})
            yield _cells(str(place), held, now)

    return ForeignSource(Program.TABLE, "", read)


def _cells(row: str, held: Row, now: float) -> ForeignRow:
    person, kind = held.name("person"), held.text("kind").lower()
    speaker = Speaker(person, held.name("speaker")[:80]) if person else None
    return ForeignMemory(
        row=row,
        chat=_session(held),
        text=cleaned(unescaped(held.text("text"))),
        kind=Kind(kind) if kind in _KINDS else Kind.SEMANTIC,
        persona=held.name("persona"),
        created_at=held.time(now, "time"),
        importance=held.share("importance"),
        speaker=speaker if held.name("platform", "session") else None,
        people=frozenset(filter(None, [person])),
        cues=held.texts("tags"),
    )


def _session(held: Row) -> str:
    """A session of the host; with a platform the session it would be; else the bare name."""
    if session := held.name("session"):
        return session
    platform, person, group = map(held.name, ("platform", "person", "group"))
    if platform and group:
        return f"{platform}:GroupMessage:{group}"
    if platform and person:
        return f"{platform}:FriendMessage:{person}"
    return f"{GROUP}{group}" if group else f"{USER}{person}" if person else "table"


def _angel_memory(content: Content, now: float) -> Iterator[ForeignRow]:
    names = {tag.name("id"): tag.name("name") for tag in content.rows("global_tags")}
    tagged: defaultdict[str, list[str]] = defaultdict(list)
    for each in content.rows("memory_tag_rel"):
        if tag := names.get(each.name("tag_id")):
            tagged[each.name("memory_id")].append(tag)
    for row in content.rows(RECORDS if RECORDS in content.tables else "records"):
        id = row.name("id")
        yield _record(row, id, tagged[id], now) if id else SkippedRow(id, Skip.BROKEN)


def _version_of_angel_memory(content: Content) -> object:
    """A database has none, and is known by its columns."""
    if RECORDS not in content.tables:
        return content.told.get("schema_version")
    return "" if content.columns[RECORDS] == _OF_RECORDS else "?"


def _user_ids(tags: Iterable[str]) -> list[str]:
    """The tags that are ids of people: long, and neither a word in Chinese nor one in letters."""
    found = dict.fromkeys(tag for tag in tags if _ID.fullmatch(tag))
    return [tag for tag in found if not ALL_HAN.fullmatch(tag) and not _WORD.fullmatch(tag)]


def _record(row: Row, id: str, tags: list[str], now: float) -> ForeignRow:
    people, scope = _user_ids(tags), row.text("memory_scope", longest=200) or PUBLIC
    known = scope == PUBLIC and len(people) == 1
    score, strength = max(0.0, row.number("useful_score")), max(1, row.count("strength", 10_000))
    recalled = row.time(now, "last_recalled_at")
    return ForeignMemory(
        row=id,
        chat=f"{USER}{people[0]}" if known else f"{SCOPE}{scope}",
        text=row.said("judgment"),
        kind=KINDS_OF_ANGEL_MEMORY.get(row.text("memory_type"), Kind.SEMANTIC),
        created_at=row.time(now, "created_at"),
        strength=min(strength, MOST_FADING) if score < CONSOLIDATING else strength,
        useful_count=row.count("useful_count"),
        useful_score=score,
        last_recalled_at=recalled or 0.0,
        accessed_at=recalled,
        important=bool(row.number("is_active")),
        people=frozenset(people),
        about=tuple(tag for tag in tags if tag not in people and tag not in PROFILE_TAGS)[:20],
        cues=tuple(filter(None, [cleaned(row.text("reasoning", longest=2_000))])),
    )


def _is_mem0(content: Content) -> bool:
    """Whether most have an id and are told as its memories are."""
    rows = islice(_of_mem0(content), 1_000)
    wanted = Counter(bool(_said(row) and row.name("id")) for row in rows)
    return bool(wanted[True]) and wanted[True] >= wanted[False] and not content.has(["text"])


def _of_mem0(content: Content) -> Iterator[Row]:
    """In what its `get_all` or `search` answers, or in a list of them."""
    return content.rows(next((t for t in ("results", "memories") if t in content.tables), ""))


def _mem0(content: Content, now: float) -> Iterator[ForeignRow]:
    for place, row in enumerate(_of_mem0(content), start=1):
        id, ends = row.name("id") or str(place), row.future(now, "expiration_date")
        if ends is not None and ends <= now:
            yield SkippedRow(id, Skip.DELETED)
            continue
        yield ForeignMemory(
            row=id,
            chat=_whose(row),
            text=cleaned(_said(row)),
            persona=row.name("agent_id"),
            conversation=row.name("run_id"),
            created_at=row.time(now, "updated_at", "created_at"),
            happened_at=row.time(now, "created_at"),
            important=row.get("immutable") is True,
            people=frozenset(filter(None, map(row.name, ("user_id", "actor_id")))),
            cues=row.texts("categories"),
        )


def _said(row: Row) -> str:
    return row.text("memory", "data") or row.row("payload").text("data")


def _whose(row: Row) -> str:
    known = Row({**row.row("payload"), **row})
    for key, prefix in (("user_id", USER), ("agent_id", AGENT), ("run_id", RUN)):
        if found := known.name(key):
            return f"{prefix}{found}"
    return USER.strip()


FORMATS = (
    Format(
        Program.ANGEL_MEMORY,
        lambda content: RECORDS in content.tables or content.told.keys() >= _OF_BACKUP,
        _angel_memory,
        _version_of_angel_memory,
        ("", 1),
    ),
    Format(Program.MEM0, _is_mem0, _mem0),
)
