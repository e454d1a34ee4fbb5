"""The columns of a turn's candidates, see `core.scoring.columns`. Pure."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.derived import once
from ..model.memory import REPLY_MARK, Kind, Memory
from ..scoring.coefficients import Footing
from ..scoring.columns import Column, Figures, Sheet, sheet, telling
from ..text import bm25
from ..text.normalisation import folded
from .graph_proximity import near_named
from .legs.entity import MOST_TELLING
from .neighbours import near_by
from .question import Meaning, Understood
from .selection import drop_reason, is_question
from .sides import sides
from .time_nearness import nearness
from .trace import Fused, Hit, Leg

USUAL_LENGTH = 60
SHORTEST, LONGEST = 20, 320
"""Raw turns of fewer or more bytes count as these."""

FIRST, NEAREST = 5, 50
PRIOR, USUAL = 10, 0.2

type Told = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Hits:
    """What the legs say of one candidate, 0 where they did not find it.

    `words` and `named`: its best relevance by words, causes included, and by names. `caused`: by
    what it led to, `rarest`: how rare the rarest word or name is.
    """

    words: float
    named: float
    rarest: float
    caused: float


def footing(meaning: Meaning | None) -> Footing:
    """What this turn was searched by."""
    if meaning is None:
        return Footing.WORDS
    if meaning.frame.strong:
        return Footing.STRONG
    return Footing.DENSE if meaning.frame.centred else Footing.HASHED


def columns(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    understood: Understood,
    meaning: Meaning | None,
    memories: Mapping[str, int],
    same: Mapping[str, Sequence[str]],
) -> Sheet:
    """A row for each candidate with a record, in their order.

    So many `memories` are in each scope; `same` are the names of whoever goes by a name.
    """
    known = [each for each in candidates if each.memory in records]
    own = [records[each.memory] for each in known]
    hits = [_read(each.hits) for each in known]
    meant, alone = _meant(own, hits, meaning)
    raw = np.array([_is_raw(memory) for memory in own], np.bool_)
    asks = raw & np.array([_is_raw(memory) and _asks(memory) for memory in own], np.bool_)
    pairs = zip(meant, alone, strict=True)
    both = np.array([(one + other) / 2 for one, other in pairs], np.float32)
    side = sides({memory.id: memory for memory in own}, folded(understood.question.text))
    near = _near(hits, records, understood, same)
    where, times = understood.question.where, understood.times
    words, tellings = [each.words for each in hits], _tellings(own, hits, asks, memories)
    said = (both + np.array(words, np.float32) + np.array(tellings, np.float32)).tolist()
    return sheet(
        {
            Column.MEANING: meant,
            Column.ALONE: alone,
            Column.CONTRAST: contrast(both, raw, asks),
            Column.WORDS: words,
            Column.RAREST: tellings,
            Column.SIDE: [side[memory.id] for memory in own],
            Column.TIME: [nearness(times, memory, where) if times else 0.0 for memory in own],
            Column.GRAPH: [near.get(memory.id, 0.0) for memory in own],
            Column.LENGTH: [length(memory) for memory in own],
            Column.ASKS: asks,
            Column.RAW: raw,
            Column.NEAR_BY: near_by(own, said, _lifting(own, asks, understood)),
        },
        len(own),
    )


def contrast(meant: Figures, raw: NDArray[np.bool_], asks: NDArray[np.bool_]) -> Figures:
    """How much nearer each is than the others of its kind; being near to everything says nothing.

    Raw turns that only ask are none of the others: who asks the same again and again would hear
    nothing in the end.

    The others are those of the `NEAREST` that come after the first `FIRST`, and so many as
    `PRIOR` says that are as near as `USUAL`: of a few memories little can be told.
    """
    told = np.zeros_like(meant)
    for kind in (raw, ~raw):
        rest = np.sort(meant[kind & ~asks])[::-1][FIRST:NEAREST]
        usual = (float(rest.sum()) + PRIOR * USUAL) / (len(rest) + PRIOR)
        told[kind] = meant[kind] - usual
    return told


def _lifting(own: Sequence[Memory], asks: NDArray[np.bool_], understood: Understood) -> list[bool]:
    """What tells something that could be shown: not the turn itself, nor the same asked before."""
    context = understood.question.context
    pairs = zip(own, asks.tolist(), strict=True)
    return [not only and drop_reason(memory, context) is None for memory, only in pairs]


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


@once
def length(memory: Memory) -> float:
    """ln(length / usual length) of a raw turn; 0 for other memories.

    "Wow, that's great!" is near to everything that is great. Bytes, because an ideograph tells as
    much as three letters.
    """
    if not _is_raw(memory):
        return 0.0
    said = len(memory.text.encode("utf-8", "surrogatepass"))
    return math.log(min(LONGEST, max(SHORTEST, said)) / USUAL_LENGTH)


def _meant(
    own: Sequence[Memory], hits: Sequence[_Hits], meaning: Meaning | None
) -> tuple[list[float], list[float]]:
    """Relevance by meaning, and that by the question alone."""
    told: dict[str, float] = {}
    told_alone: dict[str, float] = {}
    for raw in (True, False):
        ids = [memory.id for memory in own if _is_raw(memory) is raw]
        if meaning is not None:
            one, other = meaning.both_relevances(ids, raw=raw)
            told, told_alone = told | one, told_alone | other
    return _of_each(own, hits, told), _of_each(own, hits, told_alone)


def _of_each(own: Sequence[Memory], hits: Sequence[_Hits], told: Told) -> list[float]:
    """A memory without a vector counts as far as the furthest one with a vector."""
    furthest = min(told.values(), default=0.0)
    # A cause that was asked for is as near as what it led to, or nearly.
    return [
        max(told.get(memory.id, furthest), each.caused)
        for memory, each in zip(own, hits, strict=True)
    ]


def _read(hits: Sequence[Hit]) -> _Hits:
    words = named = rarest = 0.0
    caused = -math.inf
    for hit in hits:
        match hit.leg:
            case Leg.TEXT:
                words = max(words, hit.relevance)
            case Leg.CAUSAL:
                words, caused = max(words, hit.relevance), max(caused, hit.relevance)
            case Leg.ENTITY:
                named = max(named, hit.relevance)
            case _:
                pass
        rarest = max(rarest, hit.rarest)
    # A name that few memories hold is a rare word, whichever of somebody's names it is.
    return _Hits(words, named, max(rarest, named), caused)


def _tellings(
    own: Sequence[Memory],
    hits: Sequence[_Hits],
    asks: NDArray[np.bool_],
    memories: Mapping[str, int],
) -> list[float]:
    """How telling the rarest word is among what tells something: see `contrast` for questions.

    A word is as rare as it is in the memory's own scope, which is what it was found by.
    """
    rarest = [(memory.scope, round(each.rarest, 6)) for memory, each in zip(own, hits, strict=True)]
    asked = Counter(one for one, only in zip(rarest, asks, strict=True) if only and one[1])
    # Many have the same rarest word.
    told = {one: _telling(one[1], asked[one], memories.get(one[0], 0)) for one in set(rarest)}
    return [told[one] for one in rarest]


def _telling(rarity: float, asked: int, memories: int) -> float:
    """As if the word did not stand in the `asked` questions whose rarest word is as rare."""
    if not asked or memories <= asked:
        return telling(rarity, memories)
    rows_with = (memories + 1) ** (1.0 - rarity) - 0.5
    rows, left = memories - asked, max(1, round(rows_with) - asked)
    return telling(bm25.rarity(rows, left), rows)


@once
def _asks(memory: Memory) -> bool:
    """Whether a raw turn asks, whatever was answered."""
    return is_question(memory.text.partition(REPLY_MARK)[0])


def _is_raw(memory: Memory) -> bool:
    return memory.kind is Kind.EVIDENCE
