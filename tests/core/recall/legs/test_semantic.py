"""What is nearer to a question comes first, however near many are."""

import numpy as np
from astrbot_plugin_tidemark.core.model.vectors import EmbedderIdentity, Vector
from astrbot_plugin_tidemark.core.recall.question import Sources
from astrbot_plugin_tidemark.core.recall.trace import Leg
from astrbot_plugin_tidemark.core.similarity.calibration import Centre, Frame
from astrbot_plugin_tidemark.core.similarity.measure import SimilarityScale

from .asked import Shelf, hits, said


class EasilyPleased:
    """A frame in which nearly everything is more than related."""

    async def frame(
        self, identity: EmbedderIdentity, scopes: frozenset[str], language: str
    ) -> Frame:
        nowhere: Vector = np.zeros(identity.dimension, np.float32)
        centre = Centre(nowhere, nowhere, 0.0, 0.1)
        return Frame(0.0, 0.1, centre, centre)

    async def similarity_scale(
        self, identity: EmbedderIdentity, scopes: frozenset[str], language: str
    ) -> SimilarityScale | None:
        return None


async def test_memories_that_are_all_more_than_related_keep_their_order_by_meaning(
    shelf: Shelf,
) -> None:
    asked = "Ann keeps goats behind the old barn"
    near, less, least = (
        said("Ann keeps goats behind the old barn", 300),
        said("Ann keeps goats behind the new barn", 200),
        said("Ann keeps goats in a shed", 1),
    )
    await shelf.keep(least, less, near)
    sources = Sources(shelf.store, shelf.embedder, EasilyPleased())
    recalled = await shelf.ask(asked, sources)
    found = hits(recalled, Leg.SEMANTIC)
    assert found[near.id].relevance > found[less.id].relevance > found[least.id].relevance > 1.0
    assert recalled.memories[0].id == near.id
