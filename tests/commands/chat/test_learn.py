"""Learning from what the host had stored before memory was there."""

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.engine.past import noted_beginning
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.ports import WorkKind
from astrbot_plugin_tidemark.core.transfer.host_history import StoredChat, StoredTurn

from ..command_rig import ANN, BEN, DAY, CommandRig, admin


@dataclass
class Stored:
    """What the host would answer."""

    found: Sequence[StoredChat]
    rows: Sequence[StoredTurn] = ()

    async def chats(self, *, since: float) -> AsyncIterator[StoredChat]:
        for each in self.found:
            if each.ended >= since:
                yield each

    async def messages(self, session: str, *, since: float) -> list[StoredTurn]:
        return [row for row in self.rows if row.at >= since]

    async def persona(self, chat: StoredChat) -> str:
        return "default"


def talk(*pairs: tuple[str, str]) -> list[dict[str, Any]]:
    return [
        {"role": role, "content": text}
        for asked, told in pairs
        for role, text in (("user", asked), ("assistant", told))
    ]


@pytest.fixture
async def began(rig: CommandRig) -> float:
    return await noted_beginning(rig.engine.journal, rig.clock.now())


def stored(rig: CommandRig, *found: StoredChat, rows: Sequence[StoredTurn] = ()) -> None:
    rig.services = replace(rig.services, host_history=Stored(found, rows))


def chat(began: float, session: str, *pairs: tuple[str, str], days: float = 3) -> StoredChat:
    at = began - days * DAY
    return StoredChat(session, f"c-{session}", None, at, at + 3_600, talk(*pairs))


async def spoken(rig: CommandRig, session: str) -> list[tuple[Role, str]]:
    turns = await rig.engine.journal.last_turns(session, 100)
    return [(turn.role, turn.text) for turn in turns]


async def learn(rig: CommandRig, by: Any = ANN, days: int = 30) -> str:
    """Ask, and confirm with the code."""
    told = await rig.ask("learn", f"--history {days}", by=by)
    code = re.search(rf"--history {days} (\S+)", told)
    return told if code is None else await rig.ask("learn", f"--history {days} {code[1]}", by=by)


BOAT = ("My boat is called Marlin", "Nice name.")
TEA = ("I drink green tea", "Good to know.")


async def test_the_cost_is_told_first_and_nothing_read_twice(rig: CommandRig, began: float) -> None:
    stored(rig, chat(began, ANN.session, BOAT, TEA))
    told = await rig.ask("learn", "--history 30")
    assert "4 messages of 1 chats" in told
    assert await spoken(rig, ANN.session) == []
    assert "wrong or has expired" in await rig.ask("learn", "--history 30 WRONG")
    stored(rig, chat(began, ANN.session, BOAT), chat(began, BEN.session, TEA))
    assert "2 messages" in await learn(rig)
    assert await spoken(rig, ANN.session) == [(Role.USER, BOAT[0]), (Role.ASSISTANT, BOAT[1])]
    assert await spoken(rig, BEN.session) == []
    assert "stored nothing" in await learn(rig)
    stored(rig, chat(began, ANN.session, BOAT, TEA))
    assert "2 messages" in await learn(rig)
    assert len(await spoken(rig, ANN.session)) == 4


async def test_an_admin_learns_from_all_chats(rig: CommandRig, began: float) -> None:
    stored(rig, chat(began, ANN.session, BOAT), chat(began, BEN.session, TEA))
    assert "4 messages" in await learn(rig, by=admin(ANN))
    assert await spoken(rig, BEN.session) != []


async def test_neither_what_was_recorded_nor_who_paused_is_read(
    rig: CommandRig, began: float
) -> None:
    later = StoredChat(ANN.session, "c", None, began - DAY, began + DAY, talk(BOAT, TEA))
    rig.clock.at = began + 2 * DAY
    stored(rig, later)
    assert "stored nothing" in await learn(rig)
    await rig.say(TEA[0])
    assert "2 messages" in await learn(rig)
    texts = [text for _, text in await spoken(rig, ANN.session)]
    assert texts == [TEA[0], *BOAT]
    stored(rig, chat(began, BEN.session, TEA))
    await rig.ask("pause", by=BEN)
    assert "stored nothing" in await learn(rig, by=admin(ANN))
    await rig.ask("resume", by=BEN)
    await rig.say("I am here", by=BEN)
    code = re.search(r"forget-me (\S+)", await rig.ask("forget-me", by=BEN))
    await rig.ask("forget-me", code[1], by=BEN)
    assert "stored nothing" in await learn(rig, by=admin(ANN))


async def test_what_is_said_in_the_second_in_which_recording_began_is_not_taken_for_the_past(
    rig: CommandRig, began: float
) -> None:
    """Bug: the host notes whole seconds, so the first words on record counted as from before."""
    stored(rig, StoredChat(ANN.session, "c", None, began - 0.9, began - 0.9, talk(BOAT)))
    rig.clock.at = began + DAY
    assert "stored nothing" in await learn(rig)


async def test_in_a_group_only_what_has_a_speaker_is_read(rig: CommandRig, began: float) -> None:
    session = "qq:GroupMessage:5000"
    who = "<system_reminder>User ID: 902, Nickname: Ben</system_reminder>"
    parts = [{"type": "text", "text": text} for text in ("We meet at noon", who)]
    messages = [*talk(BOAT), {"role": "user", "content": parts}]
    at = began - 3 * DAY
    stored(rig, StoredChat(session, "c", None, at, at + 60, messages))
    assert "1 messages" in await learn(rig, by=admin(ANN))
    (turn,) = await rig.engine.journal.last_turns(session, 10)
    assert (turn.speaker.id, turn.text) == ("902", "We meet at noon")


async def test_where_the_host_keeps_group_talk_it_is_read(rig: CommandRig, began: float) -> None:
    session = "qq:GroupMessage:5000"
    rows = [
        StoredTurn(f"row:{n}", Role.BYSTANDER, f"line {n}", began - 900 + n, "902", "Ben")
        for n in range(3)
    ]
    stored(rig, chat(began, session, BOAT), chat(began, session, TEA), rows=rows)
    assert "3 messages" in await learn(rig, by=admin(ANN))
    assert [text for _, text in await spoken(rig, session)] == ["line 0", "line 1", "line 2"]


async def test_learning_is_spread_over_days_by_half_a_budget(rig: CommandRig, began: float) -> None:
    many = [chat(began, ANN.session, (f"plan {n}", "ok"), days=n + 1) for n in range(5)]
    stored(rig, *(replace(each, conversation=str(n)) for n, each in enumerate(many)))
    settings = rig.engine.settings
    learning = replace(settings.learning, daily_tokens=5_000)
    rig.engine.settings = replace(settings, learning=learning)
    told = await rig.ask("learn", "--history 30")
    assert "5 model calls" in told
    await learn(rig)
    due = await rig.engine.journal.due(
        rig.clock.now() + 30 * DAY, kinds=frozenset({WorkKind.LEARN}), limit=50, skip=frozenset()
    )
    assert len(due) == 5
    assert max(work.not_before for work in due) >= rig.clock.now() + DAY


@pytest.mark.parametrize("argument", ["", "--history", "--history 0", "--history 366", "all", "--"])
async def test_what_is_no_such_command_is_told_the_usage(rig: CommandRig, argument: str) -> None:
    assert "learn --history" in await rig.ask("learn", argument)


async def test_without_a_host_there_is_nothing_to_read(rig: CommandRig) -> None:
    assert "stored nothing" in await rig.ask("learn", "--history 30")
