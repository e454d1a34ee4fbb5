"""Beside what is shown: what the same person has said since of much the same.

Algorithms, section 12.

Most people tell changes in passing, and no rule names the slot of those. What is so now cannot
be told from likeness; but the newer of two statements can be put beside the older.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from ..languages.first_person import is_first_person
from ..languages.terms import content_terms
from ..model.memory import RAW, REPLY_MARK, Kind, Memory, Source
from ..ports import Vector, VectorSearch
from ..similarity.measure import rows
from .question import Meaning, Question
from .selection import is_question, within
from .slots import asks_for_past, is_over
from .trace import Drop, Fused

NEAR = 0.25
"""Centred cosine and share of words in common, added, from which the newer is brought up too."""

ASKED = 0.5
"""What a newer one's own score counts beside these: it should say something to the question."""

ANSWERS = 0.5
"""Share of the older one's score that it needs if the two have no word in common."""

FIRST = 3
"""Memories shown first for which something newer is looked for among the candidates."""

LEAST = 30
"""Memories among which a word that two have is rare."""

_FREE = frozenset({None, Drop.IRRELEVANT, Drop.LIMIT, Drop.DUPLICATE})
"""What keeps nothing back that is near enough to what is shown."""

type Told = Mapping[str, float]

type TermsOf = Callable[[str], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Newer:
    """The candidates, and by the id of each that was said before another of them, that one."""

    candidates: list[Fused]
    later: Mapping[str, str]


async def with_newer(
    judged: Sequence[Fused],
    records: Mapping[str, Memory],
    question: Question,
    store: VectorSearch,
    meaning: Meaning | None,
) -> Newer:
    """What is newer directly before the first that it was said after; it hides nothing.

    Only for what people ask of themselves, and not where they ask for the past. Raises
    StorageError.
    """
    shown = [each for each in judged if each.drop is None][:FIRST]
    older = [records[each.memory] for each in shown]
    free = [
        records[each.memory] for each in judged if each.drop in _FREE and each.memory in records
    ]
    if not older or asks_for_past(question.text):
        return Newer(list(judged), {})
    if not is_first_person(question.text):
        return Newer(list(judged), of_one_slot(judged, records))
    offered = {memory.id: [one for one in free if follows(one, memory)] for memory in older}
    if not any(offered.values()):
        candidates = placed(judged, {}, question.limit)
        return Newer(candidates, of_one_slot(candidates, records))
    compared = {one.id: one for each in (older, *offered.values()) for one in each}
    vectors = await _centred(list(compared.values()), store, meaning)
    terms_of = cache(content_terms)
    rarity = rarities(free, terms_of)
    scores = {each.memory: each.score for each in judged}
    later: dict[str, str] = {}
    for memory in older:
        near = {
            one.id: nearness(memory, one, vectors, rarity, terms_of) for one in offered[memory.id]
        }
        least = ANSWERS * scores[memory.id]
        own = terms_of(memory.text)
        enough = [
            one.id
            for one in offered[memory.id]
            if near[one.id] >= NEAR and (scores[one.id] >= least or own & terms_of(one.text))
        ]
        best = max(enough, key=lambda id: (near[id] + ASKED * scores[id], id), default="")
        if best and best not in later:
            later[memory.id] = best
    candidates = placed(judged, later, question.limit)
    return Newer(candidates, {**of_one_slot(candidates, records), **later})


def follows(newer: Memory, older: Memory) -> bool:
    """Whether one states something in a later episode, and the same person.

    Of two claims it is known what they have to do with each other.
    """
    if newer.created_at <= older.created_at or newer.account is None:
        return False
    if newer.account != older.account:
        return False
    if newer.origin.episode == older.origin.episode or Source.BOT in (newer.source, older.source):
        return False
    if Kind.PROSPECTIVE in (newer.kind, older.kind) or not newer.recallable or is_over(newer):
        return False
    if newer.claim is not None and older.claim is not None:
        return False
    return newer.kind is not Kind.EVIDENCE or not is_question(newer.text.partition(REPLY_MARK)[0])


def of_one_slot(judged: Sequence[Fused], records: Mapping[str, Memory]) -> Mapping[str, str]:
    """Of the claims shown of a slot with several values, those older than the one shown first."""
    first: dict[tuple[str, str], Memory] = {}
    later: dict[str, str] = {}
    for each in judged:
        memory = records.get(each.memory)
        if each.drop is not None or memory is None or memory.claim is None:
            continue
        newest = first.setdefault((memory.scope, memory.claim.slot), memory)
        if memory.created_at < newest.created_at:
            later[memory.id] = newest.id
    return later


def rarities(memories: Sequence[Memory], terms_of: TermsOf = content_terms) -> Told:
    """How much each term tells, by how few of the memories have it; few count as `LEAST`."""
    counts = Counter(term for memory in memories for term in terms_of(memory.text))
    size = max(LEAST, len(memories))
    return {
        term: math.log(1.0 + (size - count + 0.5) / (count + 0.5)) for term, count in counts.items()
    }


def nearness(
    one: Memory,
    other: Memory,
    vectors: Mapping[str, Vector],
    rarity: Told,
    terms_of: TermsOf = content_terms,
) -> float:
    """Centred cosine, and the share that common words have of the one that says less."""
    first, second = terms_of(one.text), terms_of(other.text)
    weights = [sum(rarity.get(term, 0.0) for term in terms) for terms in (first, second)]
    common = sum(rarity.get(term, 0.0) for term in first & second)
    words = common / min(weights) if min(weights) > 0.0 else 0.0
    if one.id not in vectors or other.id not in vectors:
        return words
    return words + float(vectors[one.id] @ vectors[other.id])


def placed(judged: Sequence[Fused], later: Mapping[str, str], limit: int) -> list[Fused]:
    """Each that is newer directly before the older one, unless it comes before that anyway."""
    own = {each.memory: each for each in judged}
    done: set[str] = set()
    result: list[Fused] = []
    for each in judged:
        heir = later.get(each.memory)
        for one in (replace(own[heir], drop=None), each) if heir is not None else (each,):
            if one.memory not in done:
                done.add(one.memory)
                result.append(one)
    return list(within(result, limit))


async def _centred(
    memories: Sequence[Memory], store: VectorSearch, meaning: Meaning | None
) -> Mapping[str, Vector]:
    """The vectors of those that have one, each without the mean of its kind, at unit length."""
    frame = None if meaning is None else meaning.frame
    if meaning is None or frame is None or frame.raw is None or frame.learnt is None:
        return {}
    await meaning.read(store, [memory.id for memory in memories])
    found: dict[str, Vector] = {}
    for memory in memories:
        own = meaning.known.get(memory.id)
        mean = (frame.raw if memory.kind in RAW else frame.learnt).told
        if own is not None and own.size == mean.size:
            found[memory.id] = rows(np.asarray(own - mean, np.float32)[None, :])[0]
    return found
