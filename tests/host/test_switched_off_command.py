"""A command that an admin of the host has switched off is not carried out by a back door."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat
from astrbot_plugin_tidemark.tests.host.chat_client import private, said

FORGET = "data.plugins.astrbot_plugin_tidemark.main_tidemark_forget"


@asynccontextmanager
async def switched_off(webchat: Webchat, command: str) -> AsyncIterator[None]:
    """Within the block the host takes no notice of the command."""
    await switch(webchat, command, on=False)
    try:
        yield
    finally:
        await switch(webchat, command, on=True)


async def switch(webchat: Webchat, command: str, *, on: bool) -> None:
    answer = await webchat.api("PATCH", f"/api/v1/commands/{command}", {"enabled": on})
    assert answer.json()["status"] == "ok", answer.text


async def test_a_command_that_was_switched_off_only_says_how_it_is_used(
    host: Bench, webchat: Webchat
) -> None:
    await host.chat.ask(1701, "My canoe is green")
    listed = await host.chat.ask(1701, "/memory mine")
    short = next(line for line in listed.splitlines() if "canoe" in line).split()[0]
    async with switched_off(webchat, FORGET):
        answer = await host.chat.ask(1701, f"/memory forget {short}")
    assert "forget ID" in answer
    assert "canoe" in await host.chat.ask(1701, "/memory mine")
    assert not any("/memory" in text for _, text in await said(host, private(1701)))
