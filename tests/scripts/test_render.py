"""The generated pages are current, and say so when they are not."""

import re
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.commands.chat.catalogue import COMMANDS
from astrbot_plugin_tidemark.commands.chat.phrases import load_phrases
from astrbot_plugin_tidemark.scripts import generated_files, render


def test_the_pages_in_the_repository_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert render.main(["--check"]) == 0, capsys.readouterr().out


def test_every_command_is_documented_in_both_languages_and_no_other() -> None:
    page = (generated_files.ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    for phrases in load_phrases().messages.values():
        for command in COMMANDS:
            usage = phrases[f"usage.{command.name}"].replace("|", "\\|")
            assert f"| `/memory {usage}` |" in page
    page = (generated_files.ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `/memory ([\w-]+)", page, re.MULTILINE)
    assert documented == [command.name for command in COMMANDS] * 2
    for page in generated_files.files().values():
        for table in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE):
            cells = {row.replace("\\|", "").count("|") for row in table.splitlines()}
            assert len(cells) == 1


def test_an_old_page_is_named_by_the_check_and_renewed_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "commands.md"
    page.write_text("old", encoding="utf-8")
    monkeypatch.setattr(generated_files, "files", lambda: {page: "new"})
    monkeypatch.setattr(render, "ROOT", tmp_path)
    assert render.main(["--check"]) == 1
    assert page.read_text(encoding="utf-8") == "old"
    assert "commands.md is not current: run python -m scripts.render" in (capsys.readouterr().out)
    assert render.main([]) == 0
    assert page.read_text(encoding="utf-8") == "new"
    assert render.main(["--check"]) == 0
