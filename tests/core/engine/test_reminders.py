"""Plans that are due: told once in a chat, or sent as a message to whom asked for it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import pytest
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.engine.reminders import MOST, SENDING, ReminderMessages
from astrbot_plugin_tidemark.core.model.conversation import Scope, Speaker
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.knowledge import Intention
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin
from astrbot_plugin_tidemark.core.model.times import day_of, zone
from astrbot_plugin_tidemark.core.recall.trace import Recalled
from astrbot_plugin_tidemark.core.records.intentions import closed
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED
from astrbot_plugin_tidemark.core.settings import (
    DisplaySettings,
    RecallSettings,
    ReminderSettings,
    Settings,
)
from astrbot_plugin_tidemark.storage import open_store

from ...kit import learnt
from ...rig import Rig, open_rig
from ...samples import ANNS, BENS, DAY, GROUP

MARK = "就在今天，请顺便提醒"
SETTINGS = Settings(
    recall=RecallSettings(deadline_ms=10_000), display=DisplaySettings(timezone="Asia/Shanghai")
)
fitted = pytest.fixture(lambda: FITTED)

changes = pytest.fixture(lambda: {"display": SETTINGS.display, "recall": SETTINGS.recall})


async def greet(rig: Rig, scope: Scope = ANNS, text: str = "早上好", *, who: str = "") -> Recalled:
    """A turn that asks for nothing, as the host asks for it."""
    seq = await rig.say(scope, text, session="greeting")
    asker = who or scope.subject
    recalled = await rig.engine.recalls.recall(RecallRequest(scope, text, seq, asker=asker))
    await rig.engine.recalls.recorded()
    assert recalled is not None
    return recalled


async def intend(rig: Rig, text: str, days: float, scope: Scope = ANNS, **more: object) -> Memory:
    due = Intention(due_at=rig.clock.at + days * DAY)
    own = {"id": str(uuid5(NAMESPACE_URL, text)), "intention": due, **more}
    return await rig.keep(text, scope, kind=Kind.PROSPECTIVE, **own)


def texts(recalled: Recalled) -> list[str]:
    return [memory.text for memory in recalled.memories]


async def test_what_was_told_or_not_on_its_day_is_not_told_later(rig: Rig) -> None:
    await rig.say(ANNS, "我后天要去看牙医")
    await rig.learn(learnt())
    rig.clock.at += DAY
    assert texts(await greet(rig)) == []
    rig.clock.at += DAY
    recalled = await greet(rig)
    assert MARK in recalled.block
    assert len(recalled.memories) == len(recalled.trace.due) == 1
    for _ in range(3):
        assert texts(await greet(rig)) == []
    rig.clock.at += DAY
    assert texts(await greet(rig)) == []
    await intend(rig, "安娜要去看牙医", 0.01)
    rig.clock.at += 2 * DAY
    assert texts(await greet(rig)) == []


async def test_a_plan_is_told_as_past_later_unless_nothing_was_due(rig: Rig) -> None:
    await rig.say(ANNS, "提醒我明天去看牙医")
    await rig.learn(learnt())
    await rig.embedded()
    assert "那天已经过去" not in (await rig.ask(ANNS, "我什么时候去看牙医？")).block
    rig.clock.at += 30 * DAY
    assert texts(await greet(rig)) == []
    block = (await rig.ask(ANNS, "我什么时候去看牙医？")).block
    assert "那天已经过去" in block
    assert MARK not in block
    plan = await intend(rig, "安娜要去看牙医", 0.01)
    await rig.keep("安娜要学游泳", ANNS, kind=Kind.PROSPECTIVE, intention=Intention())
    await rig.engine.curation.apply(
        [plan.id], lambda each, now: closed(each, now), "closed", by="Ann"
    )
    assert texts(await greet(rig)) == []


async def test_of_many_two_come_with_each_turn_the_earliest_first(rig: Rig) -> None:
    for number in range(5):
        await intend(rig, f"安娜要办第{number}件事", 0.001 * (number + 1))
    came = [texts(await greet(rig)) for _ in range(4)]
    assert came == [
        ["安娜要办第0件事", "安娜要办第1件事"],
        ["安娜要办第2件事", "安娜要办第3件事"],
        ["安娜要办第4件事"],
        [],
    ]


async def test_nobody_else_is_reminded(rig: Rig) -> None:
    await intend(rig, "安娜要去看牙医", 0.01)
    theirs = await intend(rig, "本要去考试", 0.01, GROUP, speaker=Speaker("902", "Ben"))
    assert texts(await greet(rig, BENS)) == []
    assert texts(await greet(rig, GROUP, who="901")) == []
    assert texts(await greet(rig, GROUP, who="902")) == [theirs.text]
    assert texts(await greet(rig)) == ["安娜要去看牙医"]


async def test_turns_at_the_same_time_are_not_both_reminded(rig: Rig) -> None:
    await intend(rig, "安娜要去看牙医", 0.01)
    both = await asyncio.gather(greet(rig), greet(rig))
    assert sorted(texts(one) for one in both) == [[], ["安娜要去看牙医"]]


async def test_a_recall_of_no_turn_takes_no_reminder(rig: Rig) -> None:
    await intend(rig, "安娜要去看牙医", 0.01)
    await rig.ask(ANNS, "早上好")
    assert texts(await greet(rig)) == ["安娜要去看牙医"]


async def test_a_store_that_fails_ends_no_recall(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    await intend(rig, "安娜要去看牙医", 0.01)

    async def broken(*_: object, **__: object) -> list[Memory]:
        raise StorageError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(rig.store, "page", broken)
        assert texts(await greet(rig)) == []
    assert texts(await greet(rig)) == ["安娜要去看牙医"]


async def opened(folder: Path) -> Rig:
    rig = await open_rig(folder, SETTINGS, store=await open_store("sqlite", folder))
    rig.engine.start()
    return rig


@pytest.mark.parametrize("answered", [True, False])
async def test_a_restart_reminds_of_nothing_twice(tmp_path: Path, answered: bool) -> None:
    rig = await opened(tmp_path)
    await intend(rig, "安娜要去看牙医", 0.01)
    if answered:
        assert texts(await greet(rig)) == ["安娜要去看牙医"]
    await rig.engine.close()
    rig = await opened(tmp_path)
    rig.clock.at += 60
    assert texts(await greet(rig)) == ([] if answered else ["安娜要去看牙医"])
    await rig.engine.close()


HOUR = 3_600.0
SHANGHAI = "Asia/Shanghai"


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


async def for_now(
    rig: Rig, text: str, scope: Scope = ANNS, due_at: float | None = None, **more: object
) -> Memory:
    """Something for now, or later today, said in a chat of that scope."""
    seq = await rig.say(scope, "嗯")
    turn = await rig.journal.turn(seq)
    origin = Origin(turn.place.session, "", turn.episode, (seq,))
    own = {"id": str(uuid5(NAMESPACE_URL, text)), "origin": origin} | more
    due = Intention(due_at=rig.clock.at if due_at is None else due_at)
    return await rig.keep(text, scope, kind=Kind.PROSPECTIVE, intention=due, **own)


async def test_it_is_sent_once_to_the_chat_in_which_it_was_told(rig: Rig) -> None:
    plan = await for_now(rig, "安娜要去看牙医")
    await for_now(rig, "本要去看眼科", BENS)
    messenger = Messenger()
    assert await deliver(rig, messenger) == 0
    await wants(rig)
    assert [await deliver(rig, messenger) for _ in range(3)] == [1, 0, 0]
    assert messenger.sent == [(plan.origin.session, "安娜要去看牙医")]
    assert texts(await greet(rig)) == []
    await wants(rig, on=False)
    await for_now(rig, "安娜要交电费")
    assert await deliver(rig, messenger) == 0


async def test_what_has_come_up_in_the_chat_is_not_sent_as_well(rig: Rig) -> None:
    await wants(rig)
    await for_now(rig, "安娜要去看牙医")
    assert MARK in (await greet(rig)).block
    messenger = Messenger()
    assert await deliver(rig, messenger) == 0


async def test_a_plan_is_sent_at_its_minute_or_before_a_quiet_evening(rig: Rig) -> None:
    await wants(rig)
    rig.clock.at = day_of(rig.clock.at, zone(SHANGHAI))[0] + 9 * HOUR
    three = rig.clock.at + 6 * HOUR
    await for_now(rig, "安娜下午三点要去看牙医", due_at=three)
    assert MARK in (await greet(rig)).block
    messenger = Messenger()
    for at, sent in [(three - 61, 0), (three - 1, 0), (three, 1), (three + 60, 0)]:
        rig.clock.at = at
        assert await deliver(rig, messenger) == sent, at - three
    midnight = day_of(rig.clock.at, zone(SHANGHAI))[0]
    rig.clock.at = midnight + 12 * HOUR
    await for_now(rig, "安娜十一点要吃药", due_at=midnight + 23 * HOUR)
    messenger, hours = Messenger(), ReminderSettings()
    for hour, sent in [(20.9, 0), (21.0, 1), (21.5, 0), (23.0, 0)]:
        rig.clock.at = midnight + hour * HOUR
        assert await deliver(rig, messenger, hours) == sent, hour


async def test_while_it_is_sent_it_does_not_come_up_in_the_chat(rig: Rig) -> None:
    await wants(rig)
    await for_now(rig, "安娜要去看牙医")
    shown: list[str] = []

    async def meanwhile() -> None:
        shown.extend(texts(await greet(rig)))

    assert await deliver(rig, Messenger(first=meanwhile)) == 1
    assert shown == []


async def test_in_quiet_hours_nobody_is_disturbed(rig: Rig) -> None:
    await wants(rig)
    await for_now(rig, "安娜要去看牙医")
    local = int((rig.clock.at + 8 * HOUR) % DAY // HOUR)
    messenger = Messenger()
    assert await deliver(rig, messenger, ReminderSettings(f"{local}-{(local + 1) % 24}")) == 0
    assert await deliver(rig, messenger, ReminderSettings(f"{(local + 1) % 24}-{local}")) == 1


async def test_where_nobody_was_there_to_take_it_it_is_sent_later(rig: Rig) -> None:
    await wants(rig)
    await for_now(rig, "安娜要去看牙医")
    assert await deliver(rig, Messenger(answer=False)) == 0
    rig.clock.at += SENDING
    assert await deliver(rig, Messenger()) == 1


async def test_one_of_which_nobody_knows_is_not_sent_but_comes_up_in_chat(rig: Rig) -> None:
    await wants(rig)
    await for_now(rig, "安娜要去看牙医")
    assert await deliver(rig, Messenger(answer=None)) == 0
    rig.clock.at += SENDING
    assert await deliver(rig, Messenger()) == 0
    assert texts(await greet(rig)) == ["安娜要去看牙医"]
    assert texts(await greet(rig)) == []


async def test_one_that_was_cut_short_is_not_sent_again_after_a_restart(rig: Rig) -> None:
    await wants(rig)
    await for_now(rig, "安娜要去看牙医")

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
    told = await for_now(rig, "安娜在群里说要去爬山", GROUP)
    await for_now(rig, "导入的打算", origin=told.origin)
    await for_now(rig, "来历不明的打算", origin=Origin("", "", "", ()))
    messenger = Messenger()
    assert await deliver(rig, messenger) == 0
    await for_now(rig, "安娜要去看牙医")
    await rig.engine.consents.change(ANNS, lambda chosen: replace(chosen, paused=True))
    assert await deliver(rig, messenger) == 0
    assert messenger.sent == []


async def test_a_day_with_many_plans_is_told_little_by_little(rig: Rig) -> None:
    await wants(rig)
    for number in range(MOST + 1):
        await for_now(rig, f"安娜要做第{number}件事")
    messenger = Messenger()
    assert [await deliver(rig, messenger) for _ in range(3)] == [MOST, 1, 0]


async def test_an_erasure_takes_the_wish_with_it(rig: Rig) -> None:
    await wants(rig)
    assert await rig.engine.consents.reminded() == {ANNS.owner}
    await rig.engine.eraser.erase(ANNS)
    assert await rig.engine.consents.reminded() == frozenset()
