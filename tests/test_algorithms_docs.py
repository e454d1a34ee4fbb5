"""The page on algorithms: its vectors are what the code computes, and what is cited is there."""

import re
from pathlib import Path

from .worked_examples import run_examples

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "algorithms.md"
SOURCES = ("core", "storage", "commands", "scripts", "benchmarks", "tests", "docs")

_CITED = re.compile(r"[Aa]lgorithms,?\s+sections?\s+([\d.]*\d(?:\s+(?:to|and)\s+[\d.]*\d)*)")


def numbers() -> set[str]:
    return set(re.findall(r"^#+ (\d+(?:\.\d+)?)\.? ", PAGE.read_text("utf-8"), re.M))


def cited(text: str) -> list[str]:
    """The sections that a text cites, one by one: "sections 2 to 4" are three."""
    found: list[str] = []
    for words in _CITED.findall(text):
        first, *others = re.split(r"\s+(to|and)\s+", words)
        found.append(first)
        for how, number in zip(others[::2], others[1::2], strict=True):
            between = range(int(first) + 1, int(number)) if how == "to" else ()
            found += [*map(str, between), number]
    return found


def test_every_vector_is_what_the_code_computes() -> None:
    outcome, told = run_examples(PAGE)
    assert outcome.attempted > 90
    assert outcome.failed == 0, told


def test_sections_that_texts_cite_are_found_and_exist() -> None:
    assert cited("Algorithms, section 7.5. And algorithms section 1.") == ["7.5", "1"]
    assert cited("(Algorithms, sections\n2 to 4), Algorithms, sections 1 and 1.2") == [
        *("2", "3", "4"),
        *("1", "1.2"),
    ]
    files = [f for s in SOURCES for f in (ROOT / s).rglob("*") if f.suffix in {".py", ".md"}]
    found = [(str(file.relative_to(ROOT)), n) for file in files for n in cited(read(file))]
    assert len(found) > 25
    assert [(file, number) for file, number in found if number not in numbers()] == []


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8")
