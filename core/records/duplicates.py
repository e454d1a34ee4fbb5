"""Finds a stored memory that states the same, and notes how memories were made."""

import json
from collections.abc import Hashable

from ..languages.first_person import is_first_person
from ..model.conversation import Scope, ScopeKind
from ..model.memory import Memory, Source, Successor
from ..ports import AuditEntry, MemoryStore
from ..text.normalisation import folded

SIMILAR = 20
"""Memories of its kind looked at for one that says the same."""


def statement(memory: Memory) -> Hashable:
    """Equal for memories of a scope that say the same.

    In a group "I" is someone else from each speaker, and so may a name be: two members can bear
    the same one, or none.
    """
    text, speaker = folded(memory.text), memory.speaker
    several = Scope.parse(memory.scope).kind is ScopeKind.GROUP
    if not several or speaker is None or memory.source is Source.BOT:
        return memory.kind, text, None
    personal = is_first_person(memory.text) or folded(speaker.name).strip() in text
    return memory.kind, text, speaker.id if personal else None


async def find_duplicate(store: MemoryStore, memory: Memory) -> Memory:
    """The memory of the scope that says the same as `memory`: an earlier one, or itself.

    The same statement is often said again; one memory of it is enough.
    """
    scope = frozenset({memory.scope})
    # Without the raw turns: of what is often said there are more of them than are looked at.
    kinds = frozenset({memory.kind})
    hits = await store.search_text(memory.text, scope, limit=SIMILAR, kinds=kinds)
    for other in await store.find([memory.id, *(hit.id for hit in hits)], scope):
        if other.id == memory.id or _still_says(other, memory):
            return other
    return memory


def _still_says(known: Memory, memory: Memory) -> bool:
    """Whether a known memory says the same, and what it claims is not over."""
    over = known.claim is not None and not known.holds
    return not over and known.recallable and statement(known) == statement(memory)


def replaced(memory: Memory, successor: Successor, *, by: str, at: float) -> AuditEntry:
    """The note that a newer memory follows this one, the same however often it is made."""
    return AuditEntry(
        key=f"{successor.how}:{memory.id}",
        memory=memory.id,
        scope=memory.scope,
        action=successor.how.value,
        by=by,
        at=at,
        detail=json.dumps({"by_memory": successor.memory}),
    )


def created(memory: Memory, *, by: str, gap: str | None = None) -> AuditEntry:
    """The note of its creation, the same however often it is made.

    `gap` is what it is to what was known before, if somebody has told.
    """
    detail = {
        "kind": memory.kind,
        "importance": memory.importance,
        "strength": memory.vitality.strength,
        "extractor": memory.extractor,
        **({"gap": gap} if gap else {}),
    }
    return AuditEntry(
        key=f"created:{memory.id}",
        memory=memory.id,
        scope=memory.scope,
        action="created",
        by=by,
        at=memory.created_at,
        detail=json.dumps(detail),
    )
