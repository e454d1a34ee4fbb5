"""What one memory is to another: contradiction, confirmation, or neither."""

from typing import Any

import pytest
from astrbot_plugin_tidemark.core.conflict.clauses import content, overlap
from astrbot_plugin_tidemark.core.conflict.verdict import (
    Reason,
    Stance,
    Verdict,
    conflict,
    other_subject,
)
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.similarity.measure import WORDS
from astrbot_plugin_tidemark.core.similarity.thresholds import CONFLICT
from hypothesis import given, settings
from hypothesis import strategies as st

from ...samples import memory
from .table import AGREEING, APART, CONTRADICTING

DAY = 86_400.0
NOW = 1_750_000_000.0
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default").key
ANN, BEN = Speaker("901", "Ann"), Speaker("902", "Ben")
quick = settings(max_examples=80, deadline=None)

LABELLED = [
    *((*pair, Stance.CONTRADICTS) for pair in CONTRADICTING),
    *((*pair, Stance.CORROBORATES) for pair in AGREEING),
    *((*pair, Stance.UNRELATED) for pair in APART),
]


def judged(one: str | Memory, other: str | Memory, similarity: float | None = None) -> Verdict:
    """By the words alone, unless the similarity is given."""
    pair = [
        memory(each, created_at=NOW, happened_at=NOW) if isinstance(each, str) else each
        for each in (one, other)
    ]
    by_words = WORDS.read(overlap(content(pair[0].text), content(pair[1].text)))
    return conflict(pair[0], pair[1], by_words if similarity is None else similarity)


def said(text: str, speaker: Speaker, **changes: Any) -> Memory:
    return memory(text, scope=GROUP, speaker=speaker, **changes)


@pytest.mark.parametrize(("one", "other", "stance"), LABELLED)
def test_the_labelled_pairs_are_judged_as_labelled(one: str, other: str, stance: Stance) -> None:
    assert judged(one, other).stance is stance


@pytest.mark.parametrize(("one", "other", "stance"), LABELLED)
def test_a_verdict_is_the_same_both_ways(one: str, other: str, stance: Stance) -> None:
    assert judged(one, other) == judged(other, one)


@pytest.mark.parametrize("similarity", [0.5, 0.75, 1.0])
def test_no_agreeing_or_unrelated_pair_contradicts_however_near_its_vectors(
    similarity: float,
) -> None:
    wrong = [
        pair
        for pair in (*AGREEING, *APART)
        if judged(*pair, similarity).stance is Stance.CONTRADICTS
    ]
    assert wrong == []


def test_half_of_the_table_is_chinese() -> None:
    chinese = sum(not one.isascii() for one, _, _ in LABELLED)
    assert len(LABELLED) >= 90
    assert abs(chinese - len(LABELLED) / 2) <= 3


def test_two_agreeing_tastes_are_no_contradiction_though_the_published_sum_is_high() -> None:
    verdict = judged("Ann loves green tea", "Ann likes green tea", 0.9)
    assert verdict.stance is Stance.CORROBORATES
    assert verdict.reason is Reason.AGREEMENT


def test_the_confidence_of_a_denial_is_the_published_sum() -> None:
    verdict = judged("Sam smokes", "Sam does not smoke", 0.8)
    assert verdict.confidence == pytest.approx(0.45 * 0.8 + 0.25 * 1.0 + 0.25)
    taste = judged("Ann likes tea", "Ann doesn't like tea", 0.8)
    assert taste.confidence == pytest.approx(min(1.0, 0.45 * 0.8 + 0.25 + 0.25 + 0.15))


def test_what_is_opposed_but_hardly_alike_does_not_count() -> None:
    verdict = judged("Ann moved to Berlin", "The user lives in Munich since the spring", 0.1)
    assert verdict.stance is Stance.UNRELATED
    assert verdict.confidence < CONFLICT
    assert verdict.reason is Reason.TOO_WEAK


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("用户喜欢吃香菜", "用户不喜欢吃香菜", Reason.DENIAL),
        ("Ann lives in Berlin", "Ann lives in Munich", Reason.OTHER_VALUE),
        ("The dog bit the postman", "The postman bit the dog", Reason.SWAPPED),
        ("用户以前住在北京", "用户以前住在北京", Reason.AGREEMENT),
        ("Ann used to drive", "Ann doesn't drive", Reason.OTHER_TIME),
        ("My sister likes tea", "My brother likes tea", Reason.OTHER_SUBJECT),
    ],
)
def test_every_verdict_has_its_reason(one: str, other: str, reason: Reason) -> None:
    assert judged(one, other).reason is reason


def test_two_people_of_a_group_never_contradict_each_other() -> None:
    verdict = judged(said("I like tea", ANN), said("I don't like tea", BEN), 1.0)
    assert verdict == Verdict(Stance.UNRELATED, 0.0, Reason.OTHER_SUBJECT)


def test_one_person_of_a_group_may_contradict_themselves_under_another_name() -> None:
    renamed = Speaker(ANN.id, "Annie")
    verdict = judged(said("I like tea", ANN), said("I don't like tea", renamed))
    assert verdict.stance is Stance.CONTRADICTS


def test_two_people_of_a_group_may_contradict_each_other_about_a_third() -> None:
    one = said("Zoe likes tea", ANN, about=("Zoe",))
    other = said("Zoe doesn't like tea", BEN, about=("zoe",))
    assert judged(one, other).stance is Stance.CONTRADICTS


def test_who_is_spoken_of_may_have_said_the_other() -> None:
    own = said("Ann likes tea", ANN)
    assert not other_subject(own, said("Ann doesn't like tea", BEN, about=("Ann",)))
    assert other_subject(own, said("Zoe doesn't like tea", ANN, about=("Zoe",)))


def test_other_people_by_name_are_other_subjects_in_private_too() -> None:
    one, other = memory("likes tea", about=("Ben",)), memory("doesn't like tea", about=("Zoe",))
    assert judged(one, other, 1.0).reason is Reason.OTHER_SUBJECT


def test_two_days_are_two_days_though_both_say_yesterday() -> None:
    ran = memory("Tom went running yesterday", created_at=NOW)
    rested = memory("Tom did not go running yesterday", created_at=NOW + 7 * DAY)
    assert judged(ran, rested, 0.9).reason is Reason.OTHER_TIME
    same_day = memory("Tom did not go running yesterday", created_at=NOW + 60.0)
    assert judged(ran, same_day, 0.9).stance is Stance.CONTRADICTS


texts = st.one_of(
    st.sampled_from([text for one, other, _ in LABELLED for text in (one, other)]),
    st.text(max_size=60),
)


@quick
@given(texts, texts, st.floats(0, 1))
def test_any_two_texts_get_one_verdict_both_ways(one: str, other: str, similarity: float) -> None:
    verdict = judged(one, other, similarity)
    assert 0.0 <= verdict.confidence <= 1.0
    assert verdict == judged(other, one, similarity)


@quick
@given(texts, st.floats(0, 1))
def test_nothing_contradicts_itself(text: str, similarity: float) -> None:
    assert judged(text, text, similarity).stance is not Stance.CONTRADICTS


def test_long_texts_are_judged_in_their_beginning() -> None:
    long = "，".join(f"第{number}件事是去看海" for number in range(400))
    assert judged(long, long).stance is Stance.CORROBORATES


@pytest.mark.parametrize("words", ["不错", "没事", "不仅如此", "不过如此", "差不多", "没关系"])
def test_words_that_merely_hold_a_negation_deny_nothing(words: str) -> None:
    assert judged("用户今天跑步", f"用户今天跑步{words}", 1.0).stance is Stance.CORROBORATES
