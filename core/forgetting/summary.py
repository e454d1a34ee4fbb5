"""Folding memories of one topic into one. Pure. Algorithms, section 6."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import batched
from uuid import UUID, uuid5

from ..languages.terms import content_terms
from ..model.conversation import Scope, ScopeKind
from ..model.memory import Access, Extractor, Kind, Memory, Origin, Part, Standing, UserFeedback
from .tmd import merged

LEAST_GROUP = 3
"""Memories of a topic below which a summary would say no less than they do."""

MOST_GROUP = 40
LONGEST_TEXT = 600
_LONGEST_SUMMARY = 120

type SummaryLine = tuple[str, Sequence[int]]
"""A line, and the places of the texts that it rests on, from 0."""

type Summarise = Callable[[Sequence[str]], Sequence[SummaryLine]]
"""Texts, oldest first, to the lines that say what they have in common."""


def topic(memory: Memory) -> str:
    """What it is about: a raw turn its episode; else its community, its first entity, or ""."""
    if memory.kind is Kind.EVIDENCE and memory.origin.episode:
        return f"episode {memory.origin.episode}"
    if memory.community.id:
        return f"community {memory.community.id}"
    return f"entity {memory.entities[0].id}" if memory.entities else ""


def by_topic(memories: Iterable[Memory]) -> list[Sequence[Memory]]:
    """Those of a topic together, at most `MOST_GROUP`; what has no topic alone.

    In a group each person's are apart: a summary goes with whoever is erased, and what others said
    must not go along. In private all goes with the one person.
    """
    groups, alone = defaultdict[tuple[str, str], list[Memory]](list), list[Sequence[Memory]]()
    for memory in memories:
        several = Scope.kind_of(memory.scope) is ScopeKind.GROUP
        teller = memory.speaker.id if several and memory.speaker is not None else ""
        if name := topic(memory):
            groups[name, teller].append(memory)
        else:
            alone.append([memory])
    together = [part for _, own in sorted(groups.items()) for part in batched(own, MOST_GROUP)]
    return [*alone, *together]


def extract(texts: Sequence[str]) -> list[SummaryLine]:
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
    return [(texts[number], (number,)) for number in sorted(chosen or {0})]


def folded(sources: Sequence[Memory], summarise: Summarise, *, journal: str, now: float) -> Memory:
    """One narrative memory that stands for all of these; its id follows from theirs.

    It is as old as the oldest of those that it tells, and tells nothing of the others.
    """
    ordered = sorted(sources, key=lambda memory: (memory.created_at, memory.id))
    anchor = max(ordered, key=lambda m: (m.importance, m.trust, m.created_at, m.id))
    names = "\n".join(sorted(memory.id for memory in ordered))
    bare = replace(
        anchor,
        id=str(uuid5(UUID(journal), f"folded:{names}")),
        kind=Kind.NARRATIVE,
        facet=None,
        vitality=replace(merged([m.vitality for m in ordered]), judged=(), settled_at=now),
        access=Access(now, now),
        extractor=Extractor.RULES,
        standing=Standing(),
        trust=max(memory.trust for memory in ordered),
        feedback=UserFeedback(),
        cues=(),
        tags=(),
        relations=(),
        media=(),
        entities=tuple({e.id: e for m in ordered for e in m.entities}.values()),
        origin=Origin(),
        successor=None,
        claim=None,
    )
    texts = told_in(ordered)
    told: list[tuple[str, Part]] = []
    room = LONGEST_TEXT
    for text, places in summarise([text for text, _ in texts]):
        line = " ".join(text.split())[: max(0, room)]
        if line or not told:
            told.append((line, _united([texts[place][1] for place in places])))
            room -= len(line) + 1
    return _telling(bare, told)


def without_parts(summary: Memory, is_gone: Callable[[Part], bool]) -> Memory | None:
    """The summary without the lines that rest on these; None if no line is left, or none can be
    told from the others.
    """
    lines = summary.text.split("\n")
    if len(lines) != len(summary.parts):
        return None
    kept = [told for told in zip(lines, summary.parts, strict=True) if not is_gone(told[1])]
    if len(kept) == len(lines):
        return summary
    return _telling(summary, kept) if kept else None


def told_in(sources: Sequence[Memory]) -> list[tuple[str, Part]]:
    """What is to be summarised of these, oldest first."""
    ordered = sorted(sources, key=lambda memory: (memory.created_at, memory.id))
    return [each for memory in ordered for each in _lines(memory)]


def _lines(memory: Memory) -> list[tuple[str, Part]]:
    """What a memory says: of a summary each line for itself, of any other its text."""
    lines = memory.text.split("\n")
    if len(lines) == len(memory.parts):
        parts = [replace(part, memories=(*part.memories, memory.id)) for part in memory.parts]
        return list(zip(lines, parts, strict=True))
    part = Part(
        memories=(memory.id,),
        turns=memory.origin.turns,
        created_at=memory.created_at,
        happened_at=memory.happened_at,
        entities=tuple(entity.id for entity in memory.entities),
        about=memory.about,
    )
    return [(memory.text, part)]


def _united(parts: Sequence[Part]) -> Part:
    return Part(
        memories=tuple(dict.fromkeys(id for part in parts for id in part.memories)),
        turns=tuple(sorted({turn for part in parts for turn in part.turns})),
        created_at=min(part.created_at for part in parts),
        happened_at=min(part.happened_at for part in parts),
        entities=tuple(dict.fromkeys(id for part in parts for id in part.entities)),
        about=tuple(dict.fromkeys(name for part in parts for name in part.about)),
    )


def _telling(summary: Memory, told: Sequence[tuple[str, Part]]) -> Memory:
    """The summary with these lines alone, and nothing of what others rested on."""
    parts = tuple(part for _, part in told)
    text = "\n".join(line for line, _ in told)
    entities = {id for part in parts for id in part.entities}
    return replace(
        summary,
        text=text,
        summary=text[:_LONGEST_SUMMARY],
        created_at=min(part.created_at for part in parts),
        happened_at=min(part.happened_at for part in parts),
        entities=tuple(entity for entity in summary.entities if entity.id in entities),
        about=tuple(dict.fromkeys(name for part in parts for name in part.about)),
        origin=Origin(turns=tuple(sorted({turn for part in parts for turn in part.turns}))),
        parts=parts,
    )
