"""Private memories shown where they are not at home: in a group, or in the chat of an account
that an alias joins. Whose they are, and what may be kept of it. Pure.
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from ..model.conversation import Scope, ScopeKind, Turn
from ..model.memory import Memory


def is_private(memory: Memory) -> bool:
    """Whether it belongs to one person."""
    return Scope.kind_of(memory.scope) is ScopeKind.PRIVATE


def is_disclosed(memory: Memory, chat: str) -> bool:
    """Whether the memory is private and of another chat than that (`Scope.owner`) it is shown in.

    An account joined by an alias is another one: parted again, it is to have kept nothing.
    """
    return is_private(memory) and Scope.parse(memory.scope).owner != chat


def owners_among(memories: Iterable[Memory], shown_in: Scope) -> frozenset[str]:
    """Whose private memories (`Scope.owner`) are disclosed by being shown there."""
    chat = shown_in.owner
    disclosed = (memory for memory in memories if is_disclosed(memory, chat))
    return frozenset(Scope.parse(memory.scope).owner for memory in disclosed)


def rests_on_others(memory: Memory, turns: Sequence[Turn]) -> Memory | None:
    """The memory as learnt from `turns` without the private replies; None if none are left."""
    private = {turn.seq for turn in turns if turn.private_reply}
    sources = tuple(seq for seq in memory.origin.turns if seq not in private)
    if sources == memory.origin.turns:
        return memory
    return replace(memory, origin=replace(memory.origin, turns=sources)) if sources else None


def belongs_to(memory: Memory, people: Set[str]) -> bool:
    """Whether a memory is of one of these people of its chat: in a group, what they said there."""
    group = Scope.kind_of(memory.scope) is ScopeKind.GROUP
    return not group or (memory.speaker is not None and memory.speaker.id in people)
