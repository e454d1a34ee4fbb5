"""What tells something that would be missed, and what only asks."""

import pytest
from astrbot_plugin_tidemark.core.languages.telling import tells


@pytest.mark.parametrize(
    "text",
    [
        "where do I live now",
        "what is my cat called",
        "how many cats do I have",
        "whose birthday is next week",
        "do you remember my sister's name",
        "By the way, which school did I go to",
        "我现在住在哪里",
    ],
)
def test_a_question_without_its_mark_tells_nothing(text: str) -> None:
    assert not tells(text)


@pytest.mark.parametrize(
    "text",
    [
        "Did my taxes today",
        "Was so tired after work in Bergen",
        "When I was young I lived in Oslo",
        "What I love most is sailing at night",
        "I moved to Bergen, how about you",
        "don't call me Jonathan anymore",
        "我搬到上海了，你呢",
    ],
)
def test_what_only_begins_like_a_question_tells(text: str) -> None:
    assert tells(text)
