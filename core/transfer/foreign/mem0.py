"""mem0: what `get_all` and `search` answer, also as a bare list. Pure.

Whoever called it chose its user ids freely, so each has to be mapped to a person.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from .cleaning import cleaned
from .rows import ForeignMemory, ForeignRow, ForeignSource, Program, Skip, SkippedRow
from .values import fields, future, name, text, texts, time

USER, AGENT, RUN = "user ", "agent ", "run "
"""Begin the name of whose a memory is."""

_LISTS = ("results", "memories")


def listed(found: object) -> list[object] | None:
    """The memories in a JSON document; None if it is none of mem0's."""
    rows = found
    if isinstance(found, dict):
        rows = next((found[key] for key in _LISTS if isinstance(found.get(key), list)), None)
    if not isinstance(rows, list):
        return None
    wanted = Counter(bool(_said(row) and name(row.get("id"))) for row in map(fields, rows))
    return rows if wanted[True] and wanted[True] >= wanted[False] else None


def open_list(rows: Iterable[object]) -> ForeignSource:
    """These memories."""

    def read(now: float) -> Iterator[ForeignRow]:
        for number, row in enumerate(map(fields, rows), start=1):
            yield _memory(row, str(number), now)

    return ForeignSource(Program.MEM0, "", read)


def _memory(row: Mapping[str, object], number: str, now: float) -> ForeignRow:
    id, said = name(row.get("id")) or number, cleaned(_said(row))
    if not said:
        return SkippedRow(id, Skip.EMPTY)
    ends = future(row.get("expiration_date"), now)
    if ends is not None and ends <= now:
        return SkippedRow(id, Skip.DELETED)
    made = time(row.get("created_at"), now)
    return ForeignMemory(
        row=id,
        chat=_chat(row),
        text=said,
        persona=name(row.get("agent_id")),
        conversation=name(row.get("run_id")),
        created_at=time(row.get("updated_at"), now) or made,
        happened_at=made,
        important=row.get("immutable") is True,
        people=frozenset(filter(None, [name(row.get("user_id")), name(row.get("actor_id"))])),
        cues=texts(row.get("categories")),
    )


def _said(row: Mapping[str, object]) -> str:
    payload = fields(row.get("payload"))
    return text(row.get("memory")) or text(row.get("data")) or text(payload.get("data"))


def _chat(row: Mapping[str, object]) -> str:
    known = {**fields(row.get("payload")), **row}
    for key, prefix in (("user_id", USER), ("agent_id", AGENT), ("run_id", RUN)):
        if found := name(known.get(key)):
            return f"{prefix}{found}"
    return USER.strip()
