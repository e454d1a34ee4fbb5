"""A command that an admin of the host has switched off is not carried out by a back door."""

import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from astrbot_plugin_tidemark.commands.chat.catalogue import COMMANDS
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import private, said
from .in_process import host_classes

FORGET = "data.plugins.astrbot_plugin_tidemark.main_tidemark_forget"


@asynccontextmanager
async def switched_off(webchat: Webchat, command: str) -> AsyncIterator[None]:
    await switch(webchat, command, on=False)
    try:
        yield
    finally:
        await switch(webchat, command, on=True)


async def switch(webchat: Webchat, command: str, *, on: bool) -> None:
    answer = await webchat.api("PATCH", f"/api/v1/commands/{command}", {"enabled": on})
    assert answer.json()["status"] == "ok", answer.text


async def test_a_switched_off_command_only_says_its_usage(host: Bench, webchat: Webchat) -> None:
    await host.chat.ask(1701, "My canoe is green")
    listed = await host.chat.ask(1701, "/memory mine")
    short = next(line for line in listed.splitlines() if "canoe" in line).split()[0]
    async with switched_off(webchat, FORGET):
        answer = await host.chat.ask(1701, f"/memory forget {short}")
    assert "forget ID" in answer
    assert "canoe" in await host.chat.ask(1701, "/memory mine")
    assert not any("/memory" in text for _, text in await said(host, private(1701)))


async def test_the_host_is_asked_once_an_event_whether_the_plugin_is_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with host_classes(tmp_path):
        from astrbot_plugin_tidemark.core.host import command_line
    asked: list[str] = []

    async def enabled(session: str, plugin: str) -> bool:
        asked.append(session)
        return False

    monkeypatch.setattr(command_line.SessionPluginManager, "is_plugin_enabled_for_session", enabled)
    held: dict[str, Any] = {}
    event = SimpleNamespace(
        unified_msg_origin="qq:x:1", get_extra=held.get, set_extra=held.__setitem__
    )
    for _ in range(3):
        assert not await command_line.switched_on(event, "tidemark")
    assert asked == ["qq:x:1"]


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
