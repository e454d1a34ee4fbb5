"""What people say has changed, in families of forms, and what is no change of theirs."""

from datetime import UTC, datetime

import pytest
from astrbot_plugin_tidemark.core.capture.dating import dated
from astrbot_plugin_tidemark.core.capture.rule_extraction import extract

from ...samples import turn


def claims(text: str) -> list[str]:
    """`attribute=value` of what is stated, `attribute!value` of what is so no more."""
    stated = [candidate.claim for candidate in extract([turn(1, text)]).candidates]
    return [
        f"{each.whose}{':' if each.whose else ''}{each.attribute}{'!' if each.denied else '='}"
        f"{each.value}"
        for each in stated
        if each is not None
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我搬到杭州了", ["residence=杭州"]),
        ("上个月搬去了深圳", ["residence=深圳"]),
        ("我妈搬到苏州了", ["mother:residence=苏州"]),
        ("我现在住成都玉林那边", ["residence=成都玉林"]),
        ("我跳槽到腾讯了", ["workplace=腾讯"]),
        ("我辞职了", ["workplace!"]),
        ("我开始在体检中心上班了", ["workplace=体检中心"]),
        ("我们打算明年五月结婚", ["marriage_date=明年五月"]),
        ("我表姐国庆结婚", []),
        ("我养了条金毛叫旺财", ["pet=金毛", "dog:name=旺财"]),
        ("最近转行做产品经理了", ["job=产品经理"]),
        ("我毕业了", ["school!"]),
        ("我考上浙江大学了", ["school=浙江大学"]),
        ("手机换成了华为", ["device:phone=华为"]),
        ("健身时间改到周三了", ["健身时间=周三"]),
        ("我改名叫阿茶了", ["nickname=阿茶"]),
        ("我结婚了", ["marital=已婚"]),
        ("我们分手了", ["marital=单身"]),
        ("我戒烟了", ["smoking!烟"]),
        ("我不再喜欢爵士了", ["like!爵士"]),
        ("对花生不过敏了", ["allergy!花生"]),
        ("我已经不住在北京了", ["residence!北京"]),
        ("I moved to Berlin last month", ["residence=Berlin"]),
        ("my mum moved to Galway", ["mother:residence=Galway"]),
        ("My wife is a nurse", ["partner:job=nurse"]),
        ("my brother's birthday is March 3rd", ["brother:birthday=March 3rd"]),
        ("I joined Acme", ["workplace=Acme"]),
        ("I quit my job", ["workplace!"]),
        ("I quit my job at the old hospital", ["workplace!"]),
        ("I became a nurse", ["job=nurse"]),
        ("I got married", ["marital=married"]),
        ("we broke up", ["marital=single"]),
        ("I switched to tea", ["favourite:drink=tea"]),
        ("I gave up coffee", ["favourite:drink!coffee"]),
        ("I no longer live in Lyon", ["residence!Lyon"]),
        ("I don't like jazz anymore", ["like!jazz"]),
        ("my choir practice moved to Thursdays", ["choir practice=Thursdays"]),
        ("I changed my number to 555", ["contact:phone=555"]),
    ],
)
def test_a_change_is_told_in_many_forms(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "今晚回到家突然觉得特别孤独",
        "你搬到杭州了吗",
        "如果我搬到杭州",
        "我在上海工作",
        "我们住一起",
        "今晚调阈值",
        "把规则抽取变成硬门限",
        "张三搬到杭州了",
        "I joined a gym last week",
        "I dropped off the parcel",
        "seeing actual daylight again",
        "working with people like you is motivating",
        "I work in London",
        "did you move to Berlin?",
        "if I moved to Berlin",
        "he moved to Berlin",
    ],
)
def test_what_is_no_change_of_theirs_claims_nothing(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("I moved to Berlin last month", datetime(2025, 5, 31, 23, 59, 59)),
        ("我今年搬到杭州了", None),
        ("My birthday is March 3rd", None),
    ],
)
def test_a_claim_is_valid_from_the_end_of_the_past_time_it_names(
    text: str, since: datetime | None
) -> None:
    said = turn(1, text, at=datetime(2025, 6, 15, tzinfo=UTC).timestamp())
    (candidate,) = dated(extract([said]), [said], UTC).candidates
    assert candidate.claim is not None
    found = candidate.claim.since
    told = None if found is None else datetime.fromtimestamp(found, UTC).replace(tzinfo=None)
    assert (told and told.replace(microsecond=0)) == since


def corrected(*texts: str) -> list[str]:
    """The values that corrections of these messages give."""
    said = [turn(number, text) for number, text in enumerate(texts, start=1)]
    stated = [candidate.claim for candidate in extract(said).candidates]
    return [f"{each.attribute}={each.value}" for each in stated if each and each.correction]


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("我住在杭州", "说错了，是苏州", ["residence=苏州"]),
        ("我生日是3月5号", "啊不对，是3月6号", ["birthday=3月6号"]),
        ("我生日是3月5号", "不是3月5号，是3月6号", ["birthday=3月6号"]),
        ("我在腾讯上班", "不是腾讯，是阿里", ["workplace=阿里"]),
        ("我对花生过敏", "我记错了，是对芒果过敏", ["allergy=芒果"]),
        ("I live in Leeds", "that's wrong, it's York", ["residence=York"]),
        ("I live in Leeds", "not Leeds, York", ["residence=York"]),
        ("I live in Leeds", "Actually it's York, not Leeds", ["residence=York"]),
        ("I live in Leeds", "typo, York", ["residence=York"]),
        ("I live in Leeds", "not today, thanks", []),
        ("I live in Leeds", "No, it's fine", []),
        ("我住在杭州", "不是今天，是明天", []),
        ("我住在杭州", "不是，我是说真的", []),
        ("我妈叫王秀兰", "不对，我妈属鼠", ["zodiac_animal=鼠"]),
        ("我妈叫王秀兰", "不对，我妈在跳舞呢", []),
        ("My mum is called Ann", "that's wrong, my mum is in Spain", ["residence=Spain"]),
        ("My cat is called Tom", "that's wrong, my cat is asleep", []),
    ],
)
def test_what_takes_the_place_of_a_value_is_a_correction(
    first: str, then: str, expected: list[str]
) -> None:
    assert corrected(first, then) == expected
