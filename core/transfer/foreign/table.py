"""Plain tables, JSON Lines or CSV; columns go by usual names or by the admin's. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from ...model.conversation import Speaker
from ...model.memory import Kind
from .chinese_names import GROUP_COLUMNS, PERSON_COLUMNS, TEXT_COLUMNS, TIME_COLUMNS
from .cleaning import cleaned
from .livingmemory import unescape
from .rows import (
    ForeignMemory,
    ForeignRow,
    ForeignSource,
    NotASource,
    Program,
    Skip,
    SkippedRow,
    SourceProblem,
)
from .values import name, share, text, texts, time

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

type Row = Mapping[str, object]


def open_rows(
    rows: Callable[[], Iterable[Row]], given: Iterable[str], wanted: Mapping[str, str]
) -> ForeignSource:
    """A table with these columns; `wanted` is which holds what, as the admin says.

    Raises NotASource if none is known to hold the text.
    """
    names = _columns(list(given), wanted)
    if "text" not in names:
        raise NotASource(SourceProblem.COLUMNS, ", ".join(list(given)[:20]))

    def read(now: float) -> Iterator[ForeignRow]:
        for number, row in enumerate(rows(), start=1):
            held = {key: row.get(column) for key, column in names.items()}
            yield _memory(str(number), held, now)

    return ForeignSource(Program.TABLE, "", read)


def _columns(given: list[str], wanted: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    by_name = {column.strip().lower(): column for column in reversed(given)}
    for key, usual in USUAL.items():
        asked = wanted.get(key)
        names = (asked,) if asked else usual
        column = next((by_name[each.lower()] for each in names if each.lower() in by_name), None)
        if column is not None:
            found[key] = column
        elif asked:
            raise NotASource(SourceProblem.COLUMNS, ", ".join(given[:20]))
    return found


def _memory(row: str, held: Row, now: float) -> ForeignRow:
    said = cleaned(unescape(text(held.get("text"))))
    if not said:
        return SkippedRow(row, Skip.EMPTY)
    person = name(held.get("person"))
    kinds = [kind for kind in Kind if kind == text(held.get("kind")).lower()]
    known = kinds[0] if kinds and kinds[0] in _KINDS else Kind.SEMANTIC
    speaker = Speaker(person, name(held.get("speaker"))[:80]) if person else None
    return ForeignMemory(
        row=row,
        chat=_chat(held),
        text=said,
        kind=known,
        persona=name(held.get("persona")),
        created_at=time(held.get("time"), now),
        importance=share(held.get("importance")),
        speaker=speaker if name(held.get("platform")) or name(held.get("session")) else None,
        people=frozenset(filter(None, [person])),
        cues=texts(held.get("tags")),
    )


_KINDS = frozenset({Kind.SEMANTIC, Kind.EPISODIC, Kind.PROCEDURAL, Kind.PROSPECTIVE})


def _chat(held: Row) -> str:
    """A session of the host; with a platform the session it would be; else the bare name."""
    if session := name(held.get("session")):
        return session
    platform, person = name(held.get("platform")), name(held.get("person"))
    group = name(held.get("group"))
    if platform and group:
        return f"{platform}:GroupMessage:{group}"
    if platform and person:
        return f"{platform}:FriendMessage:{person}"
    return f"group {group}" if group else f"user {person}" if person else "table"
