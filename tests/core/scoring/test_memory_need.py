"""What a turn asks for, by its words and its meaning, and reading the numbers that tell it."""

import json
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.host.coefficients import MEMORY_NEED, in_force, memory_need
from astrbot_plugin_tidemark.core.scoring.memory_need import (
    UNREAD,
    ByMeaning,
    MemoryNeed,
    grams_of,
)

SPACE = "local:test:2"
NEED = MemoryNeed(
    {"holiday": 4.0},
    {SPACE: ByMeaning(np.array([1.0, -1.0], np.float32), {"holiday": 2.0}, 0.5)},
)


def unreported(place: str, why: str) -> None:
    raise AssertionError(f"{place}: {why}")


@pytest.mark.parametrize(
    ("text", "grams"),
    [
        ("my dog's food", {"my", "dog's", "food", "^ my", "my dog's", "dog's food", "food $"}),
        ("養貓嗎？", {"养", "猫", "吗", "^ 养", "养 猫", "猫 吗", "吗 $"}),
        ("Tom养猫 42", {"tom", "养", "猫", "0", "^ tom", "tom 养", "养 猫", "猫 0", "0 $"}),
        ("？！", {"^ $"}),
    ],
)
def test_words_characters_and_neighbours_are_read_in_one_script(text: str, grams: set[str]) -> None:
    assert grams_of(text) == grams


def test_a_question_mark_makes_no_difference() -> None:
    assert grams_of("where do I park?") == grams_of("where do I park")
    assert grams_of("我停哪儿了？") == grams_of("我停哪儿了")


def test_of_what_is_not_known_nothing_is_told() -> None:
    assert UNREAD.probability("who signs off my holiday") == 0.5
    assert NEED.probability("кто подпишет мой отпуск") == 0.5


def test_meaning_counts_in_the_space_that_it_was_fitted_for_alone() -> None:
    near = np.array([1.0, 0.0], np.float32)
    by_words = NEED.probability("my holiday")
    assert NEED.probability("my holiday", near, SPACE) != by_words
    assert NEED.probability("my holiday", near, "another:space:2") == by_words
    assert NEED.probability("my holiday", np.ones(3, np.float32), SPACE) == by_words


def test_the_longest_turn_is_read_in_part() -> None:
    assert NEED.probability("x " * 100_000 + "holiday") == 0.5


def test_the_file_that_is_shipped_tells_what_asks_for_a_life() -> None:
    need = memory_need(unreported)
    asks = (
        "who signs off my holiday",
        "我家那只叫什么来着",
        "上次去看牙是哪天",
        "what's Tom's girl called again",
    )
    rest = "write a card for my aunt", "帮我写个请假条", "外卖又迟到了", "write a haiku"
    assert min(map(need.probability, asks)) > 0.5 > max(map(need.probability, rest))


def test_the_file_says_how_its_numbers_came_about_and_names_no_hand_that_judges() -> None:
    document = json.loads(MEMORY_NEED.read_text("utf-8"))
    assert document["command"] == "python -m benchmarks.fit_memory_need --write"
    assert {"asking_f", "everyday_b", "changes_b"}.isdisjoint(document["data"])
    judged = document["figures"]["meaning"]
    assert min(judged["b"]["all"]["auc"], judged["f"]["all"]["auc"]) > 0.95


def test_every_footing_is_told() -> None:
    needs = [model.need for model in in_force(unreported).values()]
    assert needs[0] is not UNREAD
    assert all(need is needs[0] for need in needs)


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"version": 99}', '{"version": 1, "grams": {}}', "9" * 5000]
    + [
        json.dumps({"version": 1, "grams": grams, "meaning": meaning})
        for grams, meaning in (
            ({"a": "1"}, {}),
            ({"a": True}, {}),
            ([], {}),
            ({}, {"space": {"vector": [float("inf")], "grams": {}, "base": 0}}),
            ({}, {"space": {"vector": [0], "grams": {}}}),
            ({}, {"space": []}),
        )
    ],
)
def test_a_file_that_does_not_fit_is_reported_and_tells_nothing(tmp_path: Path, text: str) -> None:
    file = tmp_path / "memory_need.json"
    file.write_text(text, "utf-8")
    told: list[tuple[str, str]] = []
    assert memory_need(lambda *problem: told.append(problem), file) is UNREAD
    assert [where for where, _ in told] == ["memory_need"]
    assert "memory_need.json" in told[0][1]
