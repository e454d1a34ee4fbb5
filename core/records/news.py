"""Whether a change of a memory is anything that a sleep would look at again. Pure."""

from ..model.memory import RAW, Memory


def is_news(before: Memory, after: Memory) -> bool:
    """Whether a sleep sees another memory. None fades for it, and no raw turn leaves."""
    return _looked_at(before) != _looked_at(after)


def _looked_at(memory: Memory) -> tuple[object, ...]:
    vitality = memory.vitality
    return (
        memory.text,
        "" if memory.kind in RAW else memory.standing.status,
        (memory.happened_at, memory.importance, memory.trust, memory.confidence),
        (vitality.useful_count, vitality.pinned, vitality.sole),
        (memory.origin, memory.successor, memory.claim, memory.intention, memory.feedback),
        (memory.speaker, memory.about, memory.entities, memory.relations, memory.event),
        memory.enrichment,
    )
