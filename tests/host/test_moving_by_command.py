"""An admin backs up, goes back, exports and imports, in a chat with a real host."""

import re

from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.tests.host.chat_client import ADMIN

TEXT = "The spare key of the lighthouse lies under the third stone"


async def test_going_back_to_a_backup_and_taking_an_export_in_again(host: Bench) -> None:
    chat = host.chat
    await chat.ask(ADMIN, f"/memory remember {TEXT}")
    made = await chat.ask(ADMIN, "/memory backup")
    [name] = re.findall(r"\d{8}T\d{6}Z(?:-\d+)?", made)
    exported = await chat.ask(ADMIN, "/memory export")
    [file] = re.findall(r"memories-\w+\.jsonl", exported)
    later = "The boat is painted green since yesterday morning"
    await chat.ask(ADMIN, f"/memory remember {later}")
    asked = await chat.ask(ADMIN, f"/memory restore-backup {name}")
    [code] = re.findall(r"\b[A-Z2-9]{6}\b", asked)
    restored = await chat.ask(ADMIN, f"/memory restore-backup {name} {code}", timeout=60.0)
    assert re.findall(r"\d{8}T\d{6}Z", restored)
    assert TEXT in await chat.ask(ADMIN, "/memory search lighthouse key")
    assert later not in await chat.ask(ADMIN, "/memory search painted boat")
    assert re.findall(r"\d+", await chat.ask(ADMIN, f"/memory import {file}"))[0] == "0"


async def test_the_backend_in_force_is_told(host: Bench) -> None:
    assert "sqlite" in await host.chat.ask(ADMIN, "/memory storage status")


async def test_a_person_is_told_whom_to_ask_for_the_export(host: Bench) -> None:
    await host.chat.ask(2301, "/memory remember I collect old maps of the coast")
    answer = await host.chat.ask(2301, "/memory export")
    [file] = re.findall(r"own-\w+\.jsonl", answer)
    assert str(host.root.plugin_data) not in answer
    assert "old maps" in (host.root.plugin_data / "exports" / file).read_text("utf-8")
