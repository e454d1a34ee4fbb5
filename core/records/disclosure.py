"""Private memories that are shown in a group: whose they are, and what may be kept of it. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..model.conversation import Scope, ScopeKind, Turn
from ..model.memory import Memory


def is_private(memory: Memory) -> bool:
    """Whether it belongs to one person."""
    return Scope.kind_of(memory.scope) is ScopeKind.PRIVATE


def owners_among(memories: Iterable[Memory], shown_in: Scope) -> frozenset[str]:
    """Whose private memories these are (`Scope.owner`), if they are shown where others read."""
    if shown_in.kind is ScopeKind.PRIVATE:
        return frozenset()
    return frozenset(Scope.parse(memory.scope).owner for memory in memories if is_private(memory))


def rests_on_others(memory: Memory, turns: Sequence[Turn]) -> Memory | None:
    """The memory as learnt from `turns` without the private replies; None if none are left."""
    private = {turn.seq for turn in turns if turn.private_reply}
    sources = tuple(seq for seq in memory.origin.turns if seq not in private)
    if sources == memory.origin.turns:
        return memory
    return replace(memory, origin=replace(memory.origin, turns=sources)) if sources else None
