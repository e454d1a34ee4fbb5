"""What becomes of a memory, and why it is where it is."""

from dataclasses import dataclass
from enum import StrEnum

from ..feedback.credit import USELESS
from ..forgetting.lifecycle import BY_HAND, PURGING, RETENTION
from ..model.memory import Memory, Status, Succession, Successor
from ..sleep.policy_passes import DECAYED, POLICY, SUMMARISED
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


class Cause(StrEnum):
    """Why a memory was moved. OTHER is told as it was written down."""

    DECAYED = "decayed"
    USELESS = "useless"
    PURGING = "purging"
    RETENTION = "retention"
    POLICY = "policy"
    SUMMARISED = "summarised"
    BY_HAND = "by_hand"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Removal:
    """Why a memory was moved; `detail` is the policy that did it, or what was written down."""

    cause: Cause
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Replaced:
    """How a memory was replaced, and by which, if that is still there."""

    how: Succession
    newer: MemoryView | None


_WHOLE = {
    DECAYED: Cause.DECAYED,
    USELESS: Cause.USELESS,
    PURGING: Cause.PURGING,
    RETENTION: Cause.RETENTION,
}
_BEGINNINGS = {POLICY: Cause.POLICY, SUMMARISED: Cause.SUMMARISED, BY_HAND: Cause.BY_HAND}


def outlook(context: Context, memory: Memory) -> Outlook:
    """By the policy of its scope; nothing for what is not live."""
    if memory.standing.status is not Status.LIVE:
        return Outlook(None, spent=False)
    at = context.engine.sweeper.policies.of(memory.scope).forgotten_at(memory)
    return Outlook(at, spent=at is not None and at <= context.now)


def removal(recorded: str) -> Removal:
    """A recorded reason, read."""
    if recorded in _WHOLE:
        return Removal(_WHOLE[recorded])
    for beginning, cause in _BEGINNINGS.items():
        if recorded.startswith(beginning):
            detail = recorded.removeprefix(beginning) if cause is Cause.POLICY else ""
            return Removal(cause, detail)
    return Removal(Cause.OTHER, recorded)


async def replaced(context: Context, old: Memory, link: Successor) -> Replaced:
    """What took the memory's place."""
    found = await context.store.find([link.memory], frozenset({old.scope}))
    return Replaced(link.how, await view(context, found[0]) if found else None)
