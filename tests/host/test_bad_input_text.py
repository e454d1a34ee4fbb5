"""Odd text wherever people can type it: messages, names, cards, groups, commands."""

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.recall.block import CLOSING
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import ADMIN, blocks, indexed, is_whole, private, recalled, said, until

MEGABYTE = 1_000_000
LONGEST_KEPT = 20_000

ODD = {
    "nothing": "",
    "blanks": " \t\u3000",
    "a megabyte": "x" * MEGABYTE,
    "a megabyte of emoji": "🧑🏽‍🚀" * (MEGABYTE // 15),
    "a lone surrogate": "\ud83d",
    "a null": "\0",
    "right to left": "\u202eשלום\u202c",
    "zero width": "\u200b\u200d\ufeff\u2060",
    "lines": "a\nb\r\n\x85c\u2028d",
    "our closing mark": CLOSING,
    "brackets and placeholders": "), [99] (admin {0} {usage} %s",
}
NUMBERS = {what: number for number, what in enumerate(ODD)}


@pytest.mark.parametrize("what", ODD)
async def test_under_an_odd_name_in_an_odd_group_one_is_remembered(host: Bench, what: str) -> None:
    user, crowd = 2300 + NUMBERS[what], 5300 + NUMBERS[what]
    host.chat.names[user] = host.chat.cards[user] = host.chat.groups[crowd] = ODD[what]
    await host.chat.ask(user, "My wigwam is green", group=crowd, mention=True)
    await host.chat.ask(ADMIN, "/new", group=crowd, mention=True)
    await indexed(host)
    await host.chat.ask(user, "What colour is my wigwam?", group=crowd, mention=True)
    request = host.model.asked()[-1]
    (block,) = blocks(request)
    (line,) = recalled(request)
    assert is_whole(block)
    assert line.endswith(" My wigwam is green")
    assert line.replace("\u200d", "").isprintable()
    assert len(line) < 120
    for command in ("mine", "search wigwam", "why"):
        answer = await host.chat.ask(user, f"/memory {command}", group=crowd, mention=True)
        assert "My wigwam is green" in answer


@pytest.mark.parametrize("what", ODD)
async def test_an_odd_message_is_kept_in_part_and_the_next_answered(host: Bench, what: str) -> None:
    user, text = 2320 + NUMBERS[what], ODD[what]
    await host.chat.say(user, text)
    await host.chat.ask(user, "My igloo is cold")

    async def answered() -> bool:
        return (Role.USER, "My igloo is cold") in await said(host, private(user))

    await until(answered)
    kept = [turn for role, turn in await said(host, private(user)) if role is Role.USER]
    odd = text.strip().encode("utf-8", "replace").decode()
    assert sorted(kept) == sorted(filter(None, ["My igloo is cold", odd[:LONGEST_KEPT]]))

    async def found() -> bool:
        return "igloo" in await host.chat.ask(user, "/memory search igloo")

    await until(found)


@pytest.mark.parametrize("what", ["a megabyte", "a lone surrogate", "a null", "lines"])
async def test_an_odd_argument_is_answered_and_not_recorded(host: Bench, what: str) -> None:
    user, text = 2340 + NUMBERS[what], ODD[what]
    for command in ("", "search ", "show "):
        answer = await host.chat.ask(user, f"/memory {command}{text}")
        assert answer
        assert not answer.startswith("echo:")
        assert len(answer) <= 1_400
    assert await said(host, private(user)) == []


USERNAMES = ("a/b", "a%2Fb", "\u202ea/b", "a\0/b", "*", "' OR 1=1 --", "x" * 2_000)


async def test_people_of_odd_names_have_memories_of_their_own(host: Bench, guests: Webchat) -> None:
    for number, name in enumerate(USERNAMES):
        await guests.chat(f"My number is {number}00", session=f"odd-{number}", username=name)
    await indexed(host)
    for number, name in enumerate(USERNAMES):
        known = await guests.chat("/memory mine", session=f"odd-{number}", username=name)
        assert f"My number is {number}00" in known
        assert known.count("My number is") == 1
