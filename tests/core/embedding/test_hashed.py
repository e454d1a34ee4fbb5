"""Hashed n-grams: the same everywhere, unit length, close for shared words."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.hashed import (
    DIMENSION,
    UNRELATED,
    HashedEmbedder,
    vector,
)
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[3]
ANY_TEXT = st.text(st.characters(), max_size=120)


@given(ANY_TEXT)
@settings(deadline=None)
def test_any_text_has_a_finite_unit_vector(text: str) -> None:
    made = vector(text)
    assert made.shape == (DIMENSION,)
    assert made.dtype == np.float32
    assert np.isfinite(made).all()
    assert float(np.linalg.norm(made)) == pytest.approx(1.0, abs=1e-5)


@given(st.permutations(["tide", "marks", "猫", "潮痕", "sand", "2024"]))
@settings(deadline=None)
def test_word_order_does_not_matter(words: list[str]) -> None:
    straight = vector("tide, marks, 猫, 潮痕, sand, 2024")
    assert vector(", ".join(words)) @ straight == pytest.approx(1.0, abs=1e-5)


def test_vectors_are_the_same_in_another_process_with_another_hash_seed() -> None:
    text = "我对花生过敏 allergic to peanuts"
    script = (
        "import sys; sys.path.insert(0, 'tests'); import conftest\n"
        "from astrbot_plugin_tidemark.core.embedding.hashed import vector\n"
        f"sys.stdout.write(vector({text!r}).tobytes().hex())"
    )
    for seed in ("1", "2"):
        made = subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        )
        assert made.stdout == vector(text).tobytes().hex()


def test_95_percent_of_unrelated_lie_below_it(unrelated_pairs: list[tuple[str, str]]) -> None:
    cosines = [float(vector(one) @ vector(other)) for one, other in unrelated_pairs]
    assert np.percentile(cosines, 95) < UNRELATED
    assert abs(np.mean(cosines)) < UNRELATED / 2


def test_every_paraphrase_with_shared_words_lies_well_above_unrelated(
    paraphrases: tuple[tuple[str, str], ...],
) -> None:
    assert min(float(vector(one) @ vector(other)) for one, other in paraphrases) > 3 * UNRELATED


def test_repeating_a_text_hardly_turns_its_vector() -> None:
    text = "豆豆是我养的橘猫"
    assert vector(text) @ vector(" ".join([text] * 10)) > 0.95


def test_inflected_words_and_shared_characters_are_nearer_than_others() -> None:
    assert vector("gardening") @ vector("gardener") > UNRELATED
    assert vector("喜欢") @ vector("欢喜") > UNRELATED


def test_function_words_do_not_make_texts_alike() -> None:
    one, other = vector("what is the violin of my sister"), vector("what is the bridge of my uncle")
    assert one @ other < UNRELATED


def test_texts_without_words_still_differ_by_their_characters() -> None:
    assert vector("🌊🌊") @ vector("🌊") == pytest.approx(1.0)
    assert vector("🌊") @ vector("🔥") < UNRELATED
    assert vector("") @ vector(" \0 ") == pytest.approx(1.0)


async def test_a_query_and_a_document_of_the_same_text_are_the_same_vector() -> None:
    embedder = HashedEmbedder()
    documents = await embedder.embed_documents(["潮痕", "tide mark"])
    assert np.array_equal(documents[1], await embedder.embed_query("tide mark"))
    assert await embedder.embed_documents([]) == []


async def test_its_identity_states_what_it_returns() -> None:
    identity = await HashedEmbedder().identity()
    assert identity.dimension == len(await HashedEmbedder().embed_query("x"))
    assert identity.unrelated == UNRELATED
    assert identity == await HashedEmbedder().identity()


def test_a_hundred_thousand_characters_are_cut() -> None:
    text = "潮水退去留下痕迹" * 12_500
    assert np.array_equal(vector(text), vector(text[:8_000]))
