"""Which files may be imported: those in two folders, by a plain name."""

from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.transfer.places import Places, stamp


@pytest.fixture
def places(tmp_path: Path) -> Places:
    made = Places(tmp_path / "data")
    made.new(0.0).touch()
    (made.imports / "mine.jsonl").touch()
    (tmp_path / "secret.jsonl").touch()
    (made.folder / "journal.db").touch()
    return made


@pytest.mark.parametrize("at", [253_402_300_800.0, 1e12, 1e300, float("inf")])
def test_a_file_s_name_has_a_time_however_late_the_clock_is(places: Places, at: float) -> None:
    assert stamp(at).startswith("9999")
    assert places.new(at).name.startswith("memories-9999")


def test_names_of_exports_are_their_own_and_sort_by_time(places: Places) -> None:
    assert len({places.new(5.0) for _ in range(3)}) == 3
    assert stamp(1_750_000_000.0) == "20250615T150640Z"
    assert stamp(1_750_000_000.0) < stamp(1_750_000_001.0)


def test_a_file_is_found_in_two_folders_and_behind_no_link(places: Places, tmp_path: Path) -> None:
    assert places.find("mine.jsonl") == places.imports / "mine.jsonl"
    assert places.find("memories-19700101T000000Z.jsonl") is not None
    assert sorted(places.names()) == ["memories-19700101T000000Z.jsonl", "mine.jsonl"]
    (places.imports / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    assert places.find("link.jsonl") is None


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../journal.db",
        "../../secret.jsonl",
        "/etc/passwd",
        "imports/mine.jsonl",
        "..\\journal.db",
        ".hidden",
        "mine.jsonl\0",
        "nothing.jsonl",
        "x" * 500,
    ],
)
def test_nothing_else_is(places: Places, name: str) -> None:
    assert places.find(name) is None


def test_a_persons_own_export_has_always_the_same_name(places: Places) -> None:
    assert places.own("private/qq/901/default") == places.own("private/qq/901/default")
    assert places.own("private/qq/901/default") != places.own("private/qq/902/default")
    assert "901" not in places.own("private/qq/901/default").name
