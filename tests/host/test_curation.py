"""Memories changed by command, as the model's prompt shows it."""

import re

from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.sleeping import slept
from astrbot_plugin_tidemark.storage import open_store

from .chat_client import ADMIN, recalled

CARLA, DORA, GROUP = 1401, 1402, 5401

CODE = re.compile(r"\b[A-Z2-9]{6}\b")


async def asked(host: Bench, user: int, question: str) -> list[str]:
    """What the model is shown of memory for a question in a new conversation."""
    await host.chat.ask(user, "/new")
    host.model.clear()
    await host.chat.ask(user, question)
    return recalled(host.model.asked()[-1])


def id_in(answer: str) -> str:
    found = re.search(r"[(（]([0-9a-f]{6,12})[)）]", answer)
    assert found is not None, answer
    return found[1]


async def stored(host: Bench, word: str) -> list[str]:
    store = await open_store("sqlite", host.root.plugin_data)
    try:
        everything = [memory async for memory in store.iterate(Filter(status=None))]
    finally:
        await store.close()
    return [memory.text for memory in everything if word in memory.text]


async def test_a_memory_is_written_corrected_kept_and_deleted_by_command(host: Bench) -> None:
    said = "My sloop is moored in Trieste"
    wrong = id_in(await host.chat.ask(CARLA, f"/memory remember {said}"))
    assert any("Trieste" in text for text in await asked(host, CARLA, "Where is my sloop?"))
    right = id_in(await host.chat.ask(CARLA, f"/memory correct {wrong} My sloop is moored in Pula"))
    shown = await asked(host, CARLA, "Where is my sloop moored?")
    assert any("Pula" in text for text in shown)
    assert not any("Trieste" in text for text in shown)
    assert "important already" in await host.chat.ask(CARLA, f"/memory important {right}")
    host.clock.advance(100.0)
    await slept(host.chat, ADMIN, timeout=90.0)
    assert any("Pula" in text for text in await asked(host, CARLA, "Is my sloop in Pula?"))
    told = await host.chat.ask(CARLA, f"/memory audit {right}")
    assert "remembered" in told
    assert "shown to the model" in told
    assert "bin" in await host.chat.ask(CARLA, f"/memory forget {right}")
    await host.chat.ask(CARLA, f"/memory purge {right}")
    assert await stored(host, "moored in Pula")
    told = await host.chat.ask(ADMIN, f"/memory purge {right}")
    assert "永久删除" in told or "Deleted for good" in told
    assert await stored(host, "moored in Pula") == []
    assert "no such memory" in await host.chat.ask(CARLA, f"/memory show {right}")


async def test_an_admin_has_a_memory_revealed_in_private_never_in_a_group(host: Bench) -> None:
    short = id_in(await host.chat.ask(DORA, "/memory remember 我的帆船叫银鸥"))
    scopes = await host.chat.ask(ADMIN, "/memory scopes")
    pages = int(scopes.splitlines()[0].rpartition("/")[2].split()[0])
    lines = [
        line
        for page in range(1, pages + 1)
        for line in (await host.chat.ask(ADMIN, f"/memory scopes {page}")).splitlines()
    ]
    number = next(line.split(".")[0] for line in lines if f"qq/{DORA}" in line)
    for command in (f"list {number}", f"show {short}"):
        assert "银鸥" not in await host.chat.ask(ADMIN, f"/memory {command}")
        asked = f"/memory {command} --reveal Dora asked me to"
        [code] = CODE.findall(await host.chat.ask(ADMIN, asked))
        assert "银鸥" in await host.chat.ask(ADMIN, f"{asked} {code}")
    assert "Dora asked me to" in await host.chat.ask(DORA, "/memory audit")
    for command in (f"list {number}", f"show {short}", f"pin {short}", "scopes", "tiers"):
        answer = await host.chat.ask(ADMIN, f"/memory {command}", group=GROUP)
        assert "银鸥" not in answer
        assert str(DORA) not in answer
    assert "银鸥" not in await host.chat.ask(CARLA, f"/memory show {short}")


async def test_wrong_arguments_never_reach_the_model(host: Bench) -> None:
    host.model.clear()
    for command in ("remember", "correct abcdef", "important", "audit", "list colour=red"):
        assert await host.chat.ask(ADMIN, f"/memory {command}")
    assert host.model.asked() == []
