"""The legs by words and by meaning: earlier turns count less, and order is kept."""

from dataclasses import replace

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.model.memory import EmbedderIdentity, Vector
from astrbot_plugin_tidemark.core.ports import Scored
from astrbot_plugin_tidemark.core.recall.legs.ways import (
    FADING,
    PLAIN_MATCH,
    POOL,
    LegInputs,
    best_of,
    text_leg,
)
from astrbot_plugin_tidemark.core.recall.pipeline import understand
from astrbot_plugin_tidemark.core.recall.question import Meaning, Sources
from astrbot_plugin_tidemark.core.recall.trace import Hit, Leg
from astrbot_plugin_tidemark.core.similarity.calibration import Centre, Frame
from hypothesis import given
from hypothesis import strategies as st

from .asked import Shelf, hits, said


async def found(shelf: Shelf, text: str, *earlier: str) -> dict[str, Hit]:
    asked = understand(replace(shelf.question, text=text, earlier=earlier))
    return dict(await text_leg(LegInputs(asked, Sources(shelf.store), no_meaning, {})))


async def no_meaning() -> Meaning:
    raise AssertionError("words need no vectors")


async def test_the_words_of_the_turns_before_find_too_and_fade_with_each(shelf: Shelf) -> None:
    await shelf.keep(said("goats in the kitchen", 9), said("hens in the attic", 8))
    goats, hens = "goats in the kitchen", "hens in the attic"
    alone = await found(shelf, goats)
    assert next(iter(alone)) == goats
    later = await found(shelf, "Whatever became of those?", hens, goats)
    assert set(later) == {goats, hens}
    assert later[goats].nats == pytest.approx(FADING * alone[goats].nats)
    assert later[hens].nats == pytest.approx(FADING**2 * (await found(shelf, hens))[hens].nats)
    assert [later[id].rank for id in (goats, hens)] == [1, 2]


async def test_what_the_question_says_counts_in_full_however_often_said(shelf: Shelf) -> None:
    await shelf.keep(said("goats in the kitchen", 9))
    asked = "goats in the kitchen"
    once, often = [await found(shelf, asked, *[asked] * n) for n in (0, 3)]
    assert once == often


@given(st.lists(st.dictionaries(st.text("abc", max_size=4), st.floats(0, 1), max_size=120)))
def test_of_several_searches_each_hit_is_there_once(searches: list[dict[str, float]]) -> None:
    best = best_of([[Scored(id, score) for id, score in one.items()] for one in searches])
    told = {
        id: max(
            FADING**age * min(1.0, one[id] / PLAIN_MATCH)
            for age, one in enumerate(searches)
            if id in one
        )
        for id in {id for one in searches for id in one}
    }
    assert len(best) == min(POOL, len(told))
    assert all(hit.relevance == told[id] for id, hit in best)
    relevances = [hit.relevance for _, hit in best]
    assert relevances == sorted(relevances, reverse=True)
    assert [hit.rank for _, hit in best] == list(range(1, len(best) + 1))


class EasilyPleased:
    """A frame in which nearly everything is more than related."""

    async def frame(
        self, identity: EmbedderIdentity, scopes: frozenset[str], language: str
    ) -> Frame:
        nowhere: Vector = np.zeros(identity.dimension, np.float32)
        centre = Centre(nowhere, nowhere, 0.0, 0.1)
        return Frame(0.0, 0.1, centre, centre)

    async def common(
        self, identity: EmbedderIdentity, scopes: frozenset[str], language: str
    ) -> Vector | None:
        return None


async def test_memories_that_are_more_than_related_keep_order_by_meaning(shelf: Shelf) -> None:
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
