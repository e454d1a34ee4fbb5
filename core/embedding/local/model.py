"""multilingual-e5-small on this machine: tokens, its network in ONNX, unit vectors."""

import os
import struct
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...model.errors import EmbeddingUnavailable
from ...ports import EmbedderIdentity
from ...similarity.measure import Floats
from ..cached import sound_text
from ..onnx.session import open_session, runtime_installed
from ..threads import LoadedEmbedder, padded
from .install import NAME, WEIGHTS_SHA256, ModelFileState, checksum_file, status, weights_file
from .weights import BLOCK, Layer, Linear, Norm, Vocabulary, Weights, load

SPACE = "\u2581"
_UNKNOWN_PENALTY = 10.0
_CHARACTERS_PER_TOKEN = 6


class Tokenizer:
    """Text to piece ids. Any string is accepted; the time is bounded by the limit of tokens."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        control = {vocabulary.begin, vocabulary.end, vocabulary.padding, vocabulary.unknown}
        self._unknown = vocabulary.unknown
        self._scores: list[float] = vocabulary.scores.tolist()
        self._unknown_score = min(self._scores) - _UNKNOWN_PENALTY
        self._replacements = dict(vocabulary.replacements) | {ord(SPACE): " "}
        # Control pieces must not be written by a user: "</s>" in a text is four characters.
        self._ids = {
            piece: number
            for number, piece in enumerate(vocabulary.pieces)
            if number not in control and piece != "<mask>"
        }
        self._longest: dict[str, int] = {}
        for piece in self._ids:
            self._longest[piece[0]] = max(len(piece), self._longest.get(piece[0], 0))

    def ids(self, text: str, limit: int) -> list[int]:
        """At most `limit` piece ids of `text`, without begin and end marks."""
        found: list[int] = []
        for word in self._words(text, limit * _CHARACTERS_PER_TOKEN):
            found += self._pieces(word)
            if len(found) >= limit:
                break
        return found[:limit]

    def _words(self, text: str, longest: int) -> Iterator[str]:
        """Normalised words, each after a space mark: no piece reaches across a space."""
        composed = unicodedata.normalize("NFC", text[:longest])
        # A single character may become eighteen.
        plain = composed.translate(self._replacements)[:longest]
        for word in plain.split():
            yield SPACE + word

    def _pieces(self, word: str) -> list[int]:
        last = self._last_pieces(word)
        found: list[int] = []
        end = len(word)
        while end > 0:
            start, number = last[end]
            # Neighbouring unknown characters are one unknown piece.
            if number != self._unknown or found[-1:] != [number]:
                found.append(number)
            end = start
        return found[::-1]

    def _last_pieces(self, word: str) -> list[tuple[int, int]]:
        """For each prefix of `word`: where the last piece of its best reading starts, its id."""
        size = len(word)
        best = [float("-inf")] * (size + 1)
        best[0] = 0.0
        last = [(0, self._unknown)] * (size + 1)
        for start in range(size):
            reached = best[start]
            if reached + self._unknown_score > best[start + 1]:
                best[start + 1] = reached + self._unknown_score
                last[start + 1] = (start, self._unknown)
            longest = min(self._longest.get(word[start], 0), size - start)
            for end in range(start + 1, start + longest + 1):
                number = self._ids.get(word[start:end])
                if number is None:
                    continue
                score = reached + self._scores[number]
                if score > best[end]:
                    best[end] = score
                    last[end] = (start, number)
        return last


type Attribute = int | float | Sequence[int]

CONTRIBUTED = "com.microsoft"
"""The domain of the operators that onnxruntime adds."""

FLOAT, INT32 = 1, 6

_KINDS = {"f4": FLOAT, "u1": 2, "i1": 3, "i4": INT32, "i8": 7}
_FORMAT, _OPERATORS, _CONTRIBUTED_VERSION = 8, 17, 1
_VARINT, _BYTES, _FIXED32 = 0, 2, 5


@dataclass(slots=True)
class Graph:
    """A network in the making: operators in order, and the numbers that belong to it."""

    parts: list[bytes] = field(default_factory=list[bytes])

    def take(self, name: str, kind: int, shape: Sequence[int | str]) -> str:
        """An input; a name in the shape is a size that differs from run to run."""
        self.parts.append(_bytes(11, _value(name, kind, shape)))
        return name

    def give(self, name: str, kind: int, shape: Sequence[int | str]) -> None:
        """An output."""
        self.parts.append(_bytes(12, _value(name, kind, shape)))

    def constant(self, numbers: NDArray[np.generic]) -> str:
        """The name under which these numbers are kept."""
        name = f"c{len(self.parts)}"
        self.parts.append(_bytes(5, _tensor(name, numbers)))
        return name

    def add(
        self,
        operator: str,
        inputs: Sequence[str],
        attributes: Mapping[str, Attribute] | None = None,
        *,
        count: int = 1,
        name: str = "",
        domain: str = "",
    ) -> list[str]:
        """An operator; the names of its `count` outputs, the only one `name` if that is given."""
        label = f"n{len(self.parts)}"
        outputs = [name] if name else [f"{label}.{number}" for number in range(count)]
        told = [_attribute(*each) for each in (attributes or {}).items()]
        node = _all(1, inputs) + _all(2, outputs) + _bytes(3, label) + _bytes(4, operator)
        self.parts.append(_bytes(1, node + _all(5, told) + _bytes(7, domain)))
        return outputs

    def model(self, producer: str) -> bytes:
        """The whole file."""
        graph = b"".join(self.parts) + _bytes(2, producer)
        operators = _bytes(1, "") + _number(2, _OPERATORS)
        contributed = _bytes(1, CONTRIBUTED) + _number(2, _CONTRIBUTED_VERSION)
        head = _number(1, _FORMAT) + _bytes(2, producer)
        return head + _bytes(7, graph) + _all(8, [operators, contributed])


def _value(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    sizes = [_number(1, size) if isinstance(size, int) else _bytes(2, size) for size in shape]
    tensor = _number(1, kind) + _bytes(2, _all(1, sizes))
    return _bytes(1, name) + _bytes(2, _bytes(1, tensor))


def _tensor(name: str, numbers: NDArray[np.generic]) -> bytes:
    content = np.ascontiguousarray(numbers)
    little = content.astype(content.dtype.newbyteorder("<"), copy=False)
    return (
        b"".join(_number(1, size) for size in content.shape)
        + _number(2, _KINDS[content.dtype.str[1:]])
        + _bytes(8, name)
        + _bytes(9, little.tobytes())
    )


def _attribute(name: str, value: Attribute) -> bytes:
    match value:
        case float():
            content, kind = _key(2, _FIXED32) + struct.pack("<f", value), 1
        case int():
            content, kind = _number(3, value), 2
        case _:
            content, kind = b"".join(_number(8, each) for each in value), 7
    return _bytes(1, name) + content + _number(20, kind)


def _all(number: int, contents: Sequence[bytes | str]) -> bytes:
    return b"".join(_bytes(number, content) for content in contents)


def _bytes(number: int, content: bytes | str) -> bytes:
    raw = content.encode("utf-8") if isinstance(content, str) else content
    return _key(number, _BYTES) + _varint(len(raw)) + raw


def _number(number: int, value: int) -> bytes:
    return _key(number, _VARINT) + _varint(value)


def _key(number: int, wire: int) -> bytes:
    return _varint(number << 3 | wire)


def _varint(value: int) -> bytes:
    """Seven bits a byte, lowest first; a negative number in its 64 bits."""
    left = value & (1 << 64) - 1
    made = bytearray()
    while left > 127:
        made.append(left & 127 | 128)
        left >>= 7
    made.append(left)
    return bytes(made)


LONGEST_TOKENS = 256
_LONGEST_TEXT = 6 * LONGEST_TOKENS

STATE, MASK, PASSED = "state", "mask", "passed"
"""What the network takes, texts by tokens and which are texts', and what it gives."""

EIGHT_BITS = 4
"""The operator's `accuracy_level` for that. In float32 a pass takes half as long again."""


QUERY, DOCUMENT = "query: ", "passage: "
"""The prefixes that the model was trained with."""


class Model:
    """Stateless after construction: every method may run in any thread.

    Raises EmbeddingUnavailable if onnxruntime is not there or refuses the layers.
    """

    def __init__(self, weights: Weights) -> None:
        self._session = open_session(network(weights))
        # The session has its own copy of the layers.
        self._weights = replace(weights, layers=())
        self._tokenizer = Tokenizer(weights.vocabulary)

    def tokens(self, text: str, *, query: bool) -> tuple[int, ...]:
        """Begin mark, at most 254 pieces of prefix and text, end mark."""
        vocabulary = self._weights.vocabulary
        prefixed = (QUERY if query else DOCUMENT) + sound_text(text, _LONGEST_TEXT)
        pieces = self._tokenizer.ids(prefixed, LONGEST_TOKENS - 2)
        return (vocabulary.begin, *pieces, vocabulary.end)

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


type _Stamp = tuple[tuple[int, int] | bool | None, ...]

DIMENSION = 384
UNRELATED = 0.84
UNRELATED_LATIN = 0.77
"""Mean cosine of unrelated Chinese sentences; of unrelated English ones it is .73."""

INSTALL_HINT = "an admin installs it with /memory embedder install"

# The number changes with the prefixes, the tokenizer and the cut.
IDENTITY = EmbedderIdentity(
    "local", f"{NAME}.1-{WEIGHTS_SHA256[:8]}", DIMENSION, UNRELATED, UNRELATED_LATIN
)


class LocalEmbedder(LoadedEmbedder[tuple[int, ...], Model]):
    """Over the weights in `folder` (about 150 MB when loaded); texts are cut at 256 tokens.

    `hint` ends the message of what is not installed.
    """

    at_once = 256
    source = "the local model"

    def __init__(self, folder: Path, hint: str = INSTALL_HINT) -> None:
        super().__init__("tidemark-local")
        self._folder = folder
        self._hint = hint

    def load(self) -> tuple[Model, EmbedderIdentity]:
        """The same identity for every instance."""
        return _model(self._folder, self._hint), IDENTITY

    def stamp(self) -> _Stamp:
        """The runtime, and size and time of the files."""
        files = weights_file(self._folder), checksum_file(self._folder)
        return runtime_installed(), *map(_size_and_time, files)


def _model(folder: Path, hint: str) -> Model:
    if not runtime_installed():
        raise EmbeddingUnavailable(f"onnxruntime is not installed: {hint}")
    found = status(folder)
    if found is not ModelFileState.READY:
        raise EmbeddingUnavailable(f"{weights_file(folder).name} is {found}: {hint}")
    try:
        return Model(load(weights_file(folder)))
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise EmbeddingUnavailable(
            f"{weights_file(folder).name} is not the model ({error}): {hint}"
        ) from error


def _size_and_time(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
