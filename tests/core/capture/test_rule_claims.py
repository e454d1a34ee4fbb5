"""What a model learns without naming a slot states what the rules read in the turns."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.capture.rule_claims import with_rule_claims
from astrbot_plugin_tidemark.core.model.conversation import Place, Role, Speaker, Turn
from astrbot_plugin_tidemark.core.model.lesson import Candidate, Lesson, Stated
from astrbot_plugin_tidemark.core.model.memory import Kind

RAIN = Speaker("901", "小雨")


def turn(text: str, seq: int = 1) -> Turn:
    return Turn(seq, "e", Place("s", "c", "private/qq/901/default"), Role.USER, RAIN, text, 0.0)


def learnt(text: str, **changes: object) -> Candidate:
    return replace(Candidate(text=text, summary=text, turns=(1,), kind=Kind.SEMANTIC), **changes)


def claims(candidate: Candidate, *said: str) -> Stated | None:
    turns = [turn(text, seq) for seq, text in enumerate(said, start=1)]
    (told,) = with_rule_claims(Lesson(candidates=(candidate,)), turns).candidates
    return told.claim


def test_an_allergy_that_a_model_words_its_own_way_is_a_claim() -> None:
    stated = claims(learnt("小雨吃花生会过敏"), "我对花生过敏，吃了会喉咙肿")
    assert stated is not None
    assert (stated.attribute, stated.value, stated.denied) == ("allergy", "花生", False)


def test_what_a_relative_does_is_claimed_of_them() -> None:
    stated = claims(learnt("小雨的男朋友是厨师", about=("男朋友",)), "我男朋友叫阿杰，是个厨师")
    assert stated is None or stated.whose == "partner"


def test_what_is_over_is_claimed_to_be_so_without_a_value() -> None:
    stated = claims(learnt("小雨从医院辞职了，很累"), "我从医院辞职了，下个月去上班")
    assert stated is not None
    assert (stated.attribute, stated.value, stated.denied) == ("workplace", "", True)
    assert claims(learnt("小雨很累"), "我从医院辞职了") is None


@pytest.mark.parametrize(
    ("candidate", "said"),
    [
        (learnt("小雨身体不好"), ["我对花生过敏"]),
        (learnt("小雨吃花生会过敏", turns=(2,)), ["我对花生过敏", "哈哈"]),
        (learnt("阿杰对花生过敏", about=("阿杰",)), ["我对花生过敏"]),
        (learnt("小雨想查花生过敏", kind=Kind.PROSPECTIVE), ["我对花生过敏"]),
        (learnt("小雨对花生和虾过敏", turns=(1, 2)), ["我对花生过敏", "我对虾过敏"]),
        (learnt("天气很好"), ["今天天气很好"]),
    ],
    ids=["other words", "other turn", "other person", "a plan", "two values", "nothing read"],
)
def test_nothing_is_guessed(candidate: Candidate, said: list[str]) -> None:
    assert claims(candidate, *said) is None


def test_what_a_model_has_named_stays() -> None:
    own = Stated("allergy", "坚果")
    assert claims(learnt("小雨对花生等坚果过敏", claim=own), "我对花生过敏") == own
