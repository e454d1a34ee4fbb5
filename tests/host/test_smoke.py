"""The plugin in a real AstrBot: it loads, a turn goes through, the past is learnt and kept."""

import json
import re
import sqlite3
import time
from datetime import UTC, datetime
from uuid import uuid4

from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.root import PLUGIN, USER
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import ADMIN, indexed, private, said


async def test_the_host_loads_the_plugin_and_no_plugin_fails(host: Bench, webchat: Webchat) -> None:
    answer = await webchat.api("GET", "/api/v1/plugins")
    plugins = {item["name"]: item for item in answer.json()["data"]}
    assert plugins[PLUGIN]["activated"]
    failed = await webchat.api("GET", "/api/v1/plugins/failed")
    assert failed.json()["data"] == {}


async def test_the_account_has_one_password_and_is_an_admin(host: Bench, webchat: Webchat) -> None:
    state = (await webchat.api("GET", "/api/v1/auth/setup-status")).json()["data"]
    assert (state["setup_required"], state["password_upgrade_required"]) == (False, False)
    stored = (host.root.path / "data" / "cmd_config.json").read_text("utf-8-sig")
    assert USER in json.loads(stored)["admins_id"]
    assert "全部 " in await webchat.chat("/memory tiers", session="account")


async def test_files_lie_in_the_plugins_own_folder_and_the_backend_is_told(host: Bench) -> None:
    written = {path.name for path in host.root.plugin_data.iterdir()}
    assert {"journal.db", "memories.db"} <= written
    assert "sqlite" in await host.chat.ask(ADMIN, "/memory storage status")


WHO = 6301


def stored(host: Bench, session: str, *messages: dict[str, str]) -> None:
    """As the host itself would have stored it three days ago."""
    at = datetime.fromtimestamp(time.time() - 3 * 86_400, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    with sqlite3.connect(host.root.path / "data" / "data_v4.db", timeout=30) as database:
        database.execute(
            "INSERT INTO conversations (created_at, updated_at, conversation_id, platform_id,"
            " user_id, content, token_usage) VALUES (?, ?, ?, 'qq', ?, ?, 0)",
            (at, at, str(uuid4()), session, json.dumps(messages)),
        )


async def test_what_the_host_had_stored_before_is_recalled_afterwards(host: Bench) -> None:
    stored(
        host,
        private(WHO),
        {"role": "user", "content": "My telescope is a Dobsonian called Galileo"},
        {"role": "assistant", "content": "Clear skies!"},
    )
    stored(host, private(6302), {"role": "user", "content": "My telescope is a secret"})
    told = await host.chat.ask(WHO, "/memory learn --history 300")
    code = re.search(r"--history 300 (\w+)", told)
    assert await said(host, private(WHO)) == []
    done = await host.chat.ask(WHO, f"/memory learn --history 300 {code[1]}")
    assert "2" in done
    assert await said(host, private(WHO)) == [
        (Role.USER, "My telescope is a Dobsonian called Galileo"),
        (Role.ASSISTANT, "Clear skies!"),
    ]
    assert await said(host, private(6302)) == []
    await indexed(host)
    assert "Galileo" in await host.chat.ask(WHO, "/memory search telescope")
    again = await host.chat.ask(WHO, "/memory learn --history 300")
    assert re.search(r"--history 300 \w+", again) is None


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


async def test_a_person_is_told_whom_to_ask_for_the_export(host: Bench) -> None:
    await host.chat.ask(2301, "/memory remember I collect old maps of the coast")
    answer = await host.chat.ask(2301, "/memory export")
    [file] = re.findall(r"own-\w+\.jsonl", answer)
    assert str(host.root.plugin_data) not in answer
    assert "old maps" in (host.root.plugin_data / "exports" / file).read_text("utf-8")
