"""What comes along: memories learnt from shown turns and back, and the thread of a story."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..conflict.clauses import content
from ..languages.entities import candidates
from ..languages.language import Marker
from ..languages.markers import marked
from ..languages.terms import content_terms, excerpt
from ..model.derived import once
from ..model.memory import Kind, Memory
from ..ports import Filter, MemoryReader
from ..records.threads import LEAST_LINES, StoryLine, lines_of, with_lines, without
from ..text.quoting import entity_id, normalise
from ..text.token_count import estimate_tokens
from .block import heading, line
from .question import Question
from .selection import within
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
        # Several facts of one message would each bring all its words.
        said = _beyond(memory, fresh, wanted) if fresh else ""
        if said and said not in beside.values():
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


MOST_THREADS = 200
"""The newest of all that may be read here."""

ROOM = 0.5
"""Share of a block's tokens that a story may take."""

_TOLD_BY_OTHERS = frozenset({None, Drop.DISTILLED, Drop.DUPLICATE, Drop.LIMIT})
"""What is shown, or said by what is shown."""


@dataclass(frozen=True, slots=True)
class Storied:
    """The candidates, and the records with the thread as it is told here."""

    candidates: list[Fused]
    records: dict[str, Memory]


def asks_for_story(text: str) -> bool:
    """Whether a turn asks how something went, in words."""
    return bool(marked(Marker.STORY, text))


async def with_story(
    judged: Sequence[Fused], records: dict[str, Memory], question: Question, store: MemoryReader
) -> Storied:
    """With the thread of what is asked about first: it is named, or tells the best that is shown.

    Raises StorageError.
    """
    plain = Storied(list(judged), records)
    if not asks_for_story(question.text):
        return plain
    where = Filter(question.scopes, kinds=frozenset({Kind.NARRATIVE}))
    threads = [m for m in await store.page(where, limit=MOST_THREADS) if m.is_thread]
    best = _best(threads, judged, question.text)
    if best is None:
        return plain
    fragments = await store.find(best.tells, frozenset({best.scope}))
    kept_out = question.context.unmentioned
    left = {
        memory.id: memory
        for memory in fragments
        if memory.recallable and not any(each.is_told_by(memory) for each in kept_out)
    }
    whole = without(best, frozenset(best.tells) - left.keys())
    thread = None if whole is None else _fitting(whole, question)
    return plain if thread is None else _placed(thread, left, plain, question)


def told(thread: Memory) -> str:
    """A thread as one text for a prompt: its lines, each cause by its date."""
    lines = lines_of(thread)
    dates = {id: line.said.partition(" ")[0] for line in lines for id in line.told}
    return "; ".join(_told(line, dates) for line in lines)


def _told(line: StoryLine, dates: Mapping[str, str]) -> str:
    causes = dict.fromkeys(dates[id] for id in line.causes if id in dates)
    return f"{line.said} (← {', '.join(causes)})" if causes else line.said


def _best(threads: Sequence[Memory], judged: Sequence[Fused], text: str) -> Memory | None:
    named = {entity_id(name) for name in candidates(text).values()}
    found = {each.memory: each.score for each in judged if each.drop in _TOLD_BY_OTHERS}
    first = next((each.memory for each in judged if each.drop is None), "")

    def rank(thread: Memory) -> tuple[bool, float, float, str]:
        shown = sum(found.get(id, 0.0) for id in thread.tells)
        return entity_id(thread.summary) in named, shown, thread.created_at, thread.id

    asked = [each for each in threads if first in each.tells or rank(each)[0]]
    return max(asked, key=rank, default=None)


def _fitting(thread: Memory, question: Question) -> Memory | None:
    """The thread without its first lines, if all of them are more than it may take."""
    lines = lines_of(thread)
    while len(lines) >= LEAST_LINES:
        shorter = with_lines(thread, lines)
        style = question.style
        written = line(question.first, replace(shorter, text=told(shorter)), style)
        if estimate_tokens(f"{heading(shorter, style)}\n{written}") <= ROOM * question.budget:
            return shorter
        lines = lines[1:]
    return None


def _placed(
    thread: Memory, fragments: Mapping[str, Memory], found: Storied, question: Question
) -> Storied:
    text = told(thread)
    said = content_terms(text)
    stood_for = {
        id for id in thread.tells if id in fragments and content_terms(fragments[id].text) <= said
    }
    shown = [each for each in found.candidates if each.memory in thread.tells]
    via = next((each.memory for each in shown if each.drop is None), thread.tells[0])
    score = max((each.score for each in shown), default=0.0)
    others = [
        each.dropped(Drop.DUPLICATE) if each.drop is None and each.memory in stood_for else each
        for each in found.candidates
        if each.memory != thread.id
    ]
    placed = list(within([Fused(thread.id, (), score, via=via), *others], question.limit))
    return Storied(placed, {**found.records, thread.id: replace(thread, text=text)})
