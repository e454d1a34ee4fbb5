"""The plugin in a real AstrBot: it loads, and a turn goes through."""

import json

from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import Reply
from astrbot_plugin_tidemark.scripts.hostkit.root import PLUGIN, USER
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat


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


async def test_a_private_message_is_answered_by_the_model(host: Bench) -> None:
    host.model.script(Reply("很高兴认识你，小雨。"))
    assert await host.chat.ask(903, "我叫小雨") == "很高兴认识你，小雨。"
    (asked,) = host.model.asked()
    assert asked.user_parts[0] == "我叫小雨"


async def test_a_group_is_answered_only_where_the_bot_is_mentioned(host: Bench) -> None:
    await host.chat.say(901, "just chatting", group=5000)
    assert await host.chat.ask(902, "hello bot", group=5000, mention=True) == "echo: hello bot"
    assert len(host.model.asked()) == 1


async def test_the_web_chat_streams_an_answer(host: Bench, webchat: Webchat) -> None:
    assert await webchat.chat("good morning", session="smoke") == "echo: good morning"


async def test_memories_and_journal_lie_in_the_plugins_own_data_folder(host: Bench) -> None:
    written = {path.name for path in host.root.plugin_data.iterdir()}
    assert {"journal.db", "memories.db"} <= written
