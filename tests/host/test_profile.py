"""The page about a person in a real host: where it stands, and that it stays as it is."""

from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.recall.profile import CLOSING, OPENING
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import ChatRequest

from .chat_client import ADMIN, sleep, without_block

HAL, IDA, JON = 3001, 3002, 3003
GROUP = 3100
TURNS = 20


def page(request: ChatRequest) -> str:
    _, opening, rest = request.system.partition(OPENING)
    return f"{opening}{rest.partition(CLOSING)[0]}"


def in_messages(request: ChatRequest) -> str:
    return "\n".join(part for part in request.user_parts if OPENING in part)


async def asked(host: Bench, user: int, text: str, **how: object) -> ChatRequest:
    await host.chat.ask(user, text, **how)
    return host.model.asked()[-1]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared_host(quiet_host: Bench) -> Bench:
    """Where nobody else has said anything to sleep over."""
    return quiet_host


@pytest_asyncio.fixture(loop_scope="session")
async def everywhere(host: Bench) -> AsyncIterator[None]:
    await host.chat.ask(ADMIN, "/memory config set recall.profile everywhere")
    yield
    await host.chat.ask(ADMIN, "/memory config reset recall.profile")


async def test_for_twenty_turns_prompt_and_history_stay_to_the_byte(host: Bench) -> None:
    await host.chat.ask(HAL, "/memory remember I live in Bergen")
    await host.chat.ask(HAL, "/memory remember I am allergic to peanuts")
    await sleep(host)
    await host.chat.ask(HAL, "/new")
    requests = [
        await asked(host, HAL, f"I like tea number {number} and I live in Bergen")
        for number in range(TURNS)
    ]
    assert {request.system for request in requests} == {requests[0].system}
    told = page(requests[0])
    assert "Bergen" in told
    assert "peanuts" in told
    for before, after in pairwise(requests):
        assert in_messages(after) == ""
        sent = [*map(without_block, before.messages)]
        assert [*map(without_block, after.messages[: len(sent)])] == sent
    await host.chat.ask(HAL, "/memory remember I work at a bakery")
    assert page(await asked(host, HAL, "What about the bakery?")) == told
    await sleep(host)
    anew = page(await asked(host, HAL, "And the bakery now?"))
    assert "bakery" in anew
    assert "Bergen" in anew


@pytest.mark.usefixtures("everywhere")
async def test_in_a_group_it_is_what_was_said_and_not_in_the_system_prompt(host: Bench) -> None:
    await host.chat.ask(IDA, "/memory remember I am allergic to walnuts")
    await host.chat.ask(JON, "/memory remember I live in Narvik")
    await host.chat.ask(JON, "/memory remember I like sledges", group=GROUP)
    await host.chat.ask(IDA, "/memory remember I like kites", group=GROUP)
    await sleep(host)
    jons = await asked(host, JON, "Anything to do today?", group=GROUP, mention=True)
    idas = await asked(host, IDA, "And for me, anything?", group=GROUP, mention=True)
    assert "sledges" in in_messages(jons)
    assert "kites" in in_messages(idas)
    for word in ("Narvik", "kites", "walnuts"):
        assert word not in in_messages(jons)
    for word in ("sledges", "walnuts"):
        assert word not in in_messages(idas)
    assert OPENING not in jons.system + idas.system
    assert OPENING not in str(idas.messages[:-1])
    assert "Narvik" in page(await asked(host, JON, "And here in private?"))
