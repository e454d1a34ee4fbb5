"""Raw turns bring the memories learnt from them along, and the other way round. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ..conflict.clauses import content
from ..languages.excerpt import excerpt
from ..languages.terms import content_terms
from ..model.derived import once
from ..model.memory import Kind, Memory
from ..text.normalisation import normalise
from .trace import Drop, Fused

BEHIND = 0.98
"""What a raw turn counts that a memory learnt from it brings along."""

LONGEST_BESIDE = 120
"""Characters of a raw turn that stand beside what was learnt from it."""


def with_learnt(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    learnt: Mapping[int, tuple[str, ...]],
    wanted: frozenset[str],
) -> list[Fused]:
    """Raw turns replaced, at their place, by the memories that were `learnt` from them.

    A turn stays behind them if it says of the `wanted` terms what none of them says. A memory
    that was found by itself too keeps its hits besides those it inherits, and the better place.
    """
    own = {candidate.memory: candidate for candidate in candidates}
    placed: set[str] = set()
    result: list[Fused] = []
    for candidate in candidates:
        heirs = [] if candidate.drop else _heirs(records.get(candidate.memory), learnt)
        if heirs:
            told = [records[heir] for heir in heirs if heir in records]
            more = says_more(records[candidate.memory], told, wanted)
            if not more:
                result.append(candidate.dropped(Drop.DISTILLED))
            fresh = [heir for heir in heirs if heir not in placed]
            result += [_inherited(heir, candidate, own.get(heir)) for heir in fresh]
            placed.update(fresh)
            if more:
                result.append(replace(candidate, score=BEHIND * candidate.score))
        elif candidate.memory not in placed:
            placed.add(candidate.memory)
            result.append(candidate)
    return result


def says_more(turn: Memory, learnt: Sequence[Memory], wanted: frozenset[str]) -> bool:
    """Whether a turn says some of the `wanted` terms that nothing learnt from it says."""
    said = _content_terms(turn) & wanted
    return bool(said.difference(*map(_content_terms, learnt)))


@once
def _content_terms(memory: Memory) -> frozenset[str]:
    return content_terms(memory.text)


def _inherited(heir: str, evidence: Fused, own: Fused | None) -> Fused:
    hits = evidence.hits if own is None else (*own.hits, *evidence.hits)
    return replace(evidence, memory=heir, hits=hits, via=evidence.memory, drop=None)


def _heirs(memory: Memory | None, learnt: Mapping[int, tuple[str, ...]]) -> list[str]:
    if memory is None or memory.kind is not Kind.EVIDENCE:
        return []
    return [heir for turn in memory.origin.turns for heir in learnt.get(turn, ())]


def words_beside(
    chosen: Sequence[Memory],
    records: Mapping[str, Memory],
    turns_of: Callable[[Memory], Sequence[str]],
    wanted: frozenset[str],
    seen: frozenset[str] = frozenset(),
) -> dict[str, str]:
    """What is shown beside the `chosen` memories, by their ids: words of their own raw turns.

    A memory stands for a turn only as far as it says what the turn says. Beside it are the words
    that say most of what it lacks, of the `wanted` terms before others. What is chosen itself, not
    to be recalled, or `seen` by the model anyway (normalised) is not repeated.
    """
    shown = {memory.id for memory in chosen}
    beside: dict[str, str] = {}
    for memory in chosen:
        ids = () if memory.kind is Kind.EVIDENCE else turns_of(memory)
        raw = [records[id] for id in ids if id in records and id not in shown]
        own = [turn for turn in raw if turn.recallable and turn.account == memory.account]
        fresh = [turn for turn in own if normalise(turn.said).strip() not in seen]
        if said := _beyond(memory, fresh, wanted):
            beside[memory.id] = said
    return beside


def _beyond(memory: Memory, turns: Sequence[Memory], wanted: frozenset[str]) -> str:
    told, named = content(memory.text), _content_terms(memory)
    best, most = "", (0, 0)
    for turn in turns:
        said = excerpt(turn.said, wanted | named, LONGEST_BESIDE).strip()
        more = content(said) - told
        if (len(more & wanted), len(more)) > most:
            best, most = said, (len(more & wanted), len(more))
    return best
