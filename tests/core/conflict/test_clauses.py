"""Denials and numbers in a text, and how far a memory is trusted."""

from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.capture.grounding import overlap
from astrbot_plugin_tidemark.core.conflict.clauses import Clause, clauses, content
from astrbot_plugin_tidemark.core.conflict.trust import (
    CONTRADICTS,
    CORROBORATES,
    linked,
    trust,
    trust_of,
)
from astrbot_plugin_tidemark.core.languages.numbers import in_digits
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Relation
from astrbot_plugin_tidemark.core.model.memory import RELIABILITY, Memory, Source
from hypothesis import given
from hypothesis import strategies as st

from ...samples import DAY, memory

words = st.frozensets(st.sampled_from("abcdefgh"))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "用户不喜欢香菜 用户没有兄弟 用户再也不抽烟了 用户不再上夜班 用户从来不迟到 "
            "用户讨厌下雨 用户戒了酒 用户受不了噪音 用户无法吃辣 用户对猫不过敏 用户一点也不怕黑 "
        ).split(),
        "Ann never smokes",
        "Ann doesn’t smoke",
        "Ann don't smoke",
        "Ann no longer smokes",
        "Ann has no car",
        "Ann hates rain",
        "Ann can't stand rain",
        "Ann quit smoking",
        "Nobody likes rain",
    ],
)
def test_a_clause_denies(text: str) -> None:
    assert Clause(text).denies


@pytest.mark.parametrize(
    "text",
    [
        *(
            "味道不错 用户不仅会唱歌 用户没事就跑步 没关系 用户忍不住笑了 两家店差不多 "
            "用户特别喜欢猫 用户喜不喜欢猫 用户非去不可 用户不是不喜欢运动 "
            "用户没有不去的理由 用户不得不加班 用户不讨厌香菜 "
        ).split(),
        "The film was not bad",
        "Ann not only sings",
        "Ann doesn't hate rain",
        "Ann can't wait to go",
        "Ann can't live without tea",
        "no problem",
        "Ann knows the north",
    ],
)
def test_a_clause_denies_nothing(text: str) -> None:
    assert not Clause(text).denies


def test_content_is_what_is_left_without_denial_taste_and_filling() -> None:
    assert content("用户真的不喜欢吃香菜") == content("用户很爱吃香菜") == {"香菜"}
    assert content("Ann really doesn't like tea") == {"ann", "tea"}
    assert content("用户二十八岁") == content("用户28岁")
    assert content("Leo is twenty-eight") == content("Leo is 28")


def test_a_clause_is_cut_at_marks_and_at_but() -> None:
    parts = [each.text.strip() for each in clauses("Ann likes cats but not dogs, and mice")]
    assert parts == ["Ann likes cats", "not dogs", "and mice"]
    assert len(clauses("用户喜欢猫，但是不喜欢狗")) == 2
    (whole,) = clauses("，。！")
    assert whole.content == frozenset()
    assert len(clauses("Ann says it is nothing but a scam")) == 1


@given(words, words)
def test_shares_are_within_bounds(one: frozenset[str], other: frozenset[str]) -> None:
    assert 0.0 <= overlap(one, other) <= 1.0
    assert overlap(one, other) == overlap(other, one)
    assert (overlap(one, other) > 0) == bool(one & other)


@given(st.text(max_size=200))
def test_any_text_has_a_clause(text: str) -> None:
    assert clauses(text)
    assert isinstance(Clause(text).denies, bool)


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


counts = st.integers(0, 50)

HOME = Claim("@", "residence", "Lyon", 0.0)


def backed(*links: tuple[str, str], **changes: Any) -> Memory:
    relations = tuple(Relation("m1", predicate, other) for predicate, other in links)
    return memory(relations=relations, **changes)


@pytest.mark.parametrize(("contradictions", "expected"), [(1, 0.545), (4, 0.425)])
def test_the_published_examples(contradictions: int, expected: float) -> None:
    assert trust(0.8, 15.0, 2, contradictions) == pytest.approx(expected)


@given(st.floats(0, 1), st.floats(0, 1e9), counts, counts)
def test_trust_is_within_bounds_and_moves_the_right_way(
    source: float, age: float, backing: int, against: int
) -> None:
    here = trust(source, age, backing, against)
    assert 0.0 <= here <= 1.0
    assert trust(source, age, backing + 1, against) >= here
    assert trust(source, age, backing, against + 1) <= here
    assert trust(source, age + 1.0, backing, against) <= here


@pytest.mark.parametrize("source", Source)
def test_the_source_decides_first(source: Source) -> None:
    assert trust_of(memory(source=source), 0.0) == pytest.approx(0.5 * RELIABILITY[source] + 0.15)


def test_a_memory_loses_trust_with_each_that_contradicts_it_once() -> None:
    believed = [
        trust_of(replace(backed(*[(CONTRADICTS, f"x{n}") for n in range(many)]), claim=HOME), 0)
        for many in range(4)
    ]
    assert believed == sorted(believed, reverse=True)
    assert len(set(believed)) == 4
    once = backed((CORROBORATES, "x"))
    assert trust_of(backed((CORROBORATES, "x"), (CORROBORATES, "x")), 0) == trust_of(once, 0)
    told = memory(relations=(Relation("ann", CONTRADICTS, "ben"), Relation("m1", "likes", "x")))
    assert trust_of(told, 0.0) == trust_of(memory(), 0.0)
    assert linked(backed((CONTRADICTS, "m1")), CONTRADICTS) == frozenset()
    assert trust_of(memory(created_at=50 * DAY), 0.0) == trust_of(memory(), 0.0)
    assert trust_of(memory(), 90 * DAY) == trust_of(memory(), 900 * DAY)
