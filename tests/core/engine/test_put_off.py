"""What is put off is meant for its new day: no plan stays on the day it was once for."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_tidemark.core.model.conversation import (
    NewTurn,
    Role,
    Scope,
    ScopeKind,
    Speaker,
)
from astrbot_plugin_tidemark.core.model.intentions import Intention
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.settings import DisplaySettings

from ...kit import item, learnt, place
from ...rig import Rig
from ...samples import ANN, ANNS

HERE = ZoneInfo("Asia/Shanghai")
"""The first turn is said on Sunday, 15 June 2025, in the evening."""

GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")


@pytest.fixture
def changes() -> dict[str, object]:
    return {"display": DisplaySettings(timezone="Asia/Shanghai")}


async def plans(rig: Rig, *said: str, scope: Scope = ANNS) -> list[Memory]:
    for text in said:
        await rig.say(scope, text)
        await rig.settle()
    return await rig.memories(Kind.PROSPECTIVE)


def day(plan: Memory) -> str:
    due = plan.due_at
    return "" if due is None else datetime.fromtimestamp(due, HERE).strftime("%m-%d %H:%M")


@pytest.mark.parametrize(
    ("told", "put_off", "due", "written"),
    [
        ("约了牙医周四上午拔智齿", "牙医改到周五了", "06-20 00:00", "2025-06-20"),
        ("周五下午要考操作系统", "操作系统考试改到周六了", "06-21 00:00", "2025-06-21"),
        ("班级聚餐周六晚上六点", "聚餐推迟到周日了", "06-22 00:00", "2025-06-22"),
        ("体检定在下周四", "体检提前到周二了", "06-17 00:00", "2025-06-17"),
        ("我下周三要去面试", "面试推迟到28号了", "06-28 00:00", "2025-06-28"),
        ("提醒我周一交课程设计", "课程设计延期到周三交了", "06-18 00:00", "2025-06-18"),
        ("班级聚餐周六晚上六点", "聚餐改到晚上八点了", "06-21 20:00", "2025-06-21 20:00"),
        (
            "dentist appointment on thursday at 2",
            "the dentist's been put back to monday",
            "06-23 00:00",
            "2025-06-23",
        ),
        ("viewing a bungalow on friday", "the viewing's been moved to saturday", "06-21 00:00", ""),
        (
            "wedding of my niece Laura is on the 2nd of august in York",
            "Laura's wedding's been put back to the 9th of august",
            "08-09 00:00",
            "2025-08-09",
        ),
        (
            "my friend Dave's operation is on the 20th",
            "Dave's op has been postponed until the 27th",
            "06-27 00:00",
            "2025-06-27",
        ),
        (
            "going to priyas wedding on the 3rd of august",
            "priyas weddings been put back to the 10th",
            "08-10 00:00",
            "2025-08-10",
        ),
        (
            "Priya's wedding is on the 3rd of august",
            "Priya's wedding's been put back to the 10th of august",
            "08-10 00:00",
            "2025-08-10",
        ),
        (
            "im getting married on 20th july",
            "weddings been put back to the 27th",
            "07-27 00:00",
            "2025-07-27",
        ),
        (
            "hen do on sat 12th july",
            "moved the hen do to 19th july",
            "07-19 00:00",
            "hen do on 2025-07-19",
        ),
        (
            "can you remind me to ring the solicitor on monday",
            "actually make that tuesday for the solicitor",
            "06-17 00:00",
            "",
        ),
    ],
)
async def test_a_plan_that_is_put_off_is_for_its_new_day(
    rig: Rig, told: str, put_off: str, due: str, written: str
) -> None:
    [plan] = await plans(rig, told, put_off)
    assert day(plan) == due
    assert (written or due[:5]) in plan.text
    assert [entry.action for entry in await rig.journal.audit_of(plan.id)] == ["created", "put_off"]


async def test_its_old_day_is_gone_from_its_text_and_the_first_words_stay_in_their_turn(
    rig: Rig,
) -> None:
    [plan] = await plans(rig, "约了牙医周四上午拔智齿", "牙医改到周五了")
    assert "周四" not in plan.text
    raw = [memory.text for memory in await rig.memories(Kind.EVIDENCE)]
    assert raw == ["约了牙医周四上午拔智齿", "牙医改到周五了"]


async def test_of_several_that_fit_none_is_moved(rig: Rig) -> None:
    before = await plans(rig, "周五下午要考操作系统", "提醒我周三交操作系统实验")
    after = await plans(rig, "操作系统改到下周一了")
    assert [day(plan) for plan in after] == [day(plan) for plan in before]


@pytest.mark.parametrize(
    "said",
    [
        "眼科医生改到周五了",
        "牙医能不能改到周五",
        "要是牙医改到周五就好了",
        "我把密码改到周五那个了",
        "I moved the sofa to the window",
    ],
)
async def test_what_is_about_something_else_or_only_wished_moves_nothing(
    rig: Rig, said: str
) -> None:
    [before] = await plans(rig, "约了牙医周四上午拔智齿")
    after = await plans(rig, said)
    assert day(after[0]) == day(before)


async def test_put_off_without_a_day_it_is_for_none_and_reminds_of_nothing(rig: Rig) -> None:
    [plan] = await plans(rig, "约了牙医周四上午拔智齿", "牙医推迟了")
    assert plan.due_at is None
    assert "周四" not in plan.text


async def test_my_own_wedding_does_not_move_my_sisters(rig: Rig) -> None:
    [plan] = await plans(
        rig, "the wedding of my sister is on the 2nd of august", "my wedding's been moved to friday"
    )
    assert day(plan) == "08-02 00:00"


async def test_in_a_group_nobody_puts_off_what_another_means_to_do(rig: Rig) -> None:
    [before] = await plans(rig, "我周四要去体检", scope=GROUP)
    turn = NewTurn(
        place(GROUP), Role.USER, Speaker("777", "Ben"), "体检改到周五了", rig.clock.at + 1
    )
    await rig.engine.observe(turn)
    await rig.settle()
    [after] = await rig.memories(Kind.PROSPECTIVE)
    assert day(after) == day(before)


async def test_what_is_put_back_to_a_monday_is_so_to_one_after_the_day_it_was_for(rig: Rig) -> None:
    [plan] = await plans(
        rig, "dentist appointment on the 26th", "the dentist's been put back to monday"
    )
    assert day(plan) == "06-30 00:00"


async def test_it_is_reminded_of_on_the_new_day_alone(rig: Rig) -> None:
    await plans(rig, "约了牙医周四上午拔智齿", "牙医改到周五了")
    rig.clock.at = datetime(2025, 6, 19, 9, tzinfo=HERE).timestamp()
    _, old = await rig.exchange(ANNS, "早上好呀今天真热", "早")
    assert "请顺便提醒" not in (await rig.ask(ANNS, "吃什么", turn=old)).block
    rig.clock.at = datetime(2025, 6, 20, 9, tzinfo=HERE).timestamp()
    recalled, _ = await rig.exchange(ANNS, "早上好呀今天真热", "早")
    assert recalled.trace.due


async def test_the_hour_of_a_plan_that_names_no_day_is_that_of_its_new_day(rig: Rig) -> None:
    """爬山早上七点在B口集合 lost its hour when the walk was moved to Sunday."""
    due = datetime(2025, 6, 21, 7, tzinfo=HERE).timestamp()
    changes = {"kind": Kind.PROSPECTIVE, "happened_at": due, "speaker": ANN}
    for text in ("爬山早上七点在B口集合", "hiking starts at 7am at gate B"):
        await rig.keep(text, ANNS, id=text, intention=Intention(due_at=due), **changes)
    await plans(rig, "爬山改到周日了", "the hiking's been moved to sunday")
    moved = await rig.memories(Kind.PROSPECTIVE)
    assert [day(plan) for plan in moved] == ["06-22 07:00", "06-22 07:00"]
    assert {plan.text for plan in moved} == {
        "爬山2025-06-22早上七点在B口集合",
        "hiking starts at 7am on 2025-06-22 at gate B",
    }


async def test_what_is_moved_is_told_on_its_new_day_to_who_sees_only_that_it_has_moved(
    rig: Rig,
) -> None:
    """我妈什么时候做手术 was answered with everything but that: it had just been put off."""
    await plans(rig, "约了牙医周四上午拔智齿")
    await rig.pass_time()
    await plans(rig, "牙医改到周五了")
    await rig.embedded()
    seq = await rig.say(ANNS, "我哪天去看牙医")
    recalled = await rig.ask(ANNS, "我哪天去看牙医", turn=seq, history=["牙医改到周五了"])
    assert "约了牙医2025-06-20拔智齿" in recalled.block


async def test_what_was_put_off_and_is_learnt_again_is_one_plan(rig: Rig) -> None:
    """Of an operation put off there were two plans: one was closed, the other reminded of."""
    await plans(rig, "约了牙医周四上午拔智齿")
    await rig.pass_time()
    await plans(rig, "牙医改到周五了，口腔医院的王医生很好")
    told = {"kind": "prospective", "intention": "plan"}
    again = item("Ann看牙医改到2025年6月20日周五", 1, happened_at="2025-06-20", **told)
    other = item("Ann打算再去看牙医复查", 1, happened_at="2025-06-27", **told)
    await rig.learn(learnt(again, other))
    found = await rig.memories(Kind.PROSPECTIVE)
    assert sorted(map(day, found)) == ["06-20 00:00", "06-27 20:00"]
    assert "Ann约了牙医2025-06-20拔智齿" in [plan.text for plan in found]


async def test_of_what_learning_has_moved_on_nobody_is_reminded_on_the_old_day(rig: Rig) -> None:
    """A walk that a model told anew for Sunday was for today on Saturday too."""
    told = {"kind": "prospective", "intention": "plan"}
    await rig.say(ANNS, "周四和老周一起去看展")
    [old] = await rig.learn(learnt(item("Ann周四和老周去看展", happened_at="2025-06-19", **told)))
    rig.clock.at += 7_200
    await rig.say(ANNS, "老周那个展我们周五再去看")
    newer = item("Ann和老周周五去看展", happened_at="2025-06-20", updates=1, **told)
    found = await rig.learn(learnt(newer))
    assert {day(plan)[:5] for plan in found} == {"06-19", "06-20"}
    assert old.id in {plan.id for plan in found if plan.successor is not None}
    for date, due in ((19, 0), (20, 1)):
        rig.clock.at = datetime(2025, 6, date, 9, tzinfo=HERE).timestamp()
        recalled, _ = await rig.exchange(ANNS, "早上好呀今天真热", "早")
        assert len(recalled.trace.due) == due
