"""What is for today is brought up once, when its person speaks, whatever they say."""

import asyncio
from dataclasses import replace
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import pytest
from astrbot_plugin_tidemark.core.engine.engine import RecallRequest
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.knowledge import Intention
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.recall.trace import Recalled
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED
from astrbot_plugin_tidemark.core.settings import DisplaySettings, RecallSettings, Settings
from astrbot_plugin_tidemark.storage import open_store

from ...kit import learnt
from ...rig import Rig, open_rig
from ...samples import ANNS

DAY = 86_400.0
BENS = replace(ANNS, subject="902")
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")
MARK = "就在今天，请顺便提醒"
SETTINGS = Settings(
    recall=RecallSettings(deadline_ms=10_000), display=DisplaySettings(timezone="Asia/Shanghai")
)
fitted = pytest.fixture(lambda: FITTED)

changes = pytest.fixture(lambda: {"display": SETTINGS.display})


async def greet(rig: Rig, scope: Scope = ANNS, text: str = "早上好", *, who: str = "") -> Recalled:
    """A turn that asks for nothing, as the host asks for it."""
    seq = await rig.say(scope, text, session="greeting")
    asker = who or scope.subject
    recalled = await rig.engine.recall(RecallRequest(scope, text, seq, asker=asker))
    await rig.engine.recorded()
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
    await rig.engine.curation.close([plan.id], over=True, by="Ann")
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
