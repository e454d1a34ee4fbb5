"""What sleep adds to a memory that lasts: names, their relations, causes, cues. Pure.

All of it can be taken out again, whatever else the record has got since.
"""

from collections.abc import Iterable
from dataclasses import replace
from hashlib import blake2b

from ..forgetting.lifecycle import DAY
from ..model.knowledge import Enrichment, Entity, Event, Relation
from ..model.lesson import NoteDetails
from ..model.memory import Kind, Memory, Sentiment
from ..prompts.schema import MOST_CUES
from .namings import ALSO_CALLED
from .wording import text_digest

SETTLED = 3 * DAY
"""Age from which a memory lasts; one that was of use does so at once."""

ENRICHED = frozenset({Kind.SEMANTIC, Kind.EPISODIC, Kind.PROCEDURAL, Kind.PROSPECTIVE})


def is_due(memory: Memory, at: float) -> bool:
    """Whether it lasts at the Unix time `at`, and no model was asked about its present text."""
    lasts = memory.vitality.useful_count > 0 or at - memory.created_at >= SETTLED
    if not (lasts and memory.kind in ENRICHED and memory.recallable):
        return False
    return memory.enrichment is None or memory.enrichment.of != text_digest(memory.text)


def enriched(memory: Memory, told: NoteDetails, of: str, event: Event | None = None) -> Memory:
    """The memory with what a model told of its text `of`, in place of what one told before.

    What it has already stays as it is. A text that has changed meanwhile gets nothing.
    """
    if memory.text != of:
        return memory
    bare = without_enrichment(memory)
    known = {each.id for each in bare.entities}
    stated = [each for each in told.relations if each.predicate != ALSO_CALLED]
    cues = dict.fromkeys((*bare.cues, *told.cues))
    full = replace(
        bare,
        entities=(*bare.entities, *(each for each in told.entities if each.id not in known)),
        relations=tuple(dict.fromkeys((*bare.relations, *stated))),
        cues=tuple(cues)[: max(MOST_CUES, len(bare.cues))],
        event=bare.event or event,
        sentiment=told.sentiment if bare.sentiment == Sentiment() else bare.sentiment,
    )
    added = tuple(sorted(_marks(full) - _marks(bare)))
    return replace(full, enrichment=Enrichment(text_digest(of), added))


def without_enrichment(memory: Memory) -> Memory:
    """The memory without what was added; that a model was asked about its text stays known."""
    known = memory.enrichment
    if known is None or not known.added:
        return memory

    def own[T](values: Iterable[T]) -> tuple[T, ...]:
        return tuple(each for each in values if _mark(memory, each) not in known.added)

    return replace(
        memory,
        entities=own(memory.entities),
        relations=own(memory.relations),
        cues=own(memory.cues),
        event=(*own([memory.event]), None)[0],
        sentiment=(*own([memory.sentiment]), Sentiment())[0],
        enrichment=replace(known, added=()),
    )


def added_cues(memory: Memory) -> tuple[str, ...]:
    """The cues that it does not have of itself."""
    added = () if memory.enrichment is None else memory.enrichment.added
    return tuple(cue for cue in memory.cues if _mark(memory, cue) in added) if added else ()


def _marks(memory: Memory) -> set[str]:
    told = (*memory.entities, *memory.relations, *memory.cues, memory.event, memory.sentiment)
    return {_mark(memory, each) for each in told}


def _mark(memory: Memory, value: object) -> str:
    """A digest of one of the things that can be added."""
    if isinstance(value, Relation) and value.subject == memory.id:
        # A merged memory states what its sources stated, as its own.
        value = replace(value, subject="")
    told = type(value).__name__, value.id if isinstance(value, Entity | Event) else value
    return blake2b(repr(told).encode("utf-8", "backslashreplace"), digest_size=4).hexdigest()
