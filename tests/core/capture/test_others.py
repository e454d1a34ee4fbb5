"""What somebody else did is no memory of the speaker's, in clauses that name nobody either."""

import pytest

from .test_rule_extraction import read, texts


@pytest.mark.parametrize(
    "said",
    [
        "他换工作了，去了腾讯",
        "她离婚了，搬到杭州了",
        "阿强换工作了，去了一家物流公司当调度",
        "张伟换工作了，去了一家物流公司",
        "小李说他不干了，回成都了",
        "同事小李离职了，去了腾讯",
        "小王生病了，对青霉素过敏",
        "阿强20岁，喜欢打球",
        "陈老板很好，现在70岁",
        "张伟身体不好，现在150斤",
        "新来的实习生不错，对芒果过敏",
        "店里来了个新人，对花生过敏",
        "有个女儿，喜欢画画",
        "隔壁店倒闭了，现在开了个奶茶店",
        "She quit, works at Google now",
        "He moved out, lives in York now",
        "Tom changed jobs, works at Google now",
        "Our neighbour left, lives in Spain",
        "Works at Google now",
        "Craig's a joiner, moved to York",
        "Poor Jess, moved to York",
        "My mum's ill, moved to York",
    ],
)
def test_a_clause_that_names_nobody_goes_on_about_whom_the_one_before_named(said: str) -> None:
    assert texts(said) == []


def test_what_one_has_oneself_is_nobody_else() -> None:
    """Read as a name, "Wedding's" cost the day that follows it."""
    (only,) = read("Wedding's on the 14th of September!!")
    assert only.claim is not None
    assert only.claim.attribute == "marriage_date"


def test_what_something_costs_a_pound_is_nobodys_weight() -> None:
    assert texts("猪肉涨价了，现在14一斤") == []
    (only,) = read("我现在120斤")
    assert only.claim is not None
    assert only.claim.attribute == "weight"


def test_what_is_said_of_a_relative_is_not_gone_on_with_as_the_speakers() -> None:
    (only,) = read("My friend broke up, moved to Paris")
    assert only.claim is not None
    assert only.claim.whose == "friend"
    assert texts("我妹妹离婚了，搬到杭州") == ["小明的妹妹离婚了"]


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("昨天定了，搬到杭州了", "杭州"),
        ("房东涨价，我搬到昆山了", "昆山"),
        ("她离婚了，我也搬家了，搬到杭州了", "杭州"),
        ("Finally done, moved to York", "York"),
        ("Work's mad, moved to York", "York"),
        ("My wife and I split up, moved to York", "York"),
        ("小区不错，搬到杭州了", "杭州"),
        ("周末搞定，搬到杭州了", "杭州"),
        ("Quit my job, moved to York", "York"),
        ("Tom changed jobs, and I moved to York", "York"),
    ],
)
def test_what_the_speaker_says_of_themselves_is_read_as_before(said: str, place: str) -> None:
    claims = [each.claim for each in read(said) if each.claim is not None]
    assert any((one.attribute, one.value) == ("residence", place) for one in claims)


@pytest.mark.parametrize(
    ("said", "remembered"),
    [
        ("我有个弟弟叫小军，在北京读大学", ["小明有个弟弟叫小军 name=小军 of brother"]),
        ("I have a brother called Tom", ["小明 has a brother called Tom name=Tom of brother"]),
        (
            "我妈叫王秀兰，属猪，喜欢跳广场舞",
            [
                "小明的妈叫王秀兰 name=王秀兰 of mother",
                "小明的妈属猪 zodiac_animal=猪 of mother",
                "小明的妈喜欢跳广场舞 like=跳广场舞 of mother",
            ],
        ),
        ("我是双鱼座", ["小明是双鱼座 zodiac=双鱼座 of "]),
        ("My mum is a Capricorn", ["小明's mum is a Capricorn zodiac=Capricorn of mother"]),
        (
            "我儿子上小学三年级，喜欢画画，对芒果过敏",
            [
                "小明的儿子上小学三年级 school=小学三年级 of son",
                "小明的儿子喜欢画画 like=画画 of son",
                "小明的儿子对芒果过敏 allergy=芒果 of son",
            ],
        ),
        (
            "我对花生过敏，海鲜也过敏",
            ["小明对花生过敏 allergy=花生 of ", "小明海鲜也过敏 allergy=海鲜 of "],
        ),
        ("我儿子同学来家里，对花生过敏", []),
        ("我妈说我弟小时候吃虾，对海鲜过敏", []),
        ("我老公嫌我胖，喜欢瘦的", []),
        ("My son is in third grade", []),
        ("My wife is in marketing", []),
        ("My sister is in York", ["小明's sister is in York residence=York of sister"]),
    ],
)
def test_relatives_have_names_signs_and_allergies_of_their_own(
    said: str, remembered: list[str]
) -> None:
    told = [(each.text, each.claim) for each in read(said)]
    assert [
        f"{text} {claim.attribute}={claim.value} of {claim.whose}"
        for text, claim in told
        if claim is not None
    ] == remembered


@pytest.mark.parametrize(
    ("said", "allergic"),
    [
        ("我们有个儿子，上幼儿园大班，对芒果过敏", "son"),
        ("我有个儿子，五岁，对芒果过敏", "son"),
        ("我和老公有个女儿，对芒果过敏", "daughter"),
        ("我有一只猫，对芒果过敏", "cat"),
        ("我有个女儿，我对芒果过敏", ""),
        ("我有个同事，对芒果过敏", None),
        ("We have a son, severely allergic to peanuts", None),
        ("We have a son, he's allergic to peanuts", "son"),
        ("我有个朋友，在腾讯做开发，对芒果过敏", None),
    ],
)
def test_what_follows_somebody_introduced_is_theirs(said: str, allergic: str | None) -> None:
    """It was read of the speaker, who then had the allergy of their child."""
    found = [each.claim for each in read(said) if each.claim and each.claim.attribute == "allergy"]
    assert [claim.whose for claim in found] == ([] if allergic is None else [allergic])
