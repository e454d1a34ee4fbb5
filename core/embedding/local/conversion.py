"""The layers of the installed weights, converted once for onnxruntime and compared with numpy's."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ...model.errors import EmbeddingUnavailable
from ...similarity.matrix_product import Floats
from ..onnx.session import open_session, runtime_installed
from ..sample import PAIRS, VARIANTS
from .files import ModelFileState, network_file, put_in_place, state_of, weights_file
from .model import ForwardPass, Model, Prefix
from .quantised_network import STEPS, LayerRanges, network, widest
from .weights import load

PRODUCER = "tidemark"

SAME = 0.999
"""Least cosine of a vector to the one that numpy makes: above it, stored vectors keep their
meaning."""


def network_wanted(folder: Path) -> bool:
    """Whether onnxruntime is there, and a converted network for it is not."""
    return runtime_installed() and state_of(network_file(folder)) is not ModelFileState.READY


def convert_layers(folder: Path) -> None:
    """Write the network of the weights in `folder`, which are taken to be sound.

    Some seconds and 400 MB of memory. Of the ways to round, the one that suits this processor best
    is taken. Raises OSError, and EmbeddingUnavailable if onnxruntime makes other vectors of every
    one than numpy does.
    """
    weights = load(weights_file(folder))
    model = Model(weights)
    ranges = widest(_passes(model))
    least, made = max(
        (_agreement(model, Model(weights, open_session(each))), each)
        for each in (network(weights, ranges, steps=steps, producer=PRODUCER) for steps in STEPS)
    )
    if not least >= SAME:
        raise EmbeddingUnavailable(
            f"onnxruntime makes other vectors here (cosine {least:.4f}); numpy goes on"
        )
    put_in_place([made], network_file(folder))


def _passes(model: Model) -> Iterator[list[LayerRanges]]:
    texts = [text for pairs in PAIRS.values() for pair in pairs for text in pair]
    for batch in model.batches(texts, Prefix.DOCUMENT):
        passing = model.begin(batch.ids)
        assert isinstance(passing, ForwardPass)
        seen: list[LayerRanges] = []
        passing.ranges = seen
        while passing.advance() is None:
            pass
        yield seen


def _agreement(one: Model, other: Model) -> float:
    """The least cosine of the two models' vectors of texts that nothing was derived from."""
    texts = [text for pairs in VARIANTS.values() for pair in pairs for text in pair]
    return min(
        float((_through(one, batch.ids) * _through(other, batch.ids)).sum(axis=1).min())
        for batch in one.batches(texts, Prefix.DOCUMENT)
    )


def _through(model: Model, ids: tuple[tuple[int, ...], ...]) -> Floats:
    passing = model.begin(ids)
    while (made := passing.advance()) is None:
        pass
    return np.nan_to_num(made, nan=0.0)
