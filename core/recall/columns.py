"""The columns of a turn's candidates, see `core.scoring.columns`. Pure."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..model.memory import REPLY_MARK, Kind, Memory
from ..scoring.coefficients import Footing
from ..scoring.columns import Column, Figures, Sheet, sheet, telling
from ..text import bm25
from ..text.normalisation import folded
from .graph_proximity import near_named
from .legs.entity import MOST_TELLING
from .question import Meaning, Understood
from .selection import is_question
from .sides import sides
from .time_nearness import nearness
from .trace import Fused, Hit, Leg

USUAL_LENGTH = 60
SHORTEST, LONGEST = 20, 320
"""Raw turns of fewer or more bytes count as these."""

FIRST, NEAREST = 5, 50
PRIOR, USUAL = 10, 0.2

type Told = Mapping[str, float]


def footing(meaning: Meaning | None) -> Footing:
    """What this turn was searched by."""
    if meaning is None:
        return Footing.WORDS
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
    meant, alone = (_meant(known, own, meaning, alone=alone) for alone in (False, True))
    raw = np.array([_is_raw(memory) for memory in own], np.bool_)
    asks = raw & np.array([_is_raw(memory) and _asks(memory) for memory in own], np.bool_)
    both = np.array([(meant[memory.id] + alone[memory.id]) / 2 for memory in own], np.float32)
    side = sides({memory.id: memory for memory in own}, folded(understood.question.text))
    near = _near(known, records, understood, same)
    where, times = understood.question.where, understood.times
    return sheet(
        {
            Column.MEANING: [meant[memory.id] for memory in own],
            Column.ALONE: [alone[memory.id] for memory in own],
            Column.CONTRAST: contrast(both, raw, asks),
            Column.WORDS: [_best(each.hits, (Leg.TEXT, Leg.CAUSAL)) for each in known],
            Column.RAREST: _tellings(known, own, asks, memories),
            Column.SIDE: [side[memory.id] for memory in own],
            Column.TIME: [nearness(times, memory, where) if times else 0.0 for memory in own],
            Column.GRAPH: [near.get(memory.id, 0.0) for memory in own],
            Column.LENGTH: [length(memory) for memory in own],
            Column.ASKS: asks,
            Column.RAW: raw,
        },
        len(own),
    )


def contrast(meant: Figures, raw: NDArray[np.bool_], asks: NDArray[np.bool_]) -> Figures:
    """How much nearer each is than the others of its kind: what chat is near to all is no sign.

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


def _near(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    understood: Understood,
    same: Mapping[str, Sequence[str]],
) -> Told:
    """Closeness by the graph. Whose name is in everything is near to everything: then little."""
    told = max((_best(each.hits, (Leg.ENTITY,)) for each in candidates), default=0.0)
    if not told:
        return {}
    telling = min(1.0, told / MOST_TELLING)
    near = near_named(understood.question.text, records, same)
    return {id: telling * value for id, value in near.items()}


def length(memory: Memory) -> float:
    """How much a raw turn tells, by e the more than usual; 0 for other memories.

    "Wow, that's great!" is near to everything that is great. Bytes, because an ideograph tells as
    much as three letters.
    """
    if not _is_raw(memory):
        return 0.0
    said = len(memory.text.encode("utf-8", "surrogatepass"))
    return math.log(min(LONGEST, max(SHORTEST, said)) / USUAL_LENGTH)


def _meant(
    candidates: Sequence[Fused], own: Sequence[Memory], meaning: Meaning | None, *, alone: bool
) -> Told:
    """Relevance by meaning; what was not embedded yet is as far as the furthest that is known."""
    told: dict[str, float] = {}
    for raw in (True, False):
        ids = [memory.id for memory in own if _is_raw(memory) is raw]
        if meaning is not None:
            told |= meaning.relevances(ids, raw=raw, alone=alone)
    furthest = min(told.values(), default=0.0)
    # A cause that was asked for is as near as what it led to, or nearly.
    return {
        each.memory: max(told.get(each.memory, furthest), _caused(each.hits)) for each in candidates
    }


def _caused(hits: Sequence[Hit]) -> float:
    return max((hit.relevance for hit in hits if hit.leg is Leg.CAUSAL), default=-math.inf)


def _best(hits: Sequence[Hit], legs: Sequence[Leg]) -> float:
    return max((hit.relevance for hit in hits if hit.leg in legs), default=0.0)


def _rarest(hits: Sequence[Hit]) -> float:
    # A name that few memories hold is a rare word, whichever of somebody's names it is.
    return max(max((hit.rarest for hit in hits), default=0.0), _best(hits, (Leg.ENTITY,)))


def _tellings(
    candidates: Sequence[Fused],
    own: Sequence[Memory],
    asks: NDArray[np.bool_],
    memories: Mapping[str, int],
) -> list[float]:
    """How telling the rarest word is among what tells something: see `contrast` for questions.

    A word is as rare as it is in the memory's own scope, which is what it was found by.
    """
    rarest = [
        (memory.scope, round(_rarest(each.hits), 6))
        for each, memory in zip(candidates, own, strict=True)
    ]
    asked = Counter(one for one, only in zip(rarest, asks, strict=True) if only and one[1])
    return [_telling(one[1], asked[one], memories.get(one[0], 0)) for one in rarest]


def _telling(rarity: float, asked: int, memories: int) -> float:
    """As if the word did not stand in the `asked` questions whose rarest word is as rare."""
    if not asked or memories <= asked:
        return telling(rarity, memories)
    rows_with = (memories + 1) ** (1.0 - rarity) - 0.5
    rows, left = memories - asked, max(1, round(rows_with) - asked)
    return telling(bm25.rarity(rows, left), rows)


def _asks(memory: Memory) -> bool:
    """Whether a raw turn asks, whatever was answered."""
    return is_question(memory.text.partition(REPLY_MARK)[0])


def _is_raw(memory: Memory) -> bool:
    return memory.kind is Kind.EVIDENCE
