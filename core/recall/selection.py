"""Which candidates are shown to the model. Pure; every one that is dropped has a typed reason."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache

from ..languages.denial import without_denials
from ..languages.inquiries import inquiries
from ..languages.language import Marker
from ..languages.markers import marker
from ..languages.registry import languages
from ..languages.terms import content_terms, terms, with_meaning
from ..model.conversation import Scope, ScopeKind
from ..model.derived import once
from ..model.memory import REPLY_MARK, Kind, Memory
from ..text.normalisation import normalise
from .intention_ranking import QUOTA, is_intention
from .trace import Drop, Fused

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
_SENTENCE_ENDS = ".!?。！？\n"
_SENTENCE_END = re.compile(rf"(?<=[{_SENTENCE_ENDS}])")
_QUESTION_ENDS = ("?", "？", "吗", "呢", "么")

type _Saying = tuple[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Context:
    """What the model sees anyway: normalised texts of its history, and the turn being answered.

    `seen` are the seqs of the turns of its episode that the history holds, and its own. `judged`
    is what `drop_reason` has found in this recall: each candidate is asked about several times.
    """

    history: frozenset[str] = frozenset()
    turn: int | None = None
    seen: frozenset[int] = frozenset()
    judged: dict[str, tuple[Memory, Drop | None]] = field(
        default_factory=dict[str, tuple[Memory, Drop | None]], compare=False, repr=False
    )


def judge(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    context: Context,
    limit: int,
    share: float = 0.0,
    asked: Set[str] = frozenset(),
) -> list[Fused]:
    """Every candidate; those that are not worth injecting have a reason.

    Worth it is what has at least `share` of the odds of the first that can be shown: what the model
    sees anyway is of the same topic more often than it is the answer. The same question, asked
    before, says nothing of what its answer must be like. `asked` are the content terms of the
    question, none if nothing is compared. A memory is
    a duplicate if one before it, in a group of the same speaker, already says every content term
    of it, and denies as it does. Of intentions no more than `QUOTA` are worth it.
    """
    taken = _Taken(limit)
    least: float | None = None
    result: list[Fused] = []
    for candidate in candidates:
        memory = records.get(candidate.memory)
        drop = candidate.drop or drop_reason(memory, context)
        if drop is None and memory is not None:
            if least is None and not (asked and _question_terms(memory) == asked):
                least = share * odds(candidate.score)
            weak = least is not None and odds(candidate.score) < least
            drop = Drop.IRRELEVANT if weak else taken.refused(memory)
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
    """What the memories say that are worth it so far, and how many of them are intentions."""

    limit: int
    sayings: list[_Saying] = field(default_factory=list[_Saying])
    intended: int = 0

    def refused(self, memory: Memory) -> Drop | None:
        """Why there is no place for a further one; None if it has taken one."""
        saying, intention = _said(memory), is_intention(memory)
        if any(_covers(earlier, saying) for earlier in self.sayings):
            return Drop.DUPLICATE
        if len(self.sayings) == self.limit:
            return Drop.LIMIT
        if intention and self.intended == QUOTA:
            return Drop.QUOTA
        self.sayings.append(saying)
        self.intended += intention
        return None


def odds(score: float) -> float:
    """p / (1 - p) of a score, 0..1; that of 1 is finite."""
    return score / max(1e-9, 1.0 - score)


def _covers(earlier: _Saying, later: _Saying) -> bool:
    return earlier[0] == later[0] and later[1] <= earlier[1]


def asks_for_nothing(text: str) -> bool:
    """Whether a turn is a greeting or has no content at all: no memory could belong to it."""
    said = " ".join(_WORD.findall(normalise(text)))
    if not said or said in _GREETINGS:
        return True
    # Of 我开什么车 no word is in the index, and nothing marks its end.
    return not content_terms(text) and not is_question(text) and not inquiries(text)


def is_question(text: str) -> bool:
    """Whether a turn asks rather than tells, by its last mark, particle or the order of words."""
    said = text.rstrip(" \t\n。.!！~～")
    if said.endswith(_QUESTION_ENDS):
        return True
    # What a split would end in; of each recall hundreds are asked.
    last = said[1 + max(map(said.rfind, _SENTENCE_ENDS)) :]
    return _plainly_asked().search(last) is not None


@cache
def _plainly_asked() -> re.Pattern[str]:
    # Of every language: to tell which a text is in takes longer.
    return marker(Marker.PLAINLY_ASKED, tuple(each.code for each in languages()))


def only_asks(text: str) -> bool:
    """Whether a turn is a question and tells nothing of its own before it."""
    if not is_question(text):
        return False
    sentences = _SENTENCE_END.split(text)
    return not any(len(content_terms(one)) >= TELLING and not is_question(one) for one in sentences)


@once
def _said(memory: Memory) -> _Saying:
    """Who says it, where several speak, and in which terms: "I like tea" is anybody's."""
    several = Scope.kind_of(memory.scope) is ScopeKind.GROUP
    who = memory.speaker.id if several and memory.speaker is not None else ""
    said = terms(memory.text)
    return who, with_meaning(said) | _NEGATIONS.intersection(said)


def drop_reason(memory: Memory | None, context: Context) -> Drop | None:
    """The fact for which a memory is not shown, None if there is none."""
    if memory is None:
        return Drop.GONE
    known = context.judged.get(memory.id)
    if known is None or known[0] is not memory:
        known = context.judged[memory.id] = (memory, _reason(memory, context))
    return known[1]


def is_seen(memory: Memory | None, context: Context) -> bool:
    """Whether a memory is told by the conversation that the model sees, before this turn."""
    return (
        memory is not None
        and drop_reason(memory, context) is Drop.IN_CONTEXT
        and context.turn not in memory.origin.turns
        and not _asks_in_vain(memory)
    )


def _reason(memory: Memory, context: Context) -> Drop | None:
    if not memory.recallable:
        return Drop.GONE
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
    return Drop.BARE_QUESTION if _asks_in_vain(memory) else None


@once
def _as_compared(memory: Memory) -> str:
    """What was said, as texts are compared."""
    return normalise(memory.text.partition(REPLY_MARK)[0]).strip()


@once
def _question_terms(memory: Memory) -> frozenset[str]:
    """The content terms of a raw turn that only asks, whatever was answered; else none."""
    if memory.kind is not Kind.EVIDENCE:
        return frozenset()
    said = memory.text.partition(REPLY_MARK)[0]
    return content_terms(said) if only_asks(said) else frozenset()


@once
def _asks_in_vain(memory: Memory) -> bool:
    """Whether a raw turn tells nothing, and neither does its answer."""
    said, _, reply = memory.text.partition(REPLY_MARK)
    return only_asks(said) and not content_terms(without_denials(reply))
