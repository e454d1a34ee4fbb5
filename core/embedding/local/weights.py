"""The model's numbers, loaded from the .npz they are kept in."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...similarity.measure import Floats

type Arrays = Mapping[str, NDArray[Any]]

BLOCK = 32
"""Weights that share a scale."""


@dataclass(frozen=True, slots=True)
class Quantised:
    """A matrix [rows, width] as scales [rows, width / 32] and nibbles [rows, width / 2]."""

    scales: NDArray[np.floating[Any]]
    nibbles: NDArray[np.uint8]

    def rows(self, places: NDArray[np.intp]) -> Floats:
        """The rows at `places` [n] as float32 [n, width]."""
        return Quantised(self.scales[places], self.nibbles[places]).dense()

    def scaled(self, factor: float) -> "Quantised":
        """The matrix times a number."""
        return Quantised((self.scales.astype(np.float32) * np.float32(factor)), self.nibbles)

    def pairs(self) -> NDArray[np.uint8]:
        """Nibbles [rows, width / 32, 16], of two neighbours the first one low."""
        rows, blocks = self.scales.shape
        nibbles = self.nibbles.reshape(rows, blocks, BLOCK // 2)
        values = np.concatenate([nibbles & 15, nibbles >> 4], axis=2)
        return np.asarray(values[:, :, ::2] | (values[:, :, 1::2] << 4), np.uint8)

    def dense(self) -> Floats:
        """The whole matrix as float32: scale * (nibble - 8), low nibbles before high ones."""
        rows, blocks = self.scales.shape
        pairs = self.nibbles.reshape(rows, blocks, BLOCK // 2)
        values = np.empty((rows, blocks, BLOCK), np.float32)
        values[:, :, : BLOCK // 2] = pairs & 15
        values[:, :, BLOCK // 2 :] = pairs >> 4
        values -= 8
        values *= self.scales[:, :, None].astype(np.float32)
        return values.reshape(rows, blocks * BLOCK)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Pieces and their log probabilities; ids of the control pieces; character replacements."""

    pieces: tuple[str, ...]
    scores: Floats
    begin: int
    end: int
    padding: int
    unknown: int
    replacements: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Norm:
    """Gain and offset of a layer normalisation."""

    gain: Floats
    offset: Floats


@dataclass(frozen=True, slots=True)
class Linear:
    """weight [out, in] times x + bias [out]."""

    weight: Quantised
    bias: Floats


@dataclass(frozen=True, slots=True)
class Layer:
    """One transformer layer; `qkv` holds queries, already scaled, then keys, then values."""

    qkv: Linear
    attended: Linear
    attention_norm: Norm
    widen: Linear
    narrow: Linear
    output_norm: Norm


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything the model needs. `positions` includes the one token type that is used."""

    vocabulary: Vocabulary
    heads: int
    epsilon: float
    words: Quantised
    positions: Floats
    embedding_norm: Norm
    layers: tuple[Layer, ...]


def load(path: Path) -> Weights:
    """The weights of a converted file.

    Raises OSError, KeyError, ValueError or zipfile.BadZipFile if it is not such a file.
    """
    with np.load(path, allow_pickle=False) as stored:
        layer_count, heads = (int(number) for number in stored["shape"])
        words = Quantised(stored["emb.word.scales"], stored["emb.word.nibbles"])
        return Weights(
            vocabulary=_vocabulary(stored),
            heads=heads,
            epsilon=float(stored["epsilon"]),
            words=words,
            positions=stored["emb.pos"] + stored["emb.type"][0],
            embedding_norm=Norm(stored["emb.ln.w"], stored["emb.ln.b"]),
            layers=tuple(_layer(stored, index, heads) for index in range(layer_count)),
        )


def _vocabulary(stored: Arrays) -> Vocabulary:
    begin, end, padding, unknown = (int(number) for number in stored["control"])
    replacing = stored["replacements"].tobytes().decode("utf-8").split("\0")
    return Vocabulary(
        pieces=tuple(stored["pieces"].tobytes().decode("utf-8").split("\0")),
        scores=stored["scores"],
        begin=begin,
        end=end,
        padding=padding,
        unknown=unknown,
        replacements=dict(zip(stored["replaced"].tolist(), replacing, strict=True)),
    )


def _layer(stored: Arrays, index: int, heads: int) -> Layer:
    def matrix(name: str) -> Quantised:
        key = f"l{index}.{name}"
        return Quantised(stored[f"{key}.scales"], stored[f"{key}.nibbles"])

    def vector(name: str) -> Floats:
        return stored[f"l{index}.{name}"]

    def linear(name: str) -> Linear:
        return Linear(matrix(f"{name}.w"), vector(f"{name}.b"))

    query = matrix("q.w")
    scale = (len(query.scales) // heads) ** -0.5
    three = [query.scaled(scale), matrix("k.w"), matrix("v.w")]
    qkv = Quantised(
        np.concatenate([each.scales for each in three]),
        np.concatenate([each.nibbles for each in three]),
    )
    bias = np.concatenate([vector("q.b") * np.float32(scale), vector("k.b"), vector("v.b")])
    return Layer(
        qkv=Linear(qkv, bias),
        attended=linear("ao"),
        attention_norm=Norm(vector("aln.w"), vector("aln.b")),
        widen=linear("fi"),
        narrow=linear("fo"),
        output_norm=Norm(vector("oln.w"), vector("oln.b")),
    )
