"""The numbers of a turn's candidates, see `core.scoring.columns`. Pure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from ..languages.entity_matching import named
from ..languages.terms import content_terms
from ..model.derived import once
from ..model.memory import Kind, Memory
from ..scoring.columns import (
    NATS,
    PLACES,
    Column,
    Figures,
    Known,
    Sheet,
    TurnColumn,
    sheet,
    telling,
)
from ..scoring.decision import Coefficients, Fitted, Footing, ranks
from ..text.normalisation import folded
from .graph_proximity import near_named
from .legs.entity import MOST_TELLING
from .question import Meaning, Understood
from .selection import asks, drop_reason
from .time_nearness import nearness
from .trace import Fused, Hit, Leg

REACH = 3
"""Of the turns of its episode that were found, so many on either side stand beside a turn."""

FAR = 7.0
"""Logits behind the best that could be shown, beyond which a candidate is not: the sets lose .002
of what is served on average, for a tenth of its tokens (docs/benchmarks.md)."""

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
    meant, alone = _meant(own, hits, meaning)
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
    tells = np.array([not asks(memory) for memory in own], np.bool_)
    told = np.asarray((meant + alone) / 2 + words + np.array(rarest), np.float32)
    rows = sheet(
        {
            Column.MEANING: meant,
            Column.WORDS: words,
            Column.RAREST: rarest,
            Column.NEAR_BY: near_by(own, told, free & tells),
            Column.SIDE: [side[memory.id] for memory in own],
            Column.TIME: [nearness(times, memory, where) if times else 0.0 for memory in own],
            Column.GRAPH: [near.get(memory.id, 0.0) for memory in own],
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


def _meant(
    own: Sequence[Memory], hits: Sequence[_Hits], meaning: Meaning | None
) -> tuple[Figures, Figures]:
    """Relevance by meaning, and that by the question alone."""
    told: dict[str, float] = {}
    told_alone: dict[str, float] = {}
    for raw in (True, False):
        ids = [memory.id for memory in own if (memory.kind is Kind.EVIDENCE) is raw]
        if meaning is not None:
            one, other = meaning.both_relevances(ids, raw=raw)
            told, told_alone = told | one, told_alone | other
    return _of_each(own, hits, told), _of_each(own, hits, told_alone)


def _of_each(own: Sequence[Memory], hits: Sequence[_Hits], told: Told) -> Figures:
    """A memory without a vector counts as far as the furthest one with a vector."""
    furthest = min(told.values(), default=0.0)
    # A cause that was asked for is as near as what it led to, or nearly.
    return np.array(
        [
            max(told.get(memory.id, furthest), each.caused)
            for memory, each in zip(own, hits, strict=True)
        ],
        np.float32,
    )


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


def near_by(own: Sequence[Memory], told: Figures, lifts: NDArray[np.bool_]) -> Figures:
    """How much more of the question than a raw turn itself the best turn next to it tells.

    "Luna, she is three" says nothing of cats; the turn before it does. Only what `lifts` counts.
    0 for what no better turn is beside, and for other memories.
    """
    beside = np.zeros(len(own), np.float32)
    said = _in_order(own)
    if len(said) < 2:
        return beside
    places = np.array([place for *_, place in said])
    talks = [talk for talk, *_ in said]
    joined = [one == other for one, other in pairwise(talks)]
    talk = np.append(0, np.cumsum(~np.array(joined, np.bool_)))
    tells = np.maximum(told, 0.0)[places]
    counted = np.where(lifts[places], tells, np.float32(0.0))
    best = np.zeros_like(tells)
    for step in range(1, min(REACH, len(said) - 1) + 1):
        same = talk[step:] == talk[:-step]
        best[step:] = np.maximum(best[step:], same * counted[:-step])
        best[:-step] = np.maximum(best[:-step], same * counted[step:])
    beside[places] = np.maximum(best - tells, 0.0)
    return beside


def _in_order(own: Sequence[Memory]) -> list[tuple[tuple[str, str], int, int]]:
    """Scope and episode, seq and place of each raw turn whose episode is known, in this order."""
    return sorted(
        [
            ((memory.scope, memory.origin.episode), memory.origin.turns[0], place)
            for place, memory in enumerate(own)
            if memory.kind is Kind.EVIDENCE and memory.origin.episode and memory.origin.turns
        ]
    )


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
