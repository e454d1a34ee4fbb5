"""What a turn does, and of whom."""

import pytest
from astrbot_plugin_tidemark.core.recall.addressed import known_of
from astrbot_plugin_tidemark.core.scoring.columns import TurnColumn, expected_best

BOT, BOTH, TELLS = TurnColumn.OF_BOT, TurnColumn.OF_BOTH, TurnColumn.TELLS
OWN = TurnColumn.OWN


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
        ("What should I wear today?", set()),
        ("What's the capital of France?", set()),
        ("我晚上该吃什么", set()),
        ("帮我看看这是什么", set()),
        ("When I was young I sang.", {TELLS}),
        ("Do you remember my cat?", set()),
        ("你还记得我的猫吗？", set()),
        ("Tell me a joke", set()),
        ("猫は元気ですか", set()),
    ],
)
def test_a_turn_is_read_for_whom_it_is_about(text: str, does: set[TurnColumn]) -> None:
    known = known_of(text, 100)
    assert {column for column in (BOT, BOTH, TELLS, OWN) if known.get(column)} == does
    assert known[TurnColumn.SIZE] == expected_best(100)
