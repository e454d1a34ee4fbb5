"""What people say has taken the place of something: in two clauses, or in one."""

import pytest

from .test_changes import claims


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我换工作了，现在在体检中心", ["workplace=体检中心"]),
        ("我跳槽了，去了一家设计院", ["workplace=设计院"]),
        ("我搬家了，现在住松江大学城", ["residence=松江大学城"]),
        ("我姐回来了，在青岛落了户", ["sister:residence=青岛"]),
        ("手机坏了，换了个小米14", ["device:phone=小米14"]),
        ("我们换领导了，新来的姓周", ["boss=周"]),
        ("房东卖房了，新房东姓陶", ["landlord=陶"]),
        ("got a new job, at the hospital", ["workplace=the hospital"]),
        ("I got a new phone, it's a Pixel 9", ["device:phone=Pixel 9"]),
        ("I moved again, to Porto", ["residence=Porto"]),
    ],
)
def test_a_change_told_in_one_clause_has_the_value_of_the_next(
    text: str, expected: list[str]
) -> None:
    assert claims(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "我退租了，在收拾东西",
        "我换了新手机，太好用了",
        "got a new job, with great people",
        "I got a new phone, finally",
        "I made cheese",
        "我不打算养了",
    ],
)
def test_what_follows_an_announced_change_and_is_no_value_is_none(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我在学吉他", ["instrument=吉他"]),
        ("我不学钢琴了，改学大提琴", ["instrument!钢琴", "instrument=大提琴"]),
        ("I took up the cello", ["instrument=the cello"]),
        ("I quit piano", ["instrument!piano"]),
        ("我改喝茶了", ["favourite:drink=茶"]),
        ("我戒咖啡了", ["favourite:drink!咖啡"]),
        ("我最爱吃的换成羊肉泡馍了", ["favourite:food=羊肉泡馍"]),
    ],
)
def test_a_taste_is_kept_where_questions_ask_for_it(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


def test_when_it_happened_is_no_part_of_what_changed() -> None:
    assert claims("The shop shut for good on Sunday") == ["business!shop"]
    assert claims("had to step down from the food bank, haven't the energy") == [
        "volunteering!the food bank"
    ]


def test_who_is_my_boss_is_no_boss_of_theirs() -> None:
    assert claims("My boss is now Colin") == ["boss=Colin"]
    assert claims("Anna is my new manager") == ["boss=Anna"]
