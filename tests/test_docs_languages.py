"""What a page tells in Chinese it tells in English, too."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs"
HALVES = {
    "dashboard.md": ("## 中文", "## English", "## For developers"),
    "importing.md": ("# 搬进来 / Bringing in", "# Bringing in", None),
    "scale.md": ("## 中文", "## English", None),
    "users.md": ("## 中文", "## English", None),
}
"""Pages in two languages: where Chinese begins, where English begins, and what follows it."""

_COMMAND = re.compile(r"`/memory ([a-z-]+)")
_SETTING = re.compile(r"`([a-z]+\.[a-z_.]+)")


class Section(NamedTuple):
    """What of a section does not depend on the language."""

    level: int
    rows: int
    commands: frozenset[str]
    settings: frozenset[str]


def read(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def sections(text: str) -> list[Section]:
    parts = re.split(r"^(?=#+ )", text, flags=re.M)[1:]
    return [
        Section(
            level=len(part) - len(part.lstrip("#")),
            rows=len(re.findall(r"^\|", part, re.M)),
            commands=frozenset(_COMMAND.findall(part)),
            settings=frozenset(_SETTING.findall(part)),
        )
        for part in parts
    ]


def between(text: str, begin: str, end: str | None) -> str:
    """From one heading to another, or to the end of the page."""
    lines = text.split("\n")
    first = lines.index(begin)
    return "\n".join(lines[first : lines.index(end) if end else None])


def test_operations_are_told_alike_in_both_languages() -> None:
    chinese = sections(read("operations.md"))
    assert len(chinese) > 15
    assert chinese == sections(read("operations.en.md"))


@pytest.mark.parametrize("page", HALVES)
def test_both_halves_of_a_page_tell_the_same(page: str) -> None:
    first, second, after = HALVES[page]
    assert sections(between(read(page), first, second)) == sections(
        between(read(page), second, after)
    )
