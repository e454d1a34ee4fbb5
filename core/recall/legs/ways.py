"""The ways to find memories, one class a leg: by meaning, words, time, names and causes."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, nextafter

import numpy as np

from ...languages.entities import candidates, longest, named_among, without_names
from ...languages.scripts import in_one_script, language_of
from ...languages.times import Interval
from ...model.errors import StorageError
from ...model.memory import LEARNT, RAW, Kind
from ...ports import Ancestor, Embedder, Filter, MemoryReader, Order, Scored, Vector
from ...similarity.calibration import plain
from ...text.quoting import entity_id
from ..question import Meaning, Question, Sources, Understood
from ..trace import Hit, Intent, Leg

POOL = 50
"""Hits of one leg."""

LEADING = 0.22
"""Relevance of a hit from which it counts as an answer, or its causes as one."""

ENOUGH = 3
"""Relevant procedures that answer a question for one, without anything else."""

type Found = list[tuple[str, Hit]]
"""Memories, best first."""


@dataclass(frozen=True, slots=True)
class LegInputs:
    """What a leg searches with. `meaning` gives the question's vector, embedded once for all legs.

    `found` is what the legs before it found: empty for those that run first.
    """

    understood: Understood
    sources: Sources
    meaning: Callable[[], Awaitable[Meaning]]
    found: Mapping[Leg, Found]


type Run = Callable[[LegInputs], Awaitable[Found]]


async def planned(
    inputs: LegInputs, search: Callable[[frozenset[Kind] | None], Awaitable[Found]]
) -> Found:
    """What a leg's `search` finds among the kinds that the question is after, None for all.

    Who asks for nothing but how to do something gets procedures, if there are `ENOUGH`. With
    another intent beside, all kinds are searched at once: procedures are among them.
    """
    if set(inputs.understood.intents) == {Intent.PROCEDURAL}:
        found = await search(frozenset({Kind.PROCEDURAL}))
        if sum(hit.relevance >= LEADING for _, hit in found) >= ENOUGH:
            return found
    return await search(None)


async def nearest(
    inputs: LegInputs, leg: Leg, *, limit: int, kinds: frozenset[Kind] | None = None
) -> Found:
    """At most `limit` raw turns, and as many learnt memories, of these kinds, by relevance.

    Each sort is searched for in its own frame; where nothing is known of these, both at once.
    """
    meaning = await inputs.meaning()
    wanted = frozenset(Kind) if kinds is None else kinds
    parts = [(wanted & RAW, True), (wanted & LEARNT, False)]
    if not meaning.frame.centred:
        parts = [(wanted, False)]
    parts = [(part, raw) for part, raw in parts if part]
    searched = await asyncio.gather(
        *(_search(inputs, meaning, part, limit, raw=raw) for part, raw in parts)
    )
    scores = {each.id: each.score for part in searched for each in part}
    await meaning.read(inputs.sources.store, scores)
    told: dict[str, tuple[float, str]] = {}
    for (_, raw), part in zip(parts, searched, strict=True):
        told |= meaning.best_views([each.id for each in part], raw=raw)
    best = sorted(told, key=lambda id: (-told[id][0], id))
    return [
        (id, Hit(leg, rank, scores[id], max(0.0, told[id][0]), view=told[id][1]))
        for rank, id in enumerate(best, start=1)
    ]


async def _search(
    inputs: LegInputs, meaning: Meaning, kinds: frozenset[Kind], limit: int, *, raw: bool
) -> Sequence[Scored]:
    return await inputs.sources.store.search_vector(
        meaning.frame.directed(meaning.vector, raw=raw),
        meaning.fingerprint,
        inputs.understood.question.scopes,
        limit=limit,
        kinds=None if kinds == frozenset(Kind) else kinds,
    )


FADING = 0.7
"""How much each earlier turn counts against the one after it in what is searched for."""


async def semantic_leg(inputs: LegInputs) -> Found:
    """By cosine to the question's vector."""

    async def search(kinds: frozenset[Kind] | None) -> Found:
        return await nearest(inputs, Leg.SEMANTIC, limit=POOL, kinds=kinds)

    return await planned(inputs, search)


async def meaning_of(question: Question, sources: Sources, embedder: Embedder) -> Meaning:
    """The question in the embedder's space, as its frame reads it. Raises EmbeddingUnavailable."""
    query, alone = await _meant(await _nameless(question, sources), embedder)
    identity = await embedder.identity()
    language = language_of(question.text)
    frame = plain(identity, language)
    if sources.frames is not None:
        frame = await sources.frames.frame(identity, question.scopes, language)
    return Meaning(query, alone, identity.fingerprint, frame)


async def _nameless(question: Question, sources: Sources) -> list[str]:
    """The turn and those before it, newest first, without names of people who speak in scope."""
    texts = [question.text, *reversed(question.earlier)]
    names = named_among(texts, question.style.participants.called)
    if not names:
        return texts
    try:
        here = await sources.store.known_entities(names, question.scopes)
    except StorageError:
        # The entity leg tells; what is meant does not hang on the names.
        return texts
    return [without_names(text, [name for name in names if name in here]) for text in texts]


async def _meant(texts: Sequence[str], embedder: Embedder) -> tuple[Vector, Vector]:
    """The first text's vector with the fading ones of those after it, and by itself.

    Those are in the cache since they were asked themselves.
    """
    vectors = await asyncio.gather(*(embedder.embed_query(in_one_script(text)) for text in texts))
    weighted = sum(FADING**age * vector for age, vector in enumerate(vectors))
    length = float(np.linalg.norm(weighted))
    both = np.asarray(weighted / length, np.float32) if length > 0.0 else vectors[0]
    return both, vectors[0]


PLAIN_MATCH = 0.6
"""BM25 share at which a text match says as much as one can."""


async def text_leg(inputs: LegInputs) -> Found:
    """By the words that are no times, and those of the turns before, which count less.

    With an embedder of the last of them alone: the others are in the turn's vector.
    """
    question = inputs.understood.question
    before = question.earlier if inputs.sources.embedder is None else question.earlier[-1:]
    said = [inputs.understood.words, *reversed(before)]

    async def search(kinds: frozenset[Kind] | None) -> Found:
        return best_of(await asyncio.gather(*(_matching(inputs, words, kinds) for words in said)))

    return await planned(inputs, search)


async def _matching(
    inputs: LegInputs, words: str, kinds: frozenset[Kind] | None
) -> Sequence[Scored]:
    store, question = inputs.sources.store, inputs.understood.question
    scopes, own = question.scopes, question.own
    return await store.search_text(words, scopes, limit=POOL, kinds=kinds, own=own)


def best_of(searches: Sequence[Sequence[Scored]]) -> Found:
    """At most `POOL` of all searches, each memory by its best hit, ties by rank and id.

    The first search is by the question, each further one by the turn before.
    """
    best: dict[str, tuple[float, int, Scored, float]] = {}
    for age, found in enumerate(searches):
        for rank, each in enumerate(found, start=1):
            relevance = FADING**age * min(1.0, each.score / PLAIN_MATCH)
            if each.id not in best or relevance > best[each.id][0]:
                best[each.id] = relevance, rank, each, FADING**age * each.nats
    order = sorted(best.values(), key=lambda one: (-one[0], one[1], one[2].id))[:POOL]
    return [
        (each.id, Hit(Leg.TEXT, rank, each.score, relevance, rarest=each.rarest, nats=nats))
        for rank, (relevance, _, each, nats) in enumerate(order, start=1)
    ]


MOST = 40
"""Memories of all the times together."""

MOST_TIMES = 4
"""Times that are looked up; a question with more of them is a list."""

FIRST = 1.0
"""Relevance of the first hit; the last has half of it."""


async def time_leg(inputs: LegInputs) -> Found:
    """By when it happened, newest first; a raw turn also by when it was said.

    Where "Friday" may be either, the one before now comes first.
    """
    understood = inputs.understood
    question = understood.question
    ids: dict[str, None] = {}
    for time in past_first(understood.times, question.now)[:MOST_TIMES]:
        ids.update(dict.fromkeys(await _within(time, question.scopes, inputs.sources.store)))
    return _time_hits(list(ids)[:MOST])


async def _within(time: Interval, scopes: frozenset[str], store: MemoryReader) -> list[str]:
    """What happened or was said then, newest first."""
    happened = Filter(scopes, recallable=True, happened=(time.start, time.end))
    moments = {
        memory.id: memory.happened_at
        for memory in await store.page(happened, order=Order.LATEST, limit=MOST)
    }
    until = Filter(
        scopes,
        kinds=frozenset({Kind.EVIDENCE}),
        recallable=True,
        created_before=nextafter(time.end, inf),
    )
    for memory in await store.page(until, order=Order.NEWEST, limit=MOST):
        if memory.created_at >= time.start:
            moments.setdefault(memory.id, memory.created_at)
    return sorted(moments, key=lambda id: (-moments[id], id))


def past_first(times: Sequence[Interval], now: float) -> list[Interval]:
    """Times that are over before the others; else in their order."""
    return sorted(times, key=lambda time: time.end >= now)


def _time_hits(ids: Sequence[str]) -> Found:
    relevances = [FIRST * (1.0 - place / (2 * MOST)) for place in range(len(ids))]
    return [
        (id, Hit(Leg.TIME, rank, relevance, relevance))
        for rank, (id, relevance) in enumerate(zip(ids, relevances, strict=True), start=1)
    ]


MOST_TELLING = 0.6
"""Relevance of a memory that alone mentions an entity: to be named is not yet to answer."""

HALF_AS_TELLING = 10
"""With so many memories more that mention it, an entity says half as much."""

FAINTEST = 0.01
"""Below, an entity finds nothing: everybody's memories are nobody's in particular."""

MOST_NAMED = 8


async def entity_leg(inputs: LegInputs) -> Found:
    """By the entities of the scopes that are named, and the other names of their people."""
    return _entity_hits(await _mentioning(inputs))


async def _mentioning(inputs: LegInputs) -> defaultdict[str, float]:
    """How likely each memory that mentions what is named is not what was meant."""
    question, store = inputs.understood.question, inputs.sources.store
    telling = await _named(inputs)
    wanted = [name for name, relevance in telling.items() if relevance >= FAINTEST]
    found = await store.mentioning(wanted, question.scopes, limit=POOL) if wanted else []
    missed: defaultdict[str, float] = defaultdict(lambda: 1.0)
    for mention in found:
        missed[mention.memory] *= 1.0 - telling[mention.entity]
    return missed


def specificity(count: int) -> float:
    """0..`MOST_TELLING`: what an entity says of a memory, of `count` that mention it.

    MOST_TELLING * HALF_AS_TELLING / (HALF_AS_TELLING + count - 1). By itself enough to be shown
    for up to 18 memories; of ten thousand it says nothing.
    """
    return MOST_TELLING * HALF_AS_TELLING / (HALF_AS_TELLING + max(count, 1) - 1)


async def _named(inputs: LegInputs) -> Mapping[str, float]:
    """The entities that the question names, or a turn before it, and what each says of a memory.

    What an earlier turn named fades, as its meaning does.
    """
    question, sources = inputs.understood.question, inputs.sources
    texts = [entity_id(text) for text in (question.text, *reversed(question.earlier))]
    offers = [candidates(text) for text in texts]
    offered = {name for offer in offers for name in offer.values()}
    also = {name: sources.same.get(name, ()) for name in sorted(offered)}
    others = [other for names in also.values() for other in names]
    asked = list(dict.fromkeys([*also, *others]))
    known = await sources.store.known_entities(asked, question.scopes) if asked else {}
    telling: dict[str, float] = {}
    for age, (text, offer) in enumerate(zip(texts, offers, strict=True)):
        stated = longest(text, offer, {*known, *filter(also.get, also)})
        for name in (one for each in stated for one in (each, *also[each]) if one in known):
            telling.setdefault(name, FADING**age * specificity(known[name]))
    return dict(list(telling.items())[:MOST_NAMED])


def _entity_hits(missed: Mapping[str, float]) -> Found:
    """Of how likely each memory is not what was meant; the likeliest first."""
    best = sorted(missed.items(), key=lambda item: item[1])[:POOL]
    return [
        (memory, Hit(Leg.ENTITY, rank, 1.0 - share, 1.0 - share))
        for rank, (memory, share) in enumerate(best, start=1)
    ]


ROOTS = 2
"""First hits whose causes are looked up."""

DEPTH = 5
FALL = 0.8
"""What is left of a memory's relevance in what it came from."""


async def causal_leg(inputs: LegInputs) -> Found:
    """The ancestors of the first hits by meaning, or by words if there are none.

    A raw turn states no relations; those of what was learnt from it count.
    """
    roots = await _learnt(inputs, first_hits(inputs.found))
    if not roots:
        return []
    scopes = inputs.understood.question.scopes
    told = await inputs.sources.store.ancestors(list(roots), scopes, depth=DEPTH)
    return traced(roots, told)


def first_hits(found: Mapping[Leg, Found]) -> dict[str, float]:
    """The memories to begin with, and their relevance; what is irrelevant has no causes to tell."""
    hits = found.get(Leg.SEMANTIC) or found.get(Leg.TEXT) or []
    best = {memory: hit.relevance for memory, hit in hits[:ROOTS]}
    return {memory: relevance for memory, relevance in best.items() if relevance >= LEADING}


def traced(roots: Mapping[str, float], told: Sequence[Ancestor]) -> Found:
    """Each ancestor with `FALL` of the relevance of the one it led to, best first, ties by id.

    `told` is breadth first, so that who is named as `of` has come before.
    """
    relevance = dict(roots)
    for each in told:
        relevance[each.memory] = FALL * relevance[each.of]
    best = sorted(told, key=lambda each: (-relevance[each.memory], each.memory))
    return [
        (each.memory, Hit(Leg.CAUSAL, rank, score, score, via=each.of))
        for rank, each in enumerate(best, start=1)
        for score in [relevance[each.memory]]
    ]


async def _learnt(inputs: LegInputs, roots: Mapping[str, float]) -> dict[str, float]:
    store, scopes = inputs.sources.store, inputs.understood.question.scopes
    said = [m for m in await store.find(list(roots), scopes) if m.kind is Kind.EVIDENCE]
    learnt = await store.distilled([turn for m in said for turn in m.origin.turns], scopes)
    result = dict(roots)
    for memory in said:
        for heir in (id for turn in memory.origin.turns for id in learnt.get(turn, ())):
            result[heir] = max(result.get(heir, 0.0), roots[memory.id])
    return result
