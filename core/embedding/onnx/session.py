"""A network at work in onnxruntime, which is imported when the first one is opened."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.errors import EmbeddingUnavailable

type Arrays = Mapping[str, NDArray[Any]]

RUNTIME = "onnxruntime"
REQUIREMENTS = ("onnxruntime>=1.20,<2", "tokenizers>=0.20,<1")
_ERRORS_ONLY = 3


def runtime_installed() -> bool:
    """Whether onnxruntime can be found; nothing is imported."""
    return find_spec(RUNTIME) is not None


@dataclass(frozen=True, slots=True)
class Port:
    """An input or output: its name, and the type of its numbers."""

    name: str
    kind: str


class Session:
    """A loaded network. Runs in the calling thread; several threads may run it at once."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    @property
    def inputs(self) -> tuple[Port, ...]:
        """What it wants."""
        return tuple(_port(each) for each in self._inner.get_inputs())

    @property
    def outputs(self) -> tuple[Port, ...]:
        """What it answers."""
        return tuple(_port(each) for each in self._inner.get_outputs())

    def run(self, wanted: str, given: Arrays) -> NDArray[Any]:
        """The output of that name. Raises EmbeddingUnavailable."""
        try:
            (made,) = self._inner.run([wanted], dict(given))
        except Exception as error:
            raise EmbeddingUnavailable(f"the network does not run: {_short(error)}") from error
        return made


def open_session(model: bytes | Path) -> Session:
    """Load a network for one thread, from its bytes or its file. Raises EmbeddingUnavailable."""
    try:
        import onnxruntime as runtime
    except (ImportError, OSError) as error:
        raise EmbeddingUnavailable(f"{RUNTIME} cannot be loaded: {_short(error)}") from error
    options: Any = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    options.log_severity_level = _ERRORS_ONLY
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Without VNNI two products of 8 bits would be added in 16 bits, and saturate.
    options.add_session_config_entry("session.x64quantprecision", "1")
    content = model if isinstance(model, bytes) else str(model)
    try:
        inner = runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise EmbeddingUnavailable(f"the network cannot be loaded: {_short(error)}") from error
    return Session(inner)


def _port(told: Any) -> Port:
    return Port(str(told.name), str(told.type))


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]


def whole_numbers(kind: str) -> type[np.int32] | type[np.int64] | None:
    """The numpy type of an input of token ids, None if it does not take whole numbers."""
    return {"tensor(int64)": np.int64, "tensor(int32)": np.int32}.get(kind)
