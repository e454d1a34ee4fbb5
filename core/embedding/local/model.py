"""The forward pass of multilingual-e5-small in numpy: text to unit vectors.

Wang et al., "Multilingual E5 Text Embeddings" (2024): a 12-layer BERT encoder, mean pooling,
and a prefix that says whether a text is searched with or searched for.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...similarity.matrix_product import Floats, product
from ..batching import batches, padded
from ..checks import sound_text
from ..onnx.session import Session
from .tokenizer import Tokenizer
from .weights import Layer, Linear, Norm, Weights

LONGEST_TOKENS = 256
_LONGEST_TEXT = 6 * LONGEST_TOKENS
_BATCH_TOKENS = 256
_GELU_SCALE = np.float32(math.sqrt(2.0 / math.pi))
_GELU_CUBE = np.float32(0.044715)

STATE, MASK, PASSED = "state", "mask", "passed"
"""What a network of the layers takes, texts by tokens and which are texts', and what it gives."""


class Prefix(StrEnum):
    """The prefix of a text, as the model was trained with."""

    QUERY = "query: "
    DOCUMENT = "passage: "


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """Token ids of some texts of similar length, and the places of these texts."""

    places: tuple[int, ...]
    ids: tuple[tuple[int, ...], ...]


class Passing(Protocol):
    """Texts on their way through the network."""

    def advance(self) -> Floats | None:
        """A step further; behind the last the unit vectors [texts, width]."""
        ...


class Model:
    """Stateless after construction: every method may run in any thread.

    With a `session` the layers are that network's, and those of the weights are not looked at.
    """

    def __init__(self, weights: Weights, session: Session | None = None) -> None:
        self._weights = weights
        self._session = session
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

    @property
    def in_steps(self) -> bool:
        """Whether a pass can be left between its layers."""
        return self._session is None

    def begin(self, ids: Sequence[Sequence[int]]) -> Passing:
        """A forward pass of token ids, before its first layer."""
        weights = self._weights
        tokens, filled = padded(ids, weights.vocabulary.padding)
        mask = filled.astype(np.bool_)
        texts, longest = tokens.shape
        state = weights.words.rows(tokens.ravel()).reshape(texts, longest, -1)
        state += weights.positions[:longest]
        state = _normalised(state, weights.embedding_norm, weights.epsilon)
        if self._session is not None:
            return SessionPass(self._session, state, mask)
        # Added before the softmax: padding draws no attention.
        bias = np.where(mask, 0.0, -1e9).astype(np.float32)[:, None, None, :]
        return ForwardPass(weights, state, bias, mask)


@dataclass(slots=True)
class ForwardPass:
    """Texts on their way through the layers: between two of them it may be left, or wait.

    `ranges`, if wanted, gets each layer's lowest and highest values by channel [2, channels]: of
    its input, and of what goes into its two products behind the attention.
    """

    weights: Weights
    state: Floats
    bias: Floats
    mask: NDArray[np.bool_]
    passed: int = 0
    ranges: list[tuple[Floats, Floats, Floats]] | None = None

    def advance(self) -> Floats | None:
        """Through the next layer; behind the last the unit vectors [texts, width]."""
        layers = self.weights.layers
        self.state = self._through(layers[self.passed])
        self.passed += 1
        if self.passed < len(layers):
            return None
        return _pooled(self.state, self.mask)

    def _through(self, layer: Layer) -> Floats:
        epsilon, heads = self.weights.epsilon, self.weights.heads
        attended = _affine(_attention(layer.qkv, self.state, self.bias, heads), layer.attended)
        attended += self.state
        attended = _normalised(attended, layer.attention_norm, epsilon)
        opened = _gelu(_affine(attended, layer.widen))
        self._saw(attended, opened)
        fed = _affine(opened, layer.narrow)
        fed += attended
        return _normalised(fed, layer.output_norm, epsilon)

    def _saw(self, attended: Floats, opened: Floats) -> None:
        if self.ranges is not None:
            seen = (state[self.mask] for state in (self.state, attended, opened))
            into, before_widening, before_narrowing = map(_range, seen)
            self.ranges.append((into, before_widening, before_narrowing))


@dataclass(frozen=True, slots=True)
class SessionPass:
    """Texts before a network that takes them through all layers in one step."""

    session: Session
    state: Floats
    mask: NDArray[np.bool_]

    def advance(self) -> Floats:
        """The unit vectors [texts, width]. Raises EmbeddingUnavailable."""
        given = {STATE: self.state, MASK: self.mask.astype(np.int32)}
        return _pooled(self.session.run(PASSED, given), self.mask)


def _range(rows: Floats) -> Floats:
    """The lowest and the highest value of each channel."""
    return np.stack([rows.min(axis=0), rows.max(axis=0)])


def _pooled(state: Floats, mask: NDArray[np.bool_]) -> Floats:
    """Unit vectors along the means over the tokens of each text."""
    sums: Floats = (state * mask[:, :, None]).sum(axis=1)
    sums /= np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    return sums


def _attention(qkv: Linear, state: Floats, bias: Floats, heads: int) -> Floats:
    """Multi-head self-attention, [texts, tokens, width] to the same."""
    texts, tokens, width = state.shape
    projected = _affine(state, qkv).reshape(texts, tokens, 3, heads, width // heads)
    query, key, value = projected.transpose(2, 0, 3, 1, 4)
    scores = product(query, key.swapaxes(-1, -2))
    scores += bias
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return product(scores, value).transpose(0, 2, 1, 3).reshape(texts, tokens, width)


def _affine(state: Floats, linear: Linear) -> Floats:
    # All texts together are much faster than one after the other.
    flat = linear.weight.after(state.reshape(-1, state.shape[-1]))
    flat += linear.bias
    return flat.reshape(*state.shape[:-1], -1)


def _normalised(state: Floats, norm: Norm, epsilon: float) -> Floats:
    """Layer normalisation over the last axis, in place."""
    state -= state.mean(axis=-1, keepdims=True)
    variance = np.einsum("...i,...i->...", state, state) / state.shape[-1]
    state *= (1.0 / np.sqrt(variance + epsilon))[..., None]
    state *= norm.gain
    state += norm.offset
    return state


def _gelu(state: Floats) -> Floats:
    """GELU in its tanh form (within 0.001 of the exact one)."""
    inner = state * state
    inner *= _GELU_CUBE
    inner += 1.0
    inner *= state
    inner *= _GELU_SCALE
    np.tanh(inner, out=inner)
    inner += 1.0
    inner *= state
    inner *= np.float32(0.5)
    return inner
