"""The regression that tells which attribute is asked for, and what it is fitted on."""

import numpy as np
from astrbot_plugin_tidemark.benchmarks.fit_asked_attributes_run import WRITTEN, fitted
from astrbot_plugin_tidemark.benchmarks.fit_asked_attributes_topics import (
    OTHER,
    TOPICS,
    Question,
    changes,
    fitted_on,
    idle,
)
from astrbot_plugin_tidemark.benchmarks.fit_recall_solver import softmax

SPACE = "space"
ASKED = [
    Question("whom do I ask for a day off", "en", "i", "boss"),
    Question("who signs my expenses", "en", "i", "boss"),
    Question("what do I put in the tank", "en", "i", "car"),
    Question("what is my locker number", "en", "i", OTHER),
]


def test_what_separates_the_topics_is_found() -> None:
    meant = [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [-1.0, -1.0]]
    vectors = {each.text: np.array(at) for each, at in zip(ASKED, meant, strict=True)}
    asked = fitted(ASKED, vectors, SPACE)
    told = [asked.likely(np.array(at, np.float32), SPACE) for at in meant]
    assert [max(each, key=lambda key: each[key]) for each in told[:3]] == ["boss", "boss", "car"]
    assert sum(told[3].values()) < 0.1


def test_the_least_loss_of_two_classes_is_that_of_a_logistic_regression() -> None:
    rows = np.array([[1.0, 1.0], [-1.0, 1.0]])
    weights = softmax(rows, [0, 1], 2, 0.1)
    assert np.allclose(weights[:, 0], -weights[:, 1])
    likely = 1.0 / (1.0 + np.exp(-2.0 * weights[0, 0]))
    # At the least loss the pull of the rows is that of the penalty.
    assert np.isclose(1.0 - likely, 0.1 * weights[0, 0], atol=1e-6)


def test_every_topic_has_questions_in_both_languages_and_no_hand_that_judges_is_fitted() -> None:
    own, judges = fitted_on(WRITTEN), {*changes(WRITTEN), *idle(WRITTEN)}
    for language in ("zh", "en"):
        counts = {
            topic: sum(each.asks == topic and each.language == language for each in own)
            for topic in TOPICS
        }
        assert min(counts.values()) >= 10, counts
    assert {each.hand for each in judges} == {"a", "b", "f"}
    assert {each.hand for each in own}.isdisjoint({"a", "b", "f"})
