"""The layers converted for onnxruntime: the same vectors, and numpy whenever it cannot be had."""

import shutil
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.local import conversion, embedder, quantised_network
from astrbot_plugin_tidemark.core.embedding.local.conversion import (
    NetworkUnfit,
    convert_layers,
    network_wanted,
)
from astrbot_plugin_tidemark.core.embedding.local.embedder import LocalEmbedder
from astrbot_plugin_tidemark.core.embedding.local.files import (
    NAME,
    checksum_file,
    network_file,
    sample_file,
    weights_file,
)
from astrbot_plugin_tidemark.core.embedding.local.install import install
from astrbot_plugin_tidemark.core.embedding.local.model import ForwardPass, Model, Prefix
from astrbot_plugin_tidemark.core.embedding.local.published import convert
from astrbot_plugin_tidemark.core.embedding.local.quantised_network import LayerRanges, network
from astrbot_plugin_tidemark.core.embedding.local.weights import Weights, load
from astrbot_plugin_tidemark.core.embedding.onnx.messages import CONTRIBUTED, FLOAT, Graph
from astrbot_plugin_tidemark.core.embedding.onnx.session import open_session
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable
from astrbot_plugin_tidemark.core.queue.worker import Report

TEXTS = [
    "我对花生过敏",
    "She moved to Lyon in May.",
    "x" * 300,
    "😀😀",
    "好",
    "a b " * 90,
    "明天三点开会",
]


@pytest.fixture
def folder(tmp_path: Path, published: bytes) -> Path:
    """The miniature, not converted."""
    convert(published, weights_file(tmp_path))
    digest = sha256(weights_file(tmp_path).read_bytes()).hexdigest()
    checksum_file(tmp_path).write_text(digest, encoding="utf-8")
    return tmp_path


async def vectors(
    folder: Path, *, by_onnxruntime: bool, failed: Report | None = None
) -> np.ndarray:
    """Of some texts of the miniature's letters; documents and a query."""
    one = LocalEmbedder(folder, failed=failed)
    made = await one.embed_documents(["ab aba", "b", "ab " * 100])
    made.append(await one.embed_query("aba b"))
    assert one.by_onnxruntime is by_onnxruntime
    await one.aclose()
    return np.stack(made)


def nothing(step: str, share: float) -> None:
    """A report nobody reads."""


def through(model: Model, texts: Sequence[str]) -> np.ndarray:
    """The vectors of a batch."""
    passing = model.begin([model.tokens(text, Prefix.DOCUMENT) for text in texts])
    while (made := passing.advance()) is None:
        pass
    return made


async def test_the_vectors_are_those_of_numpy(folder: Path) -> None:
    before = await vectors(folder, by_onnxruntime=False)
    convert_layers(folder)
    assert not network_wanted(folder)
    after = await vectors(folder, by_onnxruntime=True)
    assert (before * after).sum(axis=1) == pytest.approx(1.0, abs=1e-3)


def test_the_real_vectors_are_those_of_numpy_alone_and_in_a_batch(
    models_folder: Path, model: Model
) -> None:
    converted = Model(
        load(weights_file(models_folder), layers=False), open_session(network_file(models_folder))
    )
    wanted = through(model, TEXTS)
    alone = np.concatenate([through(converted, [text]) for text in TEXTS])
    assert (wanted * alone).sum(axis=1).min() >= 0.999
    assert (wanted * through(converted, TEXTS)).sum(axis=1).min() >= 0.998


def least_likeness(weights: Weights) -> float:
    """The least cosine of the network's vectors to those of numpy."""
    plain, ranges = Model(weights), list[LayerRanges]()
    passing = plain.begin([plain.tokens("ab aba b", Prefix.DOCUMENT)])
    assert isinstance(passing, ForwardPass)
    passing.ranges = ranges
    passing.advance()
    made = network(weights, ranges, producer="test")
    converted = Model(weights, open_session(made))
    texts = ["ab", "aba b ab", "b b b"]
    return float((through(plain, texts) * through(converted, texts)).sum(axis=1).min())


def test_channels_that_reach_far_leave_the_others_their_levels(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = load(weights_file(folder))
    (layer,) = weights.layers
    for channel in (3, 7, 11):
        layer.attention_norm.gain[channel] = 80.0
        weights.embedding_norm.gain[channel] = 80.0
    layer.attention_norm.offset[20] = -90.0
    parted = least_likeness(weights)
    monkeypatch.setattr(quantised_network, "STANDING_OUT", 10**9)
    assert least_likeness(weights) < parted
    assert parted > 0.999


def test_products_of_8_bits_are_added_exactly() -> None:
    """The largest of each kind: added in 16 bits they would saturate, as without VNNI they did."""
    graph = Graph()
    given = graph.take("given", FLOAT, ("rows", 256))
    weight = graph.constant(np.full((256, 32), 127, np.int8))
    scale = graph.constant(np.ones(32, np.float32))
    graph.add("DynamicQuantizeMatMul", [given, weight, scale], domain=CONTRIBUTED, name="product")
    graph.give("product", FLOAT, ("rows", 32))
    row = np.full((1, 256), 255.0, np.float32)
    made = open_session(graph.model("test")).run("product", {"given": row})
    assert made == pytest.approx(np.full((1, 32), 256 * 255 * 127.0), rel=1e-6)


def as_of_another_processor(folder: Path) -> None:
    """The sample beside the network has the vectors of one that does not agree with it."""
    with np.load(sample_file(folder)) as sample:
        content = dict(sample)
    content["vectors"] = np.roll(content["vectors"], 1, axis=1)
    np.savez(sample_file(folder), **content)


async def test_a_network_from_another_processor_is_told_of_once_and_converted_again(
    folder: Path,
) -> None:
    told: list[str] = []

    def failed(place: str, error: BaseException) -> None:
        told.append(f"{place} {type(error).__name__}: {error}")

    convert_layers(folder)
    as_of_another_processor(folder)
    await vectors(folder, by_onnxruntime=False, failed=failed)
    [line] = told
    assert line.startswith("local_model NetworkUnfit: onnxruntime makes other vectors here (cosine")
    assert network_wanted(folder)
    await install(folder, nothing)
    await vectors(folder, by_onnxruntime=True, failed=failed)
    assert told == [line]


async def test_the_real_model_goes_on_by_numpy_where_its_network_makes_other_vectors(
    models_folder: Path, model: Model, tmp_path: Path
) -> None:
    copied = Path(shutil.copytree(models_folder, tmp_path / "models"))
    as_of_another_processor(copied)
    told: list[BaseException] = []
    embedder = LocalEmbedder(copied, failed=lambda _, error: told.append(error))
    made = np.stack(await embedder.embed_documents(TEXTS))
    await embedder.aclose()
    assert [type(error) for error in told] == [NetworkUnfit]
    assert (made * through(model, TEXTS)).sum(axis=1).min() >= 0.9999


async def test_a_network_that_makes_other_vectors_is_not_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversion, "SAME", 1.1)
    with pytest.raises(EmbeddingUnavailable, match="makes other vectors here"):
        await install(folder, nothing)
    assert not network_file(folder).exists()
    await vectors(folder, by_onnxruntime=False)


async def test_a_damaged_network_is_left_alone_and_made_again(folder: Path) -> None:
    older = folder / f"{NAME}.int8-2.onnx"
    older.write_bytes(b"of an earlier conversion")
    convert_layers(folder)
    assert not older.exists()
    content = bytearray(network_file(folder).read_bytes())
    content[len(content) // 2] ^= 1
    network_file(folder).write_bytes(content)
    told: list[str] = []
    await vectors(folder, by_onnxruntime=False, failed=lambda _, error: told.append(str(error)))
    assert told == [f"{network_file(folder).name} is damaged"]
    await install(folder, nothing)
    await vectors(folder, by_onnxruntime=True)


async def test_without_onnxruntime_numpy_runs_the_layers(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    convert_layers(folder)
    for module in (conversion, embedder):
        monkeypatch.setattr(module, "runtime_installed", lambda: False)
    assert not network_wanted(folder)
    await vectors(folder, by_onnxruntime=False)


async def test_a_runtime_that_does_not_load_leaves_numpy(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    convert_layers(folder)

    def refuse(file: Path) -> None:
        raise EmbeddingUnavailable("onnxruntime cannot be loaded")

    monkeypatch.setattr(embedder, "open_session", refuse)
    await vectors(folder, by_onnxruntime=False)


async def test_what_is_converted_meanwhile_is_used_at_once(folder: Path) -> None:
    one = LocalEmbedder(folder)
    await one.identity()
    assert not one.by_onnxruntime
    convert_layers(folder)
    await one.identity()
    assert one.by_onnxruntime
    await one.aclose()
