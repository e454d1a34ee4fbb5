"""Messages about what is for today: to whom asked, where it was told, never twice, never lost."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from uuid import NAMESPACE_URL, uuid5

import pytest
from astrbot_plugin_tidemark.core.engine.reminders import MOST, SENDING, ReminderMessages
from astrbot_plugin_tidemark.core.model.conversation import Scope
from astrbot_plugin_tidemark.core.model.knowledge import Intention
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin
from astrbot_plugin_tidemark.core.model.times import day_of, zone
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED
from astrbot_plugin_tidemark.core.settings import DisplaySettings, ReminderSettings

from ...rig import Rig
from ...samples import ANNS
from .test_reminders import GROUP, MARK, SETTINGS, greet, texts

DAY = 86_400.0
HOUR = 3_600.0
SHANGHAI = "Asia/Shanghai"
BENS = replace(ANNS, subject="902")
fitted = pytest.fixture(lambda: FITTED)


@pytest.fixture
def changes() -> dict[str, object]:
    return {"display": DisplaySettings(timezone=SHANGHAI), "recall": SETTINGS.recall}


@dataclass(slots=True)
class Messenger:
    """Notes what it is given, and answers as it is told to."""

    answer: bool | None = True
    sent: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    first: Callable[[], Awaitable[object]] | None = None

    async def send(self, session: str, memory: Memory) -> bool | None:
        if self.first is not None:
            await self.first()
        self.sent.append((session, memory.text))
        return self.answer


def messages(rig: Rig, settings: ReminderSettings | None = None) -> ReminderMessages:
    engine = rig.engine
    hours = settings or ReminderSettings("")
    return ReminderMessages(
        rig.store, rig.journal, engine.consents, engine.reminders, hours, zone(SHANGHAI)
    )


async def deliver(rig: Rig, messenger: Messenger, hours: ReminderSettings | None = None) -> int:
    return await messages(rig, hours).deliver(messenger.send, rig.clock.at)


async def wants(rig: Rig, scope: Scope = ANNS, *, on: bool = True) -> None:
    await rig.engine.consents.change(scope, lambda chosen: replace(chosen, reminded=on))


async def intend(
    rig: Rig, text: str, scope: Scope = ANNS, due_at: float | None = None, **more: object
) -> Memory:
    """Something for now, or later today, said in a chat of that scope."""
    seq = await rig.say(scope, "嗯")
    turn = await rig.journal.turn(seq)
    assert turn is not None
    origin = Origin(turn.place.session, "", turn.episode, (seq,))
    own = {"id": str(uuid5(NAMESPACE_URL, text)), "origin": origin} | more
    due = Intention(due_at=rig.clock.at if due_at is None else due_at)
    return await rig.keep(text, scope, kind=Kind.PROSPECTIVE, intention=due, **own)


async def test_it_is_sent_once_to_the_chat_in_which_it_was_told(rig: Rig) -> None:
    plan = await intend(rig, "安娜要去看牙医")
    await intend(rig, "本要去看眼科", BENS)
    messenger = Messenger()
    assert await deliver(rig, messenger) == 0
    await wants(rig)
    assert [await deliver(rig, messenger) for _ in range(3)] == [1, 0, 0]
    assert messenger.sent == [(plan.origin.session, "安娜要去看牙医")]
    assert texts(await greet(rig)) == []
    await wants(rig, on=False)
    await intend(rig, "安娜要交电费")
    assert await deliver(rig, messenger) == 0


async def test_what_has_come_up_in_the_chat_is_not_sent_as_well(rig: Rig) -> None:
    await wants(rig)
    await intend(rig, "安娜要去看牙医")
    assert MARK in (await greet(rig)).block
    messenger = Messenger()
    assert await deliver(rig, messenger) == 0


async def test_a_plan_is_sent_at_its_minute_or_before_a_quiet_evening(rig: Rig) -> None:
    await wants(rig)
    rig.clock.at = day_of(rig.clock.at, zone(SHANGHAI))[0] + 9 * HOUR
    three = rig.clock.at + 6 * HOUR
    await intend(rig, "安娜下午三点要去看牙医", due_at=three)
    assert MARK in (await greet(rig)).block
    messenger = Messenger()
    for at, sent in [(three - 61, 0), (three - 1, 0), (three, 1), (three + 60, 0)]:
        rig.clock.at = at
        assert await deliver(rig, messenger) == sent, at - three
    midnight = day_of(rig.clock.at, zone(SHANGHAI))[0]
    rig.clock.at = midnight + 12 * HOUR
    await intend(rig, "安娜十一点要吃药", due_at=midnight + 23 * HOUR)
    messenger, hours = Messenger(), ReminderSettings()
    for hour, sent in [(20.9, 0), (21.0, 1), (21.5, 0), (23.0, 0)]:
        rig.clock.at = midnight + hour * HOUR
        assert await deliver(rig, messenger, hours) == sent, hour


async def test_while_it_is_sent_it_does_not_come_up_in_the_chat(rig: Rig) -> None:
    await wants(rig)
    await intend(rig, "安娜要去看牙医")
    shown: list[str] = []

    async def meanwhile() -> None:
        shown.extend(texts(await greet(rig)))

    assert await deliver(rig, Messenger(first=meanwhile)) == 1
    assert shown == []


async def test_in_quiet_hours_nobody_is_disturbed(rig: Rig) -> None:
    await wants(rig)
    await intend(rig, "安娜要去看牙医")
    local = int((rig.clock.at + 8 * HOUR) % DAY // HOUR)
    messenger = Messenger()
    assert await deliver(rig, messenger, ReminderSettings(f"{local}-{(local + 1) % 24}")) == 0
    assert await deliver(rig, messenger, ReminderSettings(f"{(local + 1) % 24}-{local}")) == 1


async def test_where_nobody_was_there_to_take_it_it_is_sent_later(rig: Rig) -> None:
    await wants(rig)
    await intend(rig, "安娜要去看牙医")
    assert await deliver(rig, Messenger(answer=False)) == 0
    rig.clock.at += SENDING
    assert await deliver(rig, Messenger()) == 1


async def test_one_of_which_nobody_knows_is_not_sent_but_comes_up_in_chat(rig: Rig) -> None:
    await wants(rig)
    await intend(rig, "安娜要去看牙医")
    assert await deliver(rig, Messenger(answer=None)) == 0
    rig.clock.at += SENDING
    assert await deliver(rig, Messenger()) == 0
    assert texts(await greet(rig)) == ["安娜要去看牙医"]
    assert texts(await greet(rig)) == []


async def test_one_that_was_cut_short_is_not_sent_again_after_a_restart(rig: Rig) -> None:
    await wants(rig)
    await intend(rig, "安娜要去看牙医")

    async def killed() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await deliver(rig, Messenger(first=killed))
    rig.engine.reminders._held.clear()
    rig.clock.at += SENDING
    assert await deliver(rig, Messenger()) == 0
    assert texts(await greet(rig)) == ["安娜要去看牙医"]


async def test_groups_pauses_and_origins_that_are_not_theirs_are_left_alone(rig: Rig) -> None:
    await wants(rig)
    told = await intend(rig, "安娜在群里说要去爬山", GROUP)
    await intend(rig, "导入的打算", origin=told.origin)
    await intend(rig, "来历不明的打算", origin=Origin("", "", "", ()))
    messenger = Messenger()
    assert await deliver(rig, messenger) == 0
    await intend(rig, "安娜要去看牙医")
    await rig.engine.consents.change(ANNS, lambda chosen: replace(chosen, paused=True))
    assert await deliver(rig, messenger) == 0
    assert messenger.sent == []


async def test_a_day_with_many_plans_is_told_little_by_little(rig: Rig) -> None:
    await wants(rig)
    for number in range(MOST + 1):
        await intend(rig, f"安娜要做第{number}件事")
    messenger = Messenger()
    assert [await deliver(rig, messenger) for _ in range(3)] == [MOST, 1, 0]


async def test_an_erasure_takes_the_wish_with_it(rig: Rig) -> None:
    await wants(rig)
    assert await rig.engine.consents.reminded() == {ANNS.owner}
    await rig.engine.erase(ANNS)
    assert await rig.engine.consents.reminded() == frozenset()
