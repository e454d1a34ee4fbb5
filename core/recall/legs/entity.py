"""The entity leg: memories of whom and what is named, now or just before, the rarer the better."""

import sys
from collections import defaultdict
from collections.abc import Mapping

from ...languages.entity_matching import Cut, candidates, longest
from ...text.display_names import entity_id
from ..trace import Hit, Leg
from .leg import POOL, Found, LegInputs
from .semantic import FADING

MOST_TELLING = 0.6
"""Relevance of a memory that alone mentions an entity: to be named is not yet to answer."""

HALF_AS_TELLING = 10
"""With so many memories more that mention it, an entity says half as much."""

FAINTEST = 0.01
"""Below, an entity finds nothing: everybody's memories are nobody's in particular."""

MOST_NAMED = 8


async def entity_leg(inputs: LegInputs) -> Found:
    """By the entities of the scopes that are named, and the other names of their people."""
    return _hits(await _mentioning(inputs))


async def _mentioning(inputs: LegInputs) -> defaultdict[str, float]:
    """How likely each memory that mentions what is named is not what was meant."""
    question, store = inputs.understood.question, inputs.sources.store
    telling = await _named(inputs)
    wanted = [name for name, relevance in telling.items() if relevance >= FAINTEST]
    found = await store.mentioning(wanted, question.scopes, limit=POOL) if wanted else []
    missed: defaultdict[str, float] = defaultdict(lambda: 1.0)
    for mention in found:
        missed[mention.memory] *= 1.0 - telling[mention.entity]
    return missed


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


async def _named(inputs: LegInputs) -> Mapping[str, float]:
    """The entities that the question names, or a turn before it, and what each says of a memory.

    What an earlier turn named fades, as its meaning does.
    """
    question, sources = inputs.understood.question, inputs.sources
    texts = [entity_id(text) for text in (question.text, *reversed(question.earlier))]
    offers = [candidates(text) for text in texts]
    offered = {name for offer in offers for name in offer.values()}
    also = {name: sources.same.get(name, ()) for name in sorted(offered)}
    others = [other for names in also.values() for other in names]
    asked = list(dict.fromkeys([*also, *others]))
    known = await sources.store.known_entities(asked, question.scopes) if asked else {}
    telling: dict[str, float] = {}
    for age, (text, offer) in enumerate(zip(texts, offers, strict=True)):
        stated = longest(text, offer, {*known, *filter(also.get, also)}, loaded_segmenter())
        for name in (one for each in stated for one in (each, *also[each]) if one in known):
            telling.setdefault(name, FADING**age * specificity(known[name]))
    return dict(list(telling.items())[:MOST_NAMED])


def _hits(missed: Mapping[str, float]) -> Found:
    """Of how likely each memory is not what was meant; the likeliest first."""
    best = sorted(missed.items(), key=lambda item: item[1])[:POOL]
    return [
        (memory, Hit(Leg.ENTITY, rank, 1.0 - share, 1.0 - share))
        for rank, (memory, share) in enumerate(best, start=1)
    ]
