"""Memories that say the same: found before one is stored twice, merged, taken apart again."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid5

from ..forgetting.lifecycle import UNDONE, BinPolicy, restored, to_bin
from ..forgetting.tmd import merged as merged_vitality
from ..languages.markers import is_first_person
from ..model.conversation import Scope, ScopeKind
from ..model.knowledge import Enrichment, Relation
from ..model.memory import Memory, Source, Status, Succession, Successor, Vitality
from ..ports import AuditEntry, MemoryStore
from ..text.quoting import folded, tags_of
from .sameness import matter

MERGED = "merged"
"""Begins the reason of what became part of a merged memory; its id follows."""

TAKEN_APART = "taken_apart"
"""The reason of a merged memory whose sources are back."""


MOST_CUES = 60
MOST_EDGES = 200
"""Of a merged memory, however many nights in a row it has been merged again."""


def merged_id(journal: str, sources: Iterable[str]) -> str:
    """Id of the memory that takes the place of these: the same for the same ones."""
    return str(uuid5(UUID(journal), f"merged:{','.join(sorted(sources))}"))


def merged(sources: Sequence[Memory], id: str) -> Memory:
    """The memory that takes the place of two or more of one scope, kind and holder."""
    anchor = _anchor(sources)
    names = [source.id for source in sources]
    edges = [Relation(id, Succession.SUPERSEDES.value, name) for name in sorted(names)]
    facts = [edge for source in sources for edge in _renamed(source, {*names}, id)]
    asked = anchor.enrichment.of if anchor.enrichment else ""
    added = _united(each.enrichment.added for each in sources if each.enrichment)
    return replace(
        anchor,
        id=id,
        created_at=min(source.created_at for source in sources),
        vitality=_vitality(sources),
        access=replace(
            anchor.access,
            first_at=min(source.access.first_at for source in sources),
            last_at=max(source.access.last_at for source in sources),
            count=max(source.access.count for source in sources),
        ),
        standing=replace(anchor.standing, status=Status.LIVE, reason="", purge_at=None),
        importance=max(source.importance for source in sources),
        confidence=max(source.confidence for source in sources),
        trust=max(source.trust for source in sources),
        cues=_cues(anchor, sources),
        tags=tags_of(tag for source in sources for tag in source.tags),
        feedback=replace(
            anchor.feedback,
            accurate=_either(source.feedback.accurate for source in sources),
            important=_either(source.feedback.important for source in sources),
        ),
        entities=_united(source.entities for source in sources),
        # What a source has taken the place of is told last: the source tells it, too.
        relations=_united(
            [edges, sorted(facts, key=lambda edge: edge.predicate == Succession.SUPERSEDES.value)]
        )[:MOST_EDGES],
        media=_united(source.media for source in sources),
        origin=replace(
            anchor.origin, turns=tuple(sorted({t for s in sources for t in s.origin.turns}))
        ),
        successor=None,
        claim=_claim(anchor, sources),
        enrichment=Enrichment(asked, added) if added else anchor.enrichment,
    )


def followed(memory: Memory, newer: str, *, now: float, policy: BinPolicy) -> Memory:
    """A source, in the bin as part of the merged memory `newer`; one that has moved on stays."""
    if memory.standing.status is not Status.LIVE or memory.successor is not None:
        return memory
    binned = to_bin(memory, now=now, reason=f"{MERGED} {newer}", policy=policy)
    return replace(binned, successor=Successor(newer, Succession.MERGES))


def is_source(memory: Memory, newer: str) -> bool:
    """Whether it lies in the bin as part of the merged memory."""
    reason = memory.standing.reason == f"{MERGED} {newer}"
    return memory.standing.status is Status.BINNED and reason


def baseline(memory: Memory) -> Mapping[str, Any]:
    """What a merged memory had earned when it was made, to be kept with the decision."""
    vitality = memory.vitality
    return {
        "strength": vitality.strength,
        "useful_count": vitality.useful_count,
        "useful_score": vitality.useful_score,
    }


def taken_apart(source: Memory, newer: Memory, since: Mapping[str, Any], *, now: float) -> Memory:
    """The source live again, with the verdicts that the merged memory `newer` got since then."""
    if not is_source(source, newer.id):
        return source
    own, earned = source.vitality, newer.vitality
    vitality = replace(
        own,
        strength=max(1, own.strength + earned.strength - int(since["strength"])),
        useful_count=own.useful_count + earned.useful_count - int(since["useful_count"]),
        useful_score=own.useful_score + earned.useful_score - float(since["useful_score"]),
        last_recalled_at=max(own.last_recalled_at, earned.last_recalled_at),
        judged=merged_vitality([own, earned]).judged,
    )
    back = restored(
        replace(source, vitality=vitality, successor=None), now=now, reason=UNDONE, strength=1
    )
    access = replace(back.access, last_at=max(back.access.last_at, newer.access.last_at))
    return replace(back, access=access)


def _anchor(sources: Sequence[Memory]) -> Memory:
    """Whose text is kept: of those that tell all the others do, the best."""
    whole = [each for each in sources if all(matter(each) >= matter(other) for other in sources)]
    return max(whole or sources, key=lambda m: (m.importance, m.trust, m.created_at, m.id))


def _cues(anchor: Memory, sources: Sequence[Memory]) -> tuple[str, ...]:
    """Those of all, and what a source says besides: it is still found by it."""
    more = [source.text for source in sources if not matter(anchor) >= matter(source)]
    return _united([*(source.cues for source in sources), more])[:MOST_CUES]


def _vitality(sources: Sequence[Memory]) -> Vitality:
    vitality = merged_vitality([source.vitality for source in sources])
    # It is as old as its oldest source; what time has taken it took from them.
    fresh = max(max(s.created_at, s.vitality.settled_at) for s in sources)
    last = max(max(s.created_at, s.vitality.last_decay_at) for s in sources)
    return replace(vitality, settled_at=fresh, last_decay_at=last)


def _renamed(source: Memory, names: set[str], id: str) -> list[Relation]:
    """What the source states, as stated by the merged memory; nothing between the sources."""
    told = (edge for edge in source.relations if edge.object not in names)
    return [replace(edge, subject=id) if edge.subject == source.id else edge for edge in told]


def _claim(anchor: Memory, sources: Sequence[Memory]) -> Any:
    claims = [source.claim for source in sources if source.claim is not None]
    if anchor.claim is None or not claims:
        return anchor.claim
    return replace(anchor.claim, valid_from=min(claim.valid_from for claim in claims))


def _either(marks: Iterable[bool | None]) -> bool | None:
    told = [mark for mark in marks if mark is not None]
    return any(told) if told else None


def _united[T](parts: Iterable[Iterable[T]]) -> tuple[T, ...]:
    """Everything once, in the order in which it comes first."""
    return tuple(dict.fromkeys(each for part in parts for each in part))


SIMILAR = 20
"""Memories of its kind looked at for one that says the same."""


def statement(memory: Memory) -> Hashable:
    """Equal for memories of a scope that say the same.

    In a group "I" is someone else from each speaker, and so may a name be: two members can bear
    the same one, or none.
    """
    text, speaker = folded(memory.text), memory.speaker
    several = Scope.kind_of(memory.scope) is ScopeKind.GROUP
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
    for known in await store.find([memory.id, *(hit.id for hit in hits)], scope):
        over = not known.recallable or (known.claim is not None and not known.holds)
        if known.id == memory.id or (not over and statement(known) == statement(memory)):
            return known
    return memory


def replaced(memory: Memory, successor: Successor, *, by: str, at: float) -> AuditEntry:
    """The note that a newer memory follows this one, the same however often it is made."""
    how = successor.how.value
    return AuditEntry.of(memory, how, how, by, at, by_memory=successor.memory)


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
    return AuditEntry.of(memory, "created", "created", by, memory.created_at, **detail)
