"""The model's layers as an ONNX network in 8-bit integers. Pure.

Weights are rounded to whole multiples of a step for each output, what they are multiplied with to
256 levels over the range it has at the time. A few channels have ten times the range of all others
and would leave those hardly any levels (Dettmers et al., "LLM.int8()", 2022). So the middle of each
channel's range is taken off and its product put into the bias (Wei et al., "Outlier Suppression+",
2023), and a channel that still reaches far is multiplied in several equal parts (Zhao et al.,
"Improving Neural Network Quantization without Retraining using Outlier Channel Splitting", 2019).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...similarity.matrix_product import Floats
from ..onnx.messages import CONTRIBUTED, FLOAT, INT32, Attribute, Graph
from .model import MASK, PASSED, STATE
from .weights import Layer, Norm, Weights

STANDING_OUT = 48
"""One channel of so many may reach further than the others before it is multiplied in parts."""

STEPS = 127
"""Largest whole number of a weight. Its products are added in 32 bits (`open_session`)."""

type Range = Floats
"""The lowest and the highest value of each channel [2, channels]."""

type LayerRanges = tuple[Range, Range, Range]
"""See `ForwardPass.ranges`."""


def network(weights: Weights, ranges: Sequence[LayerRanges], *, producer: str) -> bytes:
    """The file. `ranges` decide for each layer what is taken off its channels and which are parted.

    All texts' tokens are rows of one matrix but in the attention.
    """
    width = weights.positions.shape[1]
    graph = Graph()
    given = graph.take(STATE, FLOAT, ("texts", "tokens", width))
    mask = graph.take(MASK, INT32, ("texts", "tokens"))
    shapes = _Shapes.of(graph, given, mask)
    maker = _LayerMaker(graph, weights.heads, weights.epsilon, mask, shapes)
    state = _Shifted(maker.as_rows(given, width), np.zeros(width, np.float32))
    middles = [_middle(seen[0]) for seen in ranges[1:]] + [np.zeros(width, np.float32)]
    for layer, seen, middle in zip(weights.layers, ranges, middles, strict=True):
        state = maker.layer(state, layer, seen, middle)
    graph.add("Reshape", [state.name, maker.shapes.texts(width)], name=PASSED)
    graph.give(PASSED, FLOAT, ("texts", "tokens", width))
    return graph.model(producer)


@dataclass(frozen=True, slots=True)
class _Shifted:
    """The tensor of that name is less than what it stands for by `middle`."""

    name: str
    middle: Floats


@dataclass(frozen=True, slots=True)
class _Parts:
    """How many equal parts each channel has; `added` are those of the parts but the first."""

    counts: NDArray[np.intp]
    added: NDArray[np.intp]

    @classmethod
    def of(cls, reach: Floats) -> "_Parts":
        """So many that none reaches further than all but a few channels do."""
        usual = np.sort(reach)[::-1][len(reach) // STANDING_OUT]
        counts = np.maximum(np.ceil(reach / max(float(usual), 1e-9)), 1).astype(np.intp)
        return cls(counts, np.repeat(np.arange(len(counts)), counts - 1))

    @property
    def factors(self) -> Floats:
        """What each channel is multiplied by."""
        return (1.0 / self.counts).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Shapes:
    """Tensors that depend on how many texts and tokens there are."""

    graph: Graph
    sizes: str
    zeros: str
    ones: str

    @classmethod
    def of(cls, graph: Graph, given: str, mask: str) -> "_Shapes":
        """Of the network's inputs; a zero and a one for each token."""
        (shape,) = graph.add("Shape", [given])
        ends = [graph.constant(np.array([end], np.int64)) for end in (0, 2)]
        (sizes,) = graph.add("Slice", [shape, *ends])
        (tokens,) = graph.add("Reshape", [mask, graph.constant(np.array([-1], np.int64))])
        (numbers,) = graph.add("Cast", [tokens], {"to": FLOAT})
        (zeros,) = graph.add("Mul", [numbers, graph.constant(np.zeros(1, np.float32))])
        (ones,) = graph.add("Add", [zeros, graph.constant(np.ones(1, np.float32))])
        return cls(graph, sizes, zeros, ones)

    def texts(self, width: int) -> str:
        """[texts, tokens, width]"""
        last = self.graph.constant(np.array([width], np.int64))
        return self.graph.add("Concat", [self.sizes, last], {"axis": 0})[0]


@dataclass(frozen=True, slots=True)
class _LayerMaker:
    graph: Graph
    heads: int
    epsilon: float
    mask: str
    shapes: _Shapes

    def layer(self, state: _Shifted, layer: Layer, seen: LayerRanges, middle: Floats) -> _Shifted:
        """`middle` is what the layer behind it wants to be taken off."""
        into, before_widening, opened = seen
        projected = self._product(state, layer.qkv.weight.dense(), layer.qkv.bias, into)
        attended = self._rounded(
            self._attention(projected, len(state.middle)),
            layer.attended.weight.dense(),
            layer.attended.bias + state.middle,
        )
        beside = self._normed(state, attended, layer.attention_norm, _middle(before_widening))
        fed = self._fed(beside, layer, before_widening, opened)
        return self._normed(beside, fed, layer.output_norm, middle)

    def as_rows(self, tensor: str, width: int) -> str:
        """[texts, tokens, width] as [1, texts * tokens, width]"""
        shape = self.graph.constant(np.array([1, -1, width], np.int64))
        return self.graph.add("Reshape", [tensor, shape])[0]

    def _attention(self, projected: str, width: int) -> str:
        graph = self.graph
        (texts,) = graph.add("Reshape", [projected, self.shapes.texts(3 * width)])
        sizes = graph.constant(np.full(3, width, np.int64))
        parts = graph.add("Split", [texts, sizes], {"axis": 2}, count=3)
        # The queries are scaled already.
        attended = self._contributed(
            "MultiHeadAttention", [*parts, "", self.mask], num_heads=self.heads, scale=1.0
        )
        return self.as_rows(attended, width)

    def _fed(self, beside: _Shifted, layer: Layer, seen: Range, opened: Range) -> str:
        """Through the two products behind the attention, with what is taken off `beside`."""
        parts = _Parts.of(np.abs(opened).max(axis=0))
        # Parts of what is opened are opened themselves: to gather them would take longer.
        every = np.concatenate([np.arange(len(parts.counts)), parts.added])
        widen, bias = layer.widen.weight.dense()[:, every], layer.widen.bias[every]
        wide = self._contributed("FastGelu", [self._product(beside, widen, bias, seen)])
        if len(parts.added):
            (wide,) = self.graph.add("Mul", [wide, self.graph.constant(parts.factors[every])])
        narrow = layer.narrow.weight.dense()[every]
        return self._rounded(wide, narrow, layer.narrow.bias + beside.middle)

    def _product(self, state: _Shifted, weight: Floats, bias: Floats, seen: Range) -> str:
        """What `state` stands for times the weight, plus the bias."""
        graph, name = self.graph, state.name
        parts = _Parts.of(np.abs(seen - state.middle).max(axis=0))
        shifted = (bias + state.middle @ weight).astype(np.float32)
        if len(parts.added):
            (name,) = graph.add("Mul", [name, graph.constant(parts.factors)])
            added = graph.constant(parts.added.astype(np.int64))
            (others,) = graph.add("Gather", [name, added], {"axis": -1})
            (name,) = graph.add("Concat", [name, others], {"axis": -1})
        return self._rounded(name, np.concatenate([weight, weight[parts.added]]), shifted)

    def _rounded(self, state: str, weight: Floats, bias: Floats) -> str:
        scale = np.maximum(np.abs(weight).max(axis=0), 1e-9) / np.float32(STEPS)
        whole = np.rint(weight / scale).astype(np.int8)
        constants = [self.graph.constant(each) for each in (whole, scale)]
        shift = self.graph.constant(bias.astype(np.float32))
        return self._contributed("DynamicQuantizeMatMul", [state, *constants, "", shift])

    def _normed(self, state: _Shifted, change: str, norm: Norm, middle: Floats) -> _Shifted:
        """Normalised over the channels. The operator made for that takes three times as long."""
        graph, epsilon = self.graph, {"epsilon": self.epsilon}
        (added,) = graph.add("Add", [state.name, change])
        rows = [added, self.shapes.ones, self.shapes.zeros]
        (unit,) = graph.add("InstanceNormalization", rows, epsilon)
        (grown,) = graph.add("Mul", [unit, graph.constant(norm.gain)])
        offset = graph.constant((norm.offset - middle).astype(np.float32))
        return _Shifted(graph.add("Add", [grown, offset])[0], middle)

    def _contributed(self, operator: str, inputs: Sequence[str], **attributes: Attribute) -> str:
        (made,) = self.graph.add(operator, inputs, attributes, domain=CONTRIBUTED)
        return made


def _middle(seen: Range) -> Floats:
    return ((seen[0] + seen[1]) / 2).astype(np.float32)


def widest(passes: Iterable[Sequence[LayerRanges]]) -> list[LayerRanges]:
    """The ranges over several passes, by layer."""
    found: list[LayerRanges] = []
    for each in passes:
        found = [_wider(*pair) for pair in zip(found, each, strict=True)] if found else [*each]
    return found


def _wider(one: LayerRanges, other: LayerRanges) -> LayerRanges:
    first, second, third = (
        np.stack([np.minimum(a[0], b[0]), np.maximum(a[1], b[1])])
        for a, b in zip(one, other, strict=True)
    )
    return first, second, third
