"""The few messages of the ONNX format that a network of ours needs, as protocol buffers. Pure.

Numbers of fields: onnx.proto3 of ONNX, which never change.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

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

    nodes: list[bytes] = field(default_factory=list[bytes])
    tensors: list[bytes] = field(default_factory=list[bytes])
    inputs: list[bytes] = field(default_factory=list[bytes])
    outputs: list[bytes] = field(default_factory=list[bytes])

    def take(self, name: str, kind: int, shape: Sequence[int | str]) -> str:
        """An input; a name in the shape is a size that differs from run to run."""
        self.inputs.append(_value(name, kind, shape))
        return name

    def give(self, name: str, kind: int, shape: Sequence[int | str]) -> None:
        """An output."""
        self.outputs.append(_value(name, kind, shape))

    def constant(self, numbers: NDArray[np.generic]) -> str:
        """The name under which these numbers are kept."""
        name = f"c{len(self.tensors)}"
        self.tensors.append(_tensor(name, numbers))
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
        label = f"n{len(self.nodes)}"
        outputs = [name] if name else [f"{label}.{number}" for number in range(count)]
        self.nodes.append(
            _all(1, inputs)
            + _all(2, outputs)
            + _bytes(3, label)
            + _bytes(4, operator)
            + b"".join(_bytes(5, _attribute(*each)) for each in (attributes or {}).items())
            + (_bytes(7, domain) if domain else b"")
        )
        return outputs

    def model(self, producer: str) -> bytes:
        """The whole file."""
        graph = (
            _all(1, self.nodes)
            + _bytes(2, producer)
            + _all(5, self.tensors)
            + _all(11, self.inputs)
            + _all(12, self.outputs)
        )
        operators = _bytes(1, "") + _number(2, _OPERATORS)
        contributed = _bytes(1, CONTRIBUTED) + _number(2, _CONTRIBUTED_VERSION)
        return (
            _number(1, _FORMAT)
            + _bytes(2, producer)
            + _bytes(7, graph)
            + _all(8, [operators, contributed])
        )


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
