"""Every command exists once: in the catalogue, the help, the documentation and the host."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.commands.catalogue import COMMANDS, Command

from .desk import ANN, Desk, admin

ROOT = Path(__file__).resolve().parents[2]
NAMES = [command.name for command in COMMANDS]
FOR_ADMINS = [command for command in COMMANDS if command.admin]


def handlers() -> dict[str, bool]:
    """Sub-commands that the plugin's shell registers, and whether it asks for an admin."""
    found: dict[str, bool] = {}
    for node in ast.walk(ast.parse((ROOT / "main.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.AsyncFunctionDef):
            written = [ast.unparse(decorator) for decorator in node.decorator_list]
            names = [re.fullmatch(r"tidemark_memory\.command\('(\w+)'.*\)", w) for w in written]
            guarded = any("permission_type" in w for w in written)
            found |= {match[1]: guarded for match in names if match}
    return found


def test_names_are_unique() -> None:
    assert len(set(NAMES)) == len(NAMES)


def test_a_usage_begins_with_the_name() -> None:
    assert [command.usage.split()[0] for command in COMMANDS] == NAMES


def test_every_command_is_a_handler_of_the_plugin_with_the_same_guard() -> None:
    assert handlers() == {command.name: command.admin for command in COMMANDS}


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_help_lists_every_command_to_admins(desk: Desk, language: str) -> None:
    text = await desk.ask("help", by=replace(admin(ANN), language=language))
    assert re.findall(r"^/memory (\w+)", text, re.MULTILINE) == NAMES
    assert len(text) <= 1_400


async def test_help_hides_what_only_admins_may_do(desk: Desk) -> None:
    text = await desk.ask("help")
    hidden = {command.name for command in FOR_ADMINS}
    assert set(re.findall(r"^/memory (\w+)", text, re.MULTILINE)) == set(NAMES) - hidden


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
async def test_help_explains_each_command(desk: Desk, command: Command) -> None:
    lines = (await desk.ask("help", command.name.upper())).splitlines()
    assert lines[0] == f"Usage: /memory {command.usage}"
    assert len(lines) == 3


async def test_memory_alone_is_answered_with_help(desk: Desk) -> None:
    assert await desk.ask("") == await desk.ask("help")


async def test_an_unknown_command_is_answered_with_the_way_to_help(desk: Desk) -> None:
    expected = "There is no command “nosuch”. All commands: /memory help"
    assert await desk.ask("nosuch", "x") == expected
    assert await desk.ask("help", "nosuch") == expected


async def test_a_name_may_be_written_in_capitals(desk: Desk) -> None:
    assert await desk.ask(" MINE ") == await desk.ask("mine")


@pytest.mark.parametrize("command", FOR_ADMINS, ids=[command.name for command in FOR_ADMINS])
async def test_a_command_for_admins_is_refused_to_others_in_one_line(
    desk: Desk, command: Command
) -> None:
    refusal = await desk.ask(command.name, "list")
    assert refusal == f"/memory {command.name} is for admins only."
