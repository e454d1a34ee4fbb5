"""If a question asks how something went, the thread that tells it is shown first.

It stands for those of its fragments of which it says everything; the others stay beside it. Where
no story is asked for, threads are not looked at.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..languages.entity_matching import candidates
from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from ..languages.terms import content_terms
from ..model.memory import Kind, Memory
from ..ports import Filter, MemoryReader
from ..records.threads import LEAST_LINES, StoryLine, lines_of, with_lines, without
from ..text.display_names import entity_id
from .block import heading, line
from .question import Question
from .selection import within
from .trace import Drop, Fused

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
    return bool(marker(Marker.STORY, codes_in(text)).search(text))


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
    dates = {id: _date(line) for line in lines for id in line.told}
    return "; ".join(_told(line, dates) for line in lines)


def _told(line: StoryLine, dates: Mapping[str, str]) -> str:
    causes = dict.fromkeys(dates[id] for id in line.causes if id in dates)
    return f"{line.said} (← {', '.join(causes)})" if causes else line.said


def _date(line: StoryLine) -> str:
    return line.said.partition(" ")[0]


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
        if style.count(f"{heading(shorter, style)}\n{written}") <= ROOM * question.budget:
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
