"""Which candidates are shown to the model; every one that is dropped has a typed reason."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from ..conflict.slots import UNMENTIONED, own
from ..graph.communities import CAUSED_BY
from ..languages.entities import named
from ..languages.markers import is_question, without_denials
from ..languages.terms import content_terms, terms, with_meaning
from ..model.conversation import Scope, ScopeKind
from ..model.derived import once
from ..model.knowledge import slot_of
from ..model.memory import REPLY_MARK, Kind, Memory
from ..ports import Filter, MemoryRecords
from ..similarity.measure import PROSPECTIVE_FLOOR
from ..text.quoting import entity_id, normalise
from .block import least_tokens
from .trace import Drop, Fused, Leg

MOST = 20
"""Matters of one person that are looked at, the newest."""


@dataclass(frozen=True, slots=True)
class Matter:
    """What is not to be brought up, as the person called it, and the memory that says so."""

    name: str
    wish: str

    def is_named_in(self, text: str) -> bool:
        """Whether a text names it, or all its words."""
        terms = content_terms(self.name)
        whole = named(entity_id(self.name), entity_id(text))
        return whole or (bool(terms) and terms <= content_terms(text))

    def is_told_by(self, memory: Memory) -> bool:
        """Whether a memory names it, beside the wish itself and the message that it was."""
        return memory.id != self.wish and self.is_named_in(memory.text)


async def matters(
    store: MemoryRecords, scopes: frozenset[str], person: str | None, asked: str = ""
) -> tuple[Matter, ...]:
    """Those of the person of a private chat, or of this one of a group, that are not asked for."""
    slots = frozenset(slot_of(UNMENTIONED, own(account)) for account in ("", person or ""))
    where = Filter(scopes=scopes, recallable=True, slots=slots, holds=True)
    found = [
        Matter(memory.claim.value, memory.id)
        for memory in await store.page(where, limit=MOST)
        if memory.claim is not None and memory.claim.value and not memory.claim.denied
    ]
    return tuple(each for each in found if not each.is_named_in(asked))


NEAR_TIE = 0.02
"""Relevance by which two intentions must differ for it to decide."""

BY_MEANING = frozenset({Leg.SEMANTIC, Leg.PROSPECTIVE})
_COUNTED = BY_MEANING | {Leg.TIME, Leg.CAUSAL}


def is_intention(memory: Memory | None) -> bool:
    """Whether it is something somebody means to do."""
    return memory is not None and memory.kind is Kind.PROSPECTIVE


def by_meaning(
    candidates: Sequence[Fused], records: Mapping[str, Memory], answered: frozenset[Leg]
) -> list[Fused]:
    """The candidates, intentions below the floor dropped as irrelevant.

    Hits by words count for an intention only if none of the `answered` legs goes by meaning.
    """
    counted = _COUNTED if answered & BY_MEANING else _COUNTED | {Leg.TEXT}
    return [_by_meaning(each, counted) if _own(each, records) else each for each in candidates]


def in_place(candidates: Sequence[Fused], records: Mapping[str, Memory]) -> list[Fused]:
    """Best first; in the places that intentions have together, the more relevant ones first.

    Which is more relevant the reranker says, if it judged, and of near ties the newer one is.
    """
    best = sorted(candidates, key=lambda each: -each.score)
    own = [_own(each, records) for each in best]
    intentions = [each for each, mine in zip(best, own, strict=True) if mine]
    placed = iter(_newer_first(sorted(intentions, key=lambda each: -_relevance(each)), records))
    return [next(placed) if mine else each for each, mine in zip(best, own, strict=True)]


def _own(candidate: Fused, records: Mapping[str, Memory]) -> bool:
    return is_intention(records.get(candidate.memory))


def _relevance(candidate: Fused) -> float:
    return candidate.relevance if candidate.rerank is None else candidate.rerank


def _by_meaning(candidate: Fused, counted: frozenset[Leg]) -> Fused:
    hits = tuple(hit for hit in candidate.hits if hit.leg in counted)
    kept = replace(candidate, hits=hits)
    by_words = any(hit.leg is Leg.TEXT for hit in hits)
    if kept.drop is None and not by_words and kept.relevance < PROSPECTIVE_FLOOR:
        return kept.dropped(Drop.IRRELEVANT)
    return kept


def _newer_first(best: Sequence[Fused], records: Mapping[str, Memory]) -> list[Fused]:
    """`best` in its order but for near ties with the first of those left."""
    result: list[Fused] = []
    while len(result) < len(best):
        leader = _relevance(best[len(result)])
        tied = [each for each in best[len(result) :] if leader - _relevance(each) < NEAR_TIE]
        result += sorted(tied, key=lambda each: -records[each.memory].created_at)
    return result


# English negations are function words to the index; to what is said they are not.
_NEGATIONS = frozenset({"no", "not", "t"})
_SENTENCE_ENDS = ".!?。！？\n"

WEAK = frozenset({Drop.IRRELEVANT, Drop.LIMIT, Drop.DUPLICATE})
"""Reasons that say how well something fits, not whether it may be shown."""

type _Saying = tuple[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Context:
    """What the model sees anyway: normalised texts of its history, and the turn being answered.

    `seen` are the seqs of the turns of its episode that the history holds, and its own. `told` are
    the content terms of a turn that does not ask: who says them hears nothing new by a turn that
    says no others ("good morning" of yesterday). `judged` is what `drop_reason` has found in this
    recall: each candidate is asked about several times. `unmentioned` is not to be brought up.
    """

    history: frozenset[str] = frozenset()
    turn: int | None = None
    seen: frozenset[int] = frozenset()
    told: frozenset[str] = frozenset()
    unmentioned: Sequence[Matter] = ()
    judged: dict[str, tuple[Memory, Drop | None]] = field(
        default_factory=dict[str, tuple[Memory, Drop | None]], compare=False, repr=False
    )


def judge(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    context: Context,
    limit: int,
    budget: float = inf,
) -> list[Fused]:
    """Every candidate; those that are not worth injecting have a reason.

    A memory is a duplicate if one before it, in a group of the same speaker, has the same content
    terms, and denies as it does: what says less may be of another matter. None comes after as many
    as fill the `budget` of tokens, were each line the shortest.
    """
    taken = _Taken(limit, budget)
    result: list[Fused] = []
    for candidate in candidates:
        memory = records.get(candidate.memory)
        drop = candidate.drop or drop_reason(memory, context)
        if drop is None and memory is not None:
            drop = taken.refused(memory)
        result.append(candidate if drop is None else candidate.dropped(drop))
    return result


def within(candidates: Iterable[Fused], limit: int) -> Iterator[Fused]:
    """The same, those that would be shown beyond `limit` dropped."""
    left = limit
    for each in candidates:
        yield each.dropped(Drop.LIMIT) if each.drop is None and left <= 0 else each
        left -= each.drop is None


@dataclass(slots=True)
class _Taken:
    """What the memories say that are worth it so far."""

    limit: int
    budget: float
    sayings: set[_Saying] = field(default_factory=set[_Saying])

    def refused(self, memory: Memory) -> Drop | None:
        """Why there is no place for a further one; None if it has taken one."""
        if len(self.sayings) >= self.limit:
            return Drop.LIMIT
        if self.budget < 0:
            return Drop.BUDGET
        saying = _said(memory)
        if saying in self.sayings:
            return Drop.DUPLICATE
        self.budget -= least_tokens(memory)
        self.sayings.add(saying)
        return None


def only_asks(text: str) -> bool:
    """Whether a turn is a question of one sentence, before which nothing is told."""
    return is_question(text) and not any(end in text.rstrip()[:-1] for end in _SENTENCE_ENDS)


@once
def _said(memory: Memory) -> _Saying:
    """Who says it, where several speak, and in which terms: "I like tea" is anybody's.

    A question asked again and again is one, whatever was answered, and repeats no statement.
    """
    several = Scope.kind_of(memory.scope) is ScopeKind.GROUP
    who = memory.speaker.id if several and memory.speaker is not None else ""
    asking = asks(memory)
    said = terms(memory.said if asking else memory.text)
    return f"{who}?" if asking else who, with_meaning(said) | _NEGATIONS.intersection(said)


def drop_reason(memory: Memory | None, context: Context) -> Drop | None:
    """The fact for which a memory is not shown, None if there is none."""
    if memory is None:
        return Drop.GONE
    known = context.judged.get(memory.id)
    if known is None or known[0] is not memory:
        known = context.judged[memory.id] = (memory, _reason(memory, context))
    return known[1]


def _reason(memory: Memory, context: Context) -> Drop | None:
    if not memory.recallable:
        return Drop.GONE
    if any(matter.is_told_by(memory) for matter in context.unmentioned):
        return Drop.UNMENTIONED
    # "Moved to Friday" says what has moved, not where it is and with whom.
    if (
        is_intention(memory)
        and memory.origin.turns
        and context.seen.issuperset(memory.origin.turns)
    ):
        return Drop.IN_CONTEXT
    if memory.kind is not Kind.EVIDENCE:
        return None
    if context.turn in memory.origin.turns:
        return Drop.IN_CONTEXT
    if context.history and _as_compared(memory) in context.history:
        return Drop.IN_CONTEXT
    if context.told and terms_told(memory) <= context.told and not asks(memory):
        return Drop.IN_CONTEXT
    return Drop.BARE_QUESTION if _asks_in_vain(memory) else None


@once
def _as_compared(memory: Memory) -> str:
    """What was said, as texts are compared."""
    return normalise(memory.said).strip()


@once
def terms_told(memory: Memory) -> frozenset[str]:
    """The content terms of what was said, without the answer."""
    return content_terms(memory.said)


@once
def asks(memory: Memory) -> bool:
    """Whether it is a raw turn that asks, whatever was answered."""
    return memory.kind is Kind.EVIDENCE and is_question(memory.said)


@once
def _asks_in_vain(memory: Memory) -> bool:
    """Whether a raw turn tells nothing, and neither does its answer."""
    said, _, reply = memory.text.partition(REPLY_MARK)
    return only_asks(said) and not content_terms(without_denials(reply))


def with_causes(judged: Sequence[Fused], records: Mapping[str, Memory], limit: int) -> list[Fused]:
    """With the causes of each that is shown, and theirs, behind it; no more than `limit` in all.

    `judged` holds them as the causal leg has found them: somebody said so, and they need not
    resemble the question.
    """
    causes = {each.memory: each for each in judged if _may_be_told(each)}
    if not causes:
        return list(judged)
    done: set[str] = set()
    result: list[Fused] = []
    for each in judged:
        chain = [each, *_chain(each.memory, causes, records, {each.memory})]
        for one in chain if each.drop is None else chain[:1]:
            if one.memory not in done:
                done.add(one.memory)
                result.append(one)
    return list(within(result, limit))


def _may_be_told(candidate: Fused) -> bool:
    found = any(hit.leg is Leg.CAUSAL for hit in candidate.hits)
    return found and (candidate.drop is None or candidate.drop in WEAK)


def _chain(
    effect: str, causes: Mapping[str, Fused], records: Mapping[str, Memory], seen: set[str]
) -> Iterator[Fused]:
    """The nearest cause first; a circle ends where it began."""
    memory = records.get(effect)
    for link in () if memory is None else memory.relations:
        named = link.subject == effect and link.predicate == CAUSED_BY
        if named and link.object in causes and link.object not in seen:
            seen.add(link.object)
            yield replace(causes[link.object], drop=None)
            yield from _chain(link.object, causes, records, seen)
