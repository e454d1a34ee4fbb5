"""What may become one memory, what never does, and which two are opposed."""

from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.conflict.trust import CONTRADICTS, SUPPORTS
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Relation
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Source, UserFeedback
from astrbot_plugin_tidemark.core.records.opposition import Opposed, opposed, ordered, suspicion
from astrbot_plugin_tidemark.core.records.sameness import NEAR, apart, eligible

from ...samples import ANN, BEN, memory


def two(one: str, other: str, near: float = NEAR) -> bool:
    first, second = (
        memory(text, id=text, speaker=ANN, kind=Kind.SEMANTIC) for text in (one, other)
    )
    return apart(first, second, near)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann likes hiking", "Ann enjoys hiking."),
        ("She is a nurse at the clinic", "She's a nurse at the clinic!"),
        ("Ann loves to hike in the hills", "Ann loves hiking in the hills"),
        ("用户喜欢看书，看电影", "用户喜欢看电影、看书。"),
        ("我是做销售的", "我现在是做销售的"),
        ("我家是拉布拉多！", "我家的是拉布拉多"),
        ("Ann likes hiking", "She likes hiking"),
        ("Ann keeps 2 cats", "Ann keeps two cats"),
        ("Ann speaks Polish and German", "Ann speaks German and Polish"),
        ("Ann dislikes loud music", "Ann can't stand loud music"),
    ],
)
def test_the_same_in_other_order_or_small_words_is_one(one: str, other: str) -> None:
    assert not two(one, other)
    assert not two(other, one)


@pytest.mark.parametrize(
    ("one", "other", "near", "two_apart"),
    [
        ("Ann is shy with strangers", "Ann is shy around strangers", 0.94, False),
        ("我是急诊科护士", "我在急诊科当护士", 0.94, False),
        ("我五点起床", "我每天五点起床", 0.94, False),
        ("Ann is shy with strangers", "Ann is shy around strangers", 0.9, True),
        ("妈妈想爸爸", "爸爸很想妈妈", 0.99, True),
        ("Ann is learning Dutch", "Ann's husband is learning Dutch", 0.99, True),
        ("Ann plays the cello", "Ann used to play the cello", 0.99, True),
        ("我五点起床", "我每天五点起床", 0.9, True),
        ("Ann swims on Tuesday", "Ann swims on Monday", 0.99, True),
        ("Ann's brother is rich", "Ann's brother-in-law is rich", 0.99, True),
        ("我家有狗", "我家有三只狗", 0.99, True),
    ],
)
def test_very_near_each_other_one_may_add_words_but_no_number_person_or_turn(
    one: str, other: str, near: float, two_apart: bool
) -> None:
    assert two(one, other, near) is two(other, one, near) is two_apart


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann's birthday is 12月10号", "Ann's birthday is 11月13号"),
        ("Ann keeps two cats", "Ann keeps three cats"),
        ("我有两只猫", "我有三只猫"),
        ("Ann swims on Monday", "Ann swims on Tuesday"),
        ("我昨天去游泳", "我明天去游泳"),
        ("Ann went hiking with Bob", "Ann went hiking with Carl"),
        ("She told Bob that Carl lied", "She told Carl that Bob lied"),
        ("Ann likes films about cooks", "Ann likes films about diverse cooks"),
        ("Maria volunteers at a shelter", "Maria volunteers at a shelter for cats"),
        ("我喜欢看书", "我喜欢看推理书"),
        ("Ann likes cats", "Ann does not like cats"),
        ("我喜欢吃肉", "我不喜欢吃肉"),
        ("Ann smokes", "Ann used to smoke"),
        ("Ann can swim", "Ann wants to swim"),
        ("Ann eats only fish", "Ann eats fish"),
        ("She moved from Leeds", "She moved to Leeds"),
        ("我只知道我喜欢你", "我只知道你喜欢我"),
        ("你想去哪儿就去哪儿", "我想去哪儿就去哪儿"),
        ("我只知道我的名字", "我只知道你的名字"),
        ("She likes her job", "She likes his job"),
        ("他借给我钱", "我借给他钱"),
        ("我是江苏人，现在在上海工作", "我是上海人，现在在上海工作"),
        ("Ann adopted a dog", "Ann adopted a cat"),
        ("不是，我是厨师", "是的，我是厨师"),
    ],
)
def test_what_differs_in_one_thing_is_never_one(one: str, other: str) -> None:
    assert two(one, other)
    assert two(other, one)


def test_whoever_says_more_of_the_same_is_enough() -> None:
    one = memory("Ann likes hiking", id="a", speaker=ANN, kind=Kind.SEMANTIC)
    for change in (
        {"speaker": Speaker("902", "Ann")},
        {"about": ("Ben",)},
        {"source": Source.BOT},
        {"kind": Kind.PROCEDURAL},
    ):
        assert apart(one, replace(one, id="b", **change))
    one = memory("Ann went hiking", id="a", speaker=ANN, kind=Kind.EPISODIC)
    assert apart(one, replace(one, id="b", happened_at=one.happened_at + DAY))
    assert not apart(one, replace(one, id="b", happened_at=one.happened_at + 60))
    one = claiming("Ann lives in Leeds", "Leeds")
    assert not apart(one, claiming("Ann's home is in Leeds", "leeds"))
    for other in (
        claiming("Ann lives in York", "York"),
        claiming("Ann lives in Leeds", "Leeds", denied=True),
        replace(one, id="b", claim=None),
        claiming("Ann and Bob live in Leeds", "Leeds"),
    ):
        assert apart(one, other)


def claiming(text: str, value: str, **changes: Any) -> Memory:
    claim = Claim("901", "residence", value, 1.0)
    return memory(text, id=text, speaker=ANN, kind=Kind.SEMANTIC, claim=replace(claim, **changes))


def test_what_is_over_corrected_or_meant_is_not_merged() -> None:
    plain = memory("Ann lives in Leeds", kind=Kind.SEMANTIC)
    assert eligible(plain)
    assert not eligible(replace(plain, kind=Kind.EVIDENCE))
    assert not eligible(replace(plain, kind=Kind.PROSPECTIVE))
    assert not eligible(replace(plain, feedback=UserFeedback(accurate=False)))
    assert not eligible(replace(claiming("x", "y"), claim=Claim("901", "residence", "y", 1.0, 2.0)))


def judged(one: str, other: str) -> bool:
    """Of two that sleep's judge has found to say the same."""
    edges = {"a": (Relation("a", SUPPORTS, "b"),), "b": (Relation("b", SUPPORTS, "a"),)}
    first, second = (
        memory(text, id=id, speaker=ANN, kind=Kind.SEMANTIC, relations=edges[id])
        for text, id in ((one, "a"), (other, "b"))
    )
    return apart(first, second)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("小雨喜欢咖啡", "小雨平时爱喝咖啡"),
        ("My favourite pastime is chess", "I love playing chess"),
        ("Ann often goes swimming", "Ann swims a lot"),
        ("Ann meditates every morning", "Ann starts each day by meditating"),
        ("我周二晚上踢足球", "我每周二晚上都踢球"),
        ("我害怕坐飞机", "我特别怕坐飞机"),
        ("我开一辆白色的车", "我的车是白色的"),
        ("我不吃香菜", "我从来不碰香菜"),
        ("我受不了恐怖片", "吓人的电影我看不下去"),
        ("别给我发语音", "我只看文字消息"),
        ("我没法长跑，膝盖有伤", "我膝盖有旧伤，跑不了长跑"),
        ("线稿下个月底要交", "线稿要在下月底交出去"),
        ("Ann delivers pizza on Friday nights", "Friday nights are when Ann brings people pizza"),
    ],
)
def test_what_a_judge_finds_the_same_may_be_worded_otherwise(one: str, other: str) -> None:
    assert two(one, other)
    assert not judged(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann keeps two cats", "Ann has three cats at home"),
        ("Ann swims on Monday", "Ann goes swimming on Tuesday"),
        ("Ann went to see Mirabel", "Ann visited Rosalind"),
        ("Ann likes coriander", "Ann does not like coriander at all"),
        ("Ann plays the cello", "Ann used to play the cello"),
        ("Ann drinks tea, not beer", "Ann drinks beer, not tea"),
        ("我爸爸有糖尿病", "我妈妈得了糖尿病"),
        ("Ann's brother has a boat", "Ann's brother-in-law owns a boat"),
        ("Ann drinks", "Ann does not drink"),
        ("我喜欢海，讨厌山", "我讨厌海，喜欢山"),
        ("我每天都抽一包烟", "我不抽烟"),
    ],
)
def test_no_judge_makes_one_of_what_code_sees_to_be_two(one: str, other: str) -> None:
    assert judged(one, other)


def told(text: str, **changes: Any) -> Memory:
    given = {"id": text, "kind": Kind.SEMANTIC, "speaker": ANN, "about": ("Ann",), **changes}
    return memory(text, **given)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann likes fresh coriander", "Ann does not like fresh coriander"),
        ("我喜欢鸳鸯锅", "鸳鸯锅我不喜欢"),
        ("Ann eats red meat", "Ann never eats red meat"),
    ],
)
def test_a_statement_and_its_denial_by_the_same_person_are_opposed(one: str, other: str) -> None:
    assert opposed(told(one), told(other), 0.0) is Opposed.DENIAL


@pytest.mark.parametrize(
    ("one", "other", "changes"),
    [
        ("Ann likes fresh coriander", "Ann does not like fresh coriander", {"speaker": BEN}),
        ("Ann likes fresh coriander", "Ann does not like fresh coriander", {"about": ("Ruth",)}),
        ("Ann likes fresh coriander", "Ann does not like dried coriander", {}),
        ("Ann likes fresh coriander", "Ann did not use to like fresh coriander", {}),
        ("Ann likes fresh coriander", "Ann likes fresh coriander a lot", {}),
        ("Ann went swimming on Monday", "Ann did not go swimming", {}),
        ("Ann runs 5 km", "Ann does not run 10 km", {}),
        ("Ann likes tea", "Ann does not like tea", {"source": Source.BOT}),
        ("Ann met Ruth in town", "Ann did not meet Ruth in town", {"kind": Kind.EPISODIC}),
        ("The film is not bad", "The film is good", {}),
    ],
)
def test_what_looks_like_a_denial_is_none(one: str, other: str, changes: dict[str, Any]) -> None:
    assert opposed(told(one), told(other, **changes), 0.0) is None
    assert opposed(told(other, **changes), told(one), 0.0) is None


def test_claims_are_opposed_where_their_slot_says_so_and_nowhere_else() -> None:
    home = Claim("@", "residence", "Leeds", 1.0)
    one = told("Ann lives in Leeds", claim=home)
    link = Relation("Ann lives in York", CONTRADICTS, one.id)
    other = told("Ann lives in York", claim=home, relations=(link,))
    assert opposed(other, one, 1.0) is Opposed.SLOT
    # A model names the slot and its value of what is over, too.
    assert opposed(told("Ann does not live in Leeds", claim=home), one, 1.0) is Opposed.DENIAL
    assert opposed(told("Ann's home is Leeds", claim=home), one, 1.0) is None
    russian, over = told("Ann живёт в Leeds", claim=home), told("Ann не живёт в Leeds", claim=home)
    assert opposed(over, russian, 1.0) is Opposed.NEAR


def test_what_is_near_is_asked_about_by_the_designs_sum() -> None:
    one, other = told("The exam is on 12 May"), told("The exam is on 19 May")
    assert opposed(one, other, 0.4) is Opposed.NEAR
    assert opposed(one, other, 0.39) is None
    one, other = told("Ann likes green tea"), told("Ann does not like green tea")
    assert suspicion(one, other, 0.5) == pytest.approx(0.45 * 0.5 + 0.25 + 0.25 + 0.15)
    assert suspicion(one, other, 1.0) == 1.0
    assert suspicion(told("a red boat"), told("the moon"), 0.4) == pytest.approx(0.18)


def test_the_later_is_told_by_clock_and_number_together() -> None:
    one = told("a", created_at=1.0, origin=Origin(episode="e1", turns=(1,)))
    other = told("b", created_at=2.0, origin=Origin(episode="e2", turns=(2,)))
    assert ordered(one, other) == ordered(other, one) == (other, one)
    # In one go, at once, or by a clock that was set back, nobody can tell.
    same = told("c", created_at=2.0, origin=Origin(episode="e1", turns=(3,)))
    back = told("d", created_at=0.5, origin=Origin(episode="e3", turns=(4,)))
    assert ordered(one, same) is None
    assert ordered(one, back) is None
    assert ordered(one, told("e", created_at=1.0, origin=Origin(turns=(1,)))) is None
