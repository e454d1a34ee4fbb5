"""Links between the pages lead somewhere, and every page can be reached from another."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_FENCED = re.compile(r"^```.*?^```$", re.S | re.M)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\]\(\s*<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)


def prose(page: Path) -> str:
    """The page without code, in which a bracket is no link."""
    return _CODE.sub("", _FENCED.sub("", page.read_text(encoding="utf-8")))


def links(page: Path) -> list[tuple[Path, str]]:
    """The files and anchors that the page's relative links name."""
    targets = [target for target in _LINK.findall(prose(page)) if not _ELSEWHERE.match(target)]
    parts = [unquote(target).partition("#") for target in targets]
    return [((page.parent / file).resolve() if file else page, to) for file, _, to in parts]


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


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_an_anchor_is_a_heading_of_its_page(page: Path) -> None:
    wanted = [(target, anchor) for target, anchor in links(page) if anchor and target.exists()]
    assert [(name(to), anchor) for to, anchor in wanted if anchor not in anchors(to)] == []


@pytest.mark.parametrize("page", [p for p in PAGES if p.parent != ROOT], ids=name)
def test_a_page_is_linked_from_another(page: Path) -> None:
    assert any(page == target for other in PAGES if other != page for target, _ in links(other))
