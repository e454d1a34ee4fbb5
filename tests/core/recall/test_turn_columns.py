"""What a turn does, and of whom."""

import pytest
from astrbot_plugin_tidemark.core.recall.turn_columns import turn_columns
from astrbot_plugin_tidemark.core.scoring.columns import TurnColumn, expected_best

BOT, BOTH, TELLS = TurnColumn.OF_BOT, TurnColumn.OF_BOTH, TurnColumn.TELLS
NOBODY, OWN = TurnColumn.OF_NOBODY, TurnColumn.OWN


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("Do you like films?", {BOT}),
        ("你喜欢什么电影？", {BOT}),
        ("あなたはお茶が好きですか", {BOT}),
        ("Are you like me?", {BOTH}),
        ("你和我谁大？", {BOTH}),
        ("I had soup today.", {TELLS}),
        ("外卖又迟到了", set()),
        ("今天下雨了", {TELLS}),
        ("你真好", {BOT, TELLS}),
        ("Where do I work?", {OWN}),
        ("what language am I studying", {OWN}),
        ("do I still have that car", {OWN}),
        ("我的工作是什么", {OWN}),
        ("你知道我住在哪里吗", {OWN}),
        ("我眼下還需要服藥嗎", {OWN}),
        ("How do I boil an egg?", set()),
        ("养的猫叫什么", {OWN}),
        ("在哪上班呀", {NOBODY}),
        ("What should I wear today?", set()),
        ("Do I need a visa for Portugal?", set()),
        ("What's the capital of France?", {NOBODY}),
        ("Whats the capital of France", {NOBODY}),
        ("法国的首都是哪里", {NOBODY}),
        ("法国的首都是哪里？", {NOBODY}),
        ("我晚上该吃什么", set()),
        ("帮我看看这是什么", set()),
        ("When I was young I sang.", {TELLS}),
        ("Do you remember my cat?", set()),
        ("你还记得我的猫吗？", set()),
        ("Tell me a joke", set()),
        ("猫は元気ですか", {NOBODY}),
    ],
)
def test_a_turn_is_read_for_whom_it_is_about(text: str, does: set[TurnColumn]) -> None:
    known = turn_columns(text, 100)
    assert {column for column in (BOT, BOTH, TELLS, NOBODY, OWN) if known.get(column)} == does
    assert known[TurnColumn.SIZE] == expected_best(100)


def test_a_question_that_names_somebody_known_is_of_somebody() -> None:
    asked = "When did Caroline go to the coast?"
    assert turn_columns(asked, 100)[NOBODY] == 1.0
    assert turn_columns(asked, 100, names=True)[NOBODY] == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "红烧肉是哪国菜",
        "恐龙是怎么灭绝的",
        "why is the sea salty",
        "why is salt salty",
    ],
)
def test_a_question_does_the_same_with_and_without_its_mark(text: str) -> None:
    assert (
        turn_columns(text, 100) == turn_columns(f"{text}?", 100) == turn_columns(f"{text}？", 100)
    )
