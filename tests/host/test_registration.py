"""The host's registry after loading the plugin: each command once, guarded for admins."""

import importlib
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.commands.chat.catalogue import COMMANDS
from astrbot_plugin_tidemark.tests.host.in_process import host_classes

MAIN = "astrbot_plugin_tidemark.main"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bool]:
    """Sub-commands the host knows, and whether it asks for an admin itself."""
    folder: Path = tmp_path_factory.mktemp("root")
    with host_classes(folder):
        importlib.import_module(MAIN)
        from astrbot.core.star.filter.command import CommandFilter
        from astrbot.core.star.filter.permission import PermissionTypeFilter
        from astrbot.core.star.star_handler import EventType, star_handlers_registry

        found: dict[str, bool] = {}
        for handler in star_handlers_registry:
            # A tool of a command's function name would take the command's place.
            message = handler.event_type is EventType.AdapterMessageEvent
            if handler.handler_module_path != MAIN or not message:
                continue
            kinds = [type(each) for each in handler.event_filters]
            names = [f.command_name for f in handler.event_filters if isinstance(f, CommandFilter)]
            found |= dict.fromkeys(names, PermissionTypeFilter in kinds)
        return found


async def test_every_command_has_the_guard_of_the_catalogue(guarded: dict[str, bool]) -> None:
    assert guarded == {command.name: command.admin for command in COMMANDS}
