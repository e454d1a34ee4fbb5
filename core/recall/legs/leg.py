"""What a leg is and what it returns."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from ...model.memory import Kind
from ..question import Meaning, Sources, Understood
from ..trace import Hit, Intent, Leg

POOL = 80
"""Hits of one leg."""

LEADING = 0.22
"""Relevance of a hit from which it counts as an answer, or its causes as one."""

ENOUGH = 3
"""Relevant procedures that answer a question for one, without anything else."""

type Found = list[tuple[str, Hit]]
"""Memories, best first."""


@dataclass(frozen=True, slots=True)
class LegInputs:
    """What a leg searches with. `meaning` gives the question's vector, embedded once for all legs.

    `found` is what the legs before it found: empty for those that run first.
    """

    understood: Understood
    sources: Sources
    meaning: Callable[[], Awaitable[Meaning]]
    found: Mapping[Leg, Found]


type Run = Callable[[LegInputs], Awaitable[Found]]


async def planned(
    inputs: LegInputs, search: Callable[[frozenset[Kind] | None], Awaitable[Found]]
) -> Found:
    """What a leg's `search` finds among the kinds that the question is after, None for all.

    Who asks for nothing but how to do something gets procedures, if there are `ENOUGH`. With
    another intent beside, all kinds are searched at once: procedures are among them.
    """
    if set(inputs.understood.intents) == {Intent.PROCEDURAL}:
        found = await search(frozenset({Kind.PROCEDURAL}))
        if sum(hit.relevance >= LEADING for _, hit in found) >= ENOUGH:
            return found
    return await search(None)
