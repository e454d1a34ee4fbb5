"""The full record of one memory, and the messages that it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..conflict.trust import CORROBORATES, linked, trust_of
from ..forgetting.lifecycle import forgotten_by_hand
from ..model.conversation import Role, Scope, Turn
from ..model.knowledge import Media
from ..model.memory import RAW, Kind, Memory, Mood, Succession
from ..ports import Filter
from ..records.evidence import evidence_id
from .answers import MemoryView, Refusal
from .context import Context
from .history import HistoryEntry, entries
from .lookup import find
from .masking import masked_by, seen
from .stories import ToldLine, story, threads_telling
from .views import Outlook, Replaced, hidden, outlook, replaced, views

MOST_OF_A_SLOT = 12
"""Claims of one slot that are told."""

MOST_SOURCES = 4
"""Messages that are told, the first among them and the newest."""


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """A message as it was said. `speaker` is what its speaker goes by in that chat now, "" for who
    said the memory; `by_bot` for an answer.
    """

    at: float
    text: str
    speaker: str = ""
    by_bot: bool = False


@dataclass(frozen=True, slots=True)
class Details:
    """A memory, how far it is trusted now, what becomes of it, and what happened to it.

    `corrected` is what it said before somebody put it right.

    `sources` are messages that it rests on, and `chain` what was claimed of the same since and
    until when, oldest first; `story` are the lines of a thread with what they rest on, and
    `threads` those that tell this memory. None of them of a memory whose contents are not shown,
    with `why_masked`. Not `editable`: only the person whose private memory it is puts it right.
    """

    memory: MemoryView
    trust: float
    mood: Mood
    media: Sequence[Media]
    outlook: Outlook
    replaced: Replaced | None
    corrected: Sequence[MemoryView]
    editable: bool
    history: Sequence[HistoryEntry]
    shown_at: Sequence[float]
    sources: Sequence[SourceMessage]
    chain: Sequence[MemoryView]
    story: Sequence[ToldLine]
    threads: Sequence[MemoryView]
    why_masked: Refusal | None


async def details(context: Context, written: str) -> Details:
    """Everything the caller may know of a memory."""
    memory = await find(context, written)
    [shown] = await seen(context, [memory], f"show {memory.id}")
    link, told, masked = memory.successor, shown.memory, shown.masked
    return Details(
        memory=shown,
        trust=trust_of(told, context.now),
        mood=told.sentiment.mood,
        media=told.media,
        outlook=outlook(context, told),
        replaced=None if link is None else await replaced(context, memory, link),
        corrected=() if masked else await _corrected(context, memory),
        editable=not await hidden(context, [memory.scope]),
        history=await entries(context, await context.journal.audit_of(memory.id), memory),
        shown_at=[each.at for each in await context.journal.showings(memory.id)],
        sources=() if masked else await source_messages(context, memory),
        chain=() if masked else await _chain(context, memory),
        story=() if masked else await story(context, memory),
        threads=() if masked else await threads_telling(context, [memory]),
        why_masked=masked_by(context, [shown]),
    )


async def _corrected(context: Context, memory: Memory) -> Sequence[MemoryView]:
    links = (each for each in memory.relations if each.predicate == Succession.CORRECTS)
    older = await context.store.find([link.object for link in links], frozenset({memory.scope}))
    return await views(context, [each for each in older if each.kind not in RAW], whole=True)


async def _chain(context: Context, memory: Memory) -> Sequence[MemoryView]:
    """The newest claims of its slot, without what was forgotten by hand; none if it is alone."""
    if memory.claim is None:
        return ()
    slot = frozenset({memory.claim.slot})
    where = Filter(frozenset({memory.scope}), status=None, slots=slot)
    claims = await context.store.page(where, limit=MOST_OF_A_SLOT)
    told = [each for each in claims if each.id == memory.id or not forgotten_by_hand(each)]
    told.sort(key=lambda each: (each.claim.valid_from if each.claim else 0.0, each.id))
    return await views(context, told, whole=True) if len(told) > 1 else ()


async def source_messages(context: Context, memory: Memory) -> list[SourceMessage]:
    """What is still recorded of them, oldest first; a raw turn is its own source.

    Of an imported memory the numbers of its turns may mean others here: only turns of its scope,
    of its episode or named as a repetition, are told. Not told are answers that may repeat
    somebody's private memories, and what somebody has forgotten by hand.
    """
    if memory.kind is Kind.EVIDENCE:
        return []
    journal, seqs = context.journal, memory.origin.turns
    wanted = seqs if len(seqs) <= MOST_SOURCES else (seqs[0], *seqs[-MOST_SOURCES + 1 :])
    found = [turn for seq in wanted if (turn := await journal.turn(seq)) is not None]
    raw = await context.store.find([evidence_id(journal.id, turn.seq) for turn in found])
    forgotten = {each.id for each in raw if forgotten_by_hand(each)}
    told = [
        turn
        for turn in found
        if _is_source(turn, memory, journal.id)
        and evidence_id(journal.id, turn.seq) not in forgotten
    ]
    return [await _message(context, turn, memory) for turn in told]


def _is_source(turn: Turn, memory: Memory, journal: str) -> bool:
    if turn.place.scope != memory.scope or turn.private_reply or not turn.text.strip():
        return False
    again = linked(memory, CORROBORATES)
    return turn.episode == memory.origin.episode or evidence_id(journal, turn.seq) in again


async def _message(context: Context, turn: Turn, memory: Memory) -> SourceMessage:
    if turn.role is Role.ASSISTANT:
        return SourceMessage(turn.at, turn.text, by_bot=True)
    if memory.speaker is not None and memory.speaker.id == turn.speaker.id:
        return SourceMessage(turn.at, turn.text)
    scope = Scope.parse(turn.place.scope)
    names = await context.engine.people.names([scope.owner])
    name = names.get((scope.platform, turn.speaker.id)) or turn.speaker.name
    return SourceMessage(turn.at, turn.text, name or turn.speaker.id)
