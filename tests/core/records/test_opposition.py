"""Pairs that may not both be so: two values of a slot, a statement and its denial, what is near."""

from typing import Any

import pytest
from astrbot_plugin_tidemark.core.conflict.trust import CONTRADICTS
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Relation
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Source
from astrbot_plugin_tidemark.core.records import opposition
from astrbot_plugin_tidemark.core.records.opposition import Opposed, Statement, ordered

from ...samples import memory

ANN, BEN = Speaker("901", "Ann"), Speaker("902", "Ben")


def told(text: str, **changes: Any) -> Memory:
    given = {"id": text, "kind": Kind.SEMANTIC, "speaker": ANN, "about": ("Ann",), **changes}
    return memory(text, **given)


def opposed(one: Memory, other: Memory, near: float) -> Opposed | None:
    return opposition.opposed(Statement(one), Statement(other), near)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann likes fresh coriander", "Ann does not like fresh coriander"),
        ("我喜欢鸳鸯锅", "鸳鸯锅我不喜欢"),
        ("Ann eats red meat", "Ann never eats red meat"),
    ],
)
def test_a_statement_and_its_denial_by_the_same_person_are_opposed(one: str, other: str) -> None:
    assert opposed(told(one), told(other), 0.0) is Opposed.DENIAL


@pytest.mark.parametrize(
    ("one", "other", "changes"),
    [
        ("Ann likes fresh coriander", "Ann does not like fresh coriander", {"speaker": BEN}),
        ("Ann likes fresh coriander", "Ann does not like fresh coriander", {"about": ("Ruth",)}),
        ("Ann likes fresh coriander", "Ann does not like dried coriander", {}),
        ("Ann likes fresh coriander", "Ann did not use to like fresh coriander", {}),
        ("Ann likes fresh coriander", "Ann likes fresh coriander a lot", {}),
        ("Ann went swimming on Monday", "Ann did not go swimming", {}),
        ("Ann runs 5 km", "Ann does not run 10 km", {}),
        ("Ann likes tea", "Ann does not like tea", {"source": Source.BOT}),
        ("Ann met Ruth in town", "Ann did not meet Ruth in town", {"kind": Kind.EPISODIC}),
        ("The film is not bad", "The film is good", {}),
    ],
)
def test_what_looks_like_a_denial_is_none(one: str, other: str, changes: dict[str, Any]) -> None:
    assert opposed(told(one), told(other, **changes), 0.0) is None
    assert opposed(told(other, **changes), told(one), 0.0) is None


def test_claims_are_opposed_where_their_slot_says_so_and_nowhere_else() -> None:
    home = Claim("@", "residence", "Leeds", 1.0)
    one = told("Ann lives in Leeds", claim=home)
    link = Relation("Ann lives in York", CONTRADICTS, one.id)
    other = told("Ann lives in York", claim=home, relations=(link,))
    assert opposed(other, one, 1.0) is Opposed.SLOT
    # A model names the slot and its value of what is over, too.
    assert opposed(told("Ann does not live in Leeds", claim=home), one, 1.0) is Opposed.DENIAL
    assert opposed(told("Ann's home is Leeds", claim=home), one, 1.0) is None
    russian, over = told("Ann живёт в Leeds", claim=home), told("Ann не живёт в Leeds", claim=home)
    assert opposed(over, russian, 1.0) is Opposed.NEAR


def test_what_is_near_is_asked_about_by_the_designs_sum() -> None:
    one, other = told("The exam is on 12 May"), told("The exam is on 19 May")
    assert opposed(one, other, 0.4) is Opposed.NEAR
    assert opposed(one, other, 0.39) is None
    one, other = told("Ann likes green tea"), told("Ann does not like green tea")
    likes, denies = Statement(one), Statement(other)
    assert opposition.suspicion(likes, denies, 0.5) == pytest.approx(
        0.45 * 0.5 + 0.25 + 0.25 + 0.15
    )
    assert opposition.suspicion(likes, denies, 1.0) == 1.0
    boat, moon = Statement(told("a red boat")), Statement(told("the moon"))
    assert opposition.suspicion(boat, moon, 0.4) == pytest.approx(0.18)


def test_the_later_is_told_by_clock_and_number_together() -> None:
    one = told("a", created_at=1.0, origin=Origin(episode="e1", turns=(1,)))
    other = told("b", created_at=2.0, origin=Origin(episode="e2", turns=(2,)))
    assert ordered(one, other) == ordered(other, one) == (other, one)
    # In one go, at once, or by a clock that was set back, nobody can tell.
    same = told("c", created_at=2.0, origin=Origin(episode="e1", turns=(3,)))
    back = told("d", created_at=0.5, origin=Origin(episode="e3", turns=(4,)))
    assert ordered(one, same) is None
    assert ordered(one, back) is None
    assert ordered(one, told("e", created_at=1.0, origin=Origin(turns=(1,)))) is None
