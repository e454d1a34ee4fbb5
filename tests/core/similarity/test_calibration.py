"""What cosines are made to mean: 0 for unrelated, 1 for related, in every vector space."""

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.ports import EmbedderIdentity, Vector
from astrbot_plugin_tidemark.core.similarity.calibration import (
    PRIOR,
    Baseline,
    Frame,
    framed,
    plain,
)

WIDE = 64


def space(common: float, *, seed: int = 1, kin: float = 1.0, pairs: int = 16) -> Baseline:
    """Pairs that share a direction of their own, beside one that all vectors share."""
    chance = np.random.default_rng(seed)
    shared = np.zeros(WIDE)
    shared[0] = common
    themes = chance.normal(size=(pairs, WIDE)) / np.sqrt(WIDE)

    def texts() -> Vector:
        noise = chance.normal(size=(pairs, WIDE)) / np.sqrt(WIDE)
        rows = shared + kin * themes + 0.5 * noise
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    return Baseline(texts(), texts())


@pytest.mark.parametrize("common", [0.0, 1.0, 3.0])
def test_related_and_unrelated_mean_the_same_in_every_space(common: float) -> None:
    baseline = space(common)
    frame = framed(baseline, ())
    directed = [frame.directed(query) for query in baseline.queries]
    relevance = np.array(
        [[frame.relevance(float(d @ one), one) for d in baseline.documents] for one in directed]
    )
    alike = np.eye(len(relevance), dtype=bool)
    assert relevance[alike].mean() > 0.7
    assert relevance[~alike].mean() < 0.2


def test_a_space_that_tells_pairs_apart_is_known_from_one_that_does_not() -> None:
    assert space(2.0).tells_apart
    assert not space(2.0, kin=0.0).tells_apart


def test_a_scope_s_own_vectors_outweigh_the_sample_s_with_their_number() -> None:
    baseline = space(1.0)
    own = np.zeros(WIDE, np.float32)
    own[5] = 1.0
    few, many = framed(baseline, [own]), framed(baseline, [own] * (9 * PRIOR))
    assert few.mean is not None
    assert many.mean is not None
    assert few.mean[5] < 0.2 < 0.85 < many.mean[5]


def test_vectors_of_another_width_are_left_out() -> None:
    baseline = space(1.0)
    frame = framed(baseline, [np.ones(3, np.float32)])
    assert frame.mean is not None
    assert np.allclose(frame.mean, baseline.mean)


def test_relevance_stays_within_bounds_and_grows_with_the_score() -> None:
    frame = framed(space(1.0), ())
    directed = frame.directed(space(1.0, seed=2).queries[0])
    told = [frame.relevance(score, directed) for score in np.linspace(0.0, 1.0, 21)]
    assert told == sorted(told)
    assert 0.0 <= told[0] <= told[-1] <= 1.0


def test_a_query_that_is_nothing_but_the_mean_is_left_as_it_is() -> None:
    mean = np.zeros(WIDE, np.float32)
    frame = Frame(0.0, mean=mean)
    assert np.array_equal(frame.directed(mean), mean)


@pytest.mark.parametrize(("language", "unrelated"), [("zh", 0.84), ("en", 0.77)])
def test_before_anything_is_learnt_the_identity_is_asked(language: str, unrelated: float) -> None:
    identity = EmbedderIdentity("p", "m", 3, 0.84, 0.77)
    frame = plain(identity, "zh" if language == "zh" else "en")
    query = np.ones(3, np.float32)
    assert frame.unrelated == unrelated
    assert frame.directed(query) is query
    assert frame.relevance(unrelated, query) == 0.0
    assert frame.relevance(1.0, query) == pytest.approx(1.0)
