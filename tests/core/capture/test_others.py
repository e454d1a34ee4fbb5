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
        "She quit, works at Google now",
        "He moved out, lives in York now",
        "Tom changed jobs, works at Google now",
        "Our neighbour left, lives in Spain",
        "Works at Google now",
    ],
)
def test_a_clause_that_names_nobody_goes_on_about_whom_the_one_before_named(said: str) -> None:
    assert texts(said) == []


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
        ("Quit my job, moved to York", "York"),
        ("Tom changed jobs, and I moved to York", "York"),
    ],
)
def test_what_the_speaker_says_of_themselves_is_read_as_before(said: str, place: str) -> None:
    claims = [each.claim for each in read(said) if each.claim is not None]
    assert any((one.attribute, one.value) == ("residence", place) for one in claims)
