"""The published file is read as it is written, and anything else is refused."""

from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.local.install import convert
from astrbot_plugin_tidemark.core.embedding.local.weights import Quantised, load
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture
def converted(tmp_path: Path, published: bytes) -> Path:
    path = tmp_path / "tiny.npz"
    convert(published, path)
    return path


@given(st.integers(1, 3), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_a_quantised_matrix_is_scale_by_nibble_less_8(rows: int, blocks: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    scales = draw.normal(size=(rows, blocks)).astype(np.float16)
    nibbles = draw.integers(0, 256, (rows, blocks * 16), np.uint8)
    dense = Quantised(scales, nibbles).dense()
    assert dense.shape == (rows, blocks * 32)
    assert dense.dtype == np.float32
    for row in range(rows):
        for column in range(blocks * 32):
            block, place = divmod(column, 32)
            byte = int(nibbles[row, block * 16 + place % 16])
            nibble = byte & 15 if place < 16 else byte >> 4
            assert dense[row, column] == np.float32(scales[row, block]) * (nibble - 8)


def test_picked_rows_are_the_rows_of_the_whole() -> None:
    draw = np.random.default_rng(3)
    words = Quantised(
        draw.normal(size=(9, 2)).astype(np.float16), draw.integers(0, 256, (9, 32), np.uint8)
    )
    places = np.array([4, 0, 4, 8])
    assert np.array_equal(words.rows(places), words.dense()[places])


def test_vocabulary_and_shape_survive_the_conversion(converted: Path) -> None:
    weights = load(converted)
    vocabulary = weights.vocabulary
    assert vocabulary.pieces[4:9] == ("\u2581", "a", "b", "ab", "\u2581a")
    assert vocabulary.scores[5] == -2.0
    control = (vocabulary.begin, vocabulary.padding, vocabulary.end, vocabulary.unknown)
    assert control == (0, 1, 2, 3)
    assert vocabulary.replacements[0x1] == ""
    assert vocabulary.replacements[0xFDFA] == "ab" * 8
    assert weights.heads == 12
    assert len(weights.layers) == 1
    assert weights.layers[0].qkv.bias.shape == (3 * 384,)
    assert weights.layers[0].widen.bias.shape == (64,)
    assert weights.layers[0].narrow.bias.shape == (384,)


@pytest.mark.parametrize("kept", [0, 3, 10, 40, 100, 300, 700, 5_000])
def test_a_file_that_is_cut_short_is_refused(tmp_path: Path, published: bytes, kept: int) -> None:
    with pytest.raises(ValueError, match=r"model file|buffer"):
        convert(published[:kept], tmp_path / "never.npz")


def test_another_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="E5S1"):
        convert(b"PK\3\4" + bytes(1000), tmp_path / "never.npz")
    assert not (tmp_path / "never.npz").exists()
