"""The layers of the installed weights, converted once for onnxruntime and compared with numpy's."""

import io
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ...model.errors import EmbeddingUnavailable
from ...similarity.matrix_product import Floats
from ..calibrator import PAIRS, VARIANTS
from ..onnx.session import open_session, runtime_installed
from .files import (
    NAME,
    ModelFileState,
    network_file,
    put_in_place,
    sample_file,
    state_of,
    weights_file,
)
from .model import ForwardPass, Model, Prefix
from .quantised_network import LayerRanges, network, widest
from .weights import load

PRODUCER = "tidemark"

SAME = 0.999
"""Least cosine of a vector to the one that numpy makes: above it, stored vectors keep their
meaning."""

_UNUSUAL = ("x" * 120, "\U0001f600" * 2, "a b " * 40)
"""Texts whose values reach further than those of sentences: what rounds badly shows here first."""


class NetworkUnfit(EmbeddingUnavailable):
    """The converted layers cannot be used; numpy runs the model meanwhile."""


def network_wanted(folder: Path) -> bool:
    """Whether onnxruntime is there, and a converted network for it is not."""
    return runtime_installed() and state_of(network_file(folder)) is not ModelFileState.READY


def convert_layers(folder: Path) -> None:
    """Write the network of the weights in `folder`, which are taken to be sound.

    Some seconds and 400 MB of memory. Beside it goes a sample, texts that nothing was derived from
    with numpy's vectors. Raises OSError, and EmbeddingUnavailable if onnxruntime makes other
    vectors of them.
    """
    weights = load(weights_file(folder))
    model = Model(weights)
    made = network(weights, widest(_passes(model)), producer=PRODUCER)
    texts = [text for pairs in VARIANTS.values() for pair in pairs for text in pair]
    texts += _UNUSUAL
    sample = io.BytesIO()
    wanted = _vectors(model, texts)
    np.savez(sample, texts=np.array(texts), vectors=wanted)
    _compare(Model(weights, open_session(made)), texts, wanted)
    put_in_place([sample.getvalue()], sample_file(folder))
    put_in_place([made], network_file(folder))
    kept = network_file(folder).stem
    for older in folder.glob(f"{NAME}.int8-*"):
        if not older.name.startswith(kept):
            older.unlink(missing_ok=True)


def check_layers(model: Model, folder: Path) -> None:
    """Compare a loaded network with the sample: it may have been converted on another processor.

    Some 50 ms. Raises EmbeddingUnavailable if its vectors are others, or the sample is not sound.
    """
    try:
        with np.load(sample_file(folder)) as sample:
            _compare(model, [str(text) for text in sample["texts"]][-8:], sample["vectors"][-8:])
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise EmbeddingUnavailable(f"the sample cannot be read ({error})") from error


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


def _compare(model: Model, texts: Sequence[str], wanted: Floats) -> None:
    least = float((_vectors(model, texts) * wanted).sum(axis=1).min())
    if not least >= SAME:
        raise EmbeddingUnavailable(
            f"onnxruntime makes other vectors here (cosine {least:.4f}); numpy goes on"
        )


def _vectors(model: Model, texts: Sequence[str]) -> Floats:
    """Each by itself: what a text is beside must not decide."""
    return np.concatenate([_through(model, text) for text in texts])


def _through(model: Model, text: str) -> Floats:
    passing = model.begin([model.tokens(text, Prefix.DOCUMENT)])
    while (made := passing.advance()) is None:
        pass
    return np.nan_to_num(made, nan=0.0)
