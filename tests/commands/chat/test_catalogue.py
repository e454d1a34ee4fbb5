"""Every command exists once: in the catalogue, the help, the documentation and the host."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.commands.chat.catalogue import COMMANDS, Command
from astrbot_plugin_tidemark.commands.chat.phrases import load_phrases
from astrbot_plugin_tidemark.tests import foreign_files

from ..command_rig import ANN, CommandRig, admin
from ..safe import office

NAMES = [command.name for command in COMMANDS]
FOR_ADMINS = [command for command in COMMANDS if command.admin]
PAGES = ("0", "-1", "two", "1 2", "²", "1" * 5_000, "now then")
TEXTS = ("", "  ", "--explain", "--explain  ", "--explained", "--archived", "--tag", "--tag   ")
FILTERS = ("tier=3", "tier=", "tier", "colour=red", "kind=cake", "status=asleep", "sort=best")
MORE_FILTERS = ("page=0", "page=x", "tier=0 tier=1", "1 2", "0", "nonsense", "private/qq/901", "=")
ALIASES = ("", "add", "add qq 901", "add qq 901 a b", "remove qq", "list all", "add a b \x07")
PREVIEWS = ("", "30", "--preview", "--preview -1", "--preview 3651", "--preview x", "--preview 1e3")

WRONG = {
    **dict.fromkeys(("show", "forget", "pin", "unpin", "restore", "purge"), ("",)),
    **dict.fromkeys(("pause", "resume"), ("everything",)),
    **dict.fromkeys(("bin", "scopes"), ("x",)),
    "alias": (*ALIASES, f"add qq 901 {'x' * 129}"),
    "correct": ("", "abcdef", "abcdef   "),
    "decay": PREVIEWS,
    "embedder": ("install local", "install remote", "remove local", "test"),
    "feedback": ("", "abcdef", "abcdef maybe", "useful", "abcdef useful x"),
    "important": ("", "abcdef maybe", "abcdef on on"),
    "list": (*FILTERS, *MORE_FILTERS),
    "mine": PAGES,
    "retention": ("0", "0.5", "-3", "36501", "1e3", "nan", "ten", "3 4", "on"),
    "search": (*TEXTS, "--tag " + "x" * 3_000),
    "share": ("maybe",),
}
"""What a command makes no sense of."""


def listed(text: str) -> list[str]:
    """Commands named at the beginning of a line."""
    return re.findall(r"^([a-z-]+)[:：]", text, re.M)


def test_names_are_unique_and_help_names_a_page_of_commands() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert sum(not command.within for command in COMMANDS) <= 36


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_usage_begins_with_the_name(language: str) -> None:
    phrases = load_phrases()
    for command in COMMANDS:
        named = f"{command.within or command.name} "
        assert f"{phrases.say(language, f'usage.{command.name}')} ".startswith(named)


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_help_lists_every_command_for_everybody(rig: CommandRig, language: str) -> None:
    text = await rig.ask("help", by=replace(ANN, language=language))
    own = [each for each in COMMANDS if not each.admin]
    assert listed(text) == [each.name for each in own if not each.within]
    assert len(text) <= 1_400


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_help_admin_lists_the_commands_for_admins(rig: CommandRig, language: str) -> None:
    boss = replace(admin(ANN), language=language)
    text = await rig.ask("help", "admin", by=boss)
    assert listed(text) == [each.name for each in FOR_ADMINS if not each.within]
    assert len(text) <= 1_400
    assert "/memory help admin" in await rig.ask("help", by=boss)


async def test_help_hides_what_admins_may_and_unknown_commands_get_it(rig: CommandRig) -> None:
    assert "admin" not in await rig.ask("help")
    assert (
        await rig.ask("help", "admin") == "There is no command “admin”. All commands: /memory help"
    )
    expected = "There is no command “nosuch”. All commands: /memory help"
    assert await rig.ask("nosuch", "x") == expected
    assert await rig.ask("help", "nosuch") == expected
    assert await rig.ask(" MINE ") == await rig.ask("mine")


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
async def test_help_explains_each_command(rig: CommandRig, command: Command) -> None:
    lines = (await rig.ask("help", command.name.upper())).splitlines()
    assert lines[0] == f"Usage: /memory {load_phrases().say('en', f'usage.{command.name}')}"
    inside = [each for each in COMMANDS if each.within.split(" ")[0] == command.name]
    assert len(lines) == 3 + len(inside)


@pytest.mark.parametrize(
    "command", [each for each in COMMANDS if each.within], ids=lambda each: each.name
)
async def test_a_command_answers_to_both_its_names(rig: CommandRig, command: Command) -> None:
    outer, word = command.within.split()
    assert {each.name: each.admin for each in COMMANDS}[outer] is command.admin
    boss = admin(ANN)
    short = await rig.ask(command.name, "? ? ? ?", by=boss)
    assert await rig.ask(outer, f"{word.upper()}  ? ? ? ?", by=boss) == short
    assert await rig.ask("help", command.within) == await rig.ask("help", command.name)


async def test_memory_alone_shows_the_three_commands_that_fit_now(rig: CommandRig) -> None:
    assert await rig.ask("") == await rig.ask("help", "next")
    head, *steps, rest = (await rig.ask("")).splitlines()
    assert head.startswith("Tidemark remembers 0 here.")
    assert [step.split(":")[0].split()[:2] for step in steps] == [
        ["Just", "talk"],
        ["/memory", "remember"],
        ["/memory", "pause"],
    ]
    assert rest == "All commands: /memory help"
    await rig.remember("Ann keeps bees")
    assert "/memory mine: look at the 1" in await rig.ask("")
    await rig.ask("pause")
    assert (await rig.ask("")).splitlines()[1].startswith("/memory resume")


async def test_an_admin_is_told_what_is_on_once_and_what_waits_for_them(rig: CommandRig) -> None:
    told = "Recording, learning and recall are on. Learning takes at most 2,000,000 tokens"
    assert told not in await rig.ask("")
    assert told in await rig.ask("", by=admin(ANN))
    assert told not in await rig.ask("", by=admin(ANN))
    steps = (await rig.ask("", by=admin(ANN))).splitlines()[1:4]
    assert steps[0].startswith("add a chat model")
    assert steps[1].startswith("/memory embedder install: fetch the local model")
    await rig.ask("embedder", "later", by=admin(ANN))
    assert "embedder" not in await rig.ask("", by=admin(ANN))


async def test_an_admin_is_pointed_to_another_plugins_memories_until_moved(tmp_path: Path) -> None:
    folder = tmp_path / "astrbot_plugin_tidemark"
    folder.mkdir()
    rows = [("Ben told how he began.", foreign_files.document())]
    beside = tmp_path / "astrbot_plugin_livingmemory" / "livingmemory.db"
    foreign_files.livingmemory(beside, rows)
    async with office(folder) as place:
        step = "/memory import livingmemory --dry-run"
        assert step in await place.ask("")
        assert step not in await place.rig.ask("")
        await place.ask("import", "livingmemory")
        assert step not in await place.ask("")


@pytest.mark.parametrize("command", FOR_ADMINS, ids=[command.name for command in FOR_ADMINS])
async def test_a_command_for_admins_is_refused_in_a_line(rig: CommandRig, command: Command) -> None:
    refusal = await rig.ask(command.name, "list")
    assert refusal == f"/memory {command.name} is for admins only."


@pytest.mark.parametrize("name", WRONG)
async def test_wrong_arguments_get_the_usage_and_change_nothing(rig: CommandRig, name: str) -> None:
    usage = f"Usage: /memory {load_phrases().say('en', f'usage.{name}')}"
    for argument in WRONG[name]:
        assert await rig.ask(name, argument, by=admin(ANN)) == usage, argument
    assert await rig.engine.journal.aliases() == {}
    assert await rig.engine.consents.retentions() == {}
    assert await rig.engine.consents.pause(ANN.scope, ANN.person) is None
