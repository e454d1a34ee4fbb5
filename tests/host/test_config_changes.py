"""Settings changed by command and by the host's form while people talk: no turn is lost."""

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.onebot import OneBot
from astrbot_plugin_tidemark.scripts.hostkit.root import PLUGIN
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import ADMIN, blocks, calm, private, recalled, said, turns
from .conftest import PATIENT
from .talk import Talk


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def changing(tmp_path_factory: Any) -> AsyncIterator[Bench]:
    """A host of this module's own, with settings that are not all defaults nor all right."""
    config = {"recall": PATIENT["recall"] | {"budget_tokens": 7}, "backup": {"keep": 6}}
    async with bench(
        tmp_path_factory.mktemp("changing"), {}, respond=calm, plugin_config=config
    ) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def owner(changing: Bench) -> AsyncIterator[Webchat]:
    async with Webchat.login(changing.root.dashboard_port) as client:
        yield client


async def save(owner: Webchat, **groups: dict[str, Any]) -> None:
    path = f"/api/v1/plugins/{PLUGIN}/config"
    config = (await owner.api("GET", path)).json()["data"]["config"]
    for group, changes in groups.items():
        config[group] |= changes
    answer = await owner.api("PUT", path, {"config": config})
    assert answer.json()["status"] == "ok", answer.text


async def config(chat: OneBot, argument: str) -> str:
    return await chat.ask(ADMIN, f"/memory config {argument}")


async def test_a_setting_that_cannot_be_used_is_told_in_log_and_health(changing: Bench) -> None:
    answer = await changing.chat.ask(ADMIN, "/memory health")
    assert "recall.budget_tokens 的取值：50 至 8000 的整数；不能用 7" in answer
    problem = "recall.budget_tokens must be a whole number 50..8000, not 7"
    assert f"setting ignored: {problem}" in changing.log()


async def test_a_setting_changed_by_command_holds_from_the_next_turn_on(changing: Bench) -> None:
    chat = changing.chat
    await chat.ask(3103, "My kite is called Ember")
    await chat.ask(3103, "/new")
    answer = await config(chat, "set recall.enabled off")
    assert answer == "已生效：\nrecall.enabled：由 true 改为 false（运行时更改）"
    await chat.ask(3103, "What is my kite called?")
    assert blocks(changing.model.asked()[-1]) == []
    await config(chat, "reset recall.enabled")
    await chat.ask(3103, "/new")
    await chat.ask(3103, "Restatement, what is my kite called?")
    assert any("Ember" in memory for memory in recalled(changing.model.asked()[-1]))


def crates(*people: int) -> dict[int, list[str]]:
    """Five sentences for each."""
    return {user: [f"Crate {n} of {user} has arrived" for n in range(5)] for user in people}


async def test_every_turn_said_while_settings_change_is_recorded_once(changing: Bench) -> None:
    talk, number = Talk(changing, crates(3101, 3102)), 0
    async with talk.under_way():
        while not talk.over:
            number += 1
            answer = await config(changing.chat, f"set sleep.calls {10 + number}")
            assert answer.startswith("已生效：")
            await talk.answer_each()
    assert number > 3
    for user, texts in talk.texts.items():
        record = await said(changing, private(user))
        assert [text for role, text in record if role is Role.USER] == texts
        assert sum(role is Role.ASSISTANT for role, _ in record) == len(texts)


async def test_no_turn_is_lost_while_settings_are_changed(changing: Bench, owner: Webchat) -> None:
    talk, number = Talk(changing, crates(3105, 3106)), 0
    async with talk.under_way():
        while not talk.over:
            number += 1
            await save(owner, backup={"keep": 5 + number})
            await talk.answer_each()
            await config(changing.chat, f"set sleep.calls {number}")
    assert number > 3
    for user, texts in talk.texts.items():
        record = await turns(changing, private(user))
        assert [turn.text for turn in record if turn.role is Role.USER] == texts
        # An answer that comes while the host has no plugin at all is seen by none.
        replies = [turn.message_id for turn in record if turn.role is Role.ASSISTANT]
        assert len(replies) == len(set(replies))


async def test_a_change_survives_a_save_and_a_restart(changing: Bench, owner: Webchat) -> None:
    await config(changing.chat, "set backup.keep 2")
    await save(owner, backup={"keep": 9}, recall={"budget_tokens": 400})
    answer = await config(changing.chat, "get backup.keep")
    assert answer.startswith("backup.keep = 2（运行时更改）")
    assert answer.endswith("；不更改时是 9")
    await changing.process.stop()
    await changing.process.start()
    async with OneBot.connected(changing.root.onebot_port) as chat:
        assert "backup.keep = 2（运行时更改）" in await config(chat, "list backup")
        answer = await config(chat, "reset backup.keep")
        assert answer == "已生效：\nbackup.keep：由 2 改为 9（配置文件）"
        assert "recall.budget_tokens = 400（配置文件）" in await config(chat, "list recall")
