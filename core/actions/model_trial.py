"""A model folder tried before it is switched on: whether it works, how well and how fast."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from ..embedding.calibrator import SAMPLED, Calibrator
from ..embedding.folder.embedder import FolderEmbedder
from ..model.errors import EmbeddingUnavailable
from .context import Context, for_admins

QUERIES = 12


@dataclass(frozen=True, slots=True)
class FolderTrial:
    """What was measured here. `apart` tells by language whether it knows meanings on the sample;
    milliseconds of the middle query, documents a second; `megabytes` of its files, which is
    about what it takes in memory.
    """

    name: str
    dimension: int
    pooling: str
    prefixes: tuple[str, str]
    apart: Mapping[str, bool]
    query_ms: float
    documents_per_s: float
    megabytes: int


@dataclass(frozen=True, slots=True)
class FolderRefused:
    """Why it cannot be used, in a sentence."""

    problem: str


@for_admins
async def try_folder(context: Context, name: str) -> FolderTrial | FolderRefused:
    """Load it, learn the built-in sample and measure; nothing is changed. Some seconds."""
    embedder = FolderEmbedder(context.services.installation.folder / name)
    try:
        return await _tried(context, embedder)
    except EmbeddingUnavailable as error:
        return FolderRefused(str(error))
    finally:
        await embedder.aclose()


async def _tried(context: Context, embedder: FolderEmbedder) -> FolderTrial:
    identity = await embedder.identity()
    assert embedder.network is not None
    layout = embedder.network.layout
    calibrator = Calibrator(context.store)
    await calibrator.learn(embedder)
    took: list[float] = []
    for _, turn, _ in SAMPLED[:QUERIES]:
        began = time.perf_counter()
        await embedder.embed_query(turn)
        took.append(1000 * (time.perf_counter() - began))
    documents = [memory for _, _, memory in SAMPLED]
    began = time.perf_counter()
    await embedder.embed_documents(documents)
    return FolderTrial(
        layout.name,
        identity.dimension,
        layout.pooling,
        (layout.query_prefix, layout.document_prefix),
        calibrator.tells_apart(identity.fingerprint),
        median(took),
        len(documents) / (time.perf_counter() - began),
        -(-layout.size // 1_000_000),
    )
