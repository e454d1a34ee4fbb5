"""What is published: a complete metadata file, one version, a licence, and nothing that leaks."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from astrbot_plugin_tidemark.scripts import host_versions

ROOT = Path(__file__).resolve().parent.parent
TOP_LEVEL = {
    "main.py",
    "metadata.yaml",
    "_conf_schema.json",
    "requirements.txt",
    "core",
    "storage",
    "commands",
    "pages",
    "tests",
    "benchmarks",
    "scripts",
    "docs",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "pyproject.toml",
    "logo.png",
}
EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\ufe0f]")
# Written in pieces, so that this file does not hold what it looks for.
MACHINE_PATHS = re.compile(
    "|".join((r"/ho" r"me/\w", r"/ro" r"ot/", r"/wo" r"rk/", r"C:.Us" r"ers"))
)


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def texts() -> list[tuple[str, str]]:
    found = []
    for name in tracked():
        content = (ROOT / name).read_bytes()
        if b"\0" not in content:
            found.append((name, content.decode("utf-8")))
    return found


@pytest.fixture(scope="module")
def metadata() -> dict[str, object]:
    return yaml.safe_load((ROOT / "metadata.yaml").read_text("utf-8"))


@pytest.mark.parametrize("field", ["name", "desc", "version", "author", "repo"])
def test_the_market_finds_every_field_it_needs(metadata: dict[str, object], field: str) -> None:
    value = metadata[field]
    assert isinstance(value, str)
    assert value.strip()


def test_name_address_and_hosts_are_as_the_market_takes_them(metadata: dict[str, object]) -> None:
    name = str(metadata["name"])
    assert name.isidentifier()
    assert name == name.lower()
    assert name.startswith("astrbot_plugin_")
    assert f'PLUGIN = "{name}"' in (ROOT / "main.py").read_text("utf-8")
    assert re.fullmatch(r"https://github\.com/[\w-]+/[\w-]+", str(metadata["repo"]))
    assert re.fullmatch(r">=\d+\.\d+\.\d+,<\d+", str(metadata["astrbot_version"]))


def test_every_place_claims_the_same_hosts(metadata: dict[str, object]) -> None:
    claimed = re.fullmatch(r">=(\d+\.\d+)\.0,<(\d+)", str(metadata["astrbot_version"]))
    oldest, beyond = claimed.groups()
    # A version of three numbers is one that something was tried with.
    found = {
        name: re.findall(r"AstrBot (\d+\.\d+)(?!\.?\d)", text)
        for name, text in texts()
        if not name.startswith("tests/")
    }
    assert {name: versions for name, versions in found.items() if versions} == {
        name: [oldest, oldest] for name in ("README.md", "docs/README.en.md", "CHANGELOG.md")
    }
    below = re.findall(
        r"AstrBot [\d.]+ 以上、(\d+) 以下|AstrBot [\d.]+ or later, below (\d+)",
        "".join((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/README.en.md")),
    )
    assert below == [(beyond, ""), ("", beyond)]
    assert f'"astrbot>={oldest},' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert host_versions.oldest() == f"{oldest}.0"


def test_the_version_is_in_one_place_and_the_changelog(metadata: dict[str, object]) -> None:
    version = str(metadata["version"])
    headings = re.findall(
        r"^## \[?v?(\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M
    )
    assert headings[0] == version
    sources = [text for name, text in texts() if name.endswith(".py") and "tests" not in name]
    assert not [text for text in sources if f'"{version}"' in text]


def test_the_licence_is_the_whole_text_of_the_agpl() -> None:
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in text
    assert "Version 3, 19 November 2007" in text
    assert "13. Remote Network Interaction" in text
    assert text.count("\n") > 600
    assert 'license = "AGPL-3.0-or-later"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_the_top_level_holds_nothing_but_what_belongs_there() -> None:
    top = {name.split("/")[0] for name in tracked()}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL


def test_no_file_names_a_path_of_the_machine_it_was_written_on() -> None:
    found = [
        f"{name}: {match.group()}"
        for name, text in texts()
        if (match := MACHINE_PATHS.search(text))
    ]
    assert found == []


def test_there_are_no_emoji_outside_the_data_of_tests() -> None:
    found = [
        f"{name}: {match.group()!r}"
        for name, text in texts()
        if not name.startswith("tests/") and (match := EMOJI.search(text))
    ]
    assert found == []
