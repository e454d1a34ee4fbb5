"""The graph around what a question names, read in what is left of the recall's time."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from ..graph.links import mentions
from ..languages.entity_matching import names_in
from ..model.errors import TidemarkError
from ..model.memory import Memory
from .graph_proximity import connected
from .legs.entity import MOST_TELLING
from .legs.leg import Found
from .question import Question, Sources
from .trace import Fused, Leg

LEAST_SECONDS = 0.05
"""With less time left a recall is late: it does without."""


async def related(
    question: Question,
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    found: Mapping[Leg, Found],
    sources: Sources,
    *,
    seconds: float,
) -> list[Fused]:
    """The candidates moved by how close they are to what the question names, best first.

    As they are if it names nothing that they mention, if the entity leg has not answered, if
    less than `LEAST_SECONDS` of the `seconds` are left, or if the store does not answer in them.
    """
    named = _named(question.text, records.values(), sources.same)
    if not named or Leg.ENTITY not in found or seconds < LEAST_SECONDS:
        return list(candidates)
    beside = [memory for memory, _ in found[Leg.ENTITY] if memory not in records]
    try:
        async with asyncio.timeout(seconds):
            around = await sources.store.mentioned(beside, question.scopes) if beside else []
    except (TimeoutError, TidemarkError):
        # The order is already a good one; what broke is told by the legs of this recall.
        return list(candidates)
    best = max((hit.relevance for _, hit in found[Leg.ENTITY]), default=0.0)
    return connected(
        candidates,
        records,
        named,
        ((mention.memory, mention.entity) for mention in around),
        telling=min(1.0, best / MOST_TELLING),
    )


def _named(
    text: str, memories: Iterable[Memory], same: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """What of all that these memories mention a text names, by any name of theirs."""
    known = {name for memory in memories for name in mentions(memory)}
    stated = names_in(text, known.union(*(same.get(name, ()) for name in known)))
    others = (other for name in stated for other in same.get(name, ()))
    return tuple(dict.fromkeys(name for name in (*stated, *others) if name in known))
