"""The recipes of docs/contributing.md work as they stand, in a copy of the repository."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "contributing.md"
LEFT_OUT = (".git", ".venv", ".astrbot-dev", ".*_cache")

RECIPES = ("Adding a forgetting policy", "Adding a command", "Adding a step of sleep")
_BLOCK = re.compile(r"^```(python|diff) (\S+)\n(.*?)^```$", re.S | re.M)


def follow(title: str, copy: Path) -> list[str]:
    """Do what a section of the page says; the files that were made or changed by hand."""
    page = PAGE.read_text("utf-8")
    (section,) = re.findall(rf"^## {title}\n(.*?)(?=^## [A-Z])", page, re.S | re.M)
    for kind, name, code in _BLOCK.findall(section):
        file = copy / name
        assert file.exists() == (kind == "diff"), name
        file.write_text(changed(file.read_text("utf-8"), code) if kind == "diff" else code, "utf-8")
    return [name for _, name, _ in _BLOCK.findall(section)]


def changed(text: str, diff: str) -> str:
    """The text with the hunks of a diff, which are found by what they hold and not by number."""
    for hunk in diff.split("@@\n"):
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] != "+")
        after = "".join(line[1:] for line in lines if line[0] != "-")
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text


def run(copy: Path, *arguments: str) -> None:
    """Python in the copy; what it says if it fails."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_the_recipes_make_is_documented_and_works(tmp_path: Path) -> None:
    """All of them one after the other: each start of Python takes seconds."""
    copy = tmp_path / "copy"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
    touched = [follow(title, copy) for title in RECIPES]
    assert [len(files) for files in touched] == [4, 5, 4]
    run(copy, "-m", "scripts.render")
    modules = sorted({name for files in touched for name in files if name.endswith(".py")})
    run(copy, "-m", "ruff", "check", "--no-cache", "-q", *modules)
    run(copy, "-m", "ruff", "format", "--no-cache", "--check", "-q", *modules)
    form = json.loads((copy / "_conf_schema.json").read_text("utf-8"))["forgetting"]["items"]
    assert "half_life" in form["policy"]["options"]
    assert (copy / "docs/commands.md").read_text("utf-8").count("| `/memory oldest` |") == 2
    for name, text in TESTS.items():
        (copy / name).write_text(text, "utf-8")
    check = ("tests/test_schema.py", "tests/test_recall_docs.py", "tests/test_architecture.py")
    check += ("tests/commands/chat/test_phrases.py", "tests/core/forgetting/test_policies.py")
    chosen = ("-k", "half_life or docs or schema or oldest or doubt or phrases or message")
    run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS, *check, *chosen)


FORECAST = """
from astrbot_plugin_tidemark.core.model.memory import Access

from ..command_rig import ANN, DAY, NOW, CommandRig, admin


async def test_half_life_forecasts_what_it_lets_go(rig: CommandRig) -> None:
    for age in (0, 80):
        at = NOW - age * DAY
        await rig.remember(f"Ann was here {age} days ago", created_at=at, access=Access(at, at))
    told = await rig.ask("decay", "--preview 30 half_life", by=admin(ANN))
    assert "half_life" in told
    assert "Ann was here 80 days ago" in told
    assert "Ann was here 0 days ago" not in told
"""


ANSWER = """
from dataclasses import replace

from ..command_rig import ANN, BEN, DAY, NOW, CommandRig


async def test_oldest_tells_what_was_first_here_in_either_language(rig: CommandRig) -> None:
    chinese = replace(ANN, language="zh")
    assert "Nothing is remembered" in await rig.ask("oldest")
    await rig.remember("Ann rows", created_at=NOW - DAY)
    await rig.remember("Ann sails")
    await rig.remember("Ben dives", of=BEN, created_at=NOW - 2 * DAY)
    assert await rig.ask("oldest") == "Since 2025-06-14: Ann rows"
    assert "Ann rows" in await rig.ask("oldest", by=chinese)
    assert "the oldest memory of this chat" in await rig.ask("help", "oldest")
"""


DOUBT = """
from pathlib import Path

from astrbot_plugin_tidemark.core.model.memory import Source
from astrbot_plugin_tidemark.core.model.sleeping import Deed
from astrbot_plugin_tidemark.core.settings import Settings

from ...rig import open_rig
from ...samples import ANNS


async def test_doubted_once_told_of_undone_and_left_alone(tmp_path: Path) -> None:
    rig = await open_rig(tmp_path, Settings())
    await rig.keep("Ann may like jazz", ANNS, source=Source.INFERRED, trust=0.6)
    rig.engine.start()
    assert (await rig.sleep(patience=20.0)).counts[Deed.DEMOTED] == 1
    assert (await rig.store.get("m1")).trust == 0.3
    [sleep] = await rig.journal.reports([ANNS.key])
    [decided] = await rig.journal.decisions(sleep.id)
    await rig.engine.pipeline.undo(decided.id)
    assert (await rig.sleep(patience=20.0)).counts[Deed.DEMOTED] == 0
    assert (await rig.store.get("m1")).trust == 0.6
    await rig.engine.close()
"""


TESTS = {
    "tests/commands/chat/test_half_life.py": FORECAST,
    "tests/commands/chat/test_oldest.py": ANSWER,
    "tests/core/sleep/test_doubt.py": DOUBT,
}


def test_a_hunk_that_fits_nowhere_or_twice_is_refused() -> None:
    assert changed("a\nb\n", " a\n+c\n b\n") == "a\nc\nb\n"
    for text in ("b\n", "a\na\n"):
        with pytest.raises(AssertionError):
            changed(text, " a\n+c\n")
