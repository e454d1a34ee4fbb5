"""What the bot says in a group out of somebody's private memories: heard there, not kept there."""

from collections.abc import Sequence

from ..conversation import Role, Scope, ScopeKind, Turn
from ..ports import Journal, MemoryStore


async def reserved(
    turns: Sequence[Turn], *, store: MemoryStore, journal: Journal
) -> frozenset[int]:
    """Seqs of the bot's turns, of one episode's `turns`, that may repeat a private memory.

    In a group these are all from the first time on that one was shown to the model: later
    answers have the earlier ones before them. None in a private chat.
    """
    answers = frozenset(turn.seq for turn in turns if turn.role is Role.ASSISTANT)
    if not answers or Scope.parse(turns[0].place.scope).kind is ScopeKind.PRIVATE:
        return frozenset()
    injected = await journal.injected_in(turns[0].episode)
    found = await store.find(list(dict.fromkeys(item.memory for item in injected)))
    # What is gone from the store may have been private as well.
    common = {m.id for m in found if Scope.parse(m.scope).kind is not ScopeKind.PRIVATE}
    first = min((item.turn for item in injected if item.memory not in common), default=None)
    return frozenset(seq for seq in answers if first is not None and seq > first)
