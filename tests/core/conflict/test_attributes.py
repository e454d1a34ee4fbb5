"""Attributes with one value at a time, whose they are, and when two values exclude each other."""

import pytest
from astrbot_plugin_tidemark.core.conflict.attributes import Attribute, differ, values
from astrbot_plugin_tidemark.core.conflict.numbers import in_digits, numbers
from astrbot_plugin_tidemark.core.conflict.roles import swapped
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(max_examples=80, deadline=None)


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("用户住在上海浦东", Attribute.HOME, "上海浦东"),
        ("用户的猫叫豆豆", Attribute.NAME, "豆豆"),
        ("用户在杭州一家银行上班", Attribute.WORKPLACE, "杭州一家银行"),
        ("用户是一名护士", Attribute.OCCUPATION, "护士"),
        ("用户在清华大学读书", Attribute.SCHOOL, "清华大学"),
        ("用户老家在湖南", Attribute.ORIGIN, "湖南"),
        ("用户的生日是5月3日", Attribute.BIRTHDAY, "5月3日"),
        ("用户今年28岁", Attribute.AGE, "28"),
        ("用户身高180厘米", Attribute.SIZE, "180"),
        ("用户最喜欢的颜色是蓝色", Attribute.FAVOURITE, "蓝色"),
        ("用户养了两只猫", Attribute.COUNT, "两"),
        ("用户每天六点起床", Attribute.SCHEDULE, "六点"),
        ("用户目前单身", Attribute.MARITAL, "单身"),
        ("用户主修物理", Attribute.SUBJECT, "物理"),
        ("用户的房租是三千元", Attribute.DETAIL, "三千元"),
        ("Ann lives in Berlin", Attribute.HOME, "Berlin"),
        ("Ann's dog is called Rex", Attribute.NAME, "Rex"),
        ("Ann works for Siemens", Attribute.WORKPLACE, "Siemens"),
        ("Ann is a primary teacher", Attribute.OCCUPATION, "primary teacher"),
        ("Ann comes from Lyon", Attribute.ORIGIN, "Lyon"),
        ("The user's birthday is on May 3", Attribute.BIRTHDAY, "May 3"),
        ("Leo is twenty-eight years old", Attribute.AGE, "twenty-eight"),
        ("Leo is 180 cm tall", Attribute.SIZE, "180"),
        ("Ann's favourite colour is blue", Attribute.FAVOURITE, "blue"),
        ("Kate has two cats", Attribute.COUNT, "two"),
        ("Tom gets up at 6", Attribute.SCHEDULE, "6"),
        ("Ann is married", Attribute.MARITAL, "married"),
        ("Sam studies physics", Attribute.SUBJECT, "physics"),
        ("The wedding is on Friday", Attribute.DETAIL, "Friday"),
    ],
)
def test_an_attribute_is_read_with_its_value(text: str, attribute: Attribute, value: str) -> None:
    assert [each.value for each in values(text) if each.attribute is attribute] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "用户不住在上海",
        "用户以前住在北京",
        "用户住在公司附近",
        "用户叫外卖",
        "用户28岁那年去了日本",
        "Ann used to live in Berlin",
        "Ann lived in Berlin",
        "Ann doesn't live in Berlin",
        "Ann lives in a small flat",
        "Ann keeps bees",
        "",
    ],
)
def test_what_is_denied_over_or_vague_is_no_value(text: str) -> None:
    assert values(text) == ()


@pytest.mark.parametrize(
    ("one", "other", "counted", "expected"),
    [
        ("Berlin", "Munich", False, True),
        ("Berlin", "Berlin Mitte", False, False),
        ("一家银行", "一家医院", False, True),
        ("28", "twenty-eight", True, False),
        ("5月3日", "六月三号", True, True),
        ("5月3日", "五月三号", True, False),
        ("May 3", "3 May", True, False),
        ("Friday", "Sunday", True, True),
        ("", "Berlin", False, False),
    ],
)
def test_values_differ(one: str, other: str, counted: bool, expected: bool) -> None:
    assert differ(one, other, counted=counted) is expected
    assert differ(other, one, counted=counted) is expected


def test_only_the_same_attribute_of_the_same_holder_rivals() -> None:
    (cat,), (dog,) = values("用户的猫叫豆豆"), values("用户的狗叫旺财")
    (other,) = values("用户的猫叫团子")
    assert cat.rivals(other)
    assert not cat.rivals(dog)
    assert not cat.rivals(cat)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("二十八岁", "28岁"),
        ("五月三号", "5月3日"),
        ("twenty-one cats", "21 cats"),
        ("一个人", "一个人"),
    ],
)
def test_counted_numbers_are_written_in_digits(text: str, expected: str) -> None:
    assert in_digits(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("May 3", (3.0, 5.0)),
        ("3 June 2024", (3.0, 6.0, 2024.0)),
        ("maybe", ()),
        ("3.5公里", (3.5,)),
    ],
)
def test_numbers_are_read_with_months(text: str, expected: tuple[float, ...]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Ann likes Ben", "Ben likes Ann", True),
        ("狗咬了人", "人咬了狗", True),
        ("我弟弟比我哥哥高", "我哥哥比我弟弟高", True),
        ("tea and toast", "toast and tea", False),
        ("他在杭州的一家银行", "他在一家杭州的银行", False),
        ("Ann likes Ben", "Ann likes Ben", False),
        ("Ann likes Ben", "Zoe likes Ann", False),
        ("", "", False),
    ],
)
def test_only_two_things_on_either_side_of_something_change_places(
    one: str, other: str, expected: bool
) -> None:
    assert swapped(one, other) is expected
    assert swapped(other, one) is expected


@quick
@given(st.text(max_size=120), st.text(max_size=120))
def test_any_text_is_read_without_failing(one: str, other: str) -> None:
    assert len(values(one)) <= 12
    assert swapped(one, other) is swapped(other, one)
    assert all(number == number for number in numbers(one))
