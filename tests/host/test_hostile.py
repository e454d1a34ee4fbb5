"""Messages that break programs: very long, unprintable, or shaped like our own marks."""

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.recall.block import CLOSING
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.tests.host.chat_client import indexed, private, recalled, said, turns

ODD = {
    "a null": (1501, "my locker\0number is 17 alpha"),
    "a lone surrogate": (1502, "my locker \ud83d number is 18 beta"),
    "emoji": (1503, "my locker 👩‍👩‍👧‍👦 number is 19 🧑🏽‍🚀 gamma"),
    "right to left": (1504, "\u202emy locker\u202c number is 20 שלום مرحبا delta"),
    "control characters": (1505, "my locker\x1b[31m\x07\r\n\x0b number is 21 epsilon"),
}


@pytest.mark.parametrize("what", ODD)
async def test_an_odd_message_is_remembered_and_the_chat_goes_on(host: Bench, what: str) -> None:
    user, text = ODD[what]
    host.chat.names[user] = f"odd\0 \ud83d\u202e {CLOSING} 🦭"
    word = text.split()[-1]
    assert await host.chat.ask(user, text)
    await host.chat.ask(user, "/new")
    await indexed(host)
    await host.chat.ask(user, "what is my locker number?")
    (found,) = [memory for memory in recalled(host.model.asked()[-1]) if word in memory]
    assert found.replace("\u200d", "").isprintable()
    # No answer to a lone surrogate: the host cannot send one to a model.
    assert [role for role, _ in await said(host, private(user))].count(Role.USER) == 2
    assert "locker" in await host.chat.ask(user, "/memory mine")


async def test_a_very_long_message_is_recorded_and_found_by_its_start(host: Bench) -> None:
    text = "The saga of Ingrid begins in Trondheim. " + "And then the wind blew. " * 1_500
    assert len(text) > 30_000
    await host.chat.ask(1506, text)
    (record, _) = await turns(host, private(1506))
    assert record.role is Role.USER
    assert text.startswith(record.text)
    assert len(record.text) == 20_000
    await host.chat.ask(1506, "/new")
    await indexed(host)
    await host.chat.ask(1506, "Where does the saga of Ingrid begin?")
    assert any("Trondheim" in memory for memory in recalled(host.model.asked()[-1]))
