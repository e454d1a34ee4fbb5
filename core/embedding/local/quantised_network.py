"""The model's layers as an ONNX network in 8-bit integers. Pure.

Weights are rounded to whole multiples of a step for each output, what they are multiplied with to
256 levels over the range it has at the time. A few channels have ten times the range of all others
and would leave those hardly any levels (Dettmers et al., "LLM.int8()", 2022): they are multiplied
in float32 beside the rest.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...similarity.matrix_product import Floats
from ..onnx.messages import CONTRIBUTED, FLOAT, INT32, Attribute, Graph
from .model import MASK, PASSED, STATE
from .weights import Layer, Linear, Norm, Weights

APART = (4, 8, 16)
"""Channels multiplied in float32: of a layer's input, before its widening, before its narrowing."""

STEPS, STEPS_AFTER_GELU = 80, 127
"""Largest whole number of a weight. Processors without VNNI add two products in 16 bits: at 127
that overflows unless, as after GELU, hardly any of what is multiplied is large."""

type Extents = tuple[Floats, Floats, Floats]
"""Of a layer, the largest magnitudes by channel: see `ForwardPass.extents`."""


def network(weights: Weights, extents: Sequence[Extents], *, producer: str) -> bytes:
    """The file. `extents` decide for each layer which channels stand apart."""
    width = weights.positions.shape[1]
    graph = Graph()
    state = graph.take(STATE, FLOAT, ("texts", "tokens", width))
    mask = graph.take(MASK, INT32, ("texts", "tokens"))
    last = len(weights.layers) - 1
    for number, (layer, seen) in enumerate(zip(weights.layers, extents, strict=True)):
        maker = _LayerMaker(graph, weights.heads, weights.epsilon, mask)
        state = maker.layer(state, layer, seen, PASSED if number == last else "")
    graph.give(PASSED, FLOAT, ("texts", "tokens", width))
    return graph.model(producer)


@dataclass(frozen=True, slots=True)
class _LayerMaker:
    graph: Graph
    heads: int
    epsilon: float
    mask: str

    def layer(self, state: str, layer: Layer, seen: Extents, name: str) -> str:
        into, before_widening, before_narrowing = map(_apart, seen, APART)
        projected = self._product(state, layer.qkv, into)
        attended = self._product(self._attention(projected, layer), layer.attended, [])
        attended = self._added(state, attended, layer.attention_norm)
        opened = self._product(attended, layer.widen, before_widening)
        opened = self._contributed("FastGelu", [opened])
        fed = self._product(opened, layer.narrow, before_narrowing, STEPS_AFTER_GELU)
        return self._added(attended, fed, layer.output_norm, name)

    def _attention(self, projected: str, layer: Layer) -> str:
        width = layer.attended.weight.shape[0]
        sizes = self.graph.constant(np.full(3, width, np.int64))
        parts = self.graph.add("Split", [projected, sizes], {"axis": 2}, count=3)
        # The queries are scaled already.
        return self._contributed(
            "MultiHeadAttention", [*parts, "", self.mask], num_heads=self.heads, scale=1.0
        )

    def _product(self, state: str, linear: Linear, apart: Sequence[int], steps: int = STEPS) -> str:
        """`state` times the weight, plus the bias; the channels `apart` not rounded."""
        graph, weight = self.graph, linear.weight.dense()
        if not apart:
            return self._rounded(state, weight, linear.bias, steps)
        rest = np.ones(len(weight), np.float32)
        rest[list(apart)] = 0.0
        (few,) = graph.add(
            "Gather", [state, graph.constant(np.array(apart, np.int64))], {"axis": -1}
        )
        (exact,) = graph.add("MatMul", [few, graph.constant(weight[list(apart)])])
        (others,) = graph.add("Mul", [state, graph.constant(rest)])
        rounded = self._rounded(others, weight * rest[:, None], linear.bias, steps)
        (added,) = graph.add("Add", [rounded, exact])
        return added

    def _rounded(self, state: str, weight: Floats, bias: Floats, steps: int) -> str:
        scale = np.maximum(np.abs(weight).max(axis=0), 1e-9) / np.float32(steps)
        whole = np.rint(weight / scale).astype(np.int8)
        constants = [self.graph.constant(each) for each in (whole, scale)]
        shift = self.graph.constant(bias)
        return self._contributed("DynamicQuantizeMatMul", [state, *constants, "", shift])

    def _added(self, state: str, change: str, norm: Norm, name: str = "") -> str:
        constants = [self.graph.constant(each) for each in (norm.gain, norm.offset)]
        inputs = [state, change, *constants]
        return self._contributed("SkipLayerNormalization", inputs, name, epsilon=self.epsilon)

    def _contributed(
        self, operator: str, inputs: Sequence[str], name: str = "", **attributes: Attribute
    ) -> str:
        (made,) = self.graph.add(operator, inputs, attributes, name=name, domain=CONTRIBUTED)
        return made


def _apart(extent: Floats, count: int) -> list[int]:
    """The channels of the largest magnitudes, in order."""
    return sorted(np.argsort(-extent)[: min(count, len(extent) // 8)].tolist())


def largest(passes: Iterable[Sequence[Extents]]) -> list[Extents]:
    """The largest magnitudes of several passes, by layer."""
    found: list[Extents] = []
    for each in passes:
        found = [_larger(*pair) for pair in zip(found, each, strict=True)] if found else [*each]
    return found


def _larger(one: Extents, other: Extents) -> Extents:
    first, second, third = map(np.maximum, one, other)
    return first, second, third
