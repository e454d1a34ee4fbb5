"""Folding memories of one topic into one. Pure. Algorithms, section 6."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import UUID, uuid5

from ..languages.terms import content_terms
from ..model.memory import Access, Extractor, Kind, Memory, Origin, Standing
from .tmd import merged

LEAST_GROUP = 3
"""Memories of a topic below which a summary would say no less than they do."""

MOST_GROUP = 40
LONGEST_TEXT = 600
_LONGEST_SUMMARY = 120

type Summarise = Callable[[Sequence[str]], str]
"""Texts, oldest first, to one text that says what they have in common."""


def topic(memory: Memory) -> str:
    """What it is about: its community, else its first entity; "" for neither."""
    if memory.community.id:
        return f"community {memory.community.id}"
    return f"entity {memory.entities[0].id}" if memory.entities else ""


def extract(texts: Sequence[str]) -> str:
    """The texts that share most words with the others, in their order, up to `LONGEST_TEXT`."""
    terms = [content_terms(text) for text in texts]
    shared = Counter(term for each in terms for term in each)

    def weight(number: int) -> float:
        each = terms[number]
        return sum(shared[term] - 1 for term in each) / max(1, len(each))

    chosen: set[int] = set()
    room = LONGEST_TEXT
    for number in sorted(range(len(texts)), key=lambda number: (-weight(number), number)):
        if len(texts[number]) <= room:
            chosen.add(number)
            room -= len(texts[number]) + 1
    kept = [texts[number] for number in sorted(chosen)]
    return "\n".join(kept) if kept else texts[0][:LONGEST_TEXT]


def folded(sources: Sequence[Memory], summarise: Summarise, *, journal: str, now: float) -> Memory:
    """One narrative memory that stands for all of these; its id follows from theirs."""
    ordered = sorted(sources, key=lambda memory: (memory.created_at, memory.id))
    anchor = max(ordered, key=lambda m: (m.importance, m.trust, m.created_at, m.id))
    text = summarise([memory.text for memory in ordered])[:LONGEST_TEXT]
    names = "\n".join(sorted(memory.id for memory in ordered))
    return replace(
        anchor,
        id=str(uuid5(UUID(journal), f"folded:{names}")),
        kind=Kind.NARRATIVE,
        facet=None,
        text=text,
        summary=text[:_LONGEST_SUMMARY],
        created_at=now,
        happened_at=min(memory.happened_at for memory in ordered),
        vitality=replace(merged([m.vitality for m in ordered]), judged=(), settled_at=now),
        access=Access(now, now),
        extractor=Extractor.RULES,
        standing=Standing(),
        trust=max(memory.trust for memory in ordered),
        cues=(),
        relations=(),
        media=(),
        entities=tuple({e.id: e for m in ordered for e in m.entities}.values()),
        about=tuple(dict.fromkeys(name for m in ordered for name in m.about)),
        origin=Origin(turns=tuple(sorted({t for m in ordered for t in m.origin.turns}))),
        successor=None,
        claim=None,
    )
