"""Whatever is typed after a command: an answer, never an error, never another's memory."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.commands.chat.catalogue import COMMANDS
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Standing, Status
from hypothesis import given
from hypothesis import strategies as st

from .command_rig import ANN, BEN, DAY, GROUP, NOW, CommandRig, admin, in_group

SECRET = "zanzibar"
BOSS = admin(ANN)
STRANGER = replace(
    BOSS, scope=replace(GROUP, subject="6000"), session="qq:GroupMessage:6000", admin=True
)
"""An admin in a group that remembers nothing."""

TAKING_IDS = ("show", "audit", "forget", "restore", "pin", "unpin", "purge")

MALFORMED = [
    "%",
    "______",
    "%%%%%%",
    "' OR 1=1 --",
    '"; DROP TABLE memories; --',
    "../../../etc/passwd",
    "潮痕潮痕潮痕",
    "①②③④⑤⑥",
    "000000\x00",
    "\ud800\udfff\ud800\ud800\ud800\ud800",
    "-" * 36,
    "0" * 10_000,
    "a b c d e f",
    "{usage}",
]

arguments = st.one_of(
    st.text(max_size=60),
    st.text(st.characters(codec=None), max_size=60),
    st.sampled_from(
        ["", " ", *MALFORMED, SECRET, "--preview 9", "list", "status", "2", "mine", "all"]
    ),
    st.builds(
        "{} {} {} {}".format,
        st.sampled_from(["add", "remove", "list", "--preview", "install"]),
        *[st.text(st.characters(codec=None, min_codepoint=33), max_size=20)] * 3,
    ),
)


@pytest.mark.parametrize("command", TAKING_IDS)
async def test_a_malformed_id_is_answered_like_an_unknown(rig: CommandRig, command: str) -> None:
    await rig.remember("Ann keeps bees")
    for text in MALFORMED:
        answer = await rig.ask(command, text, by=BOSS)
        assert answer.startswith("There is no such memory.")


async def test_invisible_ends_of_an_argument_change_nothing(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    for text in (f"\u200b{memory.id[:6]}\u200f", f"\ufeff{memory.id} \0"):
        assert "Ann keeps bees" in await rig.ask("show", text)
    assert await rig.ask("help", "mine\u200b") == await rig.ask("help", "mine")
    assert await rig.ask("help", "\u2060\0") == await rig.ask("help")
    memory = await rig.remember("Ann keeps bees")
    for text in (memory.id[:5], memory.id[:5] + "_", memory.id[:5] + "%", memory.id[1:8]):
        assert (await rig.ask("show", text)).startswith("There is no such memory.")


async def furnish(rig: CommandRig) -> list[Memory]:
    """Memories of Ann's, and secrets of Ben's, alive and binned; returns the secrets."""
    await rig.remember("Ann keeps bees")
    await rig.remember("I keep bees", kind=Kind.EVIDENCE)
    bin_ = Standing(Status.BINNED, NOW, "decayed", NOW + 30 * DAY)
    secrets = [
        await rig.remember(f"{SECRET} 1", of=BEN),
        await rig.remember(f"{SECRET} 2", of=BEN, standing=bin_),
        await rig.remember(f"{SECRET} 3", of=in_group(BEN)),
    ]
    await rig.engine.backfill.once()
    return await kept(rig, secrets)


async def kept(rig: CommandRig, memories: Sequence[Memory]) -> list[Memory]:
    """What is stored of them, vectors and all that only reading adds aside."""
    return await rig.engine.store.find([memory.id for memory in memories])


@given(st.data())
async def test_no_argument_breaks_a_command_leaks_or_touches_what_is_others(
    rig: CommandRig, data: st.DataObject
) -> None:
    secrets = await furnish(rig)
    hidden = {memory.id[:6] for memory in secrets}
    command = data.draw(st.sampled_from(COMMANDS))
    argument = data.draw(st.one_of(arguments, st.sampled_from(sorted(hidden))))
    answer = await rig.ask(command.name, argument, by=data.draw(st.sampled_from([ANN, STRANGER])))
    assert answer
    assert len(answer) <= 1_400
    assert not re.search(f"{SECRET} [1-3]", answer)
    assert not [short for short in hidden if short in answer and short not in argument]
    # Time, which a sleep lets pass, spares nobody; the clock stands still here.
    assert await kept(rig, secrets) == secrets


@given(st.data())
async def test_no_admins_argument_breaks_a_command(rig: CommandRig, data: st.DataObject) -> None:
    hidden = sorted(memory.id[:6] for memory in await furnish(rig))
    command = data.draw(st.sampled_from(COMMANDS))
    argument = data.draw(st.one_of(arguments, st.sampled_from(hidden)))
    answer = await rig.ask(command.name, argument, by=BOSS)
    assert answer
    assert len(answer) <= 1_400
    answer.encode("utf-8")


@given(st.text(st.characters(codec=None), max_size=60))
async def test_any_name_of_a_command_is_answered(rig: CommandRig, name: str) -> None:
    answer = await rig.ask(name)
    assert answer
    answer.encode("utf-8")
