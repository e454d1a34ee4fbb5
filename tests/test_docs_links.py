"""Links between the pages lead somewhere; both languages tell the same."""

import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
SHOWN = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "docs" / "README.en.md"]
"""What the host and the market show outside the repository: a relative link leads nowhere there."""
PUBLISHED = yaml.safe_load((ROOT / "metadata.yaml").read_text("utf-8"))["repo"] + "/blob/main/"

_FENCED = re.compile(r"^```.*?^```$", re.S | re.M)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\]\(\s*<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_DEFINED = re.compile(r"^\[([^\]\n]+)\]: (\S+)$", re.M)
_NAMED = re.compile(r"\[([^\]\n]+)\](?![(:])")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)


def prose(page: Path) -> str:
    return _CODE.sub("", _FENCED.sub("", page.read_text(encoding="utf-8")))


def targets(page: Path) -> list[str]:
    text = prose(page)
    return [*_LINK.findall(text), *(target for _, target in _DEFINED.findall(text))]


def links(page: Path) -> list[tuple[Path, str]]:
    """The files of this repository, with anchors, that the page's links name."""
    found = []
    for target in targets(page):
        folder = ROOT if target.startswith(PUBLISHED) else page.parent
        file, _, anchor = unquote(target.removeprefix(PUBLISHED)).partition("#")
        if not _ELSEWHERE.match(file):
            found.append(((folder / file).resolve() if file else page, anchor))
    return found


def anchors(page: Path) -> set[str]:
    """The page's headings as they are linked to: lower case, no marks, hyphens for spaces."""
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_link_leads_to_a_file_of_the_repository(page: Path) -> None:
    outside = [target for target, _ in links(page) if not target.is_relative_to(ROOT)]
    missing = [target for target, _ in links(page) if not target.exists()]
    assert (outside, missing) == ([], [])


@pytest.mark.parametrize("page", SHOWN, ids=name)
def test_a_page_the_host_shows_has_absolute_links_only(page: Path) -> None:
    assert [target for target in targets(page) if not target.startswith("https://")] == []


@pytest.mark.parametrize("page", SHOWN, ids=name)
def test_a_link_by_name_has_its_address_on_the_page(page: Path) -> None:
    text = prose(page)
    assert set(_NAMED.findall(text)) == {named for named, _ in _DEFINED.findall(text)}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_an_anchor_is_a_heading_of_its_page(page: Path) -> None:
    wanted = [(target, anchor) for target, anchor in links(page) if anchor and target.exists()]
    assert [(name(to), anchor) for to, anchor in wanted if anchor not in anchors(to)] == []


@pytest.mark.parametrize("page", [p for p in PAGES if p.parent != ROOT], ids=name)
def test_a_page_is_linked_from_another(page: Path) -> None:
    assert any(page == target for other in PAGES if other != page for target, _ in links(other))


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
