"""One memory whole: its record, the messages it rests on, its history, its threads."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..conflict.trust import CORROBORATES, linked, trust_of
from ..forgetting.lifecycle import RETENTION, forgotten_by_hand
from ..model.conversation import Role, Scope, ScopeKind, Turn
from ..model.knowledge import Media
from ..model.memory import RAW, Extractor, Kind, Memory, Status, Succession
from ..model.sleeping import BY_SLEEP
from ..ports import ERASED, AuditEntry, Filter
from ..privacy.unsharing import RevelationKind
from ..records.evidence import evidence_id
from ..records.threads import lines_of
from .answers import MemoryView, Refusal
from .context import Context, signed_in, told
from .searching import find
from .views import Replaced, hidden, masked_by, replaced, seen, view, views

VERDICTS = ("useful", "useless")
CREATED = "created"
SHOWN_TO_MODEL = "shown"
ACTORS = frozenset({"tmd", "bin", RETENTION, "learning", "report", BY_SLEEP, "remember", ERASED})
ACTORS |= {Extractor.RULES.value, Extractor.MODEL.value}
"""Who acts besides people."""

_IN_PRIVATE = frozenset({RevelationKind.REVEALED, RevelationKind.EXPORTED})


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """What was done, and by which of `ACTORS` or which person; "" if nobody noted it.

    `removal` is why a memory was moved away, as its standing says it, `reason` why somebody was
    shown private ones, `newer` the id of what took its place; `spent`: this verdict put it into
    the bin.
    """

    at: float
    action: str
    by: str
    numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    removal: str = ""
    reason: str = ""
    newer: str = ""
    spent: bool = False


async def _history(context: Context, memory: Memory) -> Sequence[HistoryEntry]:
    """Created, shown to the model, judged, changed, moved, revealed; oldest first."""
    noted = await context.journal.audit_of(memory.id)
    noted += await context.engine.revelations.of_memory(memory)
    events = await entries(context, noted, memory)
    if not any(entry.action == CREATED for entry in noted):
        events.insert(0, HistoryEntry(memory.created_at, CREATED, by=""))
    for showing in await context.journal.showings(memory.id):
        events.append(HistoryEntry(showing.at, SHOWN_TO_MODEL, "", {"number": showing.number}))
    return sorted(events, key=lambda event: event.at)


async def revelations(context: Context) -> list[HistoryEntry]:
    """To whom the caller's private memories were shown, when and why; told in private alone."""
    if context.caller.scope.kind is not ScopeKind.PRIVATE:
        return []
    noted = await context.engine.revelations.of(context.caller.scope)
    return await entries(context, noted)


async def entries(
    context: Context, noted: Sequence[AuditEntry], memory: Memory | None = None
) -> list[HistoryEntry]:
    """Notes of the audit log, read; of this memory, if they are of one."""
    return [await _entry(context, each, _detail(each), memory) for each in noted]


async def _entry(
    context: Context, entry: AuditEntry, detail: Mapping[str, Any], memory: Memory | None
) -> HistoryEntry:
    why = detail.get("reason")
    removed = entry.action in ("binned", "archived") and isinstance(why, str)
    return HistoryEntry(
        entry.at,
        entry.action,
        await _actor(context, entry),
        {name: value for name, value in detail.items() if isinstance(value, int | float)},
        str(why) if removed else "",
        str(why) if why and entry.action in frozenset(RevelationKind) else "",
        await _newer(context, detail, memory) if entry.action in frozenset(Succession) else "",
        entry.action in VERDICTS and detail.get("status") == Status.BINNED,
    )


async def _actor(context: Context, entry: AuditEntry) -> str:
    """A part of the plugin, or a person as they are known in the memory's chat.

    Whoever had private memories shown or exported did so in private, and their owner is told in
    full.
    """
    if entry.by in ACTORS or entry.action in _IN_PRIVATE or not entry.scope:
        return told(entry.by)
    return await signed_in(context, entry.by, Scope.parse(entry.scope))


async def _newer(context: Context, detail: Mapping[str, Any], memory: Memory | None) -> str:
    scopes = frozenset() if memory is None else frozenset({memory.scope})
    found = await context.store.find([str(detail.get("by_memory"))], scopes)
    return (await view(context, found[0])).id if found else ""


def _detail(entry: AuditEntry) -> Mapping[str, Any]:
    try:
        detail = json.loads(entry.detail)
    except ValueError:
        return {}
    return detail if isinstance(detail, dict) else {}


MOST_THREADS = 200
"""Of the newest that are looked at."""

SHOWN = 5


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line of a thread, and the memories that say it."""

    said: str
    memories: Sequence[MemoryView]


async def story(context: Context, thread: Memory) -> Sequence[ToldLine]:
    """The lines of a thread, oldest first; of what has left recall since nothing is told."""
    found = await context.store.find(thread.tells, frozenset({thread.scope}))
    shown = [memory for memory in found if memory.recallable]
    known = {view.memory.id: view for view in await views(context, shown, whole=True)}
    return [
        ToldLine(line.said, [known[id] for id in line.told])
        for line in lines_of(thread)
        if known.keys() >= set(line.told)
    ]


async def threads_telling(context: Context, memories: Sequence[Memory]) -> Sequence[MemoryView]:
    """The newest threads that tell any of these, of their scopes."""
    ids = {memory.id for memory in memories}
    scopes = frozenset(memory.scope for memory in memories)
    where = Filter(scopes, kinds=frozenset({Kind.NARRATIVE}))
    found = await context.store.page(where, limit=MOST_THREADS) if scopes else []
    telling = [each for each in found if not ids.isdisjoint(each.tells)]
    return await views(context, telling[:SHOWN], whole=True)


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
    """A memory, how far it is trusted now, and what happened to it.

    `corrected` is what it said before somebody put it right.

    `sources` are messages that it rests on, and `chain` what was claimed of the same since and
    until when, oldest first; `story` are the lines of a thread with what they rest on, and
    `threads` those that tell this memory. None of them of a memory whose contents are not shown,
    with `why_masked`. Not `editable`: only the person whose private memory it is puts it right.
    """

    memory: MemoryView
    trust: float
    media: Sequence[Media]
    replaced: Replaced | None
    corrected: Sequence[MemoryView]
    editable: bool
    history: Sequence[HistoryEntry]
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
        media=told.media,
        replaced=None if link is None else await replaced(context, memory, link),
        corrected=() if masked else await _corrected(context, memory),
        editable=not await hidden(context, [memory.scope]),
        history=await _history(context, memory),
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
