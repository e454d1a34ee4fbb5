"""What a provider returned is either usable or refused with its reason."""

import math
from contextlib import suppress

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.checks import sound_text, unit_vectors
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable
from hypothesis import given, settings
from hypothesis import strategies as st

finite = st.floats(allow_nan=False, allow_infinity=False)
rows = st.integers(1, 8).flatmap(
    lambda width: st.lists(
        st.lists(finite, min_size=width, max_size=width).filter(any), min_size=1, max_size=5
    )
)


@given(rows)
@settings(deadline=None)
def test_finite_rows_come_back_as_unit_float32_in_their_direction(raw: list[list[float]]) -> None:
    vectors = unit_vectors(raw, count=len(raw), source="it")
    assert len(vectors) == len(raw)
    for vector, row in zip(vectors, raw, strict=True):
        assert vector.dtype == np.float32
        assert math.isclose(float(np.linalg.norm(vector)), 1.0, abs_tol=1e-5)
        strongest = max(range(len(row)), key=lambda place: abs(row[place]))
        assert np.sign(vector[strongest]) == np.sign(row[strongest])


@given(st.lists(st.lists(st.floats() | st.none() | st.text(max_size=3), max_size=3), max_size=3))
@settings(deadline=None)
def test_any_other_rows_are_refused_and_nothing_else_is_raised(raw: list[list[object]]) -> None:
    with suppress(EmbeddingUnavailable):
        vectors = unit_vectors(raw, count=2, source="it")
        assert len(vectors) == 2
        assert all(np.isfinite(vector).all() for vector in vectors)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ([[1.0, 0.0]], "1 vectors for 2 texts"),
        ([[1.0], [1.0], [1.0]], "3 vectors for 2 texts"),
        ([[1.0, 2.0], [1.0]], "one dimension"),
        ([[1.0, math.nan], [1.0, 2.0]], "not finite"),
        ([[1.0, math.inf], [1.0, 2.0]], "not finite"),
        ([[1.0, None], [1.0, 2.0]], "not finite"),
        ([[0.0, 0.0], [1.0, 2.0]], "zero"),
        ([[], []], "shape"),
        ([1.0, 2.0], "shape"),
        ({"data": 1}, "something else"),
        (None, "shape"),
        ([["a"], ["b"]], "something else"),
        ([[10**400], [1]], "something else"),
    ],
)
def test_the_reason_says_what_is_wrong(raw: object, reason: str) -> None:
    with pytest.raises(EmbeddingUnavailable, match=reason):
        unit_vectors(raw, count=2, source="the provider")


def test_another_dimension_than_before_is_refused() -> None:
    with pytest.raises(EmbeddingUnavailable, match="3 dimensions where it returned 2 before"):
        unit_vectors([[1.0, 2.0, 3.0]], count=1, source="it", dimension=2)


def test_no_texts_need_no_vectors() -> None:
    assert unit_vectors(None, count=0, source="it") == []


def test_extreme_but_finite_numbers_neither_overflow_nor_vanish() -> None:
    for size in (1e308, 5e-324):
        (vector,) = unit_vectors([[size, -size]], count=1, source="it")
        assert vector == pytest.approx([math.sqrt(0.5), -math.sqrt(0.5)])


@given(st.text(st.characters(), max_size=50), st.integers(0, 60))
@settings(deadline=None)
def test_a_sound_text_is_short_encodable_and_free_of_nul(text: str, limit: int) -> None:
    sound = sound_text(text, limit)
    assert len(sound) <= limit
    assert "\0" not in sound
    assert sound.encode("utf-8").decode("utf-8") == sound == sound.strip()


def test_a_sound_text_keeps_what_is_sound() -> None:
    assert sound_text("  潮\0痕 \ud800tide ", 100) == "潮 痕 ?tide"
