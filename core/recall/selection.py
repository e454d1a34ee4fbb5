"""Which candidates are shown to the model. Pure; every one that is dropped has a typed reason."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ..languages.denial import without_denials
from ..languages.terms import carries_meaning, content_terms, terms
from ..model.conversation import Scope, ScopeKind
from ..model.memory import REPLY_MARK, Kind, Memory
from ..similarity.measure import WORDS, in_common
from ..text.normalisation import normalise
from .diversity import diversified
from .intention_ranking import QUOTA, is_intention
from .trace import Drop, Fused

LEAST_RELEVANCE = 0.22
"""Below, neither leg says more than chit-chat against a store of unrelated memories does."""

AMONG = 3
"""Memories worth injecting that are compared for one that is injected; the rest come too late."""

VARIED = 0.95
"""Weight of relevance against repetition, see docs/benchmarks.md."""

TELLING = 3
"""Content terms with which a sentence tells something."""

# English negations are function words to the index; to what is said they are not.
_NEGATIONS = frozenset({"no", "not", "t"})
_WORD = re.compile(r"\w+")
_GREETINGS = frozenset(
    (
        "good morning|good afternoon|good evening|good night|goodnight|nice to meet you|"
        "how are you|how are you today|see you|see you later|thank you very much|never mind|"
        "早|早安|早上好|中午好|下午好|晚上好|晚安|你好呀|在吗|在么|在不在|嗯嗯|哈哈|哈哈哈|呵呵|"
        "谢谢|谢谢你|多谢|再见|拜拜|好的|没事|不客气|辛苦了"
    ).split("|")
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？\n])")
_QUESTION_ENDS = ("?", "？", "吗", "呢", "么")

type _Saying = tuple[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Context:
    """What the model sees anyway: normalised texts of its history, and the turn being answered.

    `seen` are the seqs of the turns of its episode that the history holds, and its own.
    """

    history: frozenset[str] = frozenset()
    turn: int | None = None
    seen: frozenset[int] = frozenset()


def judge(
    candidates: Sequence[Fused], records: Mapping[str, Memory], context: Context, limit: int
) -> list[Fused]:
    """Every candidate, those not worth injecting with the reason; near-duplicates further back.

    A memory is a duplicate if one before it, in a group of the same speaker, already says every
    content term of it, and denies as it does. Of intentions no more than `QUOTA` are worth it.
    """
    sayings: dict[str, _Saying] = {}
    worth: list[Fused] = []
    for candidate in candidates:
        memory = records.get(candidate.memory)
        drop = candidate.drop or drop_reason(candidate, memory, context)
        if drop is None and len(sayings) == AMONG * limit:
            drop = Drop.LIMIT
        elif drop is None and memory is not None:
            who, said = saying = _said(memory)
            if any(who == speaker and said <= earlier for speaker, earlier in sayings.values()):
                drop = Drop.DUPLICATE
            else:
                sayings[candidate.memory] = saying
        worth.append(candidate if drop is None else candidate.dropped(drop))
    return _limited(_varied(worth, sayings, records, limit), records, limit)


def _limited(candidates: Sequence[Fused], records: Mapping[str, Memory], limit: int) -> list[Fused]:
    taken = intended = 0
    result: list[Fused] = []
    for candidate in candidates:
        drop = candidate.drop
        if drop is None:
            intention = is_intention(records[candidate.memory])
            if taken >= limit:
                drop = Drop.LIMIT
            elif intention and intended == QUOTA:
                drop = Drop.QUOTA
            else:
                taken += 1
                intended += intention
        result.append(candidate if drop is None else candidate.dropped(drop))
    return result


def is_relevant(candidate: Fused) -> bool:
    """Whether a leg says more for it than chit-chat against unrelated memories would."""
    return candidate.relevance >= LEAST_RELEVANCE


def asks_for_nothing(text: str) -> bool:
    """Whether a turn is a greeting or has no content at all: no memory could belong to it."""
    said = " ".join(_WORD.findall(normalise(text)))
    return said in _GREETINGS or (not content_terms(text) and not is_question(text))


def is_question(text: str) -> bool:
    """Whether a turn asks rather than tells, by its last mark or particle."""
    return text.rstrip(" \t\n。.!！~～").endswith(_QUESTION_ENDS)


def only_asks(text: str) -> bool:
    """Whether a turn is a question and tells nothing of its own before it."""
    if not is_question(text):
        return False
    sentences = _SENTENCE_END.split(text)
    return not any(len(content_terms(one)) >= TELLING and not is_question(one) for one in sentences)


def _varied(
    candidates: list[Fused],
    sayings: Mapping[str, _Saying],
    records: Mapping[str, Memory],
    limit: int,
) -> list[Fused]:
    """What nearly repeats something better, by the same speaker, moved behind what does not.

    Of all that are worth it the first `limit` are chosen; intentions keep their places.
    """
    places = [
        place
        for place, each in enumerate(candidates)
        if each.memory in sayings and not is_intention(records[each.memory])
    ]
    said = [sayings[candidates[place].memory] for place in places]
    # What was moved by hand keeps its place: it counts as the best of those behind it.
    scores = accumulate((candidates[place].score for place in reversed(places)), max)
    relevance = list(scores)[::-1]

    def repetition(one: int, other: int) -> float:
        (who, own), (whose, others) = said[one], said[other]
        return WORDS.repetition(in_common(own, others)) if who == whose else 0.0

    first = diversified(relevance, repetition, keep=limit, weight=VARIED)
    rest = sorted(set(range(len(places))).difference(first))
    result = list(candidates)
    for place, chosen in zip(places, [*first, *rest], strict=True):
        result[place] = candidates[places[chosen]]
    return result


def _said(memory: Memory) -> _Saying:
    """Who says it, where several speak, and in which terms: "I like tea" is anybody's."""
    several = Scope.kind_of(memory.scope) is ScopeKind.GROUP
    who = memory.speaker.id if several and memory.speaker is not None else ""
    said = frozenset(t for t in terms(memory.text) if t in _NEGATIONS or carries_meaning(t))
    return who, said


def drop_reason(candidate: Fused, memory: Memory | None, context: Context) -> Drop | None:
    """Why a candidate by itself is not worth injecting, None if it is."""
    if not is_relevant(candidate):
        return Drop.IRRELEVANT
    if memory is None or not memory.recallable:
        return Drop.GONE
    if is_intention(memory) and not context.seen.isdisjoint(memory.origin.turns):
        return Drop.IN_CONTEXT
    if memory.kind is not Kind.EVIDENCE:
        return None
    turn_text, _, reply = memory.text.partition(REPLY_MARK)
    if context.turn in memory.origin.turns or normalise(turn_text).strip() in context.history:
        return Drop.IN_CONTEXT
    unanswered = not content_terms(without_denials(reply))
    return Drop.BARE_QUESTION if unanswered and only_asks(turn_text) else None
