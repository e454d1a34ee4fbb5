"""A model folder of the owner's: every layout works, what is malformed or hostile is refused."""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.folder import embedder, layout
from astrbot_plugin_tidemark.core.embedding.folder.embedder import FolderEmbedder
from astrbot_plugin_tidemark.core.embedding.local.model import FLOAT, Graph
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable

from .tiny_models import INT64, WHOLE, WIDTH, network, write

POOLING = {"word_embedding_dimension": WIDTH, "pooling_mode_mean_tokens": False}
MODULES = [
    {"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
]


@pytest.fixture
def marks_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """All texts may have the same vector, as those have that are of the marks around them."""
    monkeypatch.setattr(embedder, "SAME_VECTOR", 2.0)


async def document(folder: Path, text: str = "abc") -> np.ndarray:
    one = FolderEmbedder(folder)
    try:
        return (await one.embed_documents([text]))[0]
    finally:
        await one.aclose()


async def refused(folder: Path) -> str:
    one = FolderEmbedder(folder)
    try:
        with pytest.raises(EmbeddingUnavailable) as told:
            await one.identity()
        with pytest.raises(EmbeddingUnavailable):
            await one.embed_query("again")
    finally:
        await one.aclose()
    return str(told.value)


async def test_a_bare_folder_is_pooled_by_mean_a_batch_gives_the_same(tmp_path: Path) -> None:
    one = FolderEmbedder(write(tmp_path / "tiny"))
    identity = await one.identity()
    assert (identity.provider, identity.dimension) == ("folder", WIDTH)
    assert identity.fingerprint.startswith("folder:tiny-")
    texts = ["abc", "a" * 900, "今天", "", "b a"]
    together = await one.embed_documents(texts)
    for text, vector in zip(texts, together, strict=True):
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)
        assert vector == pytest.approx((await one.embed_documents([text]))[0], abs=1e-5)
    assert await one.embed_query("abc") == pytest.approx(together[0], abs=1e-5)
    assert await one.embed_documents([]) == []
    await one.aclose()
    with pytest.raises(EmbeddingUnavailable, match="closed"):
        await one.embed_query("abc")


@pytest.mark.parametrize(
    "told",
    [
        POOLING | {"pooling_mode_cls_token": True},
        POOLING | {"pooling_mode_lasttoken": True},
        POOLING | {"pooling_mode_mean_tokens": True},
        {"pooling_mode": "cls"},
    ],
)
@pytest.mark.usefixtures("marks_alone")
async def test_the_pooling_is_the_folders(tmp_path: Path, told: dict[str, Any]) -> None:
    folder = write(tmp_path, modules=MODULES, **{"1_Pooling__config": told})
    vectors = [await document(folder, text) for text in ("abc", "xyz")]
    marked = "cls" in str([key for key, value in told.items() if value] + [*told.values()])
    last = told.get("pooling_mode_lasttoken", False)
    # Every text begins and ends with the same mark: of those alone the vectors would be the same.
    assert (float(vectors[0] @ vectors[1]) > 0.999) is (marked or last)


async def test_prefixes_and_lengths_are_the_folders(tmp_path: Path) -> None:
    prompts = {"prompts": {"query": "q: ", "passage": "p: "}}
    plain = await document(write(tmp_path / "plain"), "p: abc")
    folder = write(tmp_path / "told", config_sentence_transformers=prompts)
    assert await document(folder) == pytest.approx(plain, abs=1e-5)
    one = FolderEmbedder(folder)
    assert float((await one.embed_query("abc")) @ plain) < 0.999
    await one.aclose()
    short = write(tmp_path / "short", sentence_bert_config={"max_seq_length": 8})
    assert await document(short, "a" * 6 + "xyz") == pytest.approx(
        await document(short, "a" * 6 + "zyx"), abs=1e-5
    )


@pytest.mark.parametrize(
    "model",
    [
        network(inputs=("input_ids",)),
        network(inputs=("input_ids", "attention_mask", "token_type_ids", "position_ids")),
        network(output="token_embeddings"),
        network(output="sentence_embedding"),
    ],
)
async def test_inputs_and_outputs_of_every_kind_work(tmp_path: Path, model: bytes) -> None:
    assert len(await document(write(tmp_path, model))) == WIDTH


async def test_another_prefix_or_other_numbers_are_another_embedder(tmp_path: Path) -> None:
    prints: set[str] = set()
    for name, told in (("a", {}), ("b", {"prompts": {"query": "q: "}}), ("c", {})):
        folder = write(tmp_path / name / "tiny", config_sentence_transformers=told)
        if name == "c":
            (folder / "model.onnx_data").write_bytes(b"numbers")
        one = FolderEmbedder(folder)
        prints.add((await one.identity()).fingerprint)
        await one.aclose()
    assert len(prints) == 3


def wanting(name: str) -> bytes:
    """A network with an input that nobody can give."""
    return network(inputs=("input_ids", name))


def one_answer() -> bytes:
    """The same vector for every token."""
    graph = Graph()
    graph.take("input_ids", INT64, WHOLE)
    rows = graph.constant(np.ones((10_000, WIDTH), np.float32))
    graph.add("Gather", [rows, "input_ids"], name="last_hidden_state")
    graph.give("last_hidden_state", FLOAT, (*WHOLE, WIDTH))
    return graph.model("tests")


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (b"", "network cannot be loaded"),
        (b"not a network at all", "network cannot be loaded"),
        (network()[:-900], "network cannot be loaded"),
        (wanting("pixel_values"), "wants the input pixel_values"),
        (network(scale=float("nan")), "not finite"),
        (network(scale=0.0), "zero vector"),
        (one_answer(), "same vector of different texts"),
    ],
)
async def test_a_hostile_network_is_refused(tmp_path: Path, model: bytes, words: str) -> None:
    assert words in await refused(write(tmp_path, model))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda folder: (folder / "tokenizer.json").unlink(), "has no tokenizer.json"),
        (lambda folder: (folder / "model.onnx").unlink(), "has no model.onnx"),
        (lambda folder: (folder / "tokenizer.json").write_text("{"), "is not a tokenizer"),
        (lambda folder: (folder / "tokenizer.json").write_text("[]"), "is not a tokenizer"),
        (lambda folder: (folder / "config.json").write_text("{" * 9999), "config.json is not JSON"),
        (lambda folder: (folder / "config.json").write_text("[]"), "config.json is not an object"),
        (lambda folder: _dense(folder), "modules.json asks for Dense"),
        (lambda folder: _pooled(folder, {"pooling_mode_max_tokens": True}), "none of mean, cls"),
        (lambda folder: _link(folder, "tokenizer.json"), "leads out of the model folder"),
        (lambda folder: _link(folder, "model.onnx"), "leads out of the model folder"),
        (
            lambda folder: (folder / "model.onnx_data").symlink_to("/etc/hostname"),
            "leads out of the model folder",
        ),
        (lambda folder: _large(folder / "config.json"), "config.json is larger than 1 MB"),
        (lambda folder: _large(folder / "tokenizer.json", 65), "larger than 64 MB"),
    ],
)
async def test_a_malformed_or_hostile_folder_is_refused(
    tmp_path: Path, spoil: Callable[[Path], Any], words: str
) -> None:
    folder = write(tmp_path / "tiny")
    spoil(folder)
    assert words in await refused(folder)


def _dense(folder: Path) -> None:
    more = {"idx": 2, "path": "2_Dense", "type": "sentence_transformers.models.Dense"}
    (folder / "modules.json").write_text(json.dumps([*MODULES[:2], more]))


def _pooled(folder: Path, told: dict[str, Any]) -> None:
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(told))


def _link(folder: Path, name: str) -> None:
    moved = (folder / name).rename(folder.parent / name)
    (folder / name).symlink_to(moved)


def _large(file: Path, megabytes: int = 2) -> None:
    with file.open("wb") as opened:
        os.truncate(opened.fileno(), megabytes << 20)


async def test_a_huge_network_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "MOST_MODEL_BYTES", 1 << 10)
    assert "model.onnx is larger than" in await refused(write(tmp_path))
    assert "cannot be read" in await refused(tmp_path / "nowhere")


async def test_a_query_does_not_wait_for_all_documents(tmp_path: Path) -> None:
    one = FolderEmbedder(write(tmp_path))
    await one.identity()
    documents = asyncio.ensure_future(one.embed_documents(["abc " * 100] * 300))
    await asyncio.sleep(0)
    await one.embed_query("abc")
    assert not documents.done()
    assert len(await documents) == 300
    await one.aclose()
