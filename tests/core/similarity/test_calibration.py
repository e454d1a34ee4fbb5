"""What cosines are made to mean: 0 for unrelated, 1 for related, in every vector space."""

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.ports import EmbedderIdentity, Vector
from astrbot_plugin_tidemark.core.similarity.calibration import (
    PRIOR,
    SUREST,
    Baseline,
    Centre,
    Frame,
    VectorScale,
    framed,
    plain,
)
from astrbot_plugin_tidemark.core.similarity.measure import REMOVED

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
    frame = framed(baseline, (), ())
    relevance = np.array([frame.relevances(one, baseline.documents) for one in baseline.queries])
    alike = np.eye(len(relevance), dtype=bool)
    assert relevance[alike].mean() > 0.7
    assert relevance[~alike].mean() < 0.2


def test_a_space_that_tells_pairs_apart_is_known_and_relevance_grows_with_the_cosine() -> None:
    assert space(2.0).tells_apart
    assert not space(2.0, kin=0.0).tells_apart
    baseline = space(1.0)
    frame = framed(baseline, [np.ones(3, np.float32)], [np.ones(3, np.float32)])
    assert np.allclose(frame.raw.told, REMOVED * baseline.mean)
    frame = framed(space(1.0), (), ())
    told = [frame.relevance(cosine) for cosine in np.linspace(0.0, 1.0, 21)]
    assert told == sorted(told)
    assert frame.relevance(frame.unrelated) == 0.0
    assert frame.relevance(frame.related) == pytest.approx(1.0)
    mean = np.zeros(WIDE, np.float32)
    frame = Frame(0.0, learnt=Centre(mean, mean, 0.0, 1.0))
    assert np.array_equal(frame.directed(mean), mean)


def test_own_vectors_outweigh_and_raw_turns_move_nothing() -> None:
    baseline = space(1.0)
    own = np.zeros(WIDE, np.float32)
    own[5] = 1.0
    few, many = framed(baseline, (), [own]), framed(baseline, (), [own] * (9 * PRIOR))
    assert few.learnt.told[5] < 0.2 < 0.85 < many.learnt.told[5]
    assert few.learnt.asked[5] < few.learnt.told[5]
    facts = list(space(1.0, seed=2).documents)
    style = np.zeros(WIDE, np.float32)
    style[7] = 2.0
    chat = [(each + style) / np.linalg.norm(each + style) for each in space(1.0, seed=3).documents]
    query = baseline.queries[0]
    alone = framed(baseline, (), facts).relevances(query, np.stack(facts))
    crowded = framed(baseline, chat * 9, facts)
    assert np.allclose(crowded.relevances(query, np.stack(facts)), alone)


def test_a_document_is_read_by_its_own_length_without_the_mean() -> None:
    baseline = space(3.0)
    frame = framed(baseline, (), ())
    apart = baseline.documents[0] - frame.learnt.told
    near = frame.learnt.told + 0.1 * apart
    both = np.stack([baseline.documents[0], near])
    far, close = frame.relevances(baseline.queries[0], both)
    assert far == pytest.approx(close, abs=1e-3)


@pytest.mark.parametrize(("language", "unrelated"), [("zh", 0.84), ("en", 0.77)])
def test_before_anything_is_learnt_the_identity_is_asked(language: str, unrelated: float) -> None:
    identity = EmbedderIdentity("p", "m", 3, 0.84, 0.77)
    frame = plain(identity, "zh" if language == "zh" else "en")
    query = np.ones(3, np.float32)
    assert frame.unrelated == unrelated
    assert frame.directed(query) is query
    assert frame.relevance(unrelated) == 0.0
    assert frame.relevance(1.0) == pytest.approx(1.0)


def turns(apart: float, rows: int, seed: int) -> tuple[Vector, Vector]:
    """Two kinds of turns, so many deviations apart in one of many directions."""
    chance = np.random.default_rng(seed)
    both = chance.normal(size=(2, rows, 256)).astype(np.float32)
    both[0, :, 0] += apart
    return both[0], both[1]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_few_turns_tell_how_surely_another_one_needs_a_memory(seed: int) -> None:
    asking = VectorScale.between(*turns(6.0, 60, seed))
    needing, idle = (
        np.array([asking.logit(turn) for turn in rows]) for rows in turns(6.0, 200, seed + 9)
    )
    right = (np.mean(needing > 0) + np.mean(idle < 0)) / 2
    sure = 1 / (1 + np.exp(-np.abs(np.r_[needing, idle])))
    assert right > 0.8
    # Of the turns it was found by it is right every time, which would make it twice as sure.
    assert sure.mean() == pytest.approx(right, abs=0.1)


def test_a_covariance_tells_which_of_two_directions_is_noise() -> None:
    chance = np.random.default_rng(1)
    rows = chance.normal(size=(2, 200, 2)).astype(np.float32) * (1.0, 9.0)
    rows[0] += (1.0, 3.0)
    means, shrunk = (VectorScale.between(*rows, shrunk=share) for share in (1.0, 0.1))
    assert (
        abs(means.direction[0] / means.direction[1])
        < 1.0
        < abs(shrunk.direction[0] / shrunk.direction[1])
    )


def test_turns_that_do_not_differ_tell_nothing_and_none_tells_all() -> None:
    alike = VectorScale.between(*turns(0.0, 60, 1))
    assert max(abs(alike.logit(turn)) for turn in turns(0.0, 50, 2)[0]) < 1.0
    one, other = np.eye(2, dtype=np.float32)
    same = VectorScale.between(np.stack([one, one]), np.stack([one, one]))
    assert same.logit(one) == same.logit(other) == 0.0
    apart = VectorScale.between(np.stack([one] * 3), np.stack([other] * 3))
    assert apart.logit(one) == pytest.approx(SUREST / 2) == -apart.logit(other)
