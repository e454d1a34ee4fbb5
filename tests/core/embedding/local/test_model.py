"""The forward pass against its definition, and what its vectors mean."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.local.install import convert
from astrbot_plugin_tidemark.core.embedding.local.model import LONGEST_TOKENS, UNRELATED, Model
from astrbot_plugin_tidemark.core.embedding.local.weights import Linear, Norm, Weights, load
from astrbot_plugin_tidemark.core.embedding.threads import batches
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

type Array = NDArray[np.float64]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory, published: bytes) -> Weights:
    path = tmp_path_factory.mktemp("tiny") / "tiny.npz"
    convert(published, path)
    return load(path)


def vectors(model: Model, texts: list[str], *, query: bool = False) -> NDArray[np.float32]:
    return model.vectors([model.tokens(text, query=query) for text in texts])


def defined(weights: Weights, ids: list[int]) -> Array:
    """BERT's definition for one text, term by term in double precision, GELU exact."""

    def linear(x: Array, part: Linear) -> Array:
        return x @ part.weight.dense().T.astype(float) + part.bias

    def norm(x: Array, part: Norm) -> Array:
        spread = np.sqrt(x.var(axis=1, keepdims=True) + weights.epsilon)
        return (x - x.mean(axis=1, keepdims=True)) / spread * part.gain + part.offset

    (layer,) = weights.layers
    words = weights.words.dense()[ids].astype(float)
    state = norm(words + weights.positions[: len(ids)], weights.embedding_norm)
    query, key, value = np.split(linear(state, layer.qkv), 3, axis=1)
    size = state.shape[1] // weights.heads
    heads = []
    for start in range(0, state.shape[1], size):
        part = slice(start, start + size)
        power = np.exp(query[:, part] @ key[:, part].T)
        heads.append(power / power.sum(axis=1, keepdims=True) @ value[:, part])
    state = norm(
        state + linear(np.concatenate(heads, axis=1), layer.attended), layer.attention_norm
    )
    wide = linear(state, layer.widen)
    gelu = wide * (1 + np.vectorize(math.erf)(wide / math.sqrt(2))) / 2
    state = norm(state + linear(gelu, layer.narrow), layer.output_norm)
    mean = state.mean(axis=0)
    return mean / np.linalg.norm(mean)


@given(st.lists(st.lists(st.integers(3, 10), min_size=1, max_size=12), min_size=1, max_size=4))
def test_the_forward_pass_is_the_definition_in_a_batch(tiny: Weights, ids: list[list[int]]) -> None:
    made = Model(tiny).vectors(ids)
    for row, text in zip(made, ids, strict=True):
        assert row == pytest.approx(defined(tiny, text), abs=2e-3)


def test_a_batch_gives_what_each_text_gives_alone(
    model: Model, paraphrases: tuple[tuple[str, str], ...]
) -> None:
    texts = [text for pair in paraphrases for text in pair] + ["", "短", "long " * 80]
    batched = vectors(model, texts)
    alone = np.stack([vectors(model, [text])[0] for text in texts])
    assert np.abs(batched - alone).max() < 1e-5


@given(st.lists(st.integers(1, 300), max_size=30))
def test_batches_hold_every_text_once_within_the_budget(sizes: list[int]) -> None:
    found = batches(sizes, 256)
    assert sorted(place for places in found for place in places) == list(range(len(sizes)))
    for places in found:
        longest = max(sizes[place] for place in places)
        assert len(places) == 1 or len(places) * longest <= 256


@given(st.text(st.characters(), max_size=80))
def test_any_string_has_a_finite_unit_vector(model: Model, text: str) -> None:
    (vector,) = vectors(model, [text])
    assert np.isfinite(vector).all()
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-5)


def test_what_lies_beyond_the_cut_has_no_effect(model: Model) -> None:
    start = "潮水退去，留下痕迹。" * 200
    one, other = vectors(model, [start + "花生过敏", start + "quarterly revenue"])
    assert np.array_equal(one, other)
    assert len(model.tokens(start, query=False)) == LONGEST_TOKENS
    (vector,) = vectors(model, ["潮水退去，留下痕迹"], query=True)
    # As far as 8 bits of what the layers are given tell.
    assert vector[:4] == pytest.approx([0.08154, -0.04111, -0.02382, -0.08263], abs=2e-3)


def test_threads_do_not_disturb_each_other(model: Model) -> None:
    texts = [f"{number} 个苹果" for number in range(8)]
    expected = [vectors(model, [text]) for text in texts]
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda text: vectors(model, [text]), texts * 2))
    for place, row in enumerate(made):
        assert np.abs(row - expected[place % 8]).max() < 1e-5


def test_a_paraphrase_or_translation_is_nearer_than_every_other_text(
    model: Model,
    paraphrases: tuple[tuple[str, str], ...],
    translations: tuple[tuple[str, str], ...],
) -> None:
    queries = vectors(model, [one for one, _ in paraphrases], query=True)
    documents = vectors(model, [other for _, other in paraphrases])
    cosines = queries @ documents.T
    assert cosines.argmax(axis=1).tolist() == list(range(len(paraphrases)))
    assert np.diag(cosines).min() > UNRELATED + 0.05
    queries = vectors(model, [english for _, english in translations], query=True)
    documents = vectors(model, [chinese for chinese, _ in translations])
    assert (queries @ documents.T).argmax(axis=1).tolist() == list(range(len(translations)))


def test_unrelated_is_the_middle_of_unrelated_chinese_and_above_most_others(
    model: Model, unrelated_pairs: list[tuple[str, str]]
) -> None:
    texts = list(dict.fromkeys(text for pair in unrelated_pairs for text in pair))
    cosines = vectors(model, texts, query=True) @ vectors(model, texts).T
    chinese = cosines[:8, :8][~np.eye(8, dtype=bool)]
    assert chinese.mean() == pytest.approx(UNRELATED, abs=0.02)
    assert (cosines[~np.eye(len(texts), dtype=bool)] <= UNRELATED).mean() > 0.8
