"""What people say of themselves in everyday chat, and sentences that look like it and are not."""

import pytest

from .test_rule_extraction import read, texts


def claims(said: str) -> list[str]:
    """Attribute, value and whose, of each claim that is read."""
    return [
        f"{claim.attribute}={claim.value}" + (f" of {claim.whose}" if claim.whose else "")
        for each in read(said)
        if (claim := each.claim) is not None
    ]


@pytest.mark.parametrize(
    ("said", "claimed"),
    [
        ("你好呀，我是小林，在成都做产品经理", ["job=产品经理"]),
        ("我在上海做设计", ["job=设计"]),
        ("我换工作了，去了字节做运营", ["workplace=字节", "job=做运营的"]),
        ("我老公在腾讯做开发", ["workplace=腾讯 of partner", "job=做开发的 of partner"]),
        ("我跳槽了，现在在美团", ["workplace=美团"]),
        ("我租了个房子在天河", ["residence=天河"]),
        ("我从深圳搬回了老家", ["residence=老家"]),
        ("我老家是湖南的", ["home_town=湖南"]),
        ("我老婆下个月生日，3月8号", ["birthday=3月8号 of partner"]),
        ("我结婚三年了", ["marital=已婚"]),
        ("我儿子上幼儿园大班，对芒果过敏", ["school=幼儿园大班 of son", "allergy=芒果 of son"]),
        ("我乳糖不耐受", ["allergy=乳糖"]),
        ("我和老婆有两个孩子，都对花生过敏", ["allergy=花生 of child"]),
        ("我养了一只橘猫，叫团子", ["pet=橘猫", "name=团子 of cat"]),
        ("我有个可爱的女儿，今年五岁", ["family=可爱的女儿", "age=五岁 of daughter"]),
        ("我开的是比亚迪", ["car=比亚迪"]),
        ("我胃不好", ["illness=胃不好"]),
        ("我有点贫血", ["illness=贫血"]),
        ("我妈血压有点高", ["illness=血压有点高 of mother"]),
        ("我是O型血", ["blood_type=O型"]),
        ("我是基督徒", ["religion=基督徒"]),
        ("我是杰伦的粉丝", ["like=杰伦"]),
        ("我工资八千", ["salary=八千"]),
        ("我跟女朋友在一起两年了", ["marital=恋爱中"]),
        ("我是自由职业", ["job=自由职业"]),
        ("我用的是小米14", ["device:phone=小米14"]),
        ("我新换了iPhone", ["device:phone=iPhone"]),
        ("我大学学的是会计", ["major=会计"]),
        ("我学的是电子琴", ["instrument=电子琴"]),
        ("我正在备考雅思", ["exam=雅思"]),
        ("我微信号是abc123", ["contact:wechat=abc123"]),
        ("我身高一米七五", ["height=一米七五"]),
        ("我近视六百度", ["glasses=近视六百度"]),
        ("我每天早上六点起床", ["wake_time=六点"]),
        ("我晚上一般十二点才睡", ["bedtime=十二点"]),
        ("我闺蜜在杭州开咖啡店", ["business=咖啡店 of friend"]),
        ("我会弹钢琴", ["skill=弹钢琴"]),
        ("I live in a small flat in Brighton", ["residence=Brighton"]),
        ("I grew up in Ohio but live in Boston now", ["residence=Boston"]),
        ("I quit my job to go back to school", ["workplace="]),
        ("I gave up guitar and went back to badminton", ["instrument=guitar"]),
        ("I work as a nurse at Mercy Hospital", ["workplace=Mercy Hospital", "job=a nurse"]),
        ("My girlfriend Emma is a teacher", ["partner=Emma"]),
        ("I've been married for three years", ["marital=married"]),
        ("I have high blood pressure", ["illness=high blood pressure"]),
        ("I take metformin every day", ["medication=metformin"]),
        ("I'm on sertraline", ["medication=sertraline"]),
        ("The doctor put me on amlodipine for my blood pressure", ["medication=amlodipine"]),
        ("I retired from teaching last spring", ["workplace="]),
        ("My daughter lives in Leeds with her husband Tom", ["residence=Leeds of daughter"]),
        ("I'm lactose intolerant", ["allergy=lactose intolerant"]),
        ("I just bought a Honda Civic", ["car=Honda Civic"]),
        ("I use a Pixel 8", ["device:phone=Pixel 8"]),
        ("I studied accounting in college", ["major=accounting"]),
        ("I'm preparing for the IELTS", ["exam=IELTS"]),
        ("I'm 175 cm tall", ["height=175 cm"]),
        ("I get up at six every day", ["wake_time=six"]),
        ("I can play the piano", ["skill=play the piano"]),
        ("I have a sister in Toronto", ["residence=Toronto of sister"]),
        ("我用的是華為Mate60", ["device:phone=華為Mate60"]),
    ],
)
def test_an_attribute_is_read_with_its_value(said: str, claimed: list[str]) -> None:
    assert claims(said) == claimed


@pytest.mark.parametrize(
    ("said", "remembered"),
    [
        ("I play badminton on Wednesdays", "小明 plays badminton on Wednesdays"),
        ("I go to the pool every Sunday", "小明 goes to the pool every Sunday"),
        ("My daughter just started kindergarten", "小明's daughter just started kindergarten"),
        ("My grandma passed away", "小明's grandma passed away"),
        ("I'm training for a marathon", "小明 is training for a marathon"),
        ("I'm afraid of heights", "小明 is afraid of heights"),
        ("说话简短点", "小明对机器人的要求：说话简短点"),
        ("我有点恐高", "小明有点恐高"),
        ("我每周三晚上打羽毛球", "小明每周三晚上打羽毛球"),
        ("我早餐一般吃包子", "小明早餐一般吃包子"),
        ("我在减肥", "小明在减肥"),
        ("我最近失眠", "小明最近失眠"),
        ("我怀孕四个月了", "小明怀孕四个月了"),
        ("我妈做了手术", "小明的妈做了手术"),
        ("我奶奶去世了", "小明的奶奶去世了"),
        ("我在看《我在故宫修文物》", "小明在看《我在故宫修文物》"),
        ("我是浙大毕业的", "小明是浙大毕业的"),
        ("我通勤要一个小时", "小明通勤要一个小时"),
    ],
)
def test_what_is_no_attribute_is_kept_as_it_was_said(said: str, remembered: str) -> None:
    assert texts(said) == [remembered]


@pytest.mark.parametrize(
    "said",
    [
        "我每天都很累",
        "我每天都这么能睡的",
        "我晚饭吃的晚",
        "我会做到的",
        "我会打电话给你",
        "我会说的",
        "我开的玩笑",
        "我买了小米手环",
        "我觉得血压计不准",
        "我换了华为的耳机",
        "我公司在开会",
        "他每天早上六点起床",
        "同事小李在北京做律师",
        "我的工作是自己找的",
        "你开的是比亚迪吗",
        "I can see it",
        "I can do that for you",
        "I'm on holiday",
        "I take a walk every day",
        "The doctor put me on the spot",
        "I retired the old laptop",
        "I use the train",
        "I'm on it",
        "She works as a nurse at Mercy Hospital",
        "I can play it later",
    ],
)
def test_what_only_looks_like_it_is_not_read(said: str) -> None:
    assert claims(said) == []


def test_the_floor_one_lives_on_takes_the_place_of_no_town() -> None:
    """It ended the town that was told before."""
    assert claims("我家住六楼没电梯") == []


def test_how_somebody_does_not_want_to_be_called_is_about_no_brother() -> None:
    assert texts("以后别叫我哥") == ["小明对机器人的要求：以后别叫小明哥"]


def test_a_pronoun_within_a_title_stays() -> None:
    assert texts("我最近在看《我的前半生》") == ["小明最近在看《我的前半生》"]
