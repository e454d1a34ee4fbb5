"""Pause, share and forget-me on a real host: what is written, and what the model is shown."""

import re
import signal
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import Reply
from astrbot_plugin_tidemark.scripts.hostkit.onebot import OneBot
from astrbot_plugin_tidemark.scripts.hostkit.sleeping import slept
from astrbot_plugin_tidemark.storage import open_journal

from ..kit import files_with
from .chat_client import ADMIN, calm, group, heard, private, recalled, said, sleep, until
from .conftest import PATIENT

ANN, BEN, CAY, DOT, EVE, FAY, GUS, HAL = range(2901, 2909)
NAMES = {ADMIN: "Admin", ANN: "Anna", BEN: "Ben", CAY: "Cay", DOT: "Dot", EVE: "Eve", FAY: "Fay"}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def own(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """A host of this module's own: it is restarted, and its files are searched."""
    folder = tmp_path_factory.mktemp("consent")
    ruled: dict[str, Any] = PATIENT | {"capture": {"deny": f"group:5990, person:qq/{HAL}"}}
    async with bench(folder, NAMES, respond=calm, plugin_config=ruled) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def host(own: Bench) -> Bench:
    own.model.clear()
    own.model.respond = calm
    return own


async def in_group(host: Bench, user: int, text: str, number: int) -> str:
    mention = not text.startswith("/")
    return await host.chat.ask(user, text, group=number, mention=mention)


def used(host: Bench) -> str:
    return "\n".join(recalled(host.model.asked()[-1]))


async def asked_anew(host: Bench, user: int, question: str) -> str:
    await host.chat.ask(user, "/new")
    await host.chat.ask(user, question)
    return used(host)


def texts(turns: list[tuple[Role, str]]) -> list[str]:
    return [text for _, text in turns]


async def test_nothing_a_paused_person_says_is_written_and_nothing_is_recalled(host: Bench) -> None:
    await host.chat.ask(ANN, "My canary is called Pip")
    await sleep(host)
    assert "Pip" in await asked_anew(host, ANN, "What is my canary called?")
    before = await said(host, private(ANN))
    told = await host.chat.ask(ANN, "/memory pause")
    assert "nothing you say" in told
    assert "/memory resume" in told
    assert await host.chat.ask(ANN, "My parrot is called Polidori") == (
        "echo: My parrot is called Polidori"
    )
    assert await asked_anew(host, ANN, "What is my canary called?") == ""
    await in_group(host, ANN, "Polidori is a parrot", 5901)
    await host.chat.say(ANN, "He speaks Polidori Latin", group=5901)
    await in_group(host, BEN, "Ben says hello to the bot", 5901)
    assert await said(host, private(ANN)) == before
    assert texts(await said(host, group(5901))) == [
        "Ben says hello to the bot",
        "echo: Ben says hello to the bot",
    ]
    assert files_with(host.root.plugin_data, "Polidori") == []
    assert "Pip" in await host.chat.ask(ANN, "/memory search canary")
    assert "/memory resume" in await host.chat.ask(ANN, "/memory remember I like tea")


async def test_what_is_said_while_paused_is_not_written_with_the_answer(host: Bench) -> None:
    await in_group(host, CAY, "Good morning, everybody", 5902)
    await host.chat.ask(CAY, "/memory pause")
    host.model.clear()
    host.model.script(Reply("Noted.", delay=1.5))
    seen = len(host.chat.sent)
    await host.chat.say(CAY, "My lizard is called Lucretius")
    await until(lambda: host.model.asked() != [])
    assert "on again" in await in_group(host, CAY, "/memory resume", 5902)
    assert await host.chat.next_reply(seen, user=CAY) == "Noted."
    assert await said(host, private(CAY)) == []
    assert files_with(host.root.plugin_data, "Lucretius") == []


async def test_a_group_records_what_its_admins_choose(host: Bench) -> None:
    assert "都会被记录" in await in_group(host, BEN, "/memory recording", 5910)
    assert "管理员" in await in_group(host, BEN, "/memory recording none", 5910)
    await in_group(host, ADMIN, "/memory recording addressed", 5910)
    await host.chat.say(CAY, "Among us the code word is Zanzibar", group=5910)
    await in_group(host, BEN, "The bell rings at six", 5910)
    assert "Nothing" in await in_group(host, ADMIN, "/memory recording none", 5910)
    await in_group(host, CAY, "What else do we say, Zanzibar?", 5910)
    assert "recording" in await in_group(host, CAY, "/memory remember We say Zanzibar", 5910)
    await in_group(host, ADMIN, "/memory recording default", 5910)
    await host.chat.say(BEN, "Nobody minds this", group=5910)
    await heard(host, group(5910), "Nobody minds this")
    spoken = texts(await said(host, group(5910)))
    assert spoken == ["The bell rings at six", "echo: The bell rings at six", "Nobody minds this"]
    assert files_with(host.root.plugin_data, "Zanzibar") == []


async def test_the_groups_own_admins_choose_for_their_group_only(host: Bench) -> None:
    host.chat.roles[BEN] = "admin"
    try:
        told = await in_group(host, BEN, "/memory recording none", 5911)
        assert "一概不记录" in told
        await in_group(host, BEN, "/memory recording default", 5911)
        told = await in_group(host, BEN, "/memory pause group", 5911)
        assert "/memory resume group" in told
        await in_group(host, BEN, "/memory resume group", 5911)
        for refused in ("/memory retention 30", "/memory config list"):
            assert "管理员" in await in_group(host, BEN, refused, 5911)
    finally:
        host.chat.roles.clear()


async def test_whom_a_rule_leaves_out_is_answered_and_nothing_is_written(host: Bench) -> None:
    assert await host.chat.ask(HAL, "My boat is the Quixotic") == "echo: My boat is the Quixotic"
    assert "规则" in await host.chat.ask(HAL, "/memory recording")
    assert "not recorded" in await host.chat.ask(HAL, "/memory remember The Quixotic is red")
    await in_group(host, HAL, "The Quixotic sails at noon", 5909)
    await in_group(host, BEN, "Ours is a Quixotic group", 5990)
    await host.chat.say(CAY, "Quixotic indeed", group=5990)
    await in_group(host, BEN, "Is anything on record here?", 5909)
    assert texts(await said(host, group(5909))) == [
        "Is anything on record here?",
        "echo: Is anything on record here?",
    ]
    assert await said(host, group(5990)) == await said(host, private(HAL)) == []
    assert files_with(host.root.plugin_data, "Quixotic") == []


async def test_a_shared_private_memory_reaches_the_model_for_its_person_alone(host: Bench) -> None:
    await host.chat.ask(DOT, "My dentist is Doctor Okafor")
    await sleep(host)

    async def shown(user: int) -> bool:
        await in_group(host, user, "Who is my dentist?", 5905)
        return "Okafor" in used(host)

    assert not await shown(DOT)
    assert "everybody in the group can read" in await host.chat.ask(DOT, "/memory share on")
    assert await shown(DOT)
    assert "Okafor" in await in_group(host, DOT, "/memory why", 5905)
    to_another = await in_group(host, BEN, "/memory why", 5905)
    assert "private memories of the person who asked" in to_another
    assert "Okafor" not in to_another
    assert not await shown(BEN)
    assert "Okafor" not in await in_group(host, DOT, "/memory mine", 5905)
    await host.chat.ask(DOT, "/memory share off")
    assert not await shown(DOT)


async def test_what_the_bot_says_after_it_is_reserved_until_the_chat_is_reset(host: Bench) -> None:
    await host.chat.ask(GUS, "My surgeon is Doctor Pettigrew")
    await sleep(host)
    await host.chat.ask(GUS, "/memory share on")
    await in_group(host, BEN, "Good morning to all", 5908)
    await in_group(host, GUS, "Who is my surgeon?", 5908)
    assert "Pettigrew" in used(host)
    await slept(host.chat, ADMIN, timeout=90.0)
    await in_group(host, BEN, "What did you just tell Gus?", 5908)
    assert await private_reply(host, 5908) == [False, True, True]
    await in_group(host, ADMIN, "/new", 5908)
    await in_group(host, BEN, "Good evening to all", 5908)
    assert await private_reply(host, 5908) == [False, True, True, False]
    await in_group(host, GUS, "Who is my surgeon?", 5908)
    await in_group(host, ADMIN, "/reset", 5908)
    await in_group(host, BEN, "Good night to all", 5908)
    assert await private_reply(host, 5908) == [False, True, True, False, True, False]
    await host.chat.ask(GUS, "/memory share off")

    async def taken_back() -> bool:
        return not any(await private_reply(host, 5908))

    await until(taken_back)
    assert await private_reply(host, 5908) == [False, False, False]


async def private_reply(host: Bench, number: int) -> list[bool]:
    journal = await open_journal(host.root.plugin_data)
    try:
        turns = await journal.last_turns(group(number), 100)
    finally:
        await journal.close()
    return [turn.private_reply for turn in turns if turn.role is Role.ASSISTANT]


async def test_forget_me_leaves_no_byte_and_the_others_as_they_were(host: Bench) -> None:
    await host.chat.ask(BEN, "I like to be told things in English")
    await host.chat.ask(FAY, "My password hint is Zanzibarquill")
    await in_group(host, FAY, "Zanzibarquill is a fine word", 5907)
    await in_group(host, BEN, "I prefer short words", 5907)
    await sleep(host)
    assert "Zanzibarquill" in await asked_anew(host, FAY, "What is my password hint?")
    assert files_with(host.root.plugin_data, "Zanzibarquill") != []
    told = await host.chat.ask(FAY, "/memory forget-me")
    code = re.search(r"/memory forget-me ([A-Z0-9]{6})", told)
    assert "wrong" in await host.chat.ask(BEN, f"/memory forget-me {code[1]}")
    done = await host.chat.ask(FAY, f"/memory forget-me {code[1]}")
    assert "Deleted for good" in done
    assert "/reset" in done
    assert files_with(host.root.plugin_data, "Zanzibarquill") == []
    assert await said(host, private(FAY)) == []
    assert "I prefer short words" in texts(await said(host, group(5907)))
    assert await asked_anew(host, FAY, "What is my password hint?") == ""
    assert "short words" in await in_group(host, BEN, "/memory mine", 5907)


async def test_a_pause_outlives_a_kill_and_ends_when_the_person_says_so(host: Bench) -> None:
    await host.chat.ask(GUS, "My canary is called Pip")
    await host.chat.ask(GUS, "/memory pause")
    before = await said(host, private(GUS))
    await host.process.stop(signal.SIGKILL)
    await host.process.start()
    async with OneBot.connected(host.root.onebot_port, NAMES) as chat:
        await chat.ask(GUS, "My tortoise is called Methuselah")
        assert await said(host, private(GUS)) == before
        assert "on again" in await chat.ask(GUS, "/memory resume")
        await chat.ask(GUS, "/new")
        await chat.ask(GUS, "What is my canary called?")
        assert "Pip" in used(host)
        assert "What is my canary called?" in texts(await said(host, private(GUS)))
        assert files_with(host.root.plugin_data, "Methuselah") == []
