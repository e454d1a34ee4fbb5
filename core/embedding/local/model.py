"""multilingual-e5-small: text to unit vectors, its layers run by onnxruntime.

Wang et al., "Multilingual E5 Text Embeddings" (2024): a 12-layer BERT encoder, mean pooling,
and a prefix that says whether a text is searched with or searched for.

The layers keep the 4 bits they were published with: `MatMulNBits` multiplies blocks of 32 weights
with what comes in, rounded to 8 bits a block at the time. The network is made at each load, in a
tenth of a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ...similarity.matrix_product import Floats
from ..batching import batches, padded
from ..checks import sound_text
from ..onnx.messages import CONTRIBUTED, FLOAT, INT32, Attribute, Graph
from ..onnx.session import open_session
from .tokenizer import Tokenizer
from .weights import BLOCK, Layer, Linear, Norm, Weights

LONGEST_TOKENS = 256
_LONGEST_TEXT = 6 * LONGEST_TOKENS
_BATCH_TOKENS = 256

STATE, MASK, PASSED = "state", "mask", "passed"
"""What the network takes, texts by tokens and which are texts', and what it gives."""

EIGHT_BITS = 4
"""The operator's `accuracy_level` for that. In float32 a pass takes half as long again."""


class Prefix(StrEnum):
    """The prefix of a text, as the model was trained with."""

    QUERY = "query: "
    DOCUMENT = "passage: "


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """Token ids of some texts of similar length, and the places of these texts."""

    places: tuple[int, ...]
    ids: tuple[tuple[int, ...], ...]


class Model:
    """Stateless after construction: every method may run in any thread.

    Raises EmbeddingUnavailable if onnxruntime is not there or refuses the layers.
    """

    def __init__(self, weights: Weights) -> None:
        self._session = open_session(network(weights))
        # The session has its own copy of the layers.
        self._weights = replace(weights, layers=())
        self._tokenizer = Tokenizer(weights.vocabulary)

    def tokens(self, text: str, role: Prefix) -> tuple[int, ...]:
        """Begin mark, at most 254 pieces of prefix and text, end mark."""
        vocabulary = self._weights.vocabulary
        prefixed = role + sound_text(text, _LONGEST_TEXT)
        pieces = self._tokenizer.ids(prefixed, LONGEST_TOKENS - 2)
        return (vocabulary.begin, *pieces, vocabulary.end)

    def batches(self, texts: Sequence[str], role: Prefix) -> list[TokenBatch]:
        """All texts, shortest first, in batches of at most 256 tokens with their padding."""
        ids = [self.tokens(text, role) for text in texts]
        return [
            TokenBatch(tuple(places), tuple(ids[place] for place in places))
            for places in batches([len(each) for each in ids], _BATCH_TOKENS)
        ]

    def vectors(self, ids: Sequence[Sequence[int]]) -> Floats:
        """Unit vectors [texts, width] of token ids. Raises EmbeddingUnavailable."""
        weights = self._weights
        tokens, filled = padded(ids, weights.vocabulary.padding)
        texts, longest = tokens.shape
        state = weights.words.rows(tokens.ravel()).reshape(texts, longest, -1)
        state += weights.positions[:longest]
        state = _normalised(state, weights.embedding_norm, weights.epsilon)
        given = {STATE: state, MASK: filled.astype(np.int32)}
        return _pooled(self._session.run(PASSED, given), filled.astype(np.bool_))


def network(weights: Weights) -> bytes:
    """The layers as an ONNX file."""
    width = weights.positions.shape[1]
    maker = _Maker(Graph(), weights.heads, weights.epsilon, width)
    graph = maker.graph
    state = graph.take(STATE, FLOAT, ("texts", "tokens", width))
    mask = graph.take(MASK, INT32, ("texts", "tokens"))
    for layer in weights.layers:
        state = maker.layer(state, mask, layer)
    graph.add("Identity", [state], name=PASSED)
    graph.give(PASSED, FLOAT, ("texts", "tokens", width))
    return graph.model("tidemark")


@dataclass(frozen=True, slots=True)
class _Maker:
    graph: Graph
    heads: int
    epsilon: float
    width: int

    def layer(self, state: str, mask: str, layer: Layer) -> str:
        """Attention, and the two products behind it; each is added to what came in."""
        sizes = self.graph.constant(np.full(3, self.width, np.int64))
        projected = self._product(state, layer.qkv)
        parts = self.graph.add("Split", [projected, sizes], {"axis": 2}, count=3)
        # The queries are scaled already.
        attended = self._contributed(
            "MultiHeadAttention", [*parts, "", mask], num_heads=self.heads, scale=1.0
        )
        changed = self._product(attended, layer.attended)
        state = self._added(state, changed, layer.attention_norm)
        wide = self._contributed("FastGelu", [self._product(state, layer.widen)])
        return self._added(state, self._product(wide, layer.narrow), layer.output_norm)

    def _product(self, state: str, linear: Linear) -> str:
        out, blocks = linear.weight.scales.shape
        numbers = (linear.weight.pairs(), linear.weight.scales.reshape(-1).astype(np.float32))
        inputs = [state, *map(self.graph.constant, numbers), "", "", self._floats(linear.bias)]
        shape = {"K": blocks * BLOCK, "N": out, "bits": 4, "block_size": BLOCK}
        return self._contributed("MatMulNBits", inputs, **shape, accuracy_level=EIGHT_BITS)

    def _added(self, state: str, change: str, norm: Norm) -> str:
        """Their sum, normalised over the channels."""
        rows = [state, change, self._floats(norm.gain), self._floats(norm.offset)]
        return self._contributed("SkipLayerNormalization", rows, epsilon=self.epsilon)

    def _floats(self, numbers: Floats) -> str:
        return self.graph.constant(numbers.astype(np.float32))

    def _contributed(self, operator: str, inputs: Sequence[str], **attributes: Attribute) -> str:
        (made,) = self.graph.add(operator, inputs, attributes, domain=CONTRIBUTED)
        return made


def _pooled(state: Floats, mask: NDArray[np.bool_]) -> Floats:
    """Unit vectors along the means over the tokens of each text."""
    sums: Floats = (state * mask[:, :, None]).sum(axis=1)
    sums /= np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    return sums


def _normalised(state: Floats, norm: Norm, epsilon: float) -> Floats:
    """Layer normalisation over the last axis, in place."""
    state -= state.mean(axis=-1, keepdims=True)
    variance = np.einsum("...i,...i->...", state, state) / state.shape[-1]
    state *= (1.0 / np.sqrt(variance + epsilon))[..., None]
    state *= norm.gain
    state += norm.offset
    return state
