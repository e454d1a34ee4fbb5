"""Whose memory it is: users of an integration, admins, personas, switched-off chats."""

from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import ChatRequest
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import ADMIN, indexed, private, recalled, said, switched_in

ADMIN_COMMANDS = ("decay --preview 30", "sleep")
"""Two of them; the catalogue is asked for all."""


def newest(host: Bench) -> ChatRequest:
    return host.model.asked()[-1]


async def test_users_of_one_integration_have_own_memories(host: Bench, guests: Webchat) -> None:
    await guests.chat("My pin for the locker is 4410.", session="alice-1", username="alice")
    await indexed(host)
    await guests.chat("What is the pin of the locker?", session="bob-1", username="bob")
    assert recalled(newest(host)) == []
    await guests.chat("What is the pin of the locker?", session="alice-2", username="alice")
    assert any("4410" in memory for memory in recalled(newest(host)))


async def test_a_member_is_refused_what_admins_may_to_no_effect(host: Bench) -> None:
    await host.chat.ask(1401, "I own a telescope")
    host.model.clear()
    for command in ADMIN_COMMANDS:
        assert "权限不足" in await host.chat.ask(1401, f"/memory {command}")
    assert host.model.requests == []
    assert not any("/memory" in text for _, text in await said(host, private(1401)))
    assert "alias add" in await host.chat.ask(ADMIN, "/memory help alias")
    offered = await host.chat.ask(1402, "/memory help")
    assert "search" in offered
    assert "alias" not in offered


async def test_the_group_alone_or_misspelt_never_reaches_the_model(host: Bench) -> None:
    told = await host.chat.ask(1403, "/memory help next")
    for text in ("/memory", " /mem  "):
        assert await host.chat.ask(1403, text) == told
    for text in ("/memory nosuch", "/mem nosuch thing"):
        answer = await host.chat.ask(1403, text)
        assert "help" in answer or "search" in answer
    assert host.model.requests == []
    assert await said(host, private(1403)) == []
    answer = await host.chat.ask(1404, "memory is what I lack today")
    assert answer == "echo: memory is what I lack today"


async def test_what_one_persona_was_told_others_do_not_know(host: Bench, webchat: Webchat) -> None:
    await create_persona(webchat, "pirate")
    await host.chat.ask(1406, "My parrot is named Flint")
    await indexed(host)
    assert await knows_the_parrot(host)
    await host.chat.ask(1406, "/new")
    await host.chat.ask(1406, "hello there")
    await use_persona(webchat, private(1406), "pirate")
    await host.chat.ask(1406, "What is my parrot named?")
    assert "You are pirate." in newest(host).system
    assert recalled(newest(host)) == []


async def knows_the_parrot(host: Bench) -> bool:
    await host.chat.ask(1406, "/new")
    await host.chat.ask(1406, "What is my parrot named?")
    return any("Flint" in memory for memory in recalled(newest(host)))


async def test_where_the_plugin_is_switched_off_it_neither_answers_nor_listens_nor_speaks(
    host: Bench, webchat: Webchat
) -> None:
    await host.chat.ask(1407, "My bicycle lock opens with 3141")
    await host.chat.ask(1407, "/new")
    await indexed(host)
    before = await said(host, private(1407))
    await switched_in(webchat, private(1407), on=False)
    await host.chat.ask(1407, "How does my bicycle lock open?")
    assert recalled(newest(host)) == []
    seen = len(host.model.asked())
    await host.chat.ask(1407, "/memory mine")
    assert len(host.model.asked()) == seen + 1, "a command of a plugin that is off is mere text"
    assert await said(host, private(1407)) == before
    await switched_in(webchat, private(1407), on=True)
    await host.chat.ask(1407, "/new")
    await host.chat.ask(1407, "How does my bicycle lock open?")
    assert any("3141" in memory for memory in recalled(newest(host)))


async def create_persona(webchat: Webchat, name: str) -> None:
    body = {"persona_id": name, "system_prompt": f"You are {name}."}
    answer = await webchat.api("POST", "/api/v1/personas", body)
    assert answer.json()["status"] == "ok", answer.text


async def use_persona(webchat: Webchat, session: str, persona: str) -> None:
    listed = await webchat.api("GET", f"/api/v1/conversations?umo={session}")
    newest = listed.json()["data"]["conversations"][0]["cid"]
    path = f"/api/v1/conversations/{newest}?user_id={session}"
    answer = await webchat.api("PATCH", path, {"persona_id": persona})
    assert answer.json()["status"] == "ok", answer.text
