"""Whom and what a turn names, and whose memories come before the others' for it."""

import pytest
from astrbot_plugin_tidemark.core.languages.entity_matching import named
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Entity
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.recall.columns import sides

from ...samples import memory


def of(*records: Memory, asked: str) -> dict[str, int]:
    return sides({record.id: record for record in records}, asked)


@pytest.mark.parametrize(
    ("name", "asked", "is_named"),
    [
        ("Ann", "where does ann live", True),
        ("Ann", "the annex is open", False),
        ("小雨", "小雨放假了吗", True),
        ("雨", "今天下雨", False),
        ("the", "the bees", False),
        ("我们", "我们走吧", False),
        ("", "bees", False),
        ("C++", "c++ or rust", True),
    ],
)
def test_a_name_is_a_whole_word_and_no_function_word(name: str, asked: str, is_named: bool) -> None:
    assert named(name, asked) is is_named


def test_what_the_one_asked_about_said_is_on_the_side_asked_for() -> None:
    bens = memory(id="ben", speaker=Speaker("2", "Ben"))
    anns = memory(id="ann", speaker=Speaker("1", "Ann"))
    assert of(bens, anns, asked="what does ann keep?") == {"ben": -1, "ann": 1}
    ann = memory(id="ann", speaker=Speaker("1", "Ann"))
    assert of(memory(id="ben"), ann, asked="zoe?") == {"ben": 0, "ann": 0}
    goat = memory(id="goat", entities=(Entity("rosa", "Rosa"),))
    assert of(memory(id="other"), goat, asked="is rosa a goat?") == {"other": 0, "goat": 1}
