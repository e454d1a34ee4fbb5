"""The numbers of a turn's candidates, see `core.scoring.decision`. Pure."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from itertools import chain

import numpy as np

from ..graph.communities import LINEAGE, mentions
from ..graph.walking import bounded, distances, shares
from ..languages.entities import named, names_in
from ..languages.terms import content_terms
from ..languages.times import Interval, times_in, without_times
from ..model.derived import once
from ..model.memory import Kind, Memory
from ..scoring.decision import (
    NATS,
    PLACES,
    SURE,
    Coefficients,
    Column,
    Figures,
    Fitted,
    Footing,
    Known,
    Sheet,
    TurnColumn,
    ranks,
    sheet,
    telling,
)
from ..text.quoting import entity_id, folded
from ..text.time.calendar import Leaning
from .legs.ways import MOST_TELLING
from .question import Meaning, Understood
from .selection import drop_reason
from .trace import Drop, Fused, Hit, Leg

MOST_NODES = 5_000
BY_HOPS: Mapping[int, float] = {0: 0.3, 1: 0.15}
"""What it counts, of 1, to mention an entity of the question, or one that is connected with it."""

_MEMORY, _ENTITY, _EVENT = "memory", "entity", "event"

type Node = tuple[str, str]
"""What it is ("memory", "entity" or "event"), and its id."""

type Pair = tuple[Node, Node]


def near_named(
    text: str, records: Mapping[str, Memory], same: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Closeness of each record to what a text names; nothing where it names nothing of theirs.

    `same` are the other names of whoever goes by a name.
    """
    told = {id: mentions(memory) for id, memory in records.items()}
    known = {name for names in told.values() for name in names}
    stated = names_in(text, known.union(*(same.get(name, ()) for name in known)))
    others = (other for name in stated for other in same.get(name, ()))
    named = [name for name in dict.fromkeys((*stated, *others)) if name in known]
    return graph_closeness(records, named, told) if named else {}


def graph_closeness(
    records: Mapping[str, Memory],
    named: Collection[str],
    told: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, float]:
    """0..1 for each of the records: its share of the walk, and how few steps it is away.

    `named` are the question's entities, `told` what each record `mentions`, if
    that is known. The share is that of the memory, of its event and of its
    entities but for the named ones, which all that mention them have alike; in proportion to the
    largest.
    """
    own_nodes = {
        id: _own(memory, mentions(memory) if told is None else told[id])
        for id, memory in records.items()
    }
    stated = (pair for id, memory in records.items() for pair in _pairs(memory, own_nodes[id]))
    pairs = bounded(stated, MOST_NODES)
    seeds = [(_ENTITY, name) for name in named]
    mass = shares(pairs, seeds)
    own = {
        id: sum(mass.get(node, 0.0) for node in nodes if node not in seeds)
        for id, nodes in own_nodes.items()
    }
    largest = max(own.values(), default=0.0)
    if largest <= 0.0:
        return {}
    far = distances(pairs, seeds, max(BY_HOPS), lambda node: int(node[0] == _ENTITY))
    near = {id: BY_HOPS.get(far.get((_MEMORY, id), -1), 0.0) for id in records}
    return {
        id: (1 - max(BY_HOPS.values())) * share / largest + near[id] for id, share in own.items()
    }


def _own(memory: Memory, told: Sequence[str]) -> list[Node]:
    event = [] if memory.event is None else [(_EVENT, memory.event.id)]
    return [(_MEMORY, memory.id), *event, *((_ENTITY, name) for name in told)]


def _pairs(memory: Memory, own: Sequence[Node]) -> Iterator[Pair]:
    """What a memory says belongs together: itself and what it mentions or follows, and entities."""
    itself, *others = own
    yield from ((itself, other) for other in others)
    if memory.successor is not None:
        yield itself, (_MEMORY, memory.successor.memory)
    names = {entity.id: entity.name for entity in memory.entities}
    for relation in memory.relations:
        if relation.subject != memory.id:
            one, other = (names.get(end, end) for end in (relation.subject, relation.object))
            yield (_ENTITY, entity_id(one)), (_ENTITY, entity_id(other))
        elif relation.predicate in LINEAGE:
            yield itself, (_MEMORY, relation.object)


TOUCHING = 0.5
"""Nearness of what ends where the time asked about begins."""

_DAY = 86_400.0


def asked_about(text: str, now: float, where: tzinfo | None) -> tuple[Interval, ...]:
    """The times that a question asks about: "Friday" may be the last or the next one."""
    both = [
        told.interval for leaning in Leaning for told in times_in(text, now, where, leaning=leaning)
    ]
    return tuple(dict.fromkeys(both))


def nearness(asked: Sequence[Interval], memory: Memory, where: tzinfo | None) -> float:
    """0..1: 1 for what lies wholly within one of the times asked about, 0 where none is.

    The times that a memory tells of count, relative to when it was said, and so do `happened_at`
    and when a raw turn was said. A time that is only in part within counts by that share, from
    `TOUCHING` on; one outside falls by half with each length of the time asked about, at least a
    day, that it is away.
    """
    if not asked:
        return 0.0
    moments = {memory.happened_at}
    if memory.kind is Kind.EVIDENCE:
        moments.add(memory.created_at)
    told = [Interval(moment, moment) for moment in moments]
    told += _told(memory, where)
    return max(closeness(one, each) for one in asked for each in told)


def without_other_days(
    candidates: Sequence[Fused], records: Mapping[str, Memory], understood: Understood
) -> list[Fused]:
    """The candidates, those dropped that share with the question a time that was another then.

    "Tonight" of three weeks ago is no answer about tonight. What shares a word besides is kept:
    its line tells its day.
    """
    asked, where = understood.times, understood.question.where
    if not asked:
        return list(candidates)
    wanted = content_terms(understood.words)

    def elsewhen(memory: Memory) -> bool:
        if not _told(memory, where) or nearness(asked, memory, where) >= TOUCHING:
            return False
        return wanted.isdisjoint(matter(memory, where))

    return [
        each.dropped(Drop.IRRELEVANT)
        if each.drop is None and (memory := records.get(each.memory)) and elsewhen(memory)
        else each
        for each in candidates
    ]


@once
def matter(memory: Memory, where: tzinfo | None) -> frozenset[str]:
    """The content terms of what was said, but for its times."""
    return content_terms(without_times(memory.said, memory.created_at, where))


@once
def _told(memory: Memory, where: tzinfo | None) -> Sequence[Interval]:
    """The times that its text tells of."""
    return tuple(each.interval for each in times_in(memory.text, memory.created_at, where))


def closeness(asked: Interval, told: Interval) -> float:
    """0..1, see `nearness`. Never rises with distance."""
    gap = max(told.start - asked.end, asked.start - told.end)
    if gap > 0:
        return TOUCHING * 0.5 ** min(gap / max(asked.end - asked.start, _DAY), 1_000.0)
    length = told.end - told.start
    if length <= 0:
        return 1.0
    within = min(told.end, asked.end) - max(told.start, asked.start)
    # The share first: half of the smallest float is nothing.
    return TOUCHING + (1 - TOUCHING) * (within / length)


FAR = 7.0
"""Logits behind the best that could be shown, beyond which a candidate is not: the sets lose .002
of what is served on average, for a tenth of its tokens (27 November 2026)."""

type Told = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Numbers:
    """A row for each candidate with a record, in their order, its logit in the ranking, and the
    numbers of the turn.

    `then` are the candidates that lie within a time that is asked about and could be shown; `far`
    are those that are `FAR` behind.
    """

    sheet: Sheet
    ranks: Figures
    turn: Known
    then: frozenset[str] = frozenset()
    far: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Hits:
    """What the legs say of one candidate, 0 where they did not find it.

    `nats`: its BM25; `named`: its best relevance by names. `caused`: by what it led to, `rarest`:
    how rare the rarest word or name is.
    """

    nats: float
    named: float
    rarest: float
    caused: float


def footing(meaning: Meaning | None, fitted: Fitted) -> Footing:
    """What this turn was searched by."""
    if meaning is None:
        return Footing.WORDS
    if not meaning.frame.centred:
        return Footing.HASHED
    local = fitted[Footing.LOCAL]
    return Footing.LOCAL if meaning.fingerprint == local.space else Footing.DENSE


def numbers(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    understood: Understood,
    meaning: Meaning | None,
    memories: Mapping[str, int],
    same: Mapping[str, Sequence[str]],
    model: Coefficients,
) -> Numbers:
    """Of the candidates, ranked by the model, and of the turn.

    So many `memories` are in each scope; `same` are the names of whoever goes by a name.
    """
    known = [each for each in candidates if each.memory in records]
    own = [records[each.memory] for each in known]
    hits = [_read(each.hits) for each in known]
    counts = [memories.get(memory.scope, 0) for memory in own]
    nats = np.array([each.nats for each in hits], np.float32)
    words = nats / max(float(nats.max(initial=0.0)), 1e-6)
    rarest = [telling(each.rarest, many) for each, many in zip(hits, counts, strict=True)]
    near = _near(hits, records, understood, same)
    side = sides({memory.id: memory for memory in own}, folded(understood.question.text))
    where, times = understood.question.where, understood.times
    free = np.array(
        [drop_reason(memory, understood.question.context) is None for memory in own], np.bool_
    )
    lasting = {} if meaning is None else meaning.lasting([memory.id for memory in own])
    rows = sheet(
        {
            Column.MEANING: _meant(own, hits, meaning),
            Column.WORDS: words,
            Column.RAREST: rarest,
            Column.SIDE: [side[memory.id] for memory in own],
            Column.TIME: [nearness(times, memory, where) if times else 0.0 for memory in own],
            Column.GRAPH: [near.get(memory.id, 0.0) for memory in own],
            Column.LASTS: np.clip([lasting.get(m.id, 0.0) for m in own], -SURE, SURE) / SURE,
        },
        len(own),
    )
    ranked = ranks(rows, model)
    then = rows[:, PLACES[Column.TIME]] >= 1.0
    # Of today all that was said is near; what is meant to be done is another matter, but for
    # whoever says no more than "good morning".
    elsewhen = all(not each.start <= understood.question.now <= each.end for each in times)
    more = any(len(term) > 1 for term in content_terms(understood.words))
    within = frozenset(
        m.id
        for m, one in zip(own, free & then, strict=True)
        if one and (elsewhen or (more and m.kind is Kind.PROSPECTIVE))
    )
    behind = (ranked < ranked[free].max(initial=-np.inf) - FAR) & ~then
    far = frozenset(m.id for m, one in zip(own, behind, strict=True) if one)
    said = 0.0 if meaning is None else meaning.asks()
    turn = _of_turn(nats[free], ranked[free], said)
    return Numbers(rows, ranked, turn, within, far)


def _of_turn(nats: Figures, ranked: Figures, said: float) -> Known:
    """Of the candidates that could be shown."""
    if not len(nats):
        return {}
    return {
        TurnColumn.ASKS: said,
        TurnColumn.NATS: float(nats.max()) / NATS,
        TurnColumn.TOP: float(ranked.max()),
    }


def _near(
    hits: Sequence[_Hits],
    records: Mapping[str, Memory],
    understood: Understood,
    same: Mapping[str, Sequence[str]],
) -> Told:
    """Closeness by the graph, reduced for names that most memories mention."""
    told = max((each.named for each in hits), default=0.0)
    if not told:
        return {}
    telling = min(1.0, told / MOST_TELLING)
    near = near_named(understood.question.text, records, same)
    return {id: telling * value for id, value in near.items()}


def _meant(own: Sequence[Memory], hits: Sequence[_Hits], meaning: Meaning | None) -> Figures:
    """Relevance by meaning. A memory without a vector counts as far as the furthest one with one.

    A cause that was asked for is as near as what it led to, or nearly.
    """
    told: dict[str, float] = {}
    if meaning is not None:
        for raw in (True, False):
            ids = [memory.id for memory in own if (memory.kind is Kind.EVIDENCE) is raw]
            told |= {id: value for id, (value, _) in meaning.best_views(ids, raw=raw).items()}
    furthest = min(told.values(), default=0.0)
    known = zip(own, hits, strict=True)
    return np.array([max(told.get(m.id, furthest), hit.caused) for m, hit in known], np.float32)


def _read(hits: Sequence[Hit]) -> _Hits:
    nats = named = rarest = 0.0
    caused = -math.inf
    for hit in hits:
        match hit.leg:
            case Leg.TEXT:
                nats = max(nats, hit.nats)
            case Leg.CAUSAL:
                caused = max(caused, hit.relevance)
            case Leg.ENTITY:
                named = max(named, hit.relevance)
            case _:
                pass
        rarest = max(rarest, hit.rarest)
    # A name that few memories hold is a rare word, whichever of somebody's names it is.
    return _Hits(nats, named, max(rarest, named), caused)


def sides(records: Mapping[str, Memory], asked: str) -> dict[str, int]:
    """1 for those of somebody or something that the turn names; else -1 if it names a person.

    `asked` is `folded`. A turn that names only a thing puts nothing at -1: what answers a question
    about a thing often does not name it.
    """
    people = {memory.id: _people(memory) for memory in records.values()}
    things = {memory.id: _things(memory) for memory in records.values()}
    every = set(chain(*people.values(), *things.values()))
    said = {name for name in every if named(name, asked)}
    if not said:
        return dict.fromkeys(records, 0)
    other = -1 if any(said & own for own in people.values()) else 0
    return {id: 1 if said & (people[id] | things[id]) else other for id in records}


@once
def _people(memory: Memory) -> frozenset[str]:
    speaker = () if memory.speaker is None else (memory.speaker.name,)
    return frozenset((*speaker, *memory.about))


@once
def _things(memory: Memory) -> frozenset[str]:
    # A raw turn that names somebody is mostly said to them, not of them or by them.
    entities = () if memory.kind is Kind.EVIDENCE else memory.entities
    return frozenset(entity.name for entity in entities)
