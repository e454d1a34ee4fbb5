"""The entity leg: memories of whom and what the question names, the rarer the better."""

import sys
from collections import defaultdict
from collections.abc import Mapping

from ...languages.entity_matching import Cut, candidates, longest
from ...ports import Mention
from ...text.display_names import entity_id
from ..trace import Hit, Leg
from .leg import POOL, Found, Ground, Search

MOST_TELLING = 0.6
"""Relevance of a memory that alone mentions an entity: to be named is not yet to answer."""

HALF_AS_TELLING = 10
"""With so many memories more that mention it, an entity says half as much."""

FAINTEST = 0.01
"""Below, an entity finds nothing: everybody's memories are nobody's in particular."""

MOST_NAMED = 8


async def entity_leg(ground: Ground) -> Search:
    """By the entities of the scopes that the question names, and the other names of its people."""
    store, question = ground.sources.store, ground.understood.question
    counts = await _named(ground)
    telling = {name: specificity(count) for name, count in counts.items()}
    wanted = [name for name, relevance in telling.items() if relevance >= FAINTEST]
    if not wanted:
        return Search([])
    found = await store.mentioning(wanted, question.scopes, limit=POOL)
    return Search(_hits(found, telling))


def specificity(count: int) -> float:
    """0..`MOST_TELLING`: what an entity says of a memory, of `count` that mention it.

    MOST_TELLING * HALF_AS_TELLING / (HALF_AS_TELLING + count - 1). By itself enough to be shown
    for up to 18 memories; of ten thousand it says nothing.
    """
    return MOST_TELLING * HALF_AS_TELLING / (HALF_AS_TELLING + max(count, 1) - 1)


def loaded_segmenter() -> Cut | None:
    """jieba's dictionary, where somebody has loaded it: that takes seconds and is not begun here.

    Known words only: what jieba takes for a name of its own making may be two names.
    """
    jieba = sys.modules.get("jieba")
    if jieba is None or not jieba.dt.initialized:
        return None
    return lambda text: jieba.dt.cut(text, HMM=False)


async def _named(ground: Ground) -> Mapping[str, int]:
    """The entities that the question names, with how many memories mention each."""
    question, sources = ground.understood.question, ground.sources
    text = entity_id(question.text)
    offered = candidates(text)
    also = {name: sources.same.get(name, ()) for name in offered.values()}
    others = [other for names in also.values() for other in names]
    asked = list(dict.fromkeys([*offered.values(), *others]))
    known = await sources.store.known_entities(asked, question.scopes) if asked else {}
    stated = longest(text, offered, {*known, *filter(also.get, also)}, loaded_segmenter())
    named = dict.fromkeys(one for name in stated for one in (name, *also[name]) if one in known)
    return {name: known[name] for name in list(named)[:MOST_NAMED]}


def _hits(found: list[Mention], telling: Mapping[str, float]) -> Found:
    missed: dict[str, float] = defaultdict(lambda: 1.0)
    for mention in found:
        missed[mention.memory] *= 1.0 - telling[mention.entity]
    best = sorted(missed.items(), key=lambda item: item[1])[:POOL]
    return [
        (memory, Hit(Leg.ENTITY, rank, 1.0 - share, 1.0 - share))
        for rank, (memory, share) in enumerate(best, start=1)
    ]
