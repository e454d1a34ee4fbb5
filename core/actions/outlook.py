"""When a memory will be forgotten, and what replaced it."""

from dataclasses import dataclass

from ..model.memory import Memory, Status, Succession, Successor
from .answers import MemoryView
from .context import Context
from .views import view


@dataclass(frozen=True, slots=True)
class Outlook:
    """What time alone does to a live memory.

    Forgotten `at` a time (None: never), or `spent`: the next sweep puts it into the bin.
    """

    at: float | None
    spent: bool


@dataclass(frozen=True, slots=True)
class Replaced:
    """How a memory was replaced, and by which, if that is still there."""

    how: Succession
    newer: MemoryView | None


def outlook(context: Context, memory: Memory) -> Outlook:
    """By the policy in force; nothing for what is not live."""
    if memory.standing.status is not Status.LIVE:
        return Outlook(None, spent=False)
    at = context.engine.sweeper.policy.forgotten_at(memory)
    return Outlook(at, spent=at is not None and at <= context.now)


async def replaced(context: Context, old: Memory, link: Successor) -> Replaced:
    """What took the memory's place."""
    found = await context.store.find([link.memory], frozenset({old.scope}))
    return Replaced(link.how, await view(context, found[0]) if found else None)
