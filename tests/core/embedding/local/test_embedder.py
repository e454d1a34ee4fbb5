"""The local embedder: off the event loop, fair to queries, clear about a missing file."""

import asyncio
import shutil
import threading
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.local import model as module
from astrbot_plugin_tidemark.core.embedding.local.install import (
    checksum_file,
    convert,
    weights_file,
)
from astrbot_plugin_tidemark.core.embedding.local.model import IDENTITY, LocalEmbedder, Model
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable
from astrbot_plugin_tidemark.core.similarity.measure import Floats


@pytest.fixture
def tiny_folder(tmp_path: Path, published: bytes) -> Path:
    """A folder with the miniature installed."""
    return installed(tmp_path, published)


def installed(tmp_path: Path, published: bytes) -> Path:
    convert(published, weights_file(tmp_path))
    digest = sha256(weights_file(tmp_path).read_bytes()).hexdigest()
    checksum_file(tmp_path).write_text(digest, encoding="utf-8")
    return tmp_path


async def test_the_real_model_embeds_documents_and_queries(models_folder: Path) -> None:
    embedder = LocalEmbedder(models_folder)
    documents = await embedder.embed_documents(["我对花生过敏", "房租涨到了三千五", "他养了两只狗"])
    query = await embedder.embed_query("我不能吃什么？")
    identity = await embedder.identity()
    assert {len(vector) for vector in [*documents, query]} == {identity.dimension}
    assert all(np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5) for vector in documents)
    assert int(np.argmax([vector @ query for vector in documents])) == 0
    await embedder.aclose()


async def test_order_is_kept_and_roles_differ(tiny_folder: Path) -> None:
    embedder = LocalEmbedder(tiny_folder)
    texts = ["ab " * size for size in (90, 1, 40, 7, 0, 120)]
    together = await embedder.embed_documents(texts)
    for text, vector in zip(texts, together, strict=True):
        (alone,) = await embedder.embed_documents([text])
        assert vector == pytest.approx(alone, abs=1e-5)
    assert await embedder.embed_documents([]) == []
    await embedder.aclose()


async def test_asking_which_space_it_is_loads_it_so_no_query_waits(models_folder: Path) -> None:
    embedder = LocalEmbedder(models_folder)
    assert await embedder.identity() == IDENTITY
    assert embedder.network is not None
    assert IDENTITY.fingerprint == "local:multilingual-e5-small-q4.1-1571fc98:384"
    await embedder.aclose()


async def test_a_missing_file_is_unavailable_and_tells_how_to_get_it(tmp_path: Path) -> None:
    embedder = LocalEmbedder(tmp_path, hint="ask the tide")
    unhinted = LocalEmbedder(tmp_path)
    with pytest.raises(EmbeddingUnavailable, match=r"q4\.npz is missing: ask the tide"):
        await embedder.embed_query("潮")
    with pytest.raises(EmbeddingUnavailable, match="/memory embedder install"):
        await unhinted.embed_query("潮")
    await embedder.aclose()
    await unhinted.aclose()


async def test_a_damaged_file_is_unavailable_until_it_is_replaced(
    tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    sound = shutil.copy(weights_file(tiny_folder), tmp_path_factory.mktemp("sound"))
    content = bytearray(weights_file(tiny_folder).read_bytes())
    content[len(content) // 2] ^= 1
    weights_file(tiny_folder).write_bytes(content)
    embedder = LocalEmbedder(tiny_folder)
    for _ in range(2):
        with pytest.raises(EmbeddingUnavailable, match="is damaged"):
            await embedder.embed_documents(["ab"])
    shutil.copy2(sound, weights_file(tiny_folder))
    assert len(await embedder.embed_query("ab")) == 384
    await embedder.aclose()


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\5\6" + bytes(18)])
async def test_a_file_with_its_own_checksum_is_no_model(tmp_path: Path, content: bytes) -> None:
    weights_file(tmp_path).write_bytes(content)
    checksum_file(tmp_path).write_text(sha256(content).hexdigest(), encoding="utf-8")
    embedder = LocalEmbedder(tmp_path)
    with pytest.raises(EmbeddingUnavailable, match="is not the model"):
        await embedder.embed_query("潮")
    await embedder.aclose()


async def test_documents_and_queries_have_a_thread_each_that_is_not_the_loops(
    tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[int, set[int]] = {1: set(), 2: set()}
    vectors = Model.vectors

    def seen(self: Model, ids: Sequence[Sequence[int]]) -> Floats:
        threads[len(ids)].add(threading.get_ident())
        return vectors(self, ids)

    monkeypatch.setattr(Model, "vectors", seen)
    embedder = LocalEmbedder(tiny_folder)
    queries = (embedder.embed_query("ab" * size) for size in range(8))
    await asyncio.gather(*queries, *(embedder.embed_documents(["ab", "ba"]) for _ in range(8)))
    (asking,), (telling,) = threads.values()
    assert len({asking, telling, threading.get_ident()}) == 3
    await embedder.aclose()


async def test_a_query_does_not_wait_for_all_documents(tiny_folder: Path) -> None:
    embedder = LocalEmbedder(tiny_folder)
    await embedder.embed_query("ab")
    documents = asyncio.ensure_future(embedder.embed_documents(["ab " * 200] * 60))
    await asyncio.sleep(0)
    await embedder.embed_query("ba")
    assert not documents.done()
    assert len(await documents) == 60
    await embedder.aclose()


async def test_a_lack_of_memory_is_told(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Model, ids: Sequence[Sequence[int]]) -> Floats:
        raise MemoryError

    monkeypatch.setattr(Model, "vectors", refuse)
    embedder = LocalEmbedder(tiny_folder)
    with pytest.raises(EmbeddingUnavailable, match="not enough memory"):
        await embedder.embed_query("ab")
    await embedder.aclose()


async def test_a_closed_embedder_is_unavailable_even_amid_documents(tiny_folder: Path) -> None:
    embedder = LocalEmbedder(tiny_folder)
    documents = asyncio.ensure_future(embedder.embed_documents(["ab " * 200] * 60))
    await asyncio.sleep(0)
    await embedder.aclose()
    await embedder.aclose()
    with pytest.raises(EmbeddingUnavailable, match="closed"):
        await documents
    with pytest.raises(EmbeddingUnavailable, match="closed"):
        await embedder.embed_query("ab")


async def test_without_onnxruntime_it_is_unavailable_until_that_is_there(
    tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = LocalEmbedder(tiny_folder)
    with monkeypatch.context() as patch:
        patch.setattr(module, "runtime_installed", lambda: False)
        with pytest.raises(EmbeddingUnavailable, match="onnxruntime is not installed: an admin"):
            await embedder.embed_query("ab")
    assert len(await embedder.embed_query("ab")) == 384
    await embedder.aclose()
