"""A command that an admin of the host has switched off is not carried out by a back door."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat
from astrbot_plugin_tidemark.tests.host.chat_client import private, said
from astrbot_plugin_tidemark.tests.host.in_process import host_classes

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
        from astrbot_plugin_tidemark.core.host import switch
    asked: list[str] = []

    async def enabled(session: str, plugin: str) -> bool:
        asked.append(session)
        return False

    monkeypatch.setattr(switch.SessionPluginManager, "is_plugin_enabled_for_session", enabled)
    held: dict[str, Any] = {}
    event = SimpleNamespace(
        unified_msg_origin="qq:x:1", get_extra=held.get, set_extra=held.__setitem__
    )
    for _ in range(3):
        assert not await switch.switched_on(cast("Any", event), "tidemark")
    assert asked == ["qq:x:1"]
