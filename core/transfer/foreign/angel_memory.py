"""angel_memory: its database of memories and its backup as JSON. Pure.

It has no version: known by the exact columns. All memories are in one "public" scope, whoever said
them; only one that names a single user id can be offered to somebody, all others have no owner.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from ...model.memory import Kind
from ...ports import ForeignTables
from .chinese_names import ALL_HAN, KINDS_OF_ANGEL_MEMORY, PROFILE_TAGS
from .cleaning import cleaned
from .documents import score
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
from .values import count, entries, fields, name, number, text, time

RECORDS = "memory_records"
COLUMNS = frozenset(
    (
        *("id", "memory_type", "judgment", "reasoning", "strength", "is_active", "useful_count"),
        *("useful_score", "last_recalled_at", "last_decay_at", "memory_scope", "created_at"),
        "updated_at",
    )
)
EXPORT_VERSION = 1
PUBLIC = "public"
PERSON = "user "
"""Begins the name of a chat: the one user id among a memory's tags, or the scope's name."""

SCOPE = "scope "

MOST_FADING = 16
"""Strength that is taken over of what is not consolidated: a merge there adds strengths up."""

CONSOLIDATING = 3.0
_ID = re.compile(r"\S{6,}")
_WORD = re.compile(r"[A-Za-z]+")

type Row = Mapping[str, object]


def open_tables(tables: ForeignTables) -> ForeignSource:
    """Its database. Raises NotASource if its columns are not the known ones."""
    if tables.columns().get(RECORDS) != COLUMNS:
        raise NotASource(SourceProblem.VERSION, Program.ANGEL_MEMORY)
    return _source(
        lambda: tables.rows(RECORDS),
        lambda: tables.rows("global_tags"),
        lambda: tables.rows("memory_tag_rel"),
        "",
    )


def is_export(found: Mapping[str, object]) -> bool:
    """Whether a JSON document is its backup."""
    return found.keys() >= {"schema_version", "records", "global_tags", "memory_tag_rel"}


def open_export(found: Mapping[str, object]) -> ForeignSource:
    """Its backup. Raises NotASource for another version."""
    version = found["schema_version"]
    if version != EXPORT_VERSION:
        raise NotASource(SourceProblem.VERSION, f"{Program.ANGEL_MEMORY} {name(version)}")

    def listed(key: str) -> Callable[[], Iterable[Row]]:
        return lambda: map(fields, entries(found[key]))

    return _source(listed("records"), listed("global_tags"), listed("memory_tag_rel"), str(version))


def user_ids(tags: Iterable[str]) -> list[str]:
    """The tags that are ids of people: long, and neither a word in Chinese nor one in letters."""
    found = dict.fromkeys(tag for tag in tags if _ID.fullmatch(tag))
    return [tag for tag in found if not ALL_HAN.fullmatch(tag) and not _WORD.fullmatch(tag)]


def _source(
    records: Callable[[], Iterable[Row]],
    tags: Callable[[], Iterable[Row]],
    relations: Callable[[], Iterable[Row]],
    version: str,
) -> ForeignSource:
    def rows(now: float) -> Iterator[ForeignRow]:
        names = {name(tag.get("id")): text(tag.get("name"), 200) for tag in tags()}
        tagged: defaultdict[str, list[str]] = defaultdict(list)
        for each in relations():
            if tag := names.get(name(each.get("tag_id"))):
                tagged[name(each.get("memory_id"))].append(tag)
        for row in records():
            yield _memory(row, tagged.get(name(row.get("id")), []), now)

    return ForeignSource(Program.ANGEL_MEMORY, version, rows)


def _memory(row: Row, tags: list[str], now: float) -> ForeignRow:
    id, said = name(row.get("id")), cleaned(text(row.get("judgment")))
    if not id:
        return SkippedRow(id, Skip.BROKEN)
    if not said:
        return SkippedRow(id, Skip.EMPTY)
    people = user_ids(tags)
    fading = score(row.get("useful_score")) < CONSOLIDATING
    strength = max(1, count(row.get("strength"), 10_000))
    recalled = time(row.get("last_recalled_at"), now) or 0.0
    return ForeignMemory(
        row=id,
        chat=_chat(text(row.get("memory_scope"), 200) or PUBLIC, people),
        text=said,
        kind=KINDS_OF_ANGEL_MEMORY.get(text(row.get("memory_type")), Kind.SEMANTIC),
        created_at=time(row.get("created_at"), now),
        strength=min(strength, MOST_FADING) if fading else strength,
        useful_count=count(row.get("useful_count")),
        useful_score=score(row.get("useful_score")),
        last_recalled_at=recalled,
        accessed_at=recalled or None,
        important=bool(number(row.get("is_active"))),
        people=frozenset(people),
        about=tuple(tag for tag in tags if tag not in people and tag not in PROFILE_TAGS)[:20],
        cues=tuple(filter(None, [cleaned(text(row.get("reasoning"), 2_000))])),
    )


def _chat(scope: str, people: list[str]) -> str:
    if scope == PUBLIC and len(people) == 1:
        return f"{PERSON}{people[0]}"
    return f"{SCOPE}{scope}"
